"""Flows that arrive at random or at the times of a file: plans, texts, mistakes, and runs."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest

from ackclock import _core
from ackclock.cli import main
from ackclock.results import run
from ackclock.scenario import load
from ackclock.scenario.distributions import shipped
from ackclock.scenario.files import FileError
from ackclock.scenario.flow_trace import MOST_BYTES, parse_flows
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.randomness import is_random
from ackclock.scenario.workload_text import workload_text
from plan_checker import check_plan
from scenario_calls import compiled, refused
from scenario_texts import ATM, DUMBBELL, GRAPH

S = 10**12
ARRIVALS = DUMBBELL + '[workload]\nkind = "arrivals"\n'
TRACE = DUMBBELL + '[workload]\nkind = "trace"\nflows = "flows.csv"\n'
ROWS = "# Three flows.\nstart_s,bytes\n0.5,2000\n0.5,30000\n1.25,900\n"


def in_file(text, csv=ROWS):
    return f'{text}\n[files]\n"flows.csv" = """\n{csv}"""\n'


def workload(text, *sets):
    made = compiled(text, *sets)
    check_plan(made.plan)
    return made.plan["workloads"][0]


def columns_of(text, *sets):
    return _core.run(canonical_json(compiled(text, *sets).plan), 1)


def test_the_gap_of_a_flow_gives_the_group_its_load():
    web = shipped("web_search")
    plan = workload(ARRIVALS, "topology.pairs=4", "workload.offered=80 Mbit/s")
    mean = web.mean("linear")
    assert plan == {
        "kind": "arrivals",
        "arrivals": {
            "kind": "random",
            "gap": {"law": "exponential", "mean_ps": round(4 * mean * 8 * S / 80_000_000)},
        },
        "sizes": {
            "law": "quantiles",
            "u_ppb": web.u_ppb,
            "bytes": web.bytes,
            "interpolation": "linear",
        },
        "request_bytes": 80,
        "answers_with_ack": True,
        "start_ps": 0,
    }


@pytest.mark.parametrize(
    ("sets", "mean"),
    [
        (("workload.sizes=12 kB",), 12_000),
        (("workload.sizes=campus", "workload.sizes_interpolation=none"), 102_598),
        (("workload.sizes=data_mining", "workload.sizes_interpolation=log"), 4_440_622),
    ],
)
def test_the_rule_of_interpolation_sets_the_mean_and_so_the_gap(sets, mean):
    gap = workload(ARRIVALS, "topology.pairs=1", *sets)["arrivals"]["gap"]
    assert gap["mean_ps"] == pytest.approx(mean * 8 * S / 1e6, rel=1e-5)


def test_means_are_those_of_the_sources():
    """Of the campus: 68,411 B a flow, half a kilobyte and less for 71.1 % of the flows."""
    campus = shipped("campus")
    assert float(campus.mean("linear")) == pytest.approx(68_411, rel=1e-3)
    shares = dict(zip(campus.bytes, campus.u_ppb, strict=True))
    assert shares[512] == 711_101_000
    # Half of the flows, nearly, have a single packet, and these are small.
    assert campus.median("linear") < 256
    assert isinstance(campus.mean("log"), Fraction)


def test_a_list_of_sizes_has_the_mean_of_its_items():
    text = ARRIVALS + 'sizes = "flows.csv"\n'
    plan = workload(in_file(text, "bytes\n1000\n3000\n"), "topology.pairs=1")
    assert plan["sizes"] == {"law": "in_turn", "bytes": (1000, 3000)}
    assert plan["arrivals"]["gap"]["mean_ps"] == 2000 * 8 * S // 10**6


@pytest.mark.parametrize(
    ("sets", "reason"),
    [
        (
            ("workload.sizes=1 B", "workload.offered=10 Gbit/s"),
            "makes more than 10000000 flows in a run of 10 s, with a mean size of 1 B; write "
            '"8 Mbit/s" or less',
        ),
        (
            ("workload.sizes=1 B", "workload.offered=99000 Gbit/s", "duration=1 ns"),
            'arrivals of a flow are less than 1 ps after each other; write "8000 Gbit/s" or less',
        ),
        (
            ("workload.sizes=1 GB", "workload.offered=1 bit/s"),
            'is so low that a flow has less than one arrival in 1000000 s; write "8 kbit/s" or '
            "more",
        ),
        (("workload.start=10 s",), "is not before the end of the run"),
    ],
)
def test_loads_that_no_run_can_have(sets, reason):
    (message,) = refused(ARRIVALS, *sets)
    assert reason in message


def test_explain_and_check_say_what_arrives(tmp_path, capsys):
    text = workload_text(load(ARRIVALS).workload, 4e6)
    assert text == (
        "arrivals: sizes of web_search (median 67037 B, mean 1490033 B), 0.0839 arrivals a second "
        "(Poisson), 1 Mbit/s of payload offered, 25 % of the payload that the bottleneck carries, "
        "requests of 80 B"
    )
    sets = ["workload.sizes=12 kB", "workload.start=1 s"]
    assert workload_text(load(ARRIVALS, sets).workload) == (
        "arrivals: each 12 kB, 10.4 arrivals a second (Poisson), 1 Mbit/s of payload offered, "
        "requests of 80 B, arrivals from 1 s on"
    )
    path = tmp_path / "lab.toml"
    path.write_text(ARRIVALS)
    assert main(["check", str(path), "--set", "workload.offered=[1]"]) == 2
    capsys.readouterr()
    assert main(["check", str(path)]) == 0
    assert (
        f"{path}: note: arrivals of flow: sizes of web_search (median 67037 B, mean 1490033 B), "
        "0.0839 arrivals a second (Poisson), 1 Mbit/s of payload offered, 10.3 % of the payload "
        "that the bottleneck carries\n"
    ) in capsys.readouterr().out


@pytest.mark.parametrize("text", [ATM, GRAPH])
@pytest.mark.parametrize("kind", ["arrivals", "rpc", "video"])
def test_they_go_with_every_topology(text, kind):
    text = text.replace('[workload]\nkind = "www_batches"\n', "")
    small = 'sizes = "10 kB"\n' if kind == "arrivals" else ""
    made = compiled(f'{text}\n[workload]\nkind = "{kind}"\n{small}')
    check_plan(made.plan)
    assert {each["kind"] for each in made.plan["workloads"]} == {kind}
    assert _core.run(canonical_json(made.plan), 1)["flows"]["requests"].sum() > 0


def test_arrivals_are_a_poisson_process_of_the_load():
    """Within five standard deviations: 1500 arrivals, exponential gaps, sizes of their mean."""
    sets = ("workload.sizes=1 kB", "workload.offered=1.2 Mbit/s", "topology.pairs=1")
    opened = columns_of(ARRIVALS, *sets)["transfers"]["opened_s"]
    gaps = np.diff(np.sort(opened))
    expected = 10 * 1.2e6 / 8000
    assert abs(opened.size - expected) < 5 * expected**0.5 + 2
    for times in (0.5, 1, 2):
        share = exp(-times)
        above = np.mean(gaps > times * 10 / expected)
        assert abs(above - share) < 5 * (share * (1 - share) / gaps.size) ** 0.5


def test_arrivals_do_not_depend_on_the_network():
    sets = ("workload.sizes=10 kB", "workload.offered=2 Mbit/s", "topology.pairs=2")
    fast = columns_of(ARRIVALS, *sets)["transfers"]
    slow = columns_of(ARRIVALS, *sets, "topology.bottleneck.rate=4 Mbit/s")["transfers"]
    both = [set(zip(its["flow"], its["opened_s"], strict=True)) for its in (fast, slow)]
    assert len(both[1]) > 100
    assert both[1] <= both[0]


def test_completions_and_slowdowns_of_what_arrives(tmp_path):
    sets = ["workload.sizes=10 kB", "workload.offered=1 Mbit/s", "warm_up=2 s"]
    row = run(ARRIVALS, tmp_path / "runs", sets=sets).metrics.iloc[0]
    assert row["files"] == row["completed_small"] > 50
    assert row["completed_flows"] == 0
    assert 1 < row["slowdown_p50"] < 4
    assert row["file_delay_s"] == pytest.approx(row["completion_small_p50_s"])


def test_it_is_random_and_a_trace_is_not():
    assert is_random(load(ARRIVALS + 'sizes = "1 kB"\n'))
    assert not is_random(load(in_file(TRACE)))


def test_the_rows_of_a_trace_come_into_the_plan():
    assert workload(in_file(TRACE), "workload.start=1 s") == {
        "kind": "arrivals",
        "arrivals": {"kind": "listed", "at_ps": (S // 2, S // 2, 5 * S // 4)},
        "sizes": {"law": "in_turn", "bytes": (2000, 30_000, 900)},
        "request_bytes": 80,
        "answers_with_ack": True,
        "start_ps": S,
    }
    assert workload_text(load(in_file(TRACE)).workload) == (
        "trace: 3 flows of flows.csv, mean 10967 B, starts from 500 ms to 1.25 s, requests of 80 B"
    )


def test_flows_take_the_rows_of_a_trace_in_turn():
    transfers = columns_of(in_file(TRACE), "topology.pairs=2", "workload.start=1 s")["transfers"]
    rows = sorted(zip(*(transfers[name] for name in ("flow", "opened_s", "bytes")), strict=True))
    assert rows == [(0, 1.5, 2000), (0, 2.25, 900), (1, 1.5, 30_000)]


def test_a_trace_of_fewer_rows_than_flows():
    transfers = columns_of(in_file(TRACE, "start_s,bytes\n1,500\n"))["transfers"]
    assert (transfers["flow"].tolist(), transfers["bytes"].tolist()) == ([0], [500])


def test_the_file_is_beside_the_scenario(tmp_path):
    (tmp_path / "flows.csv").write_text(ROWS)
    path = tmp_path / "lab.toml"
    path.write_text(TRACE)
    assert load(path).workload.flows.content.bytes == (2000, 30_000, 900)
    (tmp_path / "flows.csv").unlink()
    (message,) = refused(path)
    assert "flows.csv cannot be read" in message


@pytest.mark.parametrize(
    ("csv", "reason"),
    [
        ("", "flows.csv is empty; write start_s,bytes and below it lines like 0.25,14600"),
        ("start_s,size\n1,2\n", "column bytes is missing, expected start_s,bytes"),
        ("bytes,start_s,x\n1,2,3\n", "expected start_s,bytes"),
        (
            "start_s,bytes\n2,10\n1.5,10\n",
            "flows.csv, line 3, column start_s: 1.5 is before 2, the value above; sort the rows by "
            "start_s",
        ),
        ("start_s,bytes\n-1,10\n", "-1 is not a time from 0 to 1000000 s; write it like 0.25"),
        ("start_s,bytes\n1,0\n", "line 2, column bytes: 0 is not a whole number from 1 to"),
        (f"start_s,bytes\n1,{MOST_BYTES + 1}\n", "is not a whole number from 1 to 1099511627776"),
        ("start_s,bytes\n1\n", 'line 2: "1": write 2 values like 0.25,14600'),
        ("start_s,bytes\n", "there is no line below the header"),
    ],
)
def test_what_is_wrong_in_a_trace(csv, reason):
    with pytest.raises(FileError) as raised:
        parse_flows("flows.csv", csv)
    assert any(reason in each for each in raised.value.reasons), raised.value.reasons


def test_a_trace_after_the_end_and_no_trace():
    (message,) = refused(in_file(TRACE, "start_s,bytes\n20,500\n"))
    assert "its first flow starts at 20 s, which is not before the end of the run" in message
    (message,) = refused(DUMBBELL + '[workload]\nkind = "trace"\n')
    assert "workload.flows" in message


def test_campus_10mb_is_campus_without_longer_flows():
    whole, cut = (shipped(name) for name in ("campus", "campus_10mb"))
    most = 10_000_000
    kept = [(u, size) for u, size in zip(whole.u_ppb, whole.bytes, strict=True) if size <= most]
    end = kept[-1][0]
    assert cut.bytes == tuple(size for _, size in kept)
    expected = [min(round(u / end * 10**9), 10**9) for u, _ in kept]
    assert cut.u_ppb == pytest.approx(expected, abs=2)
