"""The metrics of what limits the senders of a run: cwnd, the receive window or the data.

Source: RFC 4898 (``SndLimTimeCwnd``, ``SndLimTimeRwin``, ``SndLimTimeSnd``); Linux'
``tcpi_rwnd_limited``, which ``ss`` prints as a share of the busy time. crates/tcp/src/limits.rs
defines the limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, FlowMetric, Metric

if TYPE_CHECKING:
    from ackclock.scenario import Facts

_TIMES = {name: f"{name}_s" for name in ("cwnd_limited", "rwnd_limited", "app_limited")}
"""Shares of the time, and the columns of the core with the times."""
_MEANINGS = {
    "cwnd_limited": "share of the time that the senders waited for cwnd",
    "rwnd_limited": "share of the time that the senders waited for the receive window",
    "app_limited": "share of the time that the senders had nothing left to send",
}
_UNDEFINED = "without a TCP connection"


def shares(flows: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the share of the connection time that each limit held a flow; the sum is 1.

    Args:
        flows: table "flows" of the core.

    Returns:
        Arrays of shape (flows,), by metric; nan for a flow without a connection.
    """
    times = {name: np.asarray(flows[column], dtype=float) for name, column in _TIMES.items()}
    total = sum(times.values())
    return {
        name: np.divide(time, total, out=np.full(time.shape, nan), where=total > 0)
        for name, time in times.items()
    }


def _share_of_all(name: str) -> Callable[[Columns, Facts], float]:
    def of(columns: Columns, facts: Facts) -> float:
        sums = {each: float(columns["flows"][column].sum()) for each, column in _TIMES.items()}
        total = sum(sums.values())
        return sums[name] / total if total > 0 else nan

    return of


LIMIT_METRICS = {
    name: Metric("1", f"{meaning}, all flows together", _share_of_all(name), _UNDEFINED, share=True)
    for name, meaning in _MEANINGS.items()
}
FLOW_LIMITS = {
    name: FlowMetric(
        "1", f"{meaning.replace('senders', 'sender')}; nan without a connection", share=True
    )
    for name, meaning in _MEANINGS.items()
}
"""The same metrics for single flows."""
