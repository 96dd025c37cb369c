"""``ackclock size-buffer`` and ``size_buffer``, on made-up metrics: answers, resuming, refusals."""

import csv
import json
import re
from functools import partial

import pytest

import ackclock.sizing
import sizing_fakes as fakes
from ackclock.campaign import Campaign
from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.results.results import Results
from ackclock.sizing import RunsFailedError, size_buffer
from ackclock.sizing.answer import FOUND, NOT_REACHED, SMALLEST, UNDECIDED
from ackclock.sizing.rendering import FILE, answer_lines, write
from ackclock.sizing.verdicts import Verdict, looks
from sizing_fakes import RANGE, TRUTH, file_of, sized

WORDS = ["--target", "efficiency >= 98 %", *RANGE, "--tolerance", "0.1", "--jobs", "1"]
SWEPT = """
[sweep.factors]
"topology.port.policy" = ["tail", "epd"]
"topology.port.buffer" = ["500 cells", "1000 cells"]
"""


@pytest.fixture(autouse=True)
def anew(monkeypatch):
    """No calls yet, and a core that does not fail."""
    monkeypatch.setattr(fakes, "calls", [])
    monkeypatch.setattr(fakes, "fails_after", float("inf"))


@pytest.fixture
def command(monkeypatch, tmp_path, capsys):
    """The command with a made-up metric: its exit code, output and messages."""

    def run(measure, *words, text=fakes.SCENARIO):
        measure = f"sizing_fakes:{measure}"
        faked = partial(size_buffer, core=fakes.CORE, measure=measure)
        monkeypatch.setattr(ackclock.sizing, "size_buffer", faked)
        code = main(["size-buffer", str(file_of(tmp_path, text)), *words])
        return code, *capsys.readouterr()

    return run


def numbers(its):
    return its.fails and float(its.fails.level.number), its.holds and float(its.holds.level.number)


def test_the_truth_is_in_the_bracket(tmp_path):
    its = sized(tmp_path, "rising", tolerance=0.05)
    fails, holds = numbers(its)
    assert its.status == FOUND
    assert fails < TRUTH <= holds <= fails * 1.06
    assert its.holds.interval.lo >= 0.98 > its.fails.interval.hi
    assert its.onward is its.holds
    assert its.warnings() == []
    assert its.runs == its.made == len(fakes.calls)
    # Bisection and not a grid: a fifth of the sizes, and few runs of those far away.
    assert len(its.probes) < its.possible / 4
    assert its.probes[0].interval.n == its.probes[-1].interval.n == 5


def test_every_buffer_has_the_same_seeds(tmp_path):
    its = sized(tmp_path, "rising")
    most = max(probe.interval.n for probe in its.probes)
    seeds = {}
    for buffer, seed in fakes.calls:
        seeds.setdefault(buffer, []).append(seed)
    assert len(seeds) == len(its.probes)
    (longest,) = {tuple(each) for each in seeds.values() if len(each) == most}
    assert all(tuple(each) == longest[: len(each)] for each in seeds.values())
    # Another seed, other runs.
    before = len(fakes.calls)
    again = sized(tmp_path, "rising", seed=2)
    assert again.made == len(fakes.calls) - before == again.runs
    assert again.seed == 2


def test_the_same_call_makes_nothing_again_and_says_the_same(tmp_path):
    first = sized(tmp_path, "rising")
    files = {path.name: path.read_bytes() for path in write(first)}
    second = sized(tmp_path, "rising")
    assert second.made == 0
    assert len(fakes.calls) == first.runs
    assert second.probes == first.probes
    assert answer_lines(second) == answer_lines(first)
    again = {path.name: path.read_bytes() for path in write(second)}
    made = (f'"made": {first.made}'.encode(), b'"made": 0')
    files[f"{FILE}.json"] = files[f"{FILE}.json"].replace(*made)
    assert again == files


def test_what_was_made_before_a_failure_is_kept(tmp_path):
    whole = sized(tmp_path / "whole", "rising") if (tmp_path / "whole").mkdir() is None else None
    fakes.calls.clear()
    fakes.fails_after = 23
    with pytest.raises(RunsFailedError, match="the disk of the core is full"):
        sized(tmp_path, "rising")
    fakes.fails_after = float("inf")
    its = sized(tmp_path, "rising")
    assert its.made == its.runs - 23
    assert its.probes == whole.probes


def test_another_target_uses_the_runs_that_are_there(tmp_path):
    sized(tmp_path, "rising")
    its = sized(tmp_path, "rising", target="efficiency >= 95 %")
    assert 0 < its.made < its.runs
    fails, holds = numbers(its)
    assert fails < fakes.SCALE * 2.3026 <= holds


