"""Response times of clients that wait for responses: batches of files, remote procedure calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, isinf, nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Metric, Number
from ackclock.results.pages import flows_with
from ackclock.scenario.compile.facts import CALLS
from ackclock.stats.quantiles import percentile_of

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


def _times(columns: Columns, facts: Facts) -> np.ndarray:
    """Response times of all requests but those for chunks of video, s."""
    table = columns.get("responses") or {}
    if table and facts.playbacks:
        chosen = flows_with(facts, CALLS)[table["flow"].astype(np.int64)]
        table = {name: values[chosen] for name, values in table.items()}
    return response_times(table)


def _answered(columns: Columns, facts: Facts) -> Number:
    return int(np.isfinite(_times(columns, facts)).sum())


def _percentile(percent: int) -> Callable[[Columns, Facts], float]:
    def percentile(columns: Columns, facts: Facts) -> float:
        found = percentile_of(np.sort(_times(columns, facts)), percent)
        return nan if isinf(found) else found

    return percentile


RESPONSE_METRICS: dict[str, Metric] = {
    "responses": Metric(
        "1", "requests of web batches and calls that were answered whole", _answered
    ),
    "response_s": Metric(
        "s",
        "from a request of a web batch or a call to the last byte of its answer, median over all"
        " requests",
        _percentile(50),
        "if half of the requests were not answered, or there was none",
    ),
    **{
        f"response_p{percent}_s": Metric(
            "s",
            f"the same, {percent}th percentile",
            _percentile(percent),
            f"if {100 - percent} % of the requests were not answered, or there was none",
        )
        for percent in (95, 99)
    },
}
"""Metrics of clients that wait for responses, in the order in which they are shown."""
