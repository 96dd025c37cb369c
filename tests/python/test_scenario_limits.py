"""Scenarios beyond all measure: one short message, and no traceback or work without end."""

import json
import sys
from collections import Counter
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock import _core
from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.scenario import load
from ackclock.scenario.compile.probes import MOST_ROWS
from ackclock.scenario.keys import DEEPEST
from ackclock.untrusted_text import CONTROLS
from scenario_texts import DUMBBELL

DEEP = 10_000
MOST_SAID = 700
MANY = f"is nested more than {DEEPEST} deep"
DIGITS = "has more than 100 digits; write fewer"
LONG = "1" * 5000
S = 10**12
PARKING_LOT_OF_ONES = """
duration = "10 s"
[topology]
kind = "parking_lot"
cross_flows = 0
bottleneck = { rate = "10 Mbit/s", delay = "20 ms" }
"""
ATM_OF_PAIRS = """
duration = "10 s"
[topology]
kind = "atm_dumbbell"
trunk = { rate = "149.76 Mbit/s", delay = "5 ms" }
port = { buffer = "1000 cells" }
"""
ATM_OF_CLIENTS = """
duration = "10 s"
[topology]
kind = "atm_clients"
trunk = { rate = "149.76 Mbit/s", delay = "5 ms" }
"""


def refused(source, *sets):
    with pytest.raises(InputError) as error:
        load(source, sets)
    assert all(len(message) < MOST_SAID for message in error.value.messages)
    assert not any(CONTROLS.search(message) for message in error.value.messages)
    return error.value.messages


@contextmanager
def counted_calls():
    """The calls of functions in the block: its work, the same on every computer."""
    calls = Counter()

    def count(_frame, event, _argument):
        calls[event] += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def doubling(first, each, levels=30):
    lines = [f"v{at} = {each.replace('v', f'v{at - 1}')}" for at in range(1, levels + 1)]
    return "\n".join([DUMBBELL, "[variables]", f"v0 = {first}", *lines, ""])


@pytest.mark.parametrize(
    "line",
    [
        ".".join("a" * DEEP) + " = 1",
        f"[{'.'.join('a' * DEEP)}]\nb = 1",
        f"[[{'.'.join('a' * DEEP)}]]\nb = 1",
        f"x = {'{a=' * DEEP}1{'}' * DEEP}",
        f"x = {'[' * DEEP}1{']' * DEEP}",
        f"x = {'[' * 300}1{']' * 300}",
        f"x = {'{a.b.c.d = ' * 30}1{'}' * 30}",
        f"variables.x = {'[' * 300}1{']' * 300}",
        ".".join(['"a.b"'] * DEEP) + " = 1",
    ],
)
def test_what_is_nested_too_deeply_is_told_with_its_line(line):
    (message,) = refused(f"{line}\n")
    key = line[:9] if line.startswith("v") else line.strip("[")[0]
    assert MANY in message
    if "a.b.c" not in line:
        assert message.startswith(f"scenario:1: {key}")
    (message,) = refused(f'# {{\n# ]\ntitle = "a [[["\n{line}\n')
    assert MANY in message
    if "a.b.c" not in line:
        assert message.startswith(f"scenario:4: {key}")


def test_the_key_of_what_is_nested_too_deeply_is_named_where_lists_go_over_lines():
    lists = ",\n".join(["[1]"] * 3 + ["[" * 40])
    assert refused(f'title = "a"\nx . y = [\n{lists}\n') == [
        f'scenario:6: x . y: {MANY}; write keys like duration = "60 s"'
    ]


def test_the_deepest_that_may_be():
    assert MANY not in refused(f"{'.'.join('a' * (DEEPEST - 1))} = 1\n")[-1]
    assert MANY in refused(f"{'.'.join('a' * DEEPEST)}.a = 1\n")[0]


def test_tables_of_python_are_bounded_too():
    deep: dict = {}
    for _ in range(DEEP):
        deep = {"a": deep}
    assert refused(deep) == [f'scenario: the dictionary {MANY}; write keys like duration = "60 s"']


@pytest.mark.parametrize(
    ("line", "where"),
    [
        (f"seed = {LONG}", ":3: the number 11111"),
        (f"seed = {'1' * 200}", ": seed = 11111"),
        (f"seed = 0x{'f' * 5000}", ": seed"),
        (f"warm_up = 0.{LONG}", ": warm_up = 0.11111"),
        (f"variables.k = 1{LONG}.5", ": variables.k = 11111"),
    ],
)
def test_numbers_of_thousands_of_digits(line, where):
    (message,) = refused(f"# 1\n# 2\n{line}\n")
    assert message.startswith(f"scenario{where}")
    assert message.endswith(DIGITS)