def test_more_noise_takes_more_runs_or_stays_undecided(tmp_path):
    its = sized(tmp_path, "noisy", tolerance=0.2)
    fails, holds = numbers(its)
    assert fails < TRUTH <= holds
    between = [probe for probe in its.probes if fails < probe.level.number < holds]
    assert between
    assert all(probe.verdict is Verdict.UNDECIDED for probe in between)
    assert all(probe.interval.n == 40 for probe in between)
    assert "between the two, undecided: " in answer_lines(its)[1]


def test_a_dip_above_the_answer_is_told(tmp_path):
    its = sized(tmp_path, "dipping", end="16000 cells")
    fails, holds = numbers(its)
    assert fails < TRUTH <= holds < 2000
    (warning,) = its.warnings()
    assert warning.startswith("not monotone in the buffer: ")
    assert f"from {its.onward.level.text} on all that were probed reach it" in warning
    assert its.onward.level.number >= 4000


def test_a_dip_that_misleads_the_search_is_told(tmp_path):
    its = sized(tmp_path, "dipping")
    assert its.fails.level.number > 3000
    (warning,) = its.warnings()
    assert warning.startswith("not monotone in the buffer: ")
    remedy = re.search(r'a buffer below that may reach it: search with --to "(\d+ cells)"', warning)
    fails, holds = numbers(sized(tmp_path, "dipping", end=remedy[1]))
    assert fails is None or fails < TRUTH <= holds < 2000


def test_an_island_is_told(tmp_path):
    its = sized(tmp_path, "island")
    assert its.status == FOUND
    assert 1000 < its.holds.level.number <= 1110
    (warning,) = its.warnings()
    assert warning.endswith("; 8000 cells, the largest, does not reach it")


def test_no_buffer_is_large_enough(tmp_path):
    its = sized(tmp_path, "rising", end="1000 cells")
    assert (its.status, its.holds) == (NOT_REACHED, None)
    (line,) = answer_lines(its)
    assert line.startswith(
        "efficiency >= 98 % is not reached even with the largest buffer, 1000 cells: 95."
    )


def test_the_smallest_is_large_enough(tmp_path):
    its = sized(tmp_path, "rising", start="2000 cells")
    assert (its.status, its.holds.level.text) == (SMALLEST, "2000 cells")
    assert "is reached already with the smallest buffer, 2000 cells" in answer_lines(its)[0]


def test_nothing_is_known_if_all_is_noise(tmp_path):
    its = sized(tmp_path, "noisy", start="1250 cells", end="1330 cells", replications_max=5)
    assert (its.status, its.found) == (UNDECIDED, False)
    assert "not clear of the target" in its.warnings()[0]
    assert answer_lines(its)[0].startswith("No buffer is known to reach efficiency >= 98 %")


def test_never_a_drop(tmp_path):
    its = sized(tmp_path, "dropping", target="drops <= 0", tolerance=0.2)
    fails, holds = numbers(its)
    assert fails < 1000 <= holds
    # One run with a drop is enough; that there is none is awaited.
    assert its.fails.interval.n < 40
    assert its.holds.interval.n == 40
    (warning,) = its.warnings()
    assert warning.startswith(f"all 40 runs with {its.holds.level.text} have the same drops, 0. ")
    share = 1 - (0.05 / (its.possible * len(looks(40)))) ** (1 / 40)
    assert f"up to {100 * share:.2g} % of all runs may have another" in warning
    assert warning.endswith("so far above the target that the mean misses it")


def test_what_is_certain_takes_few_runs(tmp_path):
    its = sized(tmp_path, "certain", target="completion_s <= 1.5 s")
    fails, holds = numbers(its)
    assert fails < 3000 <= holds
    assert {probe.interval.n for probe in its.probes} == {5}
    assert its.warnings() == []


def test_a_metric_that_the_scenario_does_not_have(tmp_path):
    with pytest.raises(InputError, match="no run of this scenario with 200 cells has page_delay_s"):
        sized(tmp_path, "certain", target="page_delay_s <= 1.2 s")


def test_a_point_of_a_sweep(tmp_path):
    text = fakes.SCENARIO + SWEPT
    with pytest.raises(InputError) as caught:
        sized(tmp_path, "rising", text=text)
    (message,) = caught.value.messages
    assert "has 2 points that differ in more than the buffer" in message
    assert message.endswith(
        "--point 0 (topology_port_policy = tail), --point 2 (topology_port_policy = epd)"
    )
    its = sized(tmp_path, "rising", text=text, point=3)
    assert its.others == {"topology_port_policy": "epd"}
    assert "topology_port_policy epd" in its.source
    plans = Campaign.open(its.folder).design.points
    assert list(plans[0].levels) == ["topology_port_policy", "topology_port_buffer_cells"]
    # A sweep over nothing but the buffer is no choice.
    only = text.replace('"topology.port.policy" = ["tail", "epd"]\n', "")
    assert sized(tmp_path, "rising", text=only).others == {}


