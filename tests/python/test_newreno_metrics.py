"""One run in numbers, from columns made by hand."""

from dataclasses import replace
from math import isnan

import numpy as np
import pytest

from ackclock.scenario import Facts
from ackclock.studies.newreno.metrics import FLOW_METRICS, measure
from fake_core import table

FACTS = Facts(
    duration_s=100.0,
    flow_names=("newreno", "reno", "http 1", "ftp 1"),
    flow_groups=("newreno", "reno", "http", "ftp"),
    flow_workloads=("bulk", "bulk", "http_sessions", "bulk"),
    bottleneck_link=0,
    payload_capacity_bit_s=float("nan"),
    link_names=("r1 -> r2", "r2 -> r1"),
    reverse_link=1,
    foreground=(True, True, False, False),
)


COLUMNS = {
    "flows": table(
        delivered_bytes=[10**6, 5 * 10**5, 2 * 10**6, 10**6],
        segments_sent=[1000, 500, 2000, 1000],
        timeouts=[1, 5, 9, 9],
        fast_retransmits=[10, 6, 9, 9],
        rtt_samples=[800, 0, 100, 100],
        rtt_mean_s=[0.1, float("nan"), 0.5, 0.5],
        first_timeouts=[0, 4, 1, 1],
        first_rto_mean_s=[float("nan"), 0.4, 0.5, 0.5],
        cwnd_limited_s=[1.0] * 4,
        rwnd_limited_s=[0.0] * 4,
        app_limited_s=[0.0] * 4,
    ),
    # In another order than the flows, as nothing promises theirs.
    "foreground": table(flow=[1, 0], segments_lost=[20, 30], loss_events=[10, 25]),
    "links": table(
        link=[0, 1],
        utilisation=[0.75, 0.1],
        packets_offered=[200, 100],
        packets_dropped=[3, 0],
        mean_queue_packets=[4.5, 0.0],
    ),
    "ports": {"link": np.zeros(0, dtype=np.uint64)},
    "transfers": {},
}


def test_what_is_measured():
    row = measure(COLUMNS, FACTS)
    assert row["utilisation_pct"] == pytest.approx(75)
    assert row["drop_pct"] == pytest.approx(1.5)
    assert row["mean_queue_packets"] == 4.5
    assert row["background_bit_s"] == pytest.approx(3e6 * 8 / 100)
    assert row["newreno_throughput_bit_s"] == pytest.approx(80_000)
    assert row["newreno_delivered_bytes"] == 10**6
    assert (row["newreno_segments_sent"], row["reno_segments_sent"]) == (1000, 500)
    assert (row["newreno_segments_lost"], row["newreno_loss_events"]) == (30, 25)
    assert (row["reno_segments_lost"], row["reno_loss_events"]) == (20, 10)
    assert row["newreno_rtt_s"] == pytest.approx(0.1)
    assert row["reno_first_rto_s"] == pytest.approx(0.4)
    assert (row["reno_timeouts"], row["newreno_fast_retransmits"]) == (5, 10)


def test_a_mean_without_samples_is_nan():
    row = measure(COLUMNS, FACTS)
    assert isnan(row["reno_rtt_s"])
    assert isnan(row["newreno_first_rto_s"])


def test_a_flow_that_is_not_there_has_no_columns():
    facts = replace(FACTS, flow_groups=("newreno", "http", "http", "ftp"))
    row = measure(COLUMNS, facts)
    assert not [name for name in row if name.startswith("reno_")]
    assert sum(name.startswith("newreno_") for name in row) == len(FLOW_METRICS)


def test_several_flows_of_a_group_are_one():
    facts = replace(FACTS, flow_groups=("newreno", "newreno", "http", "ftp"))
    row = measure(COLUMNS, facts)
    assert row["newreno_throughput_bit_s"] == pytest.approx(60_000)
    assert row["newreno_loss_events"] == 35
    assert row["newreno_rtt_s"] == pytest.approx(0.1)


def test_the_row_has_only_what_json_has_a_form_for():
    assert all(isinstance(value, int | float) for value in measure(COLUMNS, FACTS).values())