HUGE = "1e99999999999999999999"
TINY = "1e-99999999999999999999"
BEYOND = "has an exponent that is too large or too small; write for example 0.5"


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (f"pairs = {HUGE}", "pairs"),
        (f"pairs = -{TINY}", "pairs"),
        (f"seed = {HUGE}", "seed"),
        (f"variables.k = [1, [{TINY}]]", "variables.k[1][0]"),
        (f'sweep.factors."tcp.smss" = [1, {HUGE}]', 'sweep.factors."tcp.smss"[1]'),
        (f"sweep.factors.k = {{ from = 1, to = {HUGE}, count = 3 }}", "sweep.factors.k.to"),
    ],
)
def test_an_exponent_beyond_all_measure(line, path, tmp_path, capsys):
    number = line[line.rindex("1e") - line.count("-1e") :].rstrip(" ]").partition(",")[0]
    file = tmp_path / "huge.toml"
    file.write_text(f"# 1\n{line}\n")
    assert main(["check", str(file)]) == 2
    assert capsys.readouterr().err == f"ackclock: {file}:2: {path} = {number}: {BEYOND}\n"


@pytest.mark.parametrize("expression", ["(" * 400 + "1" + ")" * 400, "-" * 900 + "1", "(" * 300])
def test_an_expression_that_is_nested_too_deeply_is_told_so(expression):
    (message,) = refused(f'{DUMBBELL}[variables]\nk = "= {expression}"\n')
    assert message.endswith("is nested too deeply; use [variables] for parts")


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        ("seed=1e999999999999999999999", BEYOND),
        (f"sweep.factors.k=[{TINY}]", BEYOND),
        (f"seed={LONG}", DIGITS),
        (f"x={'[' * DEEP}1{']' * DEEP}", MANY),
        (".".join("a" * DEEP) + "=1", f"has more than {DEEPEST} parts"),
        (f"{'k' * 10**6}=1", "unknown key"),
        (f"title={'x' * 10**6}\x1b", "remove \\u001b"),
        ('variables.k="\\u001b[2J"', "remove \\u001b"),
        (f'topology.bottleneck.delay="{LONG} ms"', "is not a time"),
    ],
)
def test_what_is_set_has_the_same_limits(pair, reason):
    (message,) = refused(DUMBBELL, pair)
    assert message.startswith("--set ")
    assert reason in message


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ('title = "a\\u001b[2J"', "title"),
        ('description = "a\\u0007"', "description"),
        ('"\\u001b[2Jx" = 1', '"\\u001b[2Jx"'),
        ('[variables]\n"a\\u0000" = 1', 'variables."a\\u0000"'),
        ('[variables]\na = ["b", "\\u009b"]', "variables.a[1]"),
        ('[variables]\n"a\\nb" = 1', 'variables."a\\nb"'),
        ('[[flows]]\nname = "a\\u0001"', "flows[0].name"),
        (
            '[sweep.factors]\nx = { "a\\u0001b" = { "tcp.flavor" = "reno" } }',
            'sweep.factors.x."a\\u0001b"',
        ),
        ('[sweep.factors]\n"x\\u202ey" = ["a"]', 'sweep.factors."x\\u202ey"'),
        ('[[figures]]\ntitle = "\\uffff"', "figures[0].title"),
    ],
)
def test_control_characters_are_refused_at_the_door(line, place):
    messages = refused(f"{line}\n" if line.startswith(("t", "d", '"')) else f"{DUMBBELL}{line}\n")
    assert messages[0].startswith(f"scenario: {place}")
    assert "must have no control characters; remove \\u" in messages[0].replace("\\n", "\\u")


def test_a_description_may_have_several_lines():
    text = f'description = """\n1\n\t2\n"""\n{DUMBBELL}'
    assert load(text).description == "1\n\t2\n"


@pytest.mark.parametrize(
    ("first", "each", "name", "reason"),
    [
        ('"= [1, 1]"', '"= [v, v]"', "variables.v12", "gives more than 10000 values"),
        ("[1, 1]", '["= v", "= v"]', "variables.v13[0]", "v12 gives more than 10000 values"),
        ('"= 1"', '"= [v]"', "variables.v17", "gives lists nested more than 16 deep"),
        (
            f'"{"x" * 1000}"',
            '"= [v, v]"',
            "variables.v7",
            "gives texts of more than 100000 characters",
        ),
    ],
)
def test_values_that_double_in_every_variable(first, each, name, reason):
    message = refused(doubling(first, each))[0]
    assert message.startswith(f"scenario: {name} = ")
    assert reason in message


