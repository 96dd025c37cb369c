"""Response times of web clients that request batches of files."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Metric, Number

if TYPE_CHECKING:
    from ackclock.scenario import Facts


def response_times(table: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the time from each request to the last byte of its response, s.

    A request without a response has an infinite time. It counts, because without it an overloaded
    network would seem fast.

    Args:
        table: "responses" as the core returns it; one row per request after the warm-up.
    """
    if not table:
        return np.array([])
    times = table["completed_s"] - table["requested_s"]
    return np.where(np.isnan(times), inf, times)


def _answered(columns: Columns, facts: Facts) -> Number:
    return int(np.isfinite(response_times(columns.get("responses") or {})).sum())


def _median(columns: Columns, facts: Facts) -> float:
    times = np.sort(response_times(columns.get("responses") or {}))
    middle = times[(times.size - 1) // 2 : times.size // 2 + 1]
    return float(middle.mean()) if middle.size and np.isfinite(middle).all() else nan


RESPONSE_METRICS: dict[str, Metric] = {
    "responses": Metric("1", "requests of web batches that were answered whole", _answered),
    "response_s": Metric(
        "s",
        "from a request of a web batch to the last byte of its answer, median over all requests",
        _median,
        "if half of the requests were not answered, or there was none",
    ),
}
"""Metrics of clients of batches, in the order in which they are shown."""
