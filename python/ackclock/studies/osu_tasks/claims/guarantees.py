"""Claims on a guaranteed rate for UBR, and on GFR (002, tasks 4b and 4a)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np

from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.effects import numbers_text
from ackclock.studies.machinery.estimates import at_least, every, none_of
from ackclock.studies.machinery.evidence import RunsEvidence, shown
from ackclock.studies.machinery.variation import Number
from ackclock.studies.osu_tasks.levels import (
    BUFFERS,
    EPD,
    FBA,
    FIFO_DFBA,
    GFR,
    GUARANTEED_FLAVORS,
    GUARANTEED_POLICIES,
    GUARANTEED_RATE,
    LAN,
    NO_SHARE,
    PER_VC_DOUBLE,
    PER_VC_EPD,
    SD,
    SHARES,
    SMALL_SHARE,
    TAIL,
    WAN,
    GfrPoint,
    GuaranteedRatePoint,
)

CLAIMS = Claims()
_POLICIES = (EPD, SD, FBA)
_RESERVED = "10 % for UBR"
PER_VC_LEAST, DFBA_LEAST = 0.95, 0.90
"""What every VC must deliver of its MCR."""
_LOSING_SHARE = 0.05
"""Of all possible runs, those that may lose eligible frames where none of ours did."""
FRAME_CELLS = 23
"""Of a full segment of 1024 bytes."""
ELIGIBLE_LOST_MOST = FRAME_CELLS * 1e-5
"""Eligible frames that may be lost where the CLP0 guarantee is kept. TM 4.1 leaves the number to
the network; ITU-T I.356 allows one cell in 100 000 with CLP = 0 in its tolerant and bi-level
classes, and each such cell may spoil another frame."""


@CLAIMS.add(
    "gr-helps-wan",
    "task 4b",
    "WAN with VBR background: reserving 10 % for UBR raises efficiency more than going from tail "
    "drop to EPD, SD or FBA does; in a LAN the reservation raises efficiency less than the drop "
    "policy does",
    (GUARANTEED_RATE.name,),
)
def _helps_wan(study: RunsEvidence) -> Verdict:
    """What a change raises is the difference of two main effects: a mean over all else.

    That of 10 % against nothing reserved is a mean over the buffers, drop policies and TCP flavors;
    that of a policy against tail drop one over the buffers, shares and flavors. On the WAN the
    reservation must raise the efficiency, and more than each of the three policies; on the LAN less
    than each of them.
    """
    gains = {link: _gains(study, link) for link in (WAN, LAN)}
    wan, lan = gains.values()
    more = every(wan[_RESERVED] > wan[each] for each in _POLICIES) & (wan[_RESERVED] > 0)
    less = every(lan[_RESERVED] < lan[each] for each in _POLICIES)

    def evidence() -> str:
        described = "; ".join(f"{link}: {numbers_text(its)}" for link, its in gains.items())
        alone = numbers_text(_gains(study, WAN, (TAIL,), (NO_SHARE,)))
        return f"what efficiency gains, {described}; WAN, each alone from tail drop: {alone}"

    return Verdict(more & less, evidence)


def _gains(
    study: RunsEvidence,
    link: str,
    policies: Iterable[str] = GUARANTEED_POLICIES,
    shares: Iterable[float] = SHARES,
) -> dict[str, Number]:
    """What each change adds to the efficiency.

    Args:
        study: the runs.
        link: where.
        policies: over which the gain of the reservation is a mean.
        shares: over which those of the policies are means.
    """

    def mean(policies: Iterable[str], shares: Iterable[float]) -> Number:
        levels = product([link], BUFFERS, policies, GUARANTEED_FLAVORS, shares)
        points = [GuaranteedRatePoint(*each) for each in levels]
        return study.over(GUARANTEED_RATE.name, "efficiency", points)

    gains = {_RESERVED: mean(policies, [SMALL_SHARE]) - mean(policies, [NO_SHARE])}
    return gains | {each: mean([each], shares) - mean([TAIL], shares) for each in _POLICIES}


@CLAIMS.add(
    "gfr-per-vc-queueing",
    "task 4a",
    "GFR: per-VC queueing and scheduling gives every VC at least 95 % of its MCR; a single FIFO "
    "with DFBA gives every VC at least 90 %",
    (GFR.name,),
)
def _per_vc_queueing(study: RunsEvidence) -> Verdict:
    """At each point the VC with the smallest share decides, as a mean over the replications.

    Per-VC queueing is taken with EPD, which knows no contract: what VCs get, they get from queueing
    and scheduling.
    """
    needed = {PER_VC_EPD: PER_VC_LEAST, FIFO_DFBA: DFBA_LEAST}
    found = {port: _least_shares(study, _points(study, port)) for port in needed}
    holds = every(its >= needed[port] for port, each in found.items() for its in each.values())

    def evidence() -> str:
        described = "; ".join(f"{port}: {_shares(its)}" for port, its in found.items())
        return f"least share of its MCR that a VC delivered, {described}"

    return Verdict(holds, evidence)


@CLAIMS.add(
    "gfr-thresholds",
    "task 4a",
    "GFR: one global threshold suffices for CLP0+1 guarantees; CLP0 guarantees need two",
    (GFR.name,),
)
def _thresholds(study: RunsEvidence) -> Verdict:
    """Per-VC queueing and tagging, with EPD (one threshold) and double EPD (two).

    The CLP0+1 guarantee is kept if every VC delivers ``PER_VC_LEAST`` of its MCR, whatever CLP its
    frames have; the CLP0 guarantee if no more than ``ELIGIBLE_LOST_MOST`` of the eligible frames
    are lost. One threshold must keep the first at every point and break the second at some point;
    two must keep the second at every point.
    """
    one, two = (_points(study, port) for port in (PER_VC_EPD, PER_VC_DOUBLE))
    shares = _least_shares(study, one)
    suffices = every(its >= PER_VC_LEAST for its in shares.values())
    lost = {point: study.at(GFR.name, "eligible_lost_share", point) for point in (*one, *two)}
    broken = at_least(1, [lost[point] > ELIGIBLE_LOST_MOST for point in one])
    holds = suffices & broken & _kept(study, two, lost)

    def evidence() -> str:
        described = "; ".join(
            f"{name}: "
            + ", ".join(f"{_named(point)} {100 * lost[point].mean:.4f} %" for point in points)
            for name, points in (("one threshold", one), ("two", two))
        )
        return (
            f"one threshold: least share of its MCR that a VC delivered, {_shares(shares)}; "
            f"eligible frames lost ({100 * ELIGIBLE_LOST_MOST:.3f} % may be), {described}"
        )

    return Verdict(holds, evidence)


def _kept(study: RunsEvidence, points: list[Any], lost: dict[Any, Number]) -> Any:
    """Whether no more eligible frames are lost than may be, at any point.

    Where no run lost a frame, there is no spread to go by: the number of these runs decides.
    """
    each = {point: study.values(GFR.name, "eligible_lost_share", point) for point in points}
    losing = [lost[point] <= ELIGIBLE_LOST_MOST for point in points if each[point].any()]
    if study.draws:
        return every(lost[point] <= ELIGIBLE_LOST_MOST for point in points)
    clean = np.concatenate([its for its in each.values() if not its.any()] or [np.zeros(0)])
    return every([*losing, *([none_of(clean > 0, _LOSING_SHARE)] if clean.size else [])])


def _points(study: RunsEvidence, port: str) -> list[Any]:
    """The points of a kind of port, in the order in which they were run."""
    points: Iterable[GfrPoint] = study.points(GFR.name)
    return [point for point in points if point.port == port]


def _least_shares(study: RunsEvidence, points: list[Any]) -> dict[Any, Number]:
    """The share of its MCR of the VC that gets least of it, by point."""
    return {point: study.at(GFR.name, "mcr_share", point) for point in points}


def _shares(found: dict[Any, Number]) -> str:
    return ", ".join(
        f"{_named(point)} {shown(its, decimals=3, unit='')}" for point, its in found.items()
    )


def _named(point: GfrPoint) -> str:
    return f"{point.link} {point.sources} VCs"
