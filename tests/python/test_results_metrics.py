"""The metrics of a run, against numbers worked out by hand."""

import json
from math import inf, isnan, nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock.campaign.journal import as_json
from ackclock.results.flows import FLOW_METRICS, flow_columns
from ackclock.results.metrics import METRICS, measure
from ackclock.scenario.compile.facts import MOST_FLOWS_KEPT, SIZE_CLASSES, kept_flows
from ackclock.scenario.metric_names import (
    METRIC_NAMES,
    RESPONSES,
    SLOWDOWNS,
    STATISTICS,
    VIDEO_NAMES,
)
from results_campaigns import Facts, table

ENDLESS = 2**61
COUNTS = ("requests", "segments_sent", "segments_retransmitted", "timeouts", "fast_retransmits")
LOSSES = ("segments_lost", "loss_events", "loss_event_rate", "loss_rate")
LINK = {
    "packets_offered": [280, 10],
    "packets_sent": [250, 0],
    "packets_dropped": [7, 1],
    "packets_dropped_early": [3, 0],
    "packets_lost": [2, 3],
    "packets_marked": [4, 2],
    "max_queue_packets": [40, 5],
    "mean_queue_packets": [12.5, 0.5],
    "utilisation": [0.75, 0.1],
}
PAGES = ("pages", "page_delay_s", "page_delay_no_setup_s", "files", "file_delay_s")
OF_CELLS = (
    *("cells_lost", "abr_max_queue_cells", "abr_mean_queue_cells", "abr_mean_queue_delay_s"),
    *("mean_acr_bit_s", "abr_fairness", "source_rate_bit_s"),
    *("mcr_share", "mcr_share_mean", "excess_fairness", "excess_fairness_proportional"),
    "eligible_lost_share",
)
USERS = (
    *("power", "responsiveness_rpm"),
    *(f"completion_{name}_{end}_s" for name in SIZE_CLASSES for end in STATISTICS),
    *SLOWDOWNS,
)
PORT = {
    "utilisation": [0.9, 0.2],
    "cells_refused": [600, 5],
    "cells_overflowed": [20, 0],
    "cells_cut": [30, 0],
    "cells_carried": [1970, 0],
    "frames_offered": [220, 12],
    "frames_refused": [50, 1],
    "frames_cut": [5, 2],
    "max_queue_cells": [531, 10],
    "mean_queue_cells": [99.5, 0.25],
}

DELAYS = {
    "link": [0, 1],
    "mean_s": [0.3, nan],
    "p50_s": [0.25, nan],
    "p95_s": [0.5, nan],
    "p99_s": [0.75, nan],
    "max_s": [0.8, nan],
}
OF_FLOWS = {
    "flow": [0, 0],
    "link": [0, 1],
    "mean_s": [0.1, nan],
    "p50_s": [0.125, nan],
    "p95_s": [0.25, nan],
    "p99_s": [0.375, nan],
    "max_s": [0.4, nan],
}
RTTS = {
    "flow": [0],
    "mean_s": [0.2],
    "p50_s": [0.15],
    "p95_s": [0.35],
    "p99_s": [0.45],
    "max_s": [0.5],
}


def columns(
    scheduled,
    received,
    delivered=None,
    *,
    early=None,
    backlog=None,
    ports=False,
    opened=None,
    last=None,
):
    flows = len(scheduled)
    empty = {name: np.array([], dtype=np.uint64) for name in ("link", *LINK, *PORT)}
    numbers = {"link": np.arange(2, dtype=np.uint64)}
    return {
        "flows": {
            "scheduled_bytes": np.array(scheduled, dtype=np.uint64),
            "received_bytes": np.array(received, dtype=np.uint64),
            "delivered_bytes": np.array(
                received if delivered is None else delivered, dtype=np.uint64
            ),
            "delivered_early_bytes": np.array(early or [0] * flows, dtype=np.uint64),
            **{
                name: np.full(flows, value, dtype=np.uint64)
                for name, value in zip(COUNTS, (5, 200, 10, 3, 4), strict=True)
            },
            "rtt_mean_s": np.linspace(0.1, 0.2, flows),
            "first_rto_mean_s": np.full(flows, nan),
            "cwnd_limited_s": np.full(flows, 1.0),
            "rwnd_limited_s": np.full(flows, 0.0),
            "app_limited_s": np.full(flows, 0.0),
            "max_cwnd_bytes": np.arange(1, flows + 1, dtype=np.uint64) * 1000,
            "backlog_bytes": np.array(backlog or [0] * flows, dtype=np.uint64),
            "opened_s": np.array(opened or [0.0] * flows),
            "last_delivery_s": np.array(last or [nan] * flows),
        },
        "links": empty if ports else {**numbers, **table(LINK)},
        "ports": {**numbers, **table(PORT)} if ports else empty,
        "queue_delays": table(DELAYS),
        "flow_queue_delays": table(OF_FLOWS) if scheduled else {},
        "rtts": table(RTTS) if scheduled else {},
        "transfers": {},
        "foreground": {},
    }


