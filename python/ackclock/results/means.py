"""Means over the replications of points with their intervals, as arrays for tables.

``summaries`` has the same as frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from numpy.typing import ArrayLike

from ackclock.plots.quantities import ends_within, unit_of
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.metrics import METRICS
from ackclock.stats.intervals import Intervals, intervals_in_order


def metric_unit(metric: str) -> str:
    """Return the unit of a metric."""
    return METRICS[metric].unit if metric in METRICS else unit_of(metric)


def is_share(metric: str) -> bool:
    """Return whether a metric of runs or flows is a share, between 0 and 1."""
    its = METRICS.get(metric) or FLOW_METRICS.get(metric)
    return its is not None and its.share


def most_of(metric: str) -> float | None:
    """Return the largest possible value of a metric; none for metrics of a study."""
    if metric not in METRICS and metric not in FLOW_METRICS:
        return None
    return 1.0 if is_share(metric) else inf


def point_means(
    values: ArrayLike, n: Sequence[int], metric: str, confidence: float
) -> dict[str, ArrayLike]:
    """Return means of a metric over the replications of each point; see ``summaries.as_shown``.

    Args:
        values: values of all runs, point after point.
        n: number of replications of each point.
        metric: name of the metric.
        confidence: level of the two-sided intervals, for example 0.95.

    Returns:
        Columns mean, lo, hi, n; one element per point.
    """
    its = intervals_in_order(values, n, confidence)
    most = most_of(metric)
    if most is not None:
        lo, hi = ends_within(its.mean, its.lo, its.hi, most)
        its = Intervals(its.mean, lo, hi, its.n)
    return its._asdict()
