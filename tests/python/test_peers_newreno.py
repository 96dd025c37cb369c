"""What `make bench-peers` gives the simulators of the loads of 003; none of them is needed here."""

import csv
import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest

from ackclock.scenario.plan import written_out

BENCHES = Path(__file__).parents[2] / "benches"


@pytest.fixture(autouse=True, scope="module")
def scripts():
    """The folders of the scripts, found as if one of them were run."""
    folders = [str(BENCHES / "peers"), str(BENCHES)]
    sys.path[:0] = folders
    yield
    for folder in folders:
        sys.path.remove(folder)


@pytest.fixture(scope="module")
def short():
    """The background load, for half a minute."""
    from newreno_inputs import BACKGROUND

    return BACKGROUND._replace(duration_s=30, warm_up_s=0)


@pytest.fixture(scope="module")
def given(short, tmp_path_factory):
    from newreno_inputs import inputs

    return inputs(short, 3, tmp_path_factory.mktemp("peers"))


@pytest.fixture(scope="module")
def lines(given):
    with given.path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_the_background_load_is_that_of_the_paper(short, lines):
    flows = short.flows(3)
    assert [line[:2] for line in lines[:2]] == [["bulk", "newreno"], ["bulk", "reno"]]
    kinds = [line[0] for line in lines[2:]]
    assert (kinds.count("http"), kinds.count("bulk")) == (112, 38)
    assert {flow.rtt_s for flow in flows[:2]} == {0.075}
    rtts = [flow.rtt_s for flow in flows[2:]]
    assert 0.02 <= min(rtts) < 0.06
    assert 0.42 < max(rtts) <= 0.46
    assert all(5 <= flow.start_s <= 7 for flow in flows[:2])
    assert all(0 <= flow.start_s <= 2 for flow in flows[2:])
    assert all(flow.window * short.segment <= 65_536 for flow in flows[2:])


def test_what_is_drawn_depends_on_the_seed_alone(short):
    assert short.flows(3) == short.flows(3)
    assert short.flows(3) != short.flows(4)


def test_rtts_of_the_plan_are_those_of_the_file(given, lines):
    plan = written_out(json.loads(given.plan))
    nodes_of = {(link["from"], link["to"]): link["delay_ps"] for link in plan["links"]}
    far, near = plan["links"][0]["from"], plan["links"][0]["to"]
    for flow, line in zip(plan["flows"], lines, strict=True):
        hops = [(flow["sender"], far), (far, near), (near, flow["receiver"])]
        there = sum(nodes_of[hop] for hop in hops)
        back = sum(nodes_of[to, at] for at, to in hops)
        assert (there + back) * 1e-12 == pytest.approx(float(line[2]), abs=1e-9)


def test_sizes_and_pauses_of_a_run_are_those_of_the_file(given, lines):
    from ackclock import _core
    from ackclock.results.pages import pages_of

    pages = pages_of(_core.run(given.plan, 3)["transfers"])
    paused = 0
    for flow, line in enumerate(lines):
        its = pages.flow == flow
        sizes = [960 * int(segments) for segments in line[5::2]]
        assert pages.bytes[its].tolist() == sizes[: its.sum()]
        pauses = pages.opened_s[its][1:] - pages.completed_s[its][:-1]
        told = [float(each) for each in line[6::2]]
        assert pauses == pytest.approx(told[: pauses.size], abs=1e-9)
        paused += pauses.size
        if its.any():
            assert pages.opened_s[its][0] == pytest.approx(float(line[3]), abs=1e-9)
    assert paused > 200


def test_a_flow_draws_the_same_in_a_short_and_in_a_long_run(short, lines, tmp_path):
    from newreno_inputs import inputs

    longer = inputs(short._replace(duration_s=40), 3, tmp_path).path.read_text(encoding="utf-8")
    for line, long in zip(lines, longer.splitlines(), strict=True):
        assert long.split(",")[: len(line)] == line
        assert line[0] == "bulk" or len(long.split(",")) > len(line)


