"""A journal whose lines have right checksums and wrong content, and traces that were changed."""

import json
import shutil
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import campaign_fakes as fakes
from ackclock.campaign import Campaign, CampaignWarning
from ackclock.campaign.journal import DAMAGED, JOURNAL, as_json, sealed
from ackclock.campaign.journal_entries import problem
from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.results import Results
from results_campaigns import lab
from test_emulation_read import told

LAB = """
duration = "400 ms"
metrics = ["goodput_bit_s", "timeouts"]
replications = 2

[topology]
kind = "dumbbell"
pairs = 2
bottleneck = { rate = "2 Mbit/s", delay = "10 ms", queue = { limit = "5 packets" } }

[tcp]
flavor = "reno"

[workload]
start_spread = "50 ms"

[probes]
queue = "50 ms"
cwnd = "all"

[sweep.factors]
"tcp.flavor" = ["reno", "sack"]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A scenario file with its results beside it, and the rows that were measured."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "lab.toml").write_text(LAB)
    results = lab(folder / "lab.results", text=LAB)
    return folder, as_json(results.campaign.rows())


@pytest.fixture
def folder(made, tmp_path, monkeypatch):
    shutil.copytree(made[0], tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def entries_of(path):
    return [
        {key: value for key, value in json.loads(line).items() if key != "check"}
        for line in path.read_bytes().splitlines()
    ]


def write(path, entries):
    path.write_bytes(b"".join(sealed(as_json(entry)) for entry in entries))


WRONG = {
    "without its keys": lambda entry: {"run": entry["run"]},
    "without a row": lambda entry: {key: entry[key] for key in entry if key != "row"},
    "an empty row": lambda entry: entry | {"row": {}},
    "text for a number": lambda entry: entry | {"row": entry["row"] | {"timeouts": "many"}},
    "a number too large": lambda entry: entry | {"row": entry["row"] | {"timeouts": 10**400}},
    "columns not equally long": lambda entry: (
        entry | {"row": entry["row"] | {"flows": {"timeouts": [1], "pages": [1, 2]}}}
    ),
    "traces are a list": lambda entry: entry | {"traces": []},
    "a trace elsewhere": lambda entry: entry | {"traces": {"../../../secret": 5}},
    "no identity": lambda entry: entry | {"run": "reno"},
    "both": lambda entry: entry | {"failed": entry["run"]},
    "neither": lambda entry: {"row": entry["row"]},
    "a failure of nothing": lambda entry: {"failed": entry["run"], "reason": 5},
    "a verdict that there is not": lambda entry: (
        entry | {"row": entry["row"] | {"emulation": {"verdict": "fine", "reasons": []}}}
    ),
    "half a character": lambda entry: entry | {"row": entry["row"] | {"\ud800": 1}},
    "no time": lambda entry: entry | {"duration_s": float("nan")},
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_line_that_makes_no_sense_is_named_and_its_run_made_again(wrong, made, folder, capsys):
    journal = folder / "lab.results" / JOURNAL
    entries = entries_of(journal)
    entries[2] = WRONG[wrong](entries[2])
    write(journal, entries)
    assert main(["show", "lab.results"]) == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "journal.jsonl: 1 damaged line is left out: line 3" in told
    assert f"line 3: {problem(entries[2])}" in told
    assert main(["run", "lab.toml"]) == 0
    assert "(1 made now)" in capsys.readouterr().out
    assert (folder / "lab.results" / DAMAGED).read_bytes() == sealed(as_json(entries[2]))
    assert as_json(Results.open("lab.results").campaign.rows()) == made[1]


def test_a_line_that_is_too_deep_is_damaged(folder):
    path = folder / "lab.results" / JOURNAL
    with path.open("ab") as file:
        file.write(sealed('{"run":' + "[" * 100_000 + "]" * 100_000 + "}"))
        file.write(sealed('{"run":' + "1" * 5000 + "}"))
    with pytest.warns(CampaignWarning, match=r"2 damaged .*: line 6: it cannot.*line 7: it cann"):
        assert len(Campaign.open("lab.results").runs) == 4


def test_only_a_few_damaged_lines_are_named(folder):
    journal = folder / "lab.results" / JOURNAL
    write(journal, [entries_of(journal)[0], *[{"run": str(number)} for number in range(9)]])
    with pytest.warns(CampaignWarning, match=r"9 damaged lines .*line 4: [^;]*; and 6 more; "):
        assert Campaign.open("lab.results").missing == 4


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda each: (
        st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=5), each, max_size=3)
    ),
    max_leaves=6,
)


def mutated(value, choose):
    """The same with one thing changed somewhere: removed, replaced, or given another name."""
    inside = list(value) if isinstance(value, dict) else range(len(value))
    if not inside:
        return choose(JSON)
    at = choose(st.sampled_from(inside))
    copied = value.copy()
    if isinstance(value[at], dict | list) and choose(st.integers(0, 3)):
        copied[at] = mutated(value[at], choose)
        return copied
    what = choose(st.sampled_from(["replace", "remove", "rename"]))
    if what == "replace":
        copied[at] = choose(JSON)
        return copied
    changed = copied.pop(at)
    if what == "rename" and isinstance(copied, dict):
        copied[choose(st.text(max_size=5))] = changed
    return copied


COMMANDS = (
    ("show", "lab.results"),
    ("show", "lab.results", "--flows"),
    ("export", "lab.results", "--csv", "metrics.csv"),
    ("export", "lab.results", "--what", "flows", "--csv", "flows.csv"),
    ("compare", "lab.results", "--by", "tcp_flavor"),
    ("report", "lab.results"),
    ("run", "lab.toml"),
    ("show", "lab.results"),
)


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_no_content_of_a_journal_is_a_traceback(data, made, folder, capsys):
    """The same commands with other content: an answer, or exit code 2 and a message."""
    shutil.rmtree(folder / "lab.results")
    shutil.copytree(made[0] / "lab.results", folder / "lab.results")
    journal = folder / "lab.results" / JOURNAL
    entries = entries_of(journal)
    for at in data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4, unique=True)):
        entries[at] = mutated(entries[at], data.draw)
    write(journal, entries)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for words in COMMANDS:
            assert main(list(words)) in (0, 2), words
    # What is left in the folder is what was asked for, and complete.
    assert not Campaign.open("lab.results").missing


def test_a_trace_that_was_changed_is_noticed_and_made_again(folder, capsys):
    results = Results.open("lab.results")
    trace = results.campaign.runs[0].traces["cwnd"]
    content = trace.path.read_bytes()
    middle = len(content) // 2
    trace.path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    with pytest.raises(
        InputError, match=r"cwnd\.parquet: differs from what was recorded; repeat the comm"
    ):
        results.trace("flow 1", point=0)
    assert main(["run", "lab.toml"]) == 0
    assert "(1 made now)" in capsys.readouterr().out
    assert trace.path.read_bytes() == content


@pytest.mark.parametrize("damage", ["start", "end"])
def test_a_trace_without_a_hash_is_refused_if_it_is_no_table(damage, folder):
    """Earlier versions journaled the size alone."""
    journal = folder / "lab.results" / JOURNAL
    entries = entries_of(journal)
    assert [entry.pop("hashes", None) is not None for entry in entries[1:]].count(True) == 4
    write(journal, entries)
    results = Results.open("lab.results")
    assert not results.trace("flow 1", point=0).cwnd.empty
    path = results.campaign.runs[0].traces["cwnd"].path
    content = bytearray(path.read_bytes())
    at = {"start": 0, "end": len(content) - 12}[damage]
    content[at : at + 8] = b"\xff" * 8
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"cwnd\.parquet: contains no table of a run"):
        results.trace("flow 1", point=0)


def test_a_row_without_what_decides_its_replications_is_made_again(tmp_path):
    scenario = fakes.FakeScenario(replications=None, precision=fakes.precision())
    made = fakes.make(tmp_path, scenario).made
    expected = fakes.exported(tmp_path)
    entries = entries_of(tmp_path / JOURNAL)
    del entries[1]["row"]["y"]
    write(tmp_path / JOURNAL, entries)
    assert Campaign.open(tmp_path).missing
    assert fakes.make(tmp_path, scenario).made < made
    assert fakes.exported(tmp_path) == expected


VALUES = (
    None,
    True,
    "",
    "x",
    5,
    -1,
    2**64 - 1,
    -(2**63),
    1e308,
    float("nan"),
    float("inf"),
    [],
    [1],
    ["x"],
    {},
    {"a": 1},
    {"a": [1]},
    {"rwnd_limited": [1.0]},
)
"""What may stand in a journal in the place of something else."""


def paths(value, at=()):
    """Where something stands in an entry, and what; of lists the first element."""
    if at:
        yield at, value
    if isinstance(value, dict):
        for key, each in value.items():
            yield from paths(each, (*at, key))
    elif isinstance(value, list) and value:
        yield from paths(value[0], (*at, 0))


def put(value, path, other):
    if not path:
        return other
    copied = value.copy()
    copied[path[0]] = put(value[path[0]], path[1:], other)
    return copied


def failed(entry):
    kept = {key: entry[key] for key in ("levels", "replication", "seed", "duration_s")}
    return {"failed": entry["run"], **kept, "reason": "it broke", "traceback": "here"}


KINDS = {
    "simulated": lambda entry: entry,
    "emulated": lambda entry: entry | {"row": entry["row"] | {"emulation": told("degraded")}},
    "failed": failed,
}


def accepted(entry, value):
    """Entries with a value where it may stand: for each table or list, and for all else at once."""
    everywhere = entry
    for path, its in paths(entry):
        changed = put(entry, path, value)
        if isinstance(its, dict | list):
            yield from [] if problem(changed) else [changed]
        elif not problem(put(everywhere, path, value)):
            everywhere = put(everywhere, path, value)
    yield everywhere


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_a_line_holds_there_is_an_answer_or_one_message(kind, value, folder, capsys):
    journal = folder / "lab.results" / JOURNAL
    entries = entries_of(journal)
    for entry in accepted(KINDS[kind](entries[1]), value):
        for words in (["show", "lab.results"], ["report", "lab.results"], ["run", "lab.toml"]):
            write(journal, [entries[0], entry, *entries[2:]])
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                code = main(words)
            said = capsys.readouterr().err
            assert code in (0, 2) or (kind, code, words[0]) == ("failed", 1, "run"), said
            messages = [line for line in said.splitlines() if line.startswith("ackclock: ")]
            assert code != 2 or sum("warning: " not in each for each in messages) == 1


def test_a_trace_that_was_removed_is_named(folder, capsys):
    traces = Results.open("lab.results").campaign.runs[0].traces
    traces["cwnd"].path.unlink()
    missing = f"{traces['cwnd'].path}: is missing"
    remedy = "; repeat the command that made the runs: it makes the missing files again\n"
    assert main(["report", "lab.results"]) == 0
    assert capsys.readouterr().err == f"ackclock: warning: {missing}{remedy}"
    assert main(["plot", "lab.results", "--over-time"]) == 0
    assert capsys.readouterr().err == f"ackclock: warning: {missing}{remedy}"
    assert main(["plot", "lab.results", "--over-time", "--flow", "flow 1"]) == 2
    assert capsys.readouterr().err.endswith(f"ackclock: {missing}{remedy}")
    traces["queue"].path.unlink()
    assert main(["plot", "lab.results", "--over-time"]) == 2
    assert capsys.readouterr().err.endswith(f"is missing, and 1 more file{remedy}")
    with pytest.warns(CampaignWarning, match=r"and 1 more file; repeat the command"):
        results = Results.open("lab.results")
    with pytest.raises(InputError, match=r"queue\.parquet: is missing; repeat the command"):
        results.queue(point=0)
    assert main(["run", "lab.toml"]) == 0
    assert "(1 made now)" in capsys.readouterr().out
    assert main(["report", "lab.results"]) == 0
    assert capsys.readouterr().err == ""
