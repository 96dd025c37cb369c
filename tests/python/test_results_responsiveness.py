"""Responsiveness under load and power, against numbers worked out by hand."""

from math import isnan, nan

import numpy as np
import pytest

from ackclock.results import run
from ackclock.results.metrics import METRICS
from ackclock.scenario.compile.facts import IdlePath
from test_results_metrics import columns, facts
from test_results_pages import transfers

LOAD = ("bulk", "bulk", "http10")


def loaded(rows, workloads=LOAD, **changed):
    """Two bulk flows from 1 s and 2 s to 9 s, with RTTs of 100 ms and 200 ms, and a client."""
    run = columns([10**6] * 3, [10**5] * 3, opened=[1.0, 2.0, 0.0], last=[8.0, 9.0, 9.9])
    run["flows"]["rtt_mean_s"] = np.array([0.1, 0.2, 0.5])
    return {**run, "transfers": transfers(rows)}, facts(3, flow_workloads=workloads, **changed)


def rpm(*arguments, **changed):
    return METRICS["responsiveness_rpm"].of(*loaded(*arguments, **changed))


def probe(opened, handshake=0.2, answer=0.4, size=1, page=0):
    return (2, page, 0, page, size, opened, opened + handshake, opened + handshake + answer)


def test_responsiveness_by_hand():
    # Of new connections 60 / 0.3 s = 200, of the load 60 / 0.15 s = 400.
    assert rpm([probe(3.0)]) == pytest.approx((200 + 400) / 2)


def test_the_longest_twentieth_is_left_out():
    """Of handshakes and of answers by themselves, of 20 probes one, of 19 none."""
    slow = [probe(3.0, handshake=2.0), probe(3.5, answer=3.0)]
    rows = [*slow, *[probe(4.0)] * 18]
    assert rpm(rows) == pytest.approx(300)
    handshake, answer = (2.0 + 18 * 0.2) / 19, (3.0 + 18 * 0.4) / 19
    fewer = rpm([probe(3.0, handshake=2.0, answer=3.0), *[probe(4.0)] * 18])
    assert fewer == pytest.approx((60 / ((handshake + answer) / 2) + 400) / 2)


def test_what_is_no_probe():
    """Too large an answer, and connections opened before there is load, or after it."""
    others = [probe(3.0, size=1461, answer=9.0), probe(0.9, answer=9.0), probe(9.1, answer=9.0)]
    assert rpm([probe(3.0, size=1460), *others]) == pytest.approx(300)
    assert isnan(rpm(others))
    assert isnan(rpm([]))


def test_only_bulk_flows_are_load():
    assert isnan(rpm([probe(3.0)], ("http10", "cbr", "http10")))
    # The client's own RTT and that of datagrams do not count.
    its = rpm([probe(3.0)], ("bulk", "cbr", "http10"))
    assert its == pytest.approx((200 + 60 / 0.1) / 2)


def test_a_load_that_delivered_nothing_is_none():
    run, its = loaded([probe(3.0)])
    run["flows"]["last_delivery_s"][:2] = [nan, 9.0]
    assert METRICS["responsiveness_rpm"].of(run, its) == pytest.approx(300)
    run["flows"]["last_delivery_s"][1] = nan
    assert isnan(METRICS["responsiveness_rpm"].of(run, its))


PATH = IdlePath(rtt_s=0.092, delay_s=0.04, rate_bit_s=1e6, segment_bytes=960, header_bytes=40)


def power(rtts, received, **changed):
    run = columns([10**9] * len(rtts), received)
    run["flows"]["rtt_mean_s"] = np.array(rtts)
    paths = {"idle_paths": {"flow": PATH}}
    return METRICS["power"].of(run, facts(len(rtts), **{**paths, **changed}))


def test_power_by_hand():
    """1 Mbit/s for 10 s are 1,250,000 B; an RTT of the idle path is 92 ms and 8 ms."""
    assert power([0.1], [1_250_000]) == pytest.approx(1)
    assert power([0.2], [1_250_000]) == pytest.approx(1 / 2)
    assert power([0.1], [250_000]) == pytest.approx(0.2)
    # The ratios' mean is 2.5; a flow without an RTT has no ratio.
    assert power([0.2, 0.3, nan], [500_000, 500_000, 0]) == pytest.approx(0.8 / 2.5)
    # What left the bottleneck in the warm-up may come, too.
    assert power([0.1], [1_260_000]) == pytest.approx(1)


def test_power_needs_a_capacity_a_path_and_an_rtt():
    assert isnan(power([0.1], [1000], payload_capacity_bit_s=nan))
    assert isnan(power([0.1], [1000], idle_paths={}))
    assert isnan(power([0.1], [1000], idle_paths={"another": PATH}))
    assert isnan(power([nan], [1000]))


BLOATED = """
duration = "20 s"
warm_up = "5 s"
[topology]
kind = "dumbbell"
[topology.bottleneck]
rate = "10 Mbit/s"
delay = "10 ms"
queue = { kind = "drop_tail", limit = "4 rtt" }
[[flows]]
name = "load"
count = 2
[[flows]]
name = "probe"
[flows.workload]
kind = "http10"
sizes = "1 B"
inline_objects = 0
pause_min = "100 ms"
pause_max = "100 ms"
"""


def test_flow_queueing_is_responsive_and_a_long_queue_is_not(tmp_path):
    long = run(BLOATED, tmp_path / "long").metrics.iloc[0]
    sets = ['topology.bottleneck.queue.kind = "fq_codel"']
    fair = run(BLOATED, tmp_path / "fair", sets=sets).metrics.iloc[0]
    # Whatever waits, waits for all: handshake, answer and load have the same round trip.
    assert long["responsiveness_rpm"] == pytest.approx(60 / long["rtt_s"], rel=0.1)
    assert fair["responsiveness_rpm"] > 2 * long["responsiveness_rpm"]
    # No more than a round trip over the idle path allows.
    assert fair["responsiveness_rpm"] < 60 / 0.02
    assert fair["power"] > 1.5 * long["power"]
    assert 0 < long["power"] < fair["power"] < 1