def test_units_of_the_key(tmp_path):
    its = sized(tmp_path, "rising", start="0.1 rtt", end="4 rtt")
    assert its.column == "topology_port_buffer_rtt"
    cells = [45e6 * 0.02004 / 424 * number for number in numbers(its)]
    # Round-trip times are rounded up to whole cells.
    assert cells[0] - 1 < TRUTH < cells[1] + 1


def test_the_folder_is_a_campaign_of_what_was_probed(tmp_path):
    its = sized(tmp_path, "rising")
    results = Results.open(its.folder)
    table = results.summary(["efficiency"])
    assert list(table[its.column]) == [probe.level.number for probe in its.probes]
    assert set(table["n"]) == {5}


def test_the_command(command, tmp_path):
    code, out, err = command("rising", *WORDS)
    assert code == 0
    assert "is the smallest buffer that reaches efficiency >= 98 %: 98." in out
    assert "the smallest that does" in out
    assert "the largest that does not" in out
    assert "intervals hold together with 95 %" in out
    assert err.splitlines()[:2] == ["200 cells: does not, 5 runs", "8000 cells: reaches it, 5 runs"]
    folder = tmp_path / "lab.sizing"
    for ending in ("json", "csv", "svg", "png"):
        assert (folder / f"{FILE}.{ending}").stat().st_size > 500
    rows = list(csv.DictReader((folder / f"{FILE}.csv").read_text().splitlines()))
    assert [row["verdict"] for row in rows][:: len(rows) - 1] == ["fails", "holds"]
    svg = (folder / f"{FILE}.svg").read_text()
    assert "target: at least 98 %" in svg
    assert "the answer lies here" in svg


def test_the_command_as_json(command, tmp_path):
    code, out, _ = command("rising", *WORDS, "--json", "--out", str(tmp_path / "x" / "y"))
    assert code == 0
    told = json.loads(out)
    assert told == json.loads((tmp_path / "x" / "y" / f"{FILE}.json").read_text())
    assert told["target"] == {"metric": "efficiency", "sense": ">=", "value": 0.98}
    assert told["largest_that_does_not"]["number"] < TRUTH
    assert told["smallest_that_reaches"]["number"] >= TRUTH
    assert told["runs"] == told["made"] == sum(probe["n"] for probe in told["probes"])


def test_the_number_of_jobs_changes_no_byte(command, tmp_path):
    written = []
    for jobs in ("1", "3"):
        folder = tmp_path / jobs
        assert command("rising", *WORDS[:-1], jobs, "--out", str(folder))[0] == 0
        written.append({path.name: path.read_bytes() for path in folder.glob("sizing.[cs]*")})
    assert len(written[0]) == 2
    assert written[0] == written[1]


def test_exit_code_1_if_none_was_found(command):
    code, out, _ = command("island", "--target", "efficiency >= 99.9 %", *RANGE)
    assert code == 1
    assert "is not reached even with the largest buffer, 8000 cells" in out


def test_exit_code_1_if_a_run_fails(command):
    fakes.fails_after = 3
    code, out, err = command("rising", *WORDS)
    assert (code, out) == (1, "")
    assert "ackclock: a run has failed: 200 cells: " in err
    assert "the disk of the core is full" in err


def test_everything_that_is_wrong_is_told_at_once(command, tmp_path):
    words = ["--target", "efficency >= 98 %", "--from", "1 ms", "--to", "0 cells"]
    more = [
        "--confidence",
        "95",
        "--replications-max",
        "1",
        "--tolerance",
        "0",
        "--point",
        "7",
        "--jobs",
        "0",
    ]
    code, out, err = command("rising", *words, *more)
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert len(lines) == 8
    beginnings = ("--confidence 95:", "--replications-max 1:", "--tolerance 0:", "--target ")
    beginnings += ("--point 7: there is only point 0", "--from 1 ms:", "--to 0 cells:", "--jobs 0:")
    for line, beginning in zip(lines, beginnings, strict=True):
        assert line.startswith(f"ackclock: {beginning}")
    assert not (tmp_path / "lab.sizing").exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--from", "0.001 rtt"], "--from 0.001 rtt: cannot hold one frame, which takes "),
        (["--key", "tcp.flavor"], "--key tcp.flavor: is not the size of a buffer"),
        (["--set", "seed=3", "--seed", "4"], "--seed 4: --set seed=3 gives the seed, too"),
        (["--set", "topology.pears=3"], "did you mean topology.pairs?"),
    ],
)
def test_what_is_wrong_with_the_scenario(command, words, reason):
    code, out, err = command("rising", "--target", "efficiency >= 98 %", *words)
    assert (code, out) == (2, "")
    assert reason in err


def test_a_file_that_is_not_there(capsys, tmp_path):
    words = ["size-buffer", str(tmp_path / "none.toml"), "--target", "all"]
    assert main(words) == 2
    lines = capsys.readouterr().err.splitlines()
    assert "none.toml: cannot be read" in lines[0]
    assert lines[1].startswith("ackclock: --target all: is not a target")
