"""The metrics of delay: round-trip times, and the time that packets wait at the bottleneck.

Source: J. D. C. Little, A Proof for the Queuing Formula L = lambda W (1961), for the waiting time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Metric, bottleneck

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
    """How many wait, mean over time; and how many were sent."""
    return link["mean_queue_packets"], link["packets_sent"]


def _cells(port: Mapping[str, float]) -> tuple[float, float]:
    # A cell that is being sent counts as queued there, for as long as the port is busy.
    return max(port["mean_queue_cells"] - port["utilisation"], 0.0), port["cells_carried"]


def _percentile(column: str) -> Callable[[Columns, Facts], float]:
    """A column of the waiting times at the bottleneck, which the core measures packet by packet."""

    def of(columns: Columns, facts: Facts) -> float:
        table = columns["queue_delays"]
        if not table or facts.bottleneck_link is None:
            return nan
        (row,) = np.flatnonzero(table["link"] == facts.bottleneck_link)
        return float(table[column][row])

    return of


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
            _percentile(f"p{percent}_s"),
            "without a single bottleneck that has a queue, with `queue_delays = false`, or if"
            " nothing was sent there",
        )
        for percent in (50, 95, 99)
    },
    "rtt_s": Metric(
        "s",
        "RTT that the senders measured: mean of each flow, then over the flows",
        _rtt,
        "if no flow has measured one, as with UDP",
    ),
}
"""Metrics of delay, in the order in which they are shown."""
_BESIDE = {
    "max_queue": "mean_queue_delay_s",
    "mean_queue": "mean_queue_delay_s",
    "abr_max_queue_cells": "abr_mean_queue_delay_s",
    "abr_mean_queue_cells": "abr_mean_queue_delay_s",
}
"""Metrics of queues in packets or cells, and the metrics of how long these wait."""


def with_waits(metrics: Sequence[str], measured: Sequence[str]) -> list[str]:
    """Metrics for a table, with the waiting time beside each queue.

    Args:
        metrics: the metrics to show.
        measured: those that there are; campaigns of earlier versions have no waiting times.
    """
    shown = list(metrics)
    for at, metric in reversed(list(enumerate(metrics))):
        wait = _BESIDE.get(metric)
        if wait in measured and wait not in shown:
            shown.insert(at + 1, wait)
    return shown
