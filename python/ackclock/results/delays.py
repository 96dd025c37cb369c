"""The metrics of delay: round-trip times, and the time that packets wait at the bottleneck.

Source: J. D. C. Little, A Proof for the Queuing Formula L = lambda W (1961), for the waiting time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, FlowMetric, Metric, bottleneck
from ackclock.scenario.compile.facts import MOST_FLOWS_KEPT

if TYPE_CHECKING:
    from ackclock.scenario import Facts


def _rtt(columns: Columns, facts: Facts) -> float:
    means = columns["flows"]["rtt_mean_s"]
    measured = means[~np.isnan(means)]
    return float(measured.mean()) if measured.size else nan


def _queue_delay(columns: Columns, facts: Facts) -> float:
    found = bottleneck(columns, facts)
    if found is None:
        return nan
    queued, sent = _cells(found.its) if found.of_cells else _packets(found.its)
    return queued * facts.duration_s / sent if sent else nan


def _packets(link: Mapping[str, float]) -> tuple[float, float]:
    """Return the mean number of waiting packets over time, and the number of sent packets."""
    return link["mean_queue_packets"], link["packets_sent"]


def _cells(port: Mapping[str, float]) -> tuple[float, float]:
    # A cell that is being sent counts as queued there, for as long as the port is busy.
    return max(port["mean_queue_cells"] - port["utilisation"], 0.0), port["cells_carried"]


def _waits(column: str) -> Callable[[Columns, Facts], float]:
    """Metric from a column of waiting times at the bottleneck, measured for each packet."""

    def of(columns: Columns, facts: Facts) -> float:
        table = columns["queue_delays"]
        if not table or facts.bottleneck_link is None:
            return nan
        (row,) = np.flatnonzero(table["link"] == facts.bottleneck_link)
        return float(table[column][row])

    return of


def _rtts(column: str) -> Callable[[Columns, Facts], float]:
    """Metric: the mean over the flows of a percentile of each flow's RTTs."""

    def of(columns: Columns, facts: Facts) -> float:
        values = columns["rtts"].get(column, np.empty(0))
        measured = values[~np.isnan(values)]
        return float(measured.mean()) if measured.size else nan

    return of


def _longest_rtt(columns: Columns, facts: Facts) -> float:
    values = columns["rtts"].get("max_s", np.empty(0))
    return float(np.nanmax(values)) if np.any(~np.isnan(values)) else nan


def flow_delays(columns: Columns, facts: Facts) -> dict[str, np.ndarray]:
    """The columns of ``FLOW_DELAYS``, shape (flows,); nan where nothing was measured."""
    waits = columns["flow_queue_delays"]
    at_bottleneck = {
        name: values[waits["link"] == facts.bottleneck_link] for name, values in waits.items()
    }
    described = {}
    for prefix, columns_of, table in (
        ("rtt", _OF_RTTS, columns["rtts"]),
        ("queue_delay", _OF_WAITS, at_bottleneck),
    ):
        for column in columns_of:
            values = np.full(len(facts.flow_names), nan)
            if table:
                values[table["flow"]] = table[column]
            described[f"{prefix}_{column}"] = values
    return described


_OF_RTTS = ("p50_s", "p95_s", "p99_s", "max_s")
_OF_WAITS = ("mean_s", *_OF_RTTS)
_IN_WORDS = {
    "mean_s": "mean",
    "p50_s": "median",
    "p95_s": "95 % do not exceed it",
    "p99_s": "99 % do not exceed it",
    "max_s": "longest",
}
_WAITED = "what its packets wait in the queue of the bottleneck"
FLOW_DELAYS: dict[str, FlowMetric] = {
    **{
        f"rtt_{column}": FlowMetric("s", f"RTT that the sender measured, {_IN_WORDS[column]}")
        for column in _OF_RTTS
    },
    **{
        f"queue_delay_{column}": FlowMetric("s", f"{_WAITED}, {_IN_WORDS[column]}")
        for column in _OF_WAITS
    },
}
"""Metrics of the delay of a flow; nan without a sample, or with ``queue_delays = false``."""
_NOT_KEPT = (
    "if no flow has measured one, with `queue_delays = false`, or with more than"
    f" {MOST_FLOWS_KEPT} flows of which none is foreground"
)

DELAY_METRICS: dict[str, Metric] = {
    "mean_queue_delay_s": Metric(
        "s",
        "what a packet (or cell) waits in the queue of the bottleneck before it is sent, mean",
        _queue_delay,
        "without a single bottleneck, or if nothing was sent there",
    ),
    **{
        f"queue_delay_p{percent}_s": Metric(
            "s",
            f"waiting time there that {percent} % of the packets (or cells) do not exceed",
            _waits(f"p{percent}_s"),
            "without a single bottleneck that has a queue, with `queue_delays = false`, or if"
            " nothing was sent there",
        )
        for percent in (50, 95, 99)
    },
    "queue_delay_max_s": Metric(
        "s",
        "longest waiting time there",
        _waits("max_s"),
        "without a single bottleneck that has a queue, with `queue_delays = false`, or if nothing"
        " was sent there",
    ),
    "rtt_s": Metric(
        "s",
        "RTT that the senders measured: mean of each flow, then over the flows",
        _rtt,
        "if no flow has measured one, as with UDP",
    ),
    **{
        f"rtt_p{percent}_s": Metric(
            "s",
            f"RTT that {percent} % of a sender's measurements do not exceed, mean over the flows",
            _rtts(f"p{percent}_s"),
            _NOT_KEPT,
        )
        for percent in (50, 95, 99)
    },
    "rtt_max_s": Metric("s", "longest RTT that a sender measured", _longest_rtt, _NOT_KEPT),
}
"""Metrics of delay, in the order in which they are shown."""
_BESIDE = {
    "max_queue": "mean_queue_delay_s",
    "mean_queue": "mean_queue_delay_s",
    "abr_max_queue_cells": "abr_mean_queue_delay_s",
    "abr_mean_queue_cells": "abr_mean_queue_delay_s",
}
"""Metrics of queue lengths, and the matching metrics of waiting times."""


def with_waits(metrics: Sequence[str], measured: Sequence[str]) -> list[str]:
    """Return the metrics for a table, with the waiting time after each queue length.

    Args:
        metrics: the metrics to show.
        measured: available metrics; campaigns of earlier versions have no waiting times.
    """
    shown = list(metrics)
    for at, metric in reversed(list(enumerate(metrics))):
        wait = _BESIDE.get(metric)
        if wait in measured and wait not in shown:
            shown.insert(at + 1, wait)
    return shown
