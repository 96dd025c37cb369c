"""The Common TCP Evaluation Suite: its experiments, its comparison, its command."""

from __future__ import annotations

import csv
import re
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ackclock.cli import main
from ackclock.evaluation import comparison, metrics, points
from ackclock.evaluation.suite import LOADS, NETWORKS, STANDARD, suite
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import chosen_points
from report_page import Page
from scenario_calls import written
from study_cases import made_of

BBR = suite("bbr3", ["cubic", STANDARD])
FULL = suite("bbr3", ["cubic"], full=True)
LEFT_MS, RIGHT_MS = (0, 12, 25), (2, 37, 75)


@pytest.mark.parametrize("study", [BBR, FULL], ids=["usual", "full"])
def test_every_experiment_is_a_valid_scenario(study):
    for name, its in chosen_points(Request(study)).items():
        for point in (next(iter(its)), next(reversed(its))):
            assert its[point].compile().plan["links"], (name, point)


def test_loads_and_durations_are_those_of_the_draft():
    its = chosen_points(Request(FULL))
    for name, network in NETWORKS.items():
        scenarios = {point.load: each.scenario for point, each in its[name].items()}
        measured = [(scenarios[load].duration - scenarios[load].warm_up) / 1e12 for load in LOADS]
        assert tuple(measured) == network.durations_s
        warm_ups = tuple(scenarios[load].warm_up / 1e12 for load in LOADS)
        assert warm_ups == network.warm_ups_s


def test_the_nine_round_trips_are_those_of_the_draft():
    its = chosen_points(Request(BBR))["access"]
    (point,) = (each for own, each in its.items() if own.tcp == "bbr3")
    paths = point.compile().facts.idle_paths
    rtts = {group: round(1000 * path.rtt_s, 1) for group, path in paths.items()}
    expected = {
        f"a: {right} to {left}": 2 * (LEFT_MS[left - 1] + RIGHT_MS[right - 4] + 2)
        for left, right in product((1, 2, 3), (4, 5, 6))
    }
    assert {group: rtts[group] for group in expected} == expected


def test_camp_a_has_standard_tcp_whatever_is_tested():
    for point, its in chosen_points(Request(BBR))["impact"].items():
        compiled = written(its.compile())
        flavors = {
            name[0]: flow["tcp"]["flavor"]
            for name, flow in zip(compiled.facts.flow_groups, _tcps(compiled.plan), strict=True)
        }
        assert flavors == {"a": STANDARD, "b": point.tcp}


def _tcps(plan):
    return [{"tcp": plan["tcps"][flow["sender_tcp"]]} for flow in plan["flows"]]


def fairness_runs(ratio, scatter=0.01):
    """Runs of the experiment of fairness, where the tested TCP has another ratio of throughputs."""
    noise = np.linspace(-scatter, scatter, 5)
    rows = []
    for point in chosen_points(Request(BBR))["fairness"]:
        values = dict.fromkeys(metrics.FAIRNESS, 0.5)
        values["throughput_ratio"] = ratio if point.tcp == "bbr3" else 0.5
        for at, one in enumerate(noise):
            scattered = {name: value * (1 + one) for name, value in values.items()}
            rows.append({**point._asdict(), "replication": at, "seed": at, **scattered})
    return made_of(BBR, {"fairness": pd.DataFrame(rows)})


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [(0.6, comparison.BETTER), (0.4, comparison.WORSE), (0.5, comparison.OPEN)],
)
def test_a_number_is_better_or_worse_if_the_interval_excludes_0(ratio, verdict):
    made = fairness_runs(ratio)
    table = comparison.tables("bbr3", made, RunsEvidence(made))[comparison.COMPARISON]
    found = table[table["metric"] == "throughput_ratio"]
    assert set(found["verdict"]) == {verdict}
    assert set(found["beside"]) == {"cubic", STANDARD}
    assert np.allclose(found["ratio"], ratio / 0.5)
    # Nothing else differs at all.
    others = table[table["metric"] != "throughput_ratio"]
    assert set(others["verdict"]) == {comparison.OPEN}


def test_less_is_better_of_delays_and_losses():
    worse = {name for name, more in points.MORE_IS_BETTER.items() if not more}
    assert all(
        re.search("delay|drop|lost|retransmitted|completion|ramp_up|to_", name) for name in worse
    )


def test_every_number_that_is_compared_is_measured():
    measured = {name for part in BBR.parts for name in part.metrics}
    assert set(points.MORE_IS_BETTER) <= measured
    assert measured - set(points.MORE_IS_BETTER) == {"camp_b_bit_s"}


def test_the_command_compares_and_writes_a_report(tmp_path, capsys):
    words = ["evaluate", "cubic", "--against", STANDARD, "--parts", "ramp-up"]
    assert main([*words, "--replications", "2", "--out", str(tmp_path)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "cubic in the Common TCP Evaluation Suite (mean of 2 replications)" in shown
    with (tmp_path / "comparison.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * len(metrics.RAMP_UP)
    assert {row["beside"] for row in rows} == {STANDARD}
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    page.check_that_it_needs_no_other_file()
    page.check_references()
    assert f"ackclock evaluate cubic --against {STANDARD} --replications 2" in page.text
    assert "At a glance" in page.text


def test_all_that_is_wrong_is_said_at_once(capsys):
    words = [
        "evaluate",
        "bbr33",
        "--against",
        "cubic,copa",
        "--parts",
        "foo",
        "--replications",
        "0",
    ]
    assert main(words) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 4
    assert re.search(r"bbr33.*bbr3\b", lines[0])
    assert re.search(r"copa.*bbr3\b", lines[1])
    assert "--replications 0: at least 1 is needed, for example 5" in lines[2]
    assert "--parts foo: choose from data-centre, access" in lines[3]


def test_a_tcp_is_not_compared_with_itself(capsys):
    assert main(["evaluate", "cubic", "--against", "cubic"]) == 2
    assert "cubic" in capsys.readouterr().err


def test_a_tcp_in_python_needs_permission_and_is_compared(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    own = (Path(__file__).parent / "own_tcp" / "reno.py").read_text(encoding="utf-8")
    (tmp_path / "mine" / "reno.py").write_text(own, encoding="utf-8")
    name = next(re.finditer(r"^class (\w+)", own, re.MULTILINE))[1]
    words = ["evaluate", f"mine/reno.py:{name}", "--against", STANDARD, "--parts", "ramp-up"]
    words += ["--replications", "1", "--out", "out"]
    assert main(words) == 2
    assert "runs Python code from mine/reno.py; read it, then add" in capsys.readouterr().err
    assert main([*words, "--allow-code"]) == 0
    with (tmp_path / "out" / "comparison.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    # It is standard TCP, written once more.
    assert len(rows) == 3 * len(metrics.RAMP_UP)
    assert all(row["tested"] == row["other"] for row in rows)
    results = (tmp_path / "out" / "ramp-up-results.csv").read_text(encoding="utf-8")
    assert f"\nreno.py:{name}," in results