def facts(flows=2, **changed):
    names = tuple(f"flow {number}" for number in range(1, flows + 1))
    known = {
        "flow_names": names,
        "flow_groups": ("flow",) * flows,
        "flow_workloads": ("bulk",) * flows,
        "foreground": (False,) * flows,
    }
    return Facts(**{**known, **changed})


def approx_nan():
    return pytest.approx(nan, nan_ok=True)


def test_the_names_are_those_that_a_scenario_may_use():
    assert tuple(METRICS) == METRIC_NAMES


def test_every_metric_says_its_unit_and_meaning():
    assert all(metric.unit and metric.meaning for metric in METRICS.values())
    for name, its in FLOW_METRICS.items():
        assert its.unit
        assert its.meaning
        assert name not in METRICS or METRICS[name].unit == its.unit


def test_metrics_by_hand():
    # 10 s at 1 Mbit/s are 1,250,000 bytes; the first two of four want less than a quarter of it.
    run = columns(
        scheduled=[100_000, 200_000, 2_000_000, 5_000_000],
        received=[100_000, 100_000, 475_000, 237_500],
        delivered=[100_000, 90_000, 475_000, 137_500],
        opened=[1.0, 0.0, 0.0, 0.0],
        last=[3.5, 9.0, 10.0, 10.0],
    )
    row = measure(run, facts(4))
    ratios = np.array([1.0, 0.5, 1.0, 0.5])
    goodputs = np.array([100_000, 90_000, 475_000, 137_500])
    del row["flows"]
    assert isnan(row.pop("foreground_goodput_bit_s"))
    without_pages = [row.pop(name) for name in PAGES]
    assert without_pages == pytest.approx([0, nan, nan, 0, nan], nan_ok=True)
    assert row.pop("responses") == 0
    without_players = [*RESPONSES, *VIDEO_NAMES]
    assert [row.pop(name) for name in without_players] == [approx_nan()] * len(without_players)
    # Nobody knows the path, nor the sizes: they have tests of their own.
    assert [row.pop(name) for name in USERS] == [approx_nan()] * len(USERS)
    assert [row.pop(f"completed_{name}") for name in SIZE_CLASSES] == [0, 0, 0]
    assert [row.pop(name) for name in OF_CELLS] == [approx_nan()] * len(OF_CELLS)
    assert [row.pop(name) for name in ("cwnd_limited", "rwnd_limited", "app_limited")] == [1, 0, 0]
    assert row == {
        "goodput_bit_s": pytest.approx(802_500 * 8 / 10),
        "throughput_bit_s": pytest.approx(912_500 * 8 / 10),
        "efficiency": pytest.approx(912_500 / 1_250_000),
        "utilisation": 0.75,
        "jain_fairness": pytest.approx(goodputs.sum() ** 2 / (4 * (goodputs**2).sum())),
        "max_min_fairness": pytest.approx(ratios.sum() ** 2 / (4 * (ratios**2).sum())),
        "offered_load": pytest.approx(7_300_000 / 1_250_000),
        "requests": 20,
        "segments_sent": 800,
        "retransmitted_share": 0.05,
        "timeouts": 12,
        "fast_retransmits": 16,
        "drops": 7,
        "early_drops": 3,
        "drop_share": 0.025,
        "losses": 5,
        "marks": 6,
        "max_queue": 40,
        "mean_queue": 12.5,
        "mean_queue_delay_s": pytest.approx(12.5 * 10 / 250),
        "queue_delay_p50_s": 0.25,
        "queue_delay_p95_s": 0.5,
        "queue_delay_p99_s": 0.75,
        "queue_delay_max_s": 0.8,
        "rtt_s": pytest.approx(0.15),
        "rtt_p50_s": 0.15,
        "rtt_p95_s": 0.35,
        "rtt_p99_s": 0.45,
        "rtt_max_s": 0.5,
        "completion_s": 2.5,
        "completed_flows": 1,
        "max_cwnd_bytes": 4000,
    }


