"""Claims on the policies of switches and of end systems (002, tasks 1 and 2)."""

from __future__ import annotations

import numpy as np

from ackclock.stats import mean_interval
from ackclock.stats.intervals import Interval
from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.osu_tasks.analysis import EFFECT_CONFIDENCE
from ackclock.studies.osu_tasks.claims.registry import (
    INTERVALS,
    Study,
    above,
    effects_text,
    intervals_text,
    numbers_text,
    shares_of,
)
from ackclock.studies.osu_tasks.levels import (
    DROP_POLICIES,
    EPD,
    FBA,
    GEO,
    LAN,
    LINKS,
    NEWRENO,
    POLICIES,
    RENO,
    SACK,
    SD,
    SMALL,
    SOURCES,
    TAIL,
    TCP_FLAVORS,
    VANILLA,
    PoliciesPoint,
)

CLAIMS = Claims()
_PART = POLICIES.name
_OVERLOADED = 100
"""Sources for whose number the small buffer of the LAN, 43 frames, is far too small."""
_MAIN = ("drop_policy", "tcp_flavor")


@CLAIMS.add(
    "lan-switch-matters",
    "tasks 1, 2",
    "LAN: drop policy explains more of the efficiency variation than TCP flavor.",
    (_PART,),
)
def _lan_switch(study: Study) -> Verdict:
    shares = shares_of(study.analysis(_PART, LAN, "efficiency"))
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
    (_PART,),
)
def _satellite_end_system(study: Study) -> Verdict:
    shares = shares_of(study.analysis(_PART, GEO, "efficiency"))
    return shares["tcp_flavor"] > shares["drop_policy"], _shares_text(shares)


@CLAIMS.add(
    "frr-hurts-satellite",
    "tasks 1, 2",
    "GEO, tail drop, small buffer: the efficiency of Reno is below that of Vanilla, as a mean over "
    "the numbers of sources; their 90 % intervals do not overlap.",
    (_PART, INTERVALS),
)
def _frr_hurts(study: Study) -> Verdict:
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
    (_PART,),
)
def _sack_helps(study: Study) -> Verdict:
    analysis = study.analysis(_PART, GEO, "efficiency")
    effects = {flavor: analysis.effect("tcp_flavor", flavor) for flavor in TCP_FLAVORS}
    holds = all(above(effects[SACK], effects[other]) for other in TCP_FLAVORS if other != SACK)
    return holds, effects_text(effects)


@CLAIMS.add(
    "fairness-from-drop-policy",
    "tasks 1, 2",
    "Drop policy explains more of the fairness variation than TCP flavor, all links together; SD "
    "and FBA are each fairer than EPD: the 90 % interval of the difference, a mean over all "
    "points, paired by replication, is above 0.",
    (_PART, INTERVALS),
)
def _fairness(study: Study) -> Verdict:
    squares = {name: sum(_squares(study, link, name) for link in LINKS) for name in _MAIN}
    gains = {f"{policy} - EPD": _fairer(study, policy) for policy in (SD, FBA)}
    by_link = {link: shares_of(study.analysis(_PART, link, "fairness")) for link in LINKS}
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
    (_PART, INTERVALS),
)
def _sack_hurts(study: Study) -> Verdict:
    described = {
        flavor: _mean_over(
            study,
            "efficiency",
            [PoliciesPoint(LAN, _OVERLOADED, SMALL, each, flavor) for each in DROP_POLICIES],
        )
        for flavor in (NEWRENO, SACK)
    }
    by_policy = {
        policy: study.mean(
            _PART, "efficiency", PoliciesPoint(LAN, _OVERLOADED, SMALL, policy, SACK)
        )
        - study.mean(_PART, "efficiency", PoliciesPoint(LAN, _OVERLOADED, SMALL, policy, NEWRENO))
        for policy in DROP_POLICIES
    }
    evidence = f"{intervals_text(described)}. SACK - NewReno: {numbers_text(by_policy)}"
    return above(described[NEWRENO], described[SACK]), evidence


def _tail_small(study: Study, flavor: str, metric: str) -> Interval:
    points = [PoliciesPoint(GEO, sources, SMALL, TAIL, flavor) for sources in SOURCES]
    return _mean_over(study, metric, points)


def _fairer(study: Study, policy: str) -> Interval:
    """How much fairer a policy is than EPD, over all points that differ in nothing else."""
    pairs = [
        (point, point._replace(drop_policy=EPD))
        for point in study.points(_PART)
        if point.drop_policy == policy
    ]
    return mean_interval(
        study.together(_PART, "fairness", [one for one, _ in pairs])
        - study.together(_PART, "fairness", [other for _, other in pairs]),
        EFFECT_CONFIDENCE,
    )


def _mean_over(study: Study, metric: str, points: list[PoliciesPoint]) -> Interval:
    return mean_interval(study.together(_PART, metric, points), EFFECT_CONFIDENCE)


def _squares(study: Study, link: str, factor: str) -> float:
    """What a factor explains on a link; all links have equally many points."""
    table = study.analysis(_PART, link, "fairness").allocation
    return float(table.loc[table["component"] == factor, "sum_of_squares"].iloc[0])


def _shares_without_vanilla(study: Study, link: str) -> dict[str, float]:
    """Sums of squares of both main effects where every flavor has fast retransmit."""
    flavors = [flavor for flavor in TCP_FLAVORS if flavor != VANILLA]
    points = [
        point for point in study.points(_PART) if point.link == link and point.tcp_flavor in flavors
    ]
    means = np.array([study.mean(_PART, "efficiency", point) for point in points])
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
