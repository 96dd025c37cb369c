"""Average loss intervals: the loss event rate as TFRC computes it.

Source: RFC 5348, sections 5.4 (average), 5.5 (history discounting). Deviations: the interval before
the first loss event is the number of segments sent until then; TFRC derives an interval from the
rate of arrival (section 6.3.1), because it must continue to send. Discounting compares the newest
interval with the average of the others, as in Floyd, Handley, Padhye, Widmer, Equation-Based
Congestion Control for Unicast Applications (2000), section 3.3. If the newest interval were one of
the eight in the average, even a very long one could not lower the factor to the threshold.

Parameters: n, intervals in the average (8); threshold of the discount factor (0.25); lengths of
intervals in segments sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from numbers import Real

INTERVALS = 8
THRESHOLD = 0.25


def weights(n: int) -> list[float]:
    """Return w_0 to w_(n-1): 1 for the newer half of the intervals, then down to 2 / (n + 2)."""
    return [1.0 if i < n / 2 else 2 * (n - i) / (n + 2) for i in range(n)]


def average_loss_interval(
    intervals: Sequence[float],
    *,
    n: int = INTERVALS,
    discounting: bool = False,
    threshold: float = THRESHOLD,
) -> float:
    """Return the weighted average length of the latest loss intervals, segments; p is its inverse.

    Args:
        intervals: segments sent from the first loss of an event to the first loss of the next, in
            the order of time. The first interval ends with the first loss event. The last one is
            the open interval since the last loss event.
        n: number of closed intervals in the average.
        discounting: whether a long interval without loss lowers the weights of earlier intervals.
        threshold: smallest factor of a weight in one interval.

    Returns:
        The average; infinite without a loss event, when the open interval is the only one.

    Raises:
        ValueError: there is no interval, one is negative, or n or the threshold is out of range.
    """
    _check(intervals, n, threshold)
    weight = weights(n)
    closed: list[tuple[float, float]] = []
    """Length of each closed interval, and the factor of its weight; the latest first."""
    for length in intervals[:-1]:
        factor = _factor(length, closed, weight, threshold) if discounting else 1.0
        closed = [(length, 1.0), *((old, its * factor) for old, its in closed)][:n]
    if not closed:
        return inf
    newest = intervals[-1]
    factor = _factor(newest, closed, weight, threshold) if discounting else 1.0
    older = [(length, its * factor) for length, its in closed]
    return max(_average(closed, weight), _average([(newest, 1.0), *older][: len(closed)], weight))


def _factor(
    newest: float, closed: list[tuple[float, float]], weight: list[float], threshold: float
) -> float:
    if not closed:
        return 1.0
    average = _average(closed, weight)
    return max(2 * average / newest, threshold) if newest > 2 * average else 1.0


def _average(lengths: list[tuple[float, float]], weight: list[float]) -> float:
    terms = [(its * w, length) for (length, its), w in zip(lengths, weight, strict=False)]
    return sum(w * length for w, length in terms) / sum(w for w, _ in terms)


def _check(intervals: Sequence[float], n: int, threshold: float) -> None:
    if not len(intervals):
        raise ValueError("intervals: the open interval at least is needed, for example [250]")
    if not all(isinstance(each, Real) and 0 <= each < inf for each in intervals):
        raise ValueError("intervals: expected numbers of segments, for example [120, 80, 250]")
    if n < 1:
        raise ValueError(f"n = {n}: at least one interval is needed, for example {INTERVALS}")
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold = {threshold}: must be above 0 and at most 1")