def test_what_all_expressions_use_together_is_bounded():
    many = ", ".join(['"= v0"'] * 150)
    ones = ", ".join(["1"] * 5000)
    (message,) = refused(f"{DUMBBELL}[variables]\nv0 = [{ones}]\nv1 = [{many}]\n")
    assert "use more than 500000 values" in message


SWEEP = "[sweep.factors]\nk = { from = 1, to = 10000, step = 1 }\n"
DOUBLED = "".join(f'v{at} = "= [v{at - 1}, v{at - 1}]"\n' for at in range(1, 11))
WORK = {
    "lists that double": f'v0 = ["= k", "= k"]\n{DOUBLED}',
    "lists of names": "".join(f'v{at} = "= [{", ".join("k" * 200)}]"\n' for at in range(40)),
    "copies": f"l = [{', '.join('1' * 5000)}]\n" + "".join(f'v{at} = "= l"\n' for at in range(40)),
    "sums that fail": "".join(f'v{at} = "= {"+".join("k" * 480)}"\n' for at in range(40)),
    "logarithms": "".join(f'v{at} = "= {"+".join(["log2(k)"] * 90)}"\n' for at in range(40)),
    "expressions in a list": f"l = [{', '.join(map(json.dumps, ['= k'] * 9000))}]\n",
    "a plain list": f"l = [{', '.join('1' * 10_000)}]\n",
}


@pytest.mark.parametrize("work", WORK)
def test_what_the_expressions_of_a_sweep_use_together_is_bounded(work, monkeypatch):
    monkeypatch.setattr("ackclock.scenario.loading._MOST_WORK", 50_000)
    with counted_calls() as calls:
        told = refused(f"{DUMBBELL}[variables]\nk = 1\n{WORK[work]}{SWEEP}")
    assert told[-1] == (
        "scenario: sweep: its expressions take more than 50000 steps at all points together; "
        "write shorter lists, or fewer levels"
    )
    # At most 1.6 million; with ten times the limit, up to 7 million.
    assert calls.total() < 2_000_000, calls


def test_a_list_that_is_read_often_is_read_once():
    ones = ", ".join(["1"] * 5000)
    copies = "".join(f'v{at} = "= l[{at}]"\n' for at in range(400))
    assert load(f"{DUMBBELL}[variables]\nl = [{ones}]\n{copies}")


def test_long_lists_are_quoted_by_their_ends():
    ones = ", ".join(["1"] * 5000)
    (message,) = refused(f'{DUMBBELL}[variables]\nv0 = [{ones}]\nv1 = "= v0 + 1"\n')
    assert message.endswith("(15000 characters), not a number")


@pytest.mark.parametrize("line", ["k = 1", 'title = "k"', "k.k = 1", "[k]", '"k" = "k"', "k = [k]"])
def test_a_key_or_a_text_of_a_megabyte_is_not_repeated(line):
    assert refused(f"{line.replace('k', 'k' * 10**6)}\n")


def test_a_file_that_is_too_large_is_not_read(tmp_path, capsys, monkeypatch):
    path = tmp_path / "large.toml"
    path.write_bytes(b"# \n" * 2_666_667)
    assert main(["check", str(path)]) == 2
    assert "is larger than 8 MB, the maximum of a scenario file" in capsys.readouterr().err
    monkeypatch.setattr("ackclock.scenario.limits.MOST_BYTES", 300)
    path.write_bytes(b"# \n" * 100)
    assert "topology: is missing" in refused(path)[-1]
    path.write_bytes(b"# \n" * 99 + b"# \xc3\xa9\n")
    assert "is larger than" in refused(path)[0]


PARTS = {
    "flows": "[[flows]]\n" * 800_000,
    "tables": "".join(f"[a{number}]\n" for number in range(800_000)),
    "keys": "".join(f"k{number}=1\n" for number in range(740_000)),
    "a list": f"variables.k = [{'1,' * 3_900_000}]\n",
}


@pytest.mark.parametrize("parts", PARTS)
def test_a_file_of_too_many_parts_is_not_read(parts):
    with counted_calls() as calls:
        (message,) = refused(f"# 1\n{PARTS[parts]}")
    line = 2 if parts == "a list" else 400_002
    assert message == (
        f"scenario:{line}: has more than 400000 keys, tables and elements of lists; write groups "
        "of flows with a count, and ranges of levels"
    )
    # The text was searched, but no function of Python was called for each part.
    assert calls["call"] < 1000, calls


