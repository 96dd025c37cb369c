"""The metrics of senders: requests, segments, time-outs, the largest cwnd."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING

from ackclock.results.metric import Columns, Metric, Number

if TYPE_CHECKING:
    from ackclock.scenario import Facts


def _sum_of_flows(name: str) -> Callable[[Columns, Facts], Number]:
    # nan in an emulated run if the kernel does not report it.
    return lambda columns, facts: columns["flows"][name].sum().item()


def _retransmitted_share(columns: Columns, facts: Facts) -> float:
    flows = columns["flows"]
    sent = flows["segments_sent"].sum().item()
    return flows["segments_retransmitted"].sum().item() / sent if sent else 0.0


def _max_cwnd(columns: Columns, facts: Facts) -> Number:
    largest = columns["flows"]["max_cwnd_bytes"]
    return int(largest.max()) if largest.size else nan


SENDER_METRICS: dict[str, Metric] = {
    "requests": Metric(
        "1",
        "writes of all sending applications; of pages and files: responses",
        _sum_of_flows("requests"),
    ),
    "segments_sent": Metric("segments", "sent by all senders", _sum_of_flows("segments_sent")),
    "retransmitted_share": Metric(
        "1", "share of these sent again", _retransmitted_share, share=True
    ),
    "timeouts": Metric("1", "time-outs of all senders", _sum_of_flows("timeouts")),
    "fast_retransmits": Metric(
        "1", "fast retransmits of all senders", _sum_of_flows("fast_retransmits")
    ),
    "max_cwnd_bytes": Metric(
        "bytes",
        "largest cwnd of any flow, not inflated by a fast recovery",
        _max_cwnd,
        "without a flow",
    ),
}
"""Metrics of the senders."""
