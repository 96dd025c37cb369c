"""How bulk flows share a link over time: what a run recorded, and what `show` prints of it."""

import json
import re

import numpy as np
import pytest

from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.results import Results, run

TWO = """
title = "Two"
duration = "40 s"
warm_up = "20 s"
replications = 2
metrics = ["goodput_bit_s"]

[topology]
kind = "dumbbell"
bottleneck = { rate = "10 Mbit/s", delay = "10 ms", queue = { limit = "1 rtt" } }

[[flows]]
name = "first"

[[flows]]
name = "second"
workload = { start = "10 s", start_spread = "500 ms" }

[[flows]]
name = "short"
workload = { size = "500 kB", start = "30 s" }

[[flows]]
name = "client"
workload = { kind = "http10", sizes = "1 kB" }

[probes]
goodput = "200 ms"
replications = 2

[sweep.factors]
"topology.bottleneck.queue.kind" = ["drop_tail", "fq_codel"]
"""
FAIR = {"topology_bottleneck_queue_kind": "fq_codel"}
POINTS = ("drop_tail", "fq_codel")


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return run(TWO, tmp_path_factory.mktemp("two") / "two.results")


def test_fairness_over_time(two):
    table = two.fairness_over_time(2.0, point=FAIR)
    assert list(table) == ["time_s", "flows", "jain_fairness"]
    assert table["time_s"].tolist() == pytest.approx(np.arange(0, 40, 2).tolist())
    # The short flow is there in the whole of no window: its 500 kB take 1.2 s.
    flows = table["flows"].tolist()
    assert flows == [0, *[1] * 4, flows[5], *[2] * 14]
    assert flows[5] in (1, 2)
    assert table["jain_fairness"][:5].isna().all()
    assert (table["jain_fairness"][6:15] > 0.999).all()


def test_a_window_is_what_the_flows_got_in_it(two):
    """From 20 s to 40 s, of the two flows that are there throughout."""
    traces = [two.trace(name, point=FAIR).goodput for name in ("first", "second")]
    got = [its[its["time_s"] >= 19.99]["goodput_bit_s"].sum() for its in traces]
    table = two.fairness_over_time(20.0, point=FAIR)
    assert table["flows"].tolist() == [0, 2]
    expected = sum(got) ** 2 / (2 * (got[0] ** 2 + got[1] ** 2))
    assert table["jain_fairness"][1] == pytest.approx(expected)


def test_convergence(two):
    fair = two.convergence_s(point=FAIR, replication=1)
    assert 0 <= fair < 2
    assert two.convergence_s(1.0, 0.5, 5.0, point=FAIR) <= two.convergence_s(point=FAIR)
    # Nobody is as near as this.
    assert np.isnan(two.convergence_s(1.0, 1e-9, point=FAIR))
    # Nor for longer than the run.
    assert np.isnan(two.convergence_s(1.0, 0.25, 40.0, point=FAIR))


def test_one_flow_does_not_converge(tmp_path):
    text = re.sub(r'\[\[flows\]\]\nname = "second".*?(?=\[\[)', "", TWO, flags=re.DOTALL)
    its = run(text, tmp_path / "one", sets=["replications=1"])
    assert np.isnan(its.convergence_s(point=FAIR))
    assert its.fairness_over_time(point=FAIR)["jain_fairness"].isna().all()
    assert its.sharing()["jain_1s"].isna().all()


def test_sharing_has_a_row_a_run(two):
    table = two.sharing([1.0, 10.0])
    assert list(table) == [*FAIR, "replication", "jain_1s", "jain_10s", "convergence_s"]
    assert table[[*FAIR, "replication"]].to_numpy().tolist() == [
        [kind, replication] for kind in POINTS for replication in (0, 1)
    ]
    windows = two.fairness_over_time(1.0, point=FAIR, replication=1)
    # Those after the warm-up.
    assert table["jain_1s"][3] == pytest.approx(windows["jain_fairness"][20:].mean())
    assert table["convergence_s"][3] == two.convergence_s(point=FAIR, replication=1)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda its: its.fairness_over_time(0.3, point=0), "0.3 s: is not a multiple of 0.2 s"),
        (lambda its: its.fairness_over_time(0.0, point=0), "0 s: is not a multiple"),
        (lambda its: its.convergence_s(point=0, hold_s=5.4), "a multiple of the window, 1 s"),
        (lambda its: its.convergence_s(point=0, tolerance=25), "give a share, for example 0.25"),
        (lambda its: its.fairness_over_time(point=7), "there are points 0 to 1"),
    ],
)
def test_what_is_refused(two, asked, said):
    with pytest.raises(InputError, match=re.escape(said)):
        asked(two)


def said(capsys, *words):
    code = main(list(words))
    return code, *capsys.readouterr()


def test_show_over_time(two, capsys):
    folder = str(two.campaign.folder)
    code, text, _ = said(capsys, "show", folder, "--over-time")
    assert code == 0
    for head in ("in windows of 1 s", "in windows of 10 s", "Time to convergence (s)", "Converged"):
        assert head in text
    assert "5 s within 25 % of an equal share in windows of 1 s" in text
    assert re.search(r"fq_codel .* 2 of 2", text)
    # No index is above 1, and no time below 0.
    assert not re.search(r"1\.0\d* ±", text)
    text = said(capsys, "show", folder, "--over-time", "--windows", "400 ms,2 s")[1]
    assert "in windows of 0.4 s" in text
    assert "in windows of 10 s" not in text


def test_show_over_time_for_programs(two, capsys):
    folder = str(two.campaign.folder)
    document = json.loads(said(capsys, "show", folder, "--over-time", "--json")[1])
    table = two.sharing()
    assert document["windows_s"] == [1, 10]
    point = document["points"][1]
    assert (point["levels"], point["n"], point["converged"]) == (FAIR, 2, 2)
    assert point["jain_10s"]["mean"] == pytest.approx(table["jain_10s"][2:].mean())
    assert point["convergence_s"]["mean"] == pytest.approx(table["convergence_s"][2:].mean())


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--windows", "1 s"], "--windows: needs --over-time; add it"),
        (["--over-time", "--windows", "5"], '"5" has no unit'),
        (["--over-time", "--windows", "50 ms"], "is not a multiple of 0.2 s"),
        (["--over-time", "--flows"], "--flows: leave it out with --over-time"),
        (["--over-time", "--metric", "power"], "--metric: leave it out with --over-time"),
    ],
)
def test_show_refuses(two, capsys, words, reason):
    code, _, err = said(capsys, "show", str(two.campaign.folder), *words)
    assert code == 2
    assert reason in err


def test_nothing_was_recorded(tmp_path, capsys):
    text = TWO.replace('goodput = "200 ms"', "")
    folder = tmp_path / "none"
    run(text, folder, sets=["replications=1", "duration=31 s"])
    code, _, err = said(capsys, "show", str(folder), "--over-time")
    assert code == 2
    assert 'set [probes] goodput = "100 ms" and run it again' in err
    with pytest.raises(InputError, match="was not recorded"):
        Results.open(folder).fairness_over_time(point=0)
