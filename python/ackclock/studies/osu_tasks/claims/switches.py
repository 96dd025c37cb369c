"""Claims on policies of switches and of end systems, and on buffers (002, tasks 1 to 3)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, product
from typing import Any

from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.effects import above, effects_text, numbers_text, shares_text
from ackclock.studies.machinery.estimates import every
from ackclock.studies.machinery.evidence import RunsEvidence, shown
from ackclock.studies.machinery.variation import Number
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
    shares = study.variation(POLICIES.name, LAN, "efficiency").shares()
    modern = _without_vanilla(study, LAN)

    def evidence() -> str:
        return (
            f"{shares_text(shares, 1)}. Among Reno, NewReno and SACK alone: "
            f"{shares_text(modern, 1)}"
        )

    return Verdict(shares["drop_policy"] > shares["tcp_flavor"], evidence)


@CLAIMS.add(
    "satellite-end-system-matters",
    "tasks 1, 2",
    "GEO: TCP flavor explains more of the efficiency variation than drop policy.",
    (POLICIES.name,),
)
def _satellite_end_system(study: RunsEvidence) -> Verdict:
    shares = study.variation(POLICIES.name, GEO, "efficiency").shares()
    return Verdict(shares["tcp_flavor"] > shares["drop_policy"], lambda: shares_text(shares, 1))


@CLAIMS.add(
    "frr-hurts-satellite",
    "tasks 1, 2",
    "GEO, tail drop, small buffer: the efficiency of Reno is below that of Vanilla, as a mean over "
    "the numbers of sources.",
    (POLICIES.name,),
)
def _frr_hurts(study: RunsEvidence) -> Verdict:
    means, repeats = (
        {flavor: _tail_small(study, flavor, metric) for flavor in (VANILLA, RENO)}
        for metric in ("efficiency", "fast_retransmits")
    )

    def evidence() -> str:
        counts = numbers_text(repeats, decimals=1)
        return f"{numbers_text(means)}. Fast retransmits of a run: {counts}"

    return Verdict(means[VANILLA] > means[RENO], evidence)


@CLAIMS.add(
    "sack-helps-satellite",
    "tasks 1, 2",
    "GEO: the efficiency effect of SACK is above that of every other flavor.",
    (POLICIES.name,),
)
def _sack_helps(study: RunsEvidence) -> Verdict:
    effects = study.variation(POLICIES.name, GEO, "efficiency").effects("tcp_flavor")
    holds = every(above(effects[SACK], effects[each]) for each in TCP_FLAVORS if each != SACK)
    return Verdict(holds, lambda: effects_text(effects))


@CLAIMS.add(
    "fairness-from-drop-policy",
    "tasks 1, 2",
    "Drop policy explains more of the fairness variation than TCP flavor, all links together; SD "
    "and FBA are each fairer than EPD, as a mean over all points.",
    (POLICIES.name,),
)
def _fairness(study: RunsEvidence) -> Verdict:
    """All links have equally many points, so their sums of squares add up."""
    by_link = {link: study.variation(POLICIES.name, link, "fairness") for link in LINKS}
    squares = {name: sum(its.squares(name) for its in by_link.values()) for name in _MAIN}
    gains = {f"{policy} - EPD": _fairer(study, policy) for policy in (SD, FBA)}

    def evidence() -> str:
        described = "; ".join(
            f"{link} {shares_text({name: its.share(name) for name in _MAIN}, 1)}"
            for link, its in by_link.items()
        )
        total = numbers_text(squares, decimals=2)
        return f"sums of squares over the links: {total} ({described}). {numbers_text(gains)}"

    fairer = every(gain > 0 for gain in gains.values())
    return Verdict((squares["drop_policy"] > squares["tcp_flavor"]) & fairer, evidence)


@CLAIMS.add(
    "sack-hurts-lan-overload",
    "tasks 1, 2",
    "LAN, small buffer, 100 sources: the efficiency of SACK is below that of NewReno, as a mean "
    "over the drop policies.",
    (POLICIES.name,),
)
def _sack_hurts(study: RunsEvidence) -> Verdict:
    points = {
        flavor: [PoliciesPoint(LAN, _OVERLOADED, SMALL, each, flavor) for each in DROP_POLICIES]
        for flavor in (NEWRENO, SACK)
    }
    means = {flavor: study.over(POLICIES.name, "efficiency", its) for flavor, its in points.items()}

    def evidence() -> str:
        by_policy = {
            policy: study.at(POLICIES.name, "efficiency", sack)
            - study.at(POLICIES.name, "efficiency", newreno)
            for policy, sack, newreno in zip(DROP_POLICIES, *reversed(points.values()), strict=True)
        }
        leads = numbers_text(by_policy, signed=True)
        return f"{numbers_text(means)}. SACK - NewReno: {leads}"

    return Verdict(means[NEWRENO] > means[SACK], evidence)


def _tail_small(study: RunsEvidence, flavor: str, metric: str) -> Number:
    points = [PoliciesPoint(GEO, sources, SMALL, TAIL, flavor) for sources in SOURCES]
    return study.over(POLICIES.name, metric, points)


def _fairer(study: RunsEvidence, policy: str) -> Number:
    """How much fairer a policy is than EPD, over all points that differ in nothing else."""
    points = [point for point in study.points(POLICIES.name) if point.drop_policy == policy]
    others = [point._replace(drop_policy=EPD) for point in points]
    fair, usual = (study.over(POLICIES.name, "fairness", its) for its in (points, others))
    return fair - usual


def _without_vanilla(study: RunsEvidence, link: str) -> dict[str, Number]:
    """What both main effects explain where every flavor has fast retransmit, %."""
    its = study.variation(
        POLICIES.name, link, "efficiency", lambda point: point.tcp_flavor != VANILLA
    )
    return {name: its.share(name) for name in _MAIN}


@CLAIMS.add(
    "half-rtt-98-percent",
    "task 3",
    "GEO: SACK with a buffer of 0.5 RTT and Selective Drop reaches an efficiency of 98 % with 5, "
    "15, 50 and 100 sources each.",
    (BUFFERED.name,),
)
def _half_rtt(study: RunsEvidence) -> Verdict:
    """The document names SACK and Selective Drop; the evidence shows FBA beside it."""
    found = {
        policy: {_named(n): _mean(study, GEO, policy, [n], _HALF) for n in SOURCES}
        for policy in PER_VC_POLICIES
    }

    def evidence() -> str:
        return ". ".join(f"{policy}: {numbers_text(its)}" for policy, its in found.items())

    return Verdict(every(its >= SUFFICIENT for its in found[SD].values()), evidence)


@CLAIMS.add(
    "buffers-asymptotic",
    "task 3",
    "MEO and GEO, with SD and with FBA, mean over 5, 15, 50 and 100 sources: no step to a larger "
    "buffer lowers the efficiency by more than 0.001; the largest buffer is above the smallest and "
    "reaches 99 %.",
    (BUFFERED.name,),
)
def _asymptotic(study: RunsEvidence) -> Verdict:
    """The evidence shows the curve with 1000 sources, too, which only SD has."""
    curves = {
        f"{link} {policy}": _curve(study, link, policy, SOURCES)
        for link, policy in product(SATELLITES, PER_VC_POLICIES)
    }
    holds = every(its for curve in curves.values() for its in _rises(curve))

    def evidence() -> str:
        more = {
            f"{link} {SD}, {_named(SD_ONLY_SOURCES)}": _curve(study, link, SD, [SD_ONLY_SOURCES])
            for link in SATELLITES
        }
        return "; ".join(f"{name}: {_curve_text(its)}" for name, its in {**curves, **more}.items())

    return Verdict(holds, evidence)


def _rises(curve: dict[float, Number]) -> list[Any]:
    """No step falls, and the last is high enough."""
    smallest, *_, largest = its = list(curve.values())
    steps = [large - small >= -_NOTHING for small, large in pairwise(its)]
    return [*steps, largest > smallest, largest >= NEARLY_ALL]


def _curve(
    study: RunsEvidence, link: str, policy: str, sources: Iterable[int]
) -> dict[float, Number]:
    """The efficiency by the buffer, a mean over some numbers of sources."""
    return {rtt: _mean(study, link, policy, sources, rtt) for rtt in BUFFERS_RTT}


def _curve_text(curve: dict[float, Number]) -> str:
    means = " ".join(f"{each.mean:.3f}" for each in curve.values())
    falls = [
        f"{small:g} to {large:g} RTT {shown(curve[large] - curve[small], decimals=4, unit='')}"
        for small, large in pairwise(curve)
        if (curve[large] < curve[small]).holds
    ]
    return f"{means} (falls: {', '.join(falls)})" if falls else means


def _mean(
    study: RunsEvidence, link: str, policy: str, sources: Iterable[int], buffer_rtt: float
) -> Number:
    """The efficiency as a mean over numbers of sources."""
    points = [BuffersPoint(link, policy, each, buffer_rtt) for each in sources]
    return study.over(BUFFERED.name, "efficiency", points)


def _named(sources: int) -> str:
    return f"{sources} sources"
