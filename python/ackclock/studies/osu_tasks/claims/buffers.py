"""Claims on buffers (002, task 3)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from ackclock.stats import mean_interval
from ackclock.stats.intervals import Interval
from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.osu_tasks.analysis import EFFECT_CONFIDENCE
from ackclock.studies.osu_tasks.claims.registry import INTERVALS, Study, above, intervals_text
from ackclock.studies.osu_tasks.levels import (
    BUFFERED,
    BUFFERS_RTT,
    GEO,
    MOST_SOURCES,
    SATELLITES,
    SOURCES,
    BuffersPoint,
)

CLAIMS = Claims()
_PART = BUFFERED.name
SUFFICIENT, NEARLY_ALL = 0.98, 0.99
_HALF = 0.5
_NOTHING = 0.001
"""A change of efficiency that is none: what is in flight at both ends of the measured time."""


@CLAIMS.add(
    "half-rtt-98-percent",
    "task 3",
    "GEO: SACK with a buffer of 0.5 RTT reaches a mean efficiency of 98 % with 5, 15, 50 and 100 "
    "sources each.",
    (_PART, INTERVALS),
)
def _half_rtt(study: Study) -> Verdict:
    told = {f"{n} sources": _at(study, GEO, n, _HALF) for n in SOURCES}
    return all(each.mean >= SUFFICIENT for each in told.values()), intervals_text(told)


@CLAIMS.add(
    "buffers-asymptotic",
    "task 3",
    "MEO and GEO, mean over 5, 15, 50 and 100 sources: no step to a larger buffer lowers the "
    "efficiency (by more than 0.001, with 90 % intervals that do not overlap); the largest buffer "
    "is above the smallest and reaches 99 %.",
    (_PART, INTERVALS),
)
def _asymptotic(study: Study) -> Verdict:
    told, holds = [], True
    for link in SATELLITES:
        mean = {rtt: _mean_at(study, link, rtt) for rtt in BUFFERS_RTT}
        smallest, largest = mean[BUFFERS_RTT[0]], mean[BUFFERS_RTT[-1]]
        holds &= not _falls(mean) and above(largest, smallest) and largest.mean >= NEARLY_ALL
        told.append(f"{link}: {_curve(mean)}")
        for sources in MOST_SOURCES:
            curve = {rtt: _at(study, link, sources, rtt) for rtt in BUFFERS_RTT}
            told.append(f"{link} {sources} sources: {_curve(curve)}")
    return holds, "; ".join(told)


def _falls(curve: Mapping[float, Interval]) -> list[str]:
    """The steps to a larger buffer at which the efficiency is told to fall."""
    return [
        f"{small:g} to {large:g} RTT"
        for small, large in pairwise(curve)
        if above(curve[small], curve[large]) and curve[small].mean - curve[large].mean > _NOTHING
    ]


def _curve(curve: Mapping[float, Interval]) -> str:
    falls = _falls(curve)
    return " ".join(f"{each.mean:.3f}" for each in curve.values()) + (
        f" (falls: {', '.join(falls)})" if falls else ""
    )


def _mean_at(study: Study, link: str, buffer_rtt: float) -> Interval:
    points = [BuffersPoint(link, sources, buffer_rtt) for sources in SOURCES]
    return mean_interval(study.together(_PART, "efficiency", points), EFFECT_CONFIDENCE)


def _at(study: Study, link: str, sources: int, buffer_rtt: float) -> Interval:
    return study.interval(_PART, "efficiency", BuffersPoint(link, sources, buffer_rtt))
