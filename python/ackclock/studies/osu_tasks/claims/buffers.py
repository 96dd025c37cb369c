"""Claims on buffers (002, task 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise, product

from ackclock.stats import mean_interval
from ackclock.stats.intervals import Interval
from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.osu_tasks.analysis import EFFECT_CONFIDENCE
from ackclock.studies.osu_tasks.claims.registry import INTERVALS, Study, above, intervals_text
from ackclock.studies.osu_tasks.levels import (
    BUFFERED,
    BUFFERS_RTT,
    GEO,
    PER_VC_POLICIES,
    SATELLITES,
    SD,
    SD_ONLY_SOURCES,
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
    "sources each, as a mean over the policies with per-VC accounting (SD and FBA).",
    (_PART, INTERVALS),
)
def _half_rtt(study: Study) -> Verdict:
    """None of the policies is named, so it is their mean; the evidence shows what each reaches."""
    mean = {_named(n): _mean(study, GEO, PER_VC_POLICIES, [n], _HALF) for n in SOURCES}
    each = {
        policy: {_named(n): _mean(study, GEO, [policy], [n], _HALF) for n in SOURCES}
        for policy in PER_VC_POLICIES
    }
    below = [
        f"{policy} with {name}"
        for policy, its in each.items()
        for name, interval in its.items()
        if not _suffices(interval)
    ]
    described = [f"mean of {' and '.join(PER_VC_POLICIES)}: {intervals_text(mean)}"]
    described += [f"{policy}: {intervals_text(its)}" for policy, its in each.items()]
    evidence = f"{'. '.join(described)}. Below 98 % alone: {', '.join(below) or 'none'}"
    return all(_suffices(interval) for interval in mean.values()), evidence


@CLAIMS.add(
    "buffers-asymptotic",
    "task 3",
    "MEO and GEO, behind SD and behind FBA, mean over 5, 15, 50 and 100 sources: no step to a "
    "larger buffer lowers the efficiency (by more than 0.001, with 90 % intervals that do not "
    "overlap); the largest buffer is above the smallest and reaches 99 %.",
    (_PART, INTERVALS),
)
def _asymptotic(study: Study) -> Verdict:
    """It must be so for every link and policy; single numbers of sources are named where they fall.

    With 1000 sources, which only SD has, the curve is shown in any case.
    """
    described, holds = [], True
    for link, policy in product(SATELLITES, PER_VC_POLICIES):
        mean = _curve(study, link, policy, SOURCES)
        smallest, largest = mean[BUFFERS_RTT[0]], mean[BUFFERS_RTT[-1]]
        holds &= not _falls(mean) and above(largest, smallest) and largest.mean >= NEARLY_ALL
        described.append(f"{link} {policy}: {_curve_text(mean)}")
        alone = {sources: _curve(study, link, policy, [sources]) for sources in SOURCES}
        shown = {sources: curve for sources, curve in alone.items() if _falls(curve)}
        if policy == SD:
            shown[SD_ONLY_SOURCES] = _curve(study, link, policy, [SD_ONLY_SOURCES])
        described += [
            f"{link} {policy}, {_named(sources)}: {_curve_text(curve)}"
            for sources, curve in shown.items()
        ]
    return holds, "; ".join(described)


def _suffices(interval: Interval) -> bool:
    return interval.mean >= SUFFICIENT


def _falls(curve: Mapping[float, Interval]) -> list[str]:
    """The steps to a larger buffer at which the efficiency falls significantly."""
    return [
        f"{small:g} to {large:g} RTT"
        for small, large in pairwise(curve)
        if above(curve[small], curve[large]) and curve[small].mean - curve[large].mean > _NOTHING
    ]


def _curve(study: Study, link: str, policy: str, sources: Iterable[int]) -> dict[float, Interval]:
    """The efficiency by the buffer, a mean over some numbers of sources."""
    return {rtt: _mean(study, link, [policy], sources, rtt) for rtt in BUFFERS_RTT}


def _curve_text(curve: Mapping[float, Interval]) -> str:
    falls = _falls(curve)
    return " ".join(f"{each.mean:.3f}" for each in curve.values()) + (
        f" (falls: {', '.join(falls)})" if falls else ""
    )


def _mean(
    study: Study, link: str, policies: Iterable[str], sources: Iterable[int], buffer_rtt: float
) -> Interval:
    """The efficiency as a mean over policies and numbers of sources, with its 90 % interval."""
    levels = product([link], policies, sources, [buffer_rtt])
    points = [BuffersPoint(*each) for each in levels]
    return mean_interval(study.together(_PART, "efficiency", points), EFFECT_CONFIDENCE)


def _named(sources: int) -> str:
    return f"{sources} sources"
