"""Intervals and effects as claims compare and show them."""

from __future__ import annotations

from collections.abc import Mapping

from ackclock.stats import Effect, FactorialAnalysis
from ackclock.stats.intervals import Interval


def above(high: Interval | Effect, low: Interval | Effect) -> bool:
    """Whether one is larger and the intervals do not overlap."""
    return high.lo > low.hi


def shares_of(analysis: FactorialAnalysis) -> dict[str, float]:
    """Percent of the variation that each factor and each pair explains, largest first."""
    table = analysis.allocation
    explained = table[
        table["component"].map(lambda name: set(name.split(":")) <= set(analysis.factors))
    ]
    shares = dict(zip(explained["component"], map(float, explained["percent"]), strict=True))
    return dict(sorted(shares.items(), key=lambda share: -share[1]))


def effects_text(effects: Mapping[str, Effect]) -> str:
    """Effects with their intervals in words."""
    return "; ".join(
        f"{name} {e.effect:+.4f} ({e.lo:+.4f}, {e.hi:+.4f})" for name, e in effects.items()
    )


def intervals_text(intervals: Mapping[str, Interval], decimals: int = 4) -> str:
    """Means with their intervals in words."""
    return "; ".join(
        f"{name} {i.mean:.{decimals}f} ({i.lo:.{decimals}f}, {i.hi:.{decimals}f})"
        for name, i in intervals.items()
    )


def numbers_text(numbers: Mapping[str, float], decimals: int = 4) -> str:
    """Named numbers in words."""
    return "; ".join(f"{name} {number:.{decimals}f}" for name, number in numbers.items())