def test_what_came_before_the_measured_time_is_no_goodput():
    """Of 400 kB in order 150 kB had come out of order by the end of the warm-up."""
    run = columns([10**6, 10**6], [250_000, 100_000], [400_000, 100_000], early=[150_000, 0])
    row = measure(run, facts(2))
    assert row["goodput_bit_s"] == row["throughput_bit_s"] == pytest.approx(350_000 * 8 / 10)
    assert row["flows"]["goodput_bit_s"] == pytest.approx([200_000, 80_000])
    assert row["jain_fairness"] == pytest.approx(350**2 / (2 * (250**2 + 100**2)))


def test_a_port_counts_frames_and_cells():
    row = measure(columns([1], [1], ports=True), facts(1))
    assert (row["drops"], row["losses"], row["marks"]) == (55, 0, 0)
    assert (row["early_drops"], row["drop_share"]) == (50, 0.25)
    assert (row["max_queue"], row["mean_queue"], row["utilisation"]) == (531, 99.5, 0.9)
    assert row["cells_lost"] == 655
    # The cell that is being sent, of which there is one for 0.9 of the time, waits no longer.
    assert row["mean_queue_delay_s"] == pytest.approx((99.5 - 0.9) * 10 / 1970)


def test_the_reverse_bottleneck_can_be_meant():
    row = measure(columns([1], [1]), facts(1, bottleneck_link=1))
    assert (row["drops"], row["max_queue"], row["utilisation"]) == (1, 5, 0.1)
    assert row["drop_share"] == 0.1
    delays = ("mean_queue_delay_s", "queue_delay_p50_s", "queue_delay_p99_s")
    assert all(isnan(row[name]) for name in delays), "nothing was sent"


def test_flows_without_a_measured_rtt_do_not_count():
    run = columns([1] * 3, [1] * 3)
    run["flows"]["rtt_mean_s"] = np.array([nan, 0.1, 0.4])
    assert measure(run, facts(3))["rtt_s"] == pytest.approx(0.25)
    run["flows"]["rtt_mean_s"][:] = nan
    assert isnan(measure(run, facts(3))["rtt_s"])


def test_a_metric_that_may_have_no_value_says_when():
    """Runs of which most metrics know nothing: no flow, no bottleneck, nothing delivered, no VC."""
    nothing = columns([0], [0])
    nothing["flows"]["rtt_mean_s"][:] = nan
    of_none = columns([], [])
    runs = [
        measure(nothing, facts(1, bottleneck_link=None, payload_capacity_bit_s=nan)),
        measure(of_none, facts(0)),
    ]
    for name, metric in METRICS.items():
        assert bool(metric.undefined) == any(isnan(run[name]) for run in runs), name


def test_a_bottleneck_that_nothing_has_come_to():
    run = columns([1], [1])
    run["links"]["packets_offered"][:] = run["links"]["packets_dropped"][:] = 0
    assert measure(run, facts(1))["drop_share"] == 0


def test_without_a_bottleneck_nothing_is_told_of_it():
    row = measure(columns([9], [8]), facts(1, bottleneck_link=None, payload_capacity_bit_s=nan))
    unknown = ("efficiency", "utilisation", "max_min_fairness", "offered_load", "drops")
    queue = ("early_drops", "drop_share", "max_queue", "mean_queue")
    assert all(isnan(row[name]) for name in (*unknown, *queue))
    assert row["goodput_bit_s"] == pytest.approx(6.4)