def test_sizes_follow_the_law_of_pareto():
    from newreno_inputs import _segments

    bytes_ = 960 * np.array(_segments(random.Random(1), 960, 20_000))
    for exceeded in (16_320, 48_000, 480_000):
        assert (bytes_ > exceeded).mean() == pytest.approx((8000 / exceeded) ** 1.2, rel=0.12)
    assert bytes_.min() == 960 * 9


def test_a_thousand_flows_have_one_plan_for_all_seeds_but_their_starts():
    from newreno_inputs import THOUSAND

    flows = THOUSAND.flows(1)
    assert len(flows) == 1000
    assert np.mean([flow.rtt_s for flow in flows]) == pytest.approx(0.06)
    product = THOUSAND.rate_mbit * 1e6 * 0.06 / 8 / (THOUSAND.segment + 40)
    assert product == pytest.approx(THOUSAND.limit)
    again = THOUSAND._replace(warm_up_s=1).flows(2)
    assert [flow._replace(start_s=0) for flow in again] == [
        flow._replace(start_s=0) for flow in flows
    ]


def test_all_three_simulators_are_told_the_same(short, given):
    from newreno_simulators import ns2_command, ns3_command

    ns2, ns3 = ns2_command(short, given), ns3_command(short, given)
    told = dict(zip(ns2[2::2], ns2[3::2], strict=True))
    assert told["-flows"] == ns3[1] == str(given.path)
    assert (told["-rate"], told["-access"]) == ("15Mb", "1000Mb")
    assert ns3[2:] == ["15Mbps", "0.005", "1000Mbps", "150", "960", "30", "TcpNewReno"]
    # ns-2 refuses the packet that would be the limit-th to wait.
    assert told["-limit"] == "151"
    bottleneck = json.loads(given.plan)["links"][0]
    assert bottleneck["rate_bps"] == 15_000_000
    assert bottleneck["queue"]["limit_packets"] == 150


def test_counts_of_ns2_become_rates_and_shares():
    from newreno_simulators import Measured, counts, measured_ns2

    told = "parrivals 1000\npdrops 80\nbdepartures 703125000\nacked_0 78125\nacked_1 39062.5\n"
    assert measured_ns2(counts(told + "pdrops_back 0\n")) == pytest.approx(
        Measured(0.8, 0.4, 8, 50)
    )
    with pytest.raises(RuntimeError, match="on the way back"):
        measured_ns2(counts(told + "pdrops_back 1\n"))


def test_a_ratio_is_taken_pair_by_pair():
    from newreno_speed import Run, rows

    timed = {
        "ns-2": [
            (Run(30, 100), Run(1, 90)),
            (Run(40, 100), Run(2, 90)),
            (Run(33, 100), Run(3, 90)),
        ],
        "ns-3": [(Run(90, 110), Run(1, 90))],
    }
    core, ns2, ns3 = rows("thousand", timed)
    assert (core["runs"], core["median_s"], core["packets"]) == (4, 1.5, 90)
    assert (ns2["times"], ns2["least_times"], ns2["most_times"]) == (20, 11, 30)
    assert (ns2["ns_a_packet"], ns2["asked"], ns2["met"]) == (330_000_000, 20, True)
    assert (ns3["asked"], ns3["met"]) == (100, False)


def test_four_metrics_agree_if_their_joint_intervals_hold_zero():
    from newreno_agreement import agreement
    from newreno_simulators import Measured

    theirs = [Measured(0.2 + n / 1000, 0.18, 8 - n / 100, 99) for n in range(10)]
    ours = [Measured(0.2 + (9 - n) / 1000, 0.18, 8.5 - n / 100, 99) for n in range(10)]
    assert [row["agrees"] for row in agreement(ours, theirs)] == [True, True, False, True]


def test_few_and_many_flows_do_the_same(tmp_path):
    from scale import Plan

    few, some = (Plan(tmp_path, flows, 4).run(duration_ps=10**12) for flows in (10, 40))
    assert few.packets > 300
    assert some.packets == pytest.approx(4 * few.packets, rel=0.02)
    assert few.dropped == some.dropped == 0


def test_a_refused_plan_takes_less_memory_than_its_run(tmp_path):
    from scale import Plan

    assert Plan(tmp_path, 2000, 1).memory() > 0
