"""Claims on policies of switches and of end systems, and on buffers (002, tasks 1 to 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise, product

import numpy as np

from ackclock.stats import mean_interval
from ackclock.stats.intervals import Interval
from ackclock.studies.machinery.analysis import EFFECT_CONFIDENCE
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.evidence import INTERVALS, RunsEvidence
from ackclock.studies.osu_tasks.claims.intervals import (
    above,
    effects_text,
    intervals_text,
    numbers_text,
    shares_of,
)
from ackclock.studies.osu_tasks.levels import (
    BUFFERED,
    BUFFERS_RTT,
    DROP_POLICIES,
    EPD,
    FBA,
    GEO,
    LAN,
    LINKS,
    NEWRENO,
    PER_VC_POLICIES,
    POLICIES,
    RENO,
    SACK,
    SATELLITES,
    SD,
    SD_ONLY_SOURCES,
    SMALL,
    SOURCES,
    TAIL,
    TCP_FLAVORS,
    VANILLA,
    BuffersPoint,
    PoliciesPoint,
)

CLAIMS = Claims()
_OVERLOADED = 100
"""Sources for whose number the small buffer of the LAN, 43 frames, is far too small."""
_MAIN = ("drop_policy", "tcp_flavor")
SUFFICIENT, NEARLY_ALL = 0.98, 0.99
_HALF = 0.5
_NOTHING = 0.001
"""A change of efficiency that is none: what is in flight at both ends of the measured time."""


@CLAIMS.add(
    "lan-switch-matters",
    "tasks 1, 2",
    "LAN: drop policy explains more of the efficiency variation than TCP flavor.",
    (POLICIES.name,),
)
def _lan_switch(study: RunsEvidence) -> Verdict:
    shares = shares_of(study.analysis(POLICIES.name, LAN, "efficiency"))
    modern = _shares_without_vanilla(study, LAN)
    evidence = (
        f"{_shares_text(shares)}. Among Reno, NewReno and SACK alone (sums of squares of the same "
        f"means): {numbers_text(modern, 2)}"
    )
    return shares["drop_policy"] > shares["tcp_flavor"], evidence


@CLAIMS.add(
    "satellite-end-system-matters",
    "tasks 1, 2",
    "GEO: TCP flavor explains more of the efficiency variation than drop policy.",
    (POLICIES.name,),
)
def _satellite_end_system(study: RunsEvidence) -> Verdict:
    shares = shares_of(study.analysis(POLICIES.name, GEO, "efficiency"))
    return shares["tcp_flavor"] > shares["drop_policy"], _shares_text(shares)


@CLAIMS.add(
    "frr-hurts-satellite",
    "tasks 1, 2",
    "GEO, tail drop, small buffer: the efficiency of Reno is below that of Vanilla, as a mean over "
    "the numbers of sources; their 90 % intervals do not overlap.",
    (POLICIES.name, INTERVALS),
)
def _frr_hurts(study: RunsEvidence) -> Verdict:
    described = {flavor: _tail_small(study, flavor, "efficiency") for flavor in (VANILLA, RENO)}
    repeats = {
        flavor: float(_tail_small(study, flavor, "fast_retransmits").mean)
        for flavor in (VANILLA, RENO)
    }
    evidence = f"{intervals_text(described)}. Fast retransmits of a run: {numbers_text(repeats, 1)}"
    return above(described[VANILLA], described[RENO]), evidence


@CLAIMS.add(
    "sack-helps-satellite",
    "tasks 1, 2",
    "GEO: the efficiency effect of SACK is above that of every other flavor.",
    (POLICIES.name,),
)
def _sack_helps(study: RunsEvidence) -> Verdict:
    analysis = study.analysis(POLICIES.name, GEO, "efficiency")
    effects = {flavor: analysis.effect("tcp_flavor", flavor) for flavor in TCP_FLAVORS}
    holds = all(above(effects[SACK], effects[other]) for other in TCP_FLAVORS if other != SACK)
    return holds, effects_text(effects)


@CLAIMS.add(
    "fairness-from-drop-policy",
    "tasks 1, 2",
    "Drop policy explains more of the fairness variation than TCP flavor, all links together; SD "
    "and FBA are each fairer than EPD: the 90 % interval of the difference, a mean over all "
    "points, paired by replication, is above 0.",
    (POLICIES.name, INTERVALS),
)
def _fairness(study: RunsEvidence) -> Verdict:
    squares = {name: sum(_squares(study, link, name) for link in LINKS) for name in _MAIN}
    gains = {f"{policy} - EPD": _fairer(study, policy) for policy in (SD, FBA)}
    by_link = {link: shares_of(study.analysis(POLICIES.name, link, "fairness")) for link in LINKS}
    holds = squares["drop_policy"] > squares["tcp_flavor"] and all(
        gain.lo > 0 for gain in gains.values()
    )
    described = "; ".join(
        f"{link} drop policy {shares['drop_policy']:.1f} %, TCP flavor {shares['tcp_flavor']:.1f} %"
        for link, shares in by_link.items()
    )
    return holds, f"sums of squares over the links: {numbers_text(squares, 2)} ({described}). " + (
        intervals_text(gains)
    )


@CLAIMS.add(
    "sack-hurts-lan-overload",
    "tasks 1, 2",
    "LAN, small buffer, 100 sources: the efficiency of SACK is below that of NewReno, as a mean "
    "over the drop policies; their 90 % intervals do not overlap.",
    (POLICIES.name, INTERVALS),
)
def _sack_hurts(study: RunsEvidence) -> Verdict:
    points = {
        flavor: [PoliciesPoint(LAN, _OVERLOADED, SMALL, each, flavor) for each in DROP_POLICIES]
        for flavor in (NEWRENO, SACK)
    }
    described = {flavor: _mean_over(study, "efficiency", its) for flavor, its in points.items()}
    means = {
        flavor: [study.mean(POLICIES.name, "efficiency", point) for point in its]
        for flavor, its in points.items()
    }
    by_policy = {
        policy: sack - newreno
        for policy, sack, newreno in zip(DROP_POLICIES, means[SACK], means[NEWRENO], strict=True)
    }
    evidence = f"{intervals_text(described)}. SACK - NewReno: {numbers_text(by_policy)}"
    return above(described[NEWRENO], described[SACK]), evidence


def _tail_small(study: RunsEvidence, flavor: str, metric: str) -> Interval:
    points = [PoliciesPoint(GEO, sources, SMALL, TAIL, flavor) for sources in SOURCES]
    return _mean_over(study, metric, points)


def _fairer(study: RunsEvidence, policy: str) -> Interval:
    """How much fairer a policy is than EPD, over all points that differ in nothing else."""
    pairs = [
        (point, point._replace(drop_policy=EPD))
        for point in study.points(POLICIES.name)
        if point.drop_policy == policy
    ]
    return mean_interval(
        study.together(POLICIES.name, "fairness", [one for one, _ in pairs])
        - study.together(POLICIES.name, "fairness", [other for _, other in pairs]),
        EFFECT_CONFIDENCE,
    )


def _mean_over(study: RunsEvidence, metric: str, points: list[PoliciesPoint]) -> Interval:
    return mean_interval(study.together(POLICIES.name, metric, points), EFFECT_CONFIDENCE)


def _squares(study: RunsEvidence, link: str, factor: str) -> float:
    """What a factor explains on a link; all links have equally many points."""
    table = study.analysis(POLICIES.name, link, "fairness").allocation
    return float(table.loc[table["component"] == factor, "sum_of_squares"].iloc[0])


def _shares_without_vanilla(study: RunsEvidence, link: str) -> dict[str, float]:
    """Sums of squares of both main effects where every flavor has fast retransmit."""
    flavors = [flavor for flavor in TCP_FLAVORS if flavor != VANILLA]
    points = [
        point
        for point in study.points(POLICIES.name)
        if point.link == link and point.tcp_flavor in flavors
    ]
    means = np.array([study.mean(POLICIES.name, "efficiency", point) for point in points])
    found = {}
    for name in _MAIN:
        levels = np.array([getattr(point, name) for point in points])
        found[name] = sum(
            np.count_nonzero(levels == level) * (means[levels == level].mean() - means.mean()) ** 2
            for level in dict.fromkeys(levels)
        )
    return {name: float(squares) for name, squares in found.items()}


def _shares_text(shares: dict[str, float]) -> str:
    return "; ".join(f"{name} {percent:.1f} %" for name, percent in shares.items())


@CLAIMS.add(
    "half-rtt-98-percent",
    "task 3",
    "GEO: SACK with a buffer of 0.5 RTT reaches a mean efficiency of 98 % with 5, 15, 50 and 100 "
    "sources each, as a mean over the policies with per-VC accounting (SD and FBA).",
    (BUFFERED.name, INTERVALS),
)
def _half_rtt(study: RunsEvidence) -> Verdict:
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
    (BUFFERED.name, INTERVALS),
)
def _asymptotic(study: RunsEvidence) -> Verdict:
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


def _curve(
    study: RunsEvidence, link: str, policy: str, sources: Iterable[int]
) -> dict[float, Interval]:
    """The efficiency by the buffer, a mean over some numbers of sources."""
    return {rtt: _mean(study, link, [policy], sources, rtt) for rtt in BUFFERS_RTT}


def _curve_text(curve: Mapping[float, Interval]) -> str:
    falls = _falls(curve)
    return " ".join(f"{each.mean:.3f}" for each in curve.values()) + (
        f" (falls: {', '.join(falls)})" if falls else ""
    )


def _mean(
    study: RunsEvidence,
    link: str,
    policies: Iterable[str],
    sources: Iterable[int],
    buffer_rtt: float,
) -> Interval:
    """The efficiency as a mean over policies and numbers of sources, with its 90 % interval."""
    levels = product([link], policies, sources, [buffer_rtt])
    points = [BuffersPoint(*each) for each in levels]
    return mean_interval(study.together(BUFFERED.name, "efficiency", points), EFFECT_CONFIDENCE)


def _named(sources: int) -> str:
    return f"{sources} sources"