def test_a_run_in_which_nothing_happens():
    run = columns([0, 0], [0, 0])
    run["flows"]["segments_sent"][:] = 0
    row = measure(run, facts())
    assert (row["efficiency"], row["retransmitted_share"], row["completed_flows"]) == (0, 0, 0)
    assert all(isnan(row[name]) for name in ("jain_fairness", "max_min_fairness", "completion_s"))


@pytest.mark.parametrize("flows", [1, 2, 8, 9])
def test_sources_without_end_share_alike(flows):
    """Eight times 2**61 is 0 in 64 bits."""
    row = measure(columns([ENDLESS] * flows, [1000] * flows), facts(flows))
    assert row["offered_load"] == inf
    assert row["max_min_fairness"] == pytest.approx(1)
    starved = measure(columns([ENDLESS] * flows, [1000] + [0] * (flows - 1)), facts(flows))
    assert starved["max_min_fairness"] == pytest.approx(1 / flows)


def test_what_ended_before_the_warm_up_did_is_not_completed_again():
    row = measure(columns([0, 10], [0, 10], opened=[1.0, 2.0], last=[1.5, 4.0]), facts())
    assert (row["completed_flows"], row["completion_s"]) == (1, 2)


def test_a_source_without_end_has_its_backlog_from_the_warm_up():
    row = measure(columns([0, 0], [3000, 0], backlog=[ENDLESS, ENDLESS]), facts())
    assert row["offered_load"] == inf
    assert row["max_min_fairness"] == pytest.approx(1 / 2), "the second one starved"
    assert row["completed_flows"] == 0


def test_what_was_left_from_the_warm_up_was_wanted_too():
    # Both get what they want, the first one a rest of the warm-up as well.
    row = measure(columns([1000, 1000], [1500, 1000], backlog=[500, 0]), facts())
    assert row["max_min_fairness"] == 1
    assert row["offered_load"] == pytest.approx(2500 * 8 / 10 / 1e6)


def test_a_transfer_from_the_warm_up_may_be_completed_after_it():
    run = columns([0, 0], [700, 600], backlog=[700, 700], opened=[0.5, 0.5], last=[3.5, 3.0])
    row = measure(run, facts())
    assert (row["completed_flows"], row["completion_s"]) == (1, 3)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 10**9), st.fractions(0, 1)), min_size=1, max_size=20))
def test_efficiency_and_fairness_are_those_of_the_paper(flows):
    """98-0876, section 6, as its text says it: the max-min shares are found round by round."""
    scheduled = [size for size, _ in flows]
    received = [int(size * share) for size, share in flows]
    row = measure(columns(scheduled, received), facts(len(flows)))

    capacity = 1e6 * 10 / 8
    due = np.zeros(len(flows))
    open_, left = set(range(len(flows))), capacity
    while open_:
        share = left / len(open_)
        satisfied = {i for i in open_ if scheduled[i] <= share}
        if not satisfied:
            due[list(open_)] = share
            break
        due[list(satisfied)] = [scheduled[i] for i in satisfied]
        left -= sum(scheduled[i] for i in satisfied)
        open_ -= satisfied
    ratios = np.array([received[i] / due[i] for i in range(len(flows)) if due[i] > 0])

    # No more than all of the link, whatever had left it before.
    carried = min(sum(received) / capacity, 1)
    assert row["efficiency"] == pytest.approx(carried, rel=1e-12)
    assert row["offered_load"] == pytest.approx(sum(scheduled) / capacity, rel=1e-12)
    if ratios.any():
        index = ratios.sum() ** 2 / (len(ratios) * (ratios**2).sum())
        assert row["max_min_fairness"] == pytest.approx(index, rel=1e-9)
    else:
        assert isnan(row["max_min_fairness"])