def test_no_more_is_looked_for_where_a_thousand_problems_are_found():
    tables = "".join(f"[a{number}]\n" for number in range(100_000))
    with counted_calls() as calls:
        told = refused(f"{DUMBBELL}{tables}")
    assert len(told) == 101
    assert told[-1] == "scenario: and at least 900 more problems"
    # 6 million; 115 million if the search does not end.
    assert calls.total() < 20_000_000, calls


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (
            ATM_OF_PAIRS + "[[flows]]\n" * 100_001,
            "flows: there are more than 100000 flows; write fewer groups",
        ),
        (
            DUMBBELL + "[[flows]]\ncount = 2\n[[flows]]\ncount = 2_000_000\n",
            "flows[1].count = 2000000: there are more than 2000000 flows; write a smaller number",
        ),
    ],
)
def test_too_many_flows_are_told_where_most_of_them_are(text, place):
    (message,) = refused(text)
    assert message == f"scenario: {place}"


PAIRS = {
    "dumbbell": (DUMBBELL, "topology.pairs"),
    "parking_lot": (PARKING_LOT_OF_ONES, "topology.long_flows"),
    "atm_dumbbell": (ATM_OF_PAIRS, "topology.pairs"),
    "atm_clients": (ATM_OF_CLIENTS, "topology.servers"),
}


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(PAIRS)),
    st.sampled_from(["queue", "goodput", "transport", "acr"]),
    st.integers(1, 12),
    st.integers(0, 3),
)
def test_scenario_and_core_agree_on_how_many_rows_a_probe_may_have(kind, probe, pairs, more):
    text, count = PAIRS[kind]
    if probe == "acr" and kind != "atm_clients":
        probe = "queue"
    sets = [f"{count}={pairs}"]
    compiled = load(text, sets).points()[0].compile()
    queues = len(compiled.facts.link_names)
    things = {"queue": queues, "goodput": pairs, "transport": pairs, "acr": 2 * pairs}[probe]
    # Around the narrowest width, if things are counted right.
    width = 10 * S // (MOST_ROWS // things) - 1 + more
    plan = {**compiled.plan, "probes": {**compiled.plan["probes"], f"{probe}_bin_ps": width}}
    told, said = "", ""
    try:
        load(text, [*sets, f"probes.{probe}={width} ps"])
    except InputError as error:
        said = str(error)
    try:
        _core.applications(json.dumps(plan), 1)
    except ValueError as error:
        told = str(error)
    assert bool(said) == bool(told)
    assert said == "" or f"gives more than {MOST_ROWS} values in a run" in said
    assert told in ("", f"plan: `{probe}_bin_ps` gives more than {MOST_ROWS} rows")


FAST = "topology.bottleneck.rate=10 Gbit/s"


@pytest.mark.parametrize(
    ("sets", "remedy"),
    [
        (["duration=60 s", "probes.cwnd=all"], "name at most 800 flows, or write a shorter"),
        (["duration=1000 s", 'probes.cwnd=["flow 1", "flow 2"]'], None),
        (["duration=60 s", "probes.cwnd=all", "workload.size=1 MB"], None),
        (["duration=60 s", "probes.cwnd=all", "tcp.receive_buffer=1 kB", "tcp.smss=500 B"], None),
        (
            ["duration=62 s", "probes.cwnd=all"],
            "write a shorter time from probes.from to probes.until",
        ),
        (["duration=40 s", "probes.cwnd=all"], None),
    ],
)
def test_more_changes_of_cwnd_than_can_be_recorded_are_told_at_once(sets, remedy):
    pairs = 1 if sets[0] == "duration=62 s" else 1000
    sets = [FAST, f"topology.pairs={pairs}", *sets]
    if remedy is None:
        assert load(DUMBBELL, sets)
        return
    (message,) = refused(DUMBBELL, *sets)
    assert message.startswith(f"--set probes.cwnd=all: gives more than {MOST_ROWS} values in a run")
    assert f"if the flows fill their links; {remedy}" in message


def test_a_thousand_pairs_in_microseconds():
    (message,) = refused(DUMBBELL, "topology.pairs=1000", 'probes.queue="1 us"')
    assert "gives more than 20000000 values in a run; write" in message
    width = message.rpartition('write "')[2].partition('"')[0]
    assert load(DUMBBELL, ["topology.pairs=1000", f"probes.queue={width}"])