def test_each_flow_is_told_by_itself():
    run = columns([1000, 2000], [1000, 1500], [1000, 1200], opened=[1.0, 0.0], last=[4.0, 5.0])
    told = flow_columns(run, facts())
    assert tuple(told) == tuple(FLOW_METRICS)
    assert told["goodput_bit_s"].tolist() == [800, 960]
    assert told["throughput_bit_s"].tolist() == [800, 1200]
    assert told["completion_s"][0] == 3
    assert isnan(told["completion_s"][1])
    assert told["timeouts"].tolist() == [3, 3]
    assert told["rtt_s"].tolist() == [0.1, 0.2]
    assert [told[f"rtt_{name}_s"][0] for name in ("p50", "p99", "max")] == [0.15, 0.45, 0.5]
    assert [told[f"queue_delay_{name}_s"][0] for name in ("mean", "p95", "max")] == [0.1, 0.25, 0.4]
    assert np.isnan([told["rtt_p95_s"][1], told["queue_delay_p50_s"][1]]).all()
    assert np.isnan([told[name] for name in (*LOSSES, "first_rto_s")]).all()
    row = measure(run, facts())
    assert row["flows"]["goodput_bit_s"] == [800, 960]
    assert tuple(row["flows"]) == tuple(FLOW_METRICS)


def test_many_flows_are_not_told_one_by_one():
    for flows in (MOST_FLOWS_KEPT, MOST_FLOWS_KEPT + 1):
        row = measure(columns([1] * flows, [1] * flows), facts(flows))
        assert ("flows" in row) == (flows == MOST_FLOWS_KEPT)


def marked(flows, *numbers):
    """Facts, and a run of which these flows are the foreground: 20 losses, 10 ..."""
    run = columns([2000] * flows, [1500] * flows)
    run["flows"]["delivered_bytes"] = 1000 + np.arange(flows, dtype=np.uint64)
    run["foreground"] = {
        "flow": np.array(numbers, dtype=np.uint64),
        "segments_lost": np.array([20 // 2**at for at in range(len(numbers))], dtype=np.uint64),
        "loss_events": np.array([8 // 2**at for at in range(len(numbers))], dtype=np.uint64),
    }
    return run, facts(flows, foreground=tuple(number in numbers for number in range(flows)))


@pytest.mark.parametrize("flows", [5, MOST_FLOWS_KEPT + 1])
def test_the_foreground_is_told_and_nothing_else(flows):
    run, its = marked(flows, 1, 4)
    row = measure(run, its)
    told = row["flows"]
    assert tuple(told) == tuple(FLOW_METRICS)
    assert {len(values) for values in told.values()} == {2}
    assert told["goodput_bit_s"] == pytest.approx([1001 * 0.8, 1004 * 0.8])
    assert row["foreground_goodput_bit_s"] == pytest.approx(2005 * 0.8)
    assert (told["segments_lost"], told["loss_events"]) == ([20, 10], [8, 4])
    assert told["loss_rate"] == [0.1, 0.05]
    assert told["loss_event_rate"] == [0.04, 0.02]
    assert told["rtt_s"] == run["flows"]["rtt_mean_s"][[1, 4]].tolist()
    assert told["max_cwnd_bytes"] == [2000, 5000]


def test_a_flow_that_sent_nothing_has_no_loss_rate():
    run, its = marked(3, 0, 2)
    run["flows"]["segments_sent"][0] = 0
    told = flow_columns(run, its)
    assert told["loss_rate"].tolist() == pytest.approx([nan, 0.05], nan_ok=True)
    assert told["loss_event_rate"].tolist() == pytest.approx([nan, 0.02], nan_ok=True)


def test_which_flows_are_kept():
    assert kept_flows((False, True, False, True), 4) == [1, 3]
    assert kept_flows((False, False), 2) == kept_flows((), 2) == [0, 1]


def test_a_row_can_be_kept_in_the_journal():
    row = measure(*marked(3, 2))
    assert json.loads(as_json(row))["flows"]["loss_events"] == [8]
    row = measure(columns([ENDLESS, 1], [1, 1]), facts())
    assert json.loads(as_json(row))["offered_load"] == inf
    plain = {type(value) for name, value in row.items() if name != "flows"}
    assert plain <= {int, float}


def test_the_reference_tells_every_metric():
    page = (Path(__file__).parents[2] / "docs/reference/files.md").read_text(encoding="utf-8")
    told = [(name, metric.unit, metric.meaning) for name, metric in METRICS.items()]
    told += [(name, its.unit, its.meaning) for name, its in FLOW_METRICS.items()]
    for name, unit, meaning in told:
        assert f"| `{name}` | {unit} | {meaning} |\n" in page
