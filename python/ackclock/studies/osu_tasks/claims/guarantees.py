"""Claims on a guaranteed rate for UBR, and on GFR (002, tasks 4b and 4a)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np

from ackclock.stats import mean_interval
from ackclock.stats.intervals import Interval
from ackclock.studies.machinery.analysis import EFFECT_CONFIDENCE
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.evidence import INTERVALS, RunsEvidence, shown
from ackclock.studies.osu_tasks.claims.intervals import above, intervals_text
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
    (GUARANTEED_RATE.name, INTERVALS),
)
def _helps_wan(study: RunsEvidence) -> Verdict:
    """What a change raises is the difference of two main effects: a mean over all else.

    That of 10 % against nothing reserved is a mean over the buffers, drop policies and TCP flavors;
    that of a policy against tail drop one over the buffers, shares and flavors. On the WAN the
    reservation must raise the efficiency, and more than each of the three policies; on the LAN less
    than each of them. "More" is said of 90 % intervals over the replications that do not overlap.
    """
    wan, lan = (_gains(study, link) for link in (WAN, LAN))
    more = wan[_RESERVED].lo > 0 and all(above(wan[_RESERVED], wan[each]) for each in _POLICIES)
    less = all(above(lan[each], lan[_RESERVED]) for each in _POLICIES)
    described = "; ".join(
        f"{link}: {intervals_text(each)}" for link, each in ((WAN, wan), (LAN, lan))
    )
    alone = intervals_text(_gains(study, WAN, (TAIL,), (NO_SHARE,)))
    return (
        more and less,
        f"what efficiency gains, {described}; WAN, each alone from tail drop: {alone}",
    )


def _gains(
    study: RunsEvidence,
    link: str,
    policies: Iterable[str] = GUARANTEED_POLICIES,
    shares: Iterable[float] = SHARES,
) -> dict[str, Interval]:
    """What each change adds to the efficiency, with 90 % intervals.

    Args:
        study: the runs.
        link: where.
        policies: over which the gain of the reservation is a mean.
        shares: over which those of the policies are means.
    """

    def mean(policies: Iterable[str], shares: Iterable[float]) -> np.ndarray:
        levels = product([link], BUFFERS, policies, GUARANTEED_FLAVORS, shares)
        points = [GuaranteedRatePoint(*each) for each in levels]
        return np.mean(
            [study.values(GUARANTEED_RATE.name, "efficiency", p) for p in points], axis=0
        )

    gains = {_RESERVED: mean(policies, [SMALL_SHARE]) - mean(policies, [NO_SHARE])}
    gains |= {each: mean([each], shares) - mean([TAIL], shares) for each in _POLICIES}
    return {name: mean_interval(gain, EFFECT_CONFIDENCE) for name, gain in gains.items()}


@CLAIMS.add(
    "gfr-per-vc-queueing",
    "task 4a",
    "GFR: per-VC queueing and scheduling gives every VC at least 95 % of its MCR; a single FIFO "
    "with DFBA gives every VC at least 90 %",
    (GFR.name, INTERVALS),
)
def _per_vc_queueing(study: RunsEvidence) -> Verdict:
    """At each point the VC with the smallest share decides, as a mean over the replications.

    Per-VC queueing is taken with EPD, which knows no contract: what VCs get, they get from queueing
    and scheduling.
    """
    per_vc, dfba = (_points(study, port) for port in (PER_VC_EPD, FIFO_DFBA))
    holds = _least(study, per_vc) >= PER_VC_LEAST and _least(study, dfba) >= DFBA_LEAST
    described = "; ".join(
        f"{port}: {_shares(study, points)}"
        for port, points in ((PER_VC_EPD, per_vc), (FIFO_DFBA, dfba))
    )
    return holds, f"least share of its MCR that a VC delivered, {described}"


@CLAIMS.add(
    "gfr-thresholds",
    "task 4a",
    "GFR: one global threshold suffices for CLP0+1 guarantees; CLP0 guarantees need two",
    (GFR.name, INTERVALS),
)
def _thresholds(study: RunsEvidence) -> Verdict:
    """Per-VC queueing and tagging, with EPD (one threshold) and double EPD (two).

    The CLP0+1 guarantee is kept if every VC delivers ``PER_VC_LEAST`` of its MCR, whatever CLP its
    frames have; the CLP0 guarantee if no more than ``ELIGIBLE_LOST_MOST`` of the eligible frames
    are lost. One threshold must keep the first at every point and break the second at some point;
    two must keep the second at every point. Means over the replications decide.
    """
    one, two = (_points(study, port) for port in (PER_VC_EPD, PER_VC_DOUBLE))
    lost = {point: study.mean(GFR.name, "eligible_lost_share", point) for point in (*one, *two)}
    suffices = _least(study, one) >= PER_VC_LEAST
    broken = [point for point in one if lost[point] > ELIGIBLE_LOST_MOST]
    kept = all(lost[point] <= ELIGIBLE_LOST_MOST for point in two)
    described = "; ".join(
        f"{name}: " + ", ".join(f"{_named(point)} {100 * lost[point]:.4f} %" for point in points)
        for name, points in (("one threshold", one), ("two", two))
    )
    return (
        suffices and bool(broken) and kept,
        f"one threshold: least share of its MCR that a VC delivered, {_shares(study, one)}; "
        f"eligible frames lost ({100 * ELIGIBLE_LOST_MOST:.3f} % may be), {described}",
    )


def _points(study: RunsEvidence, port: str) -> list[Any]:
    """The points of a kind of port, in the order in which they were run."""
    points: Iterable[GfrPoint] = study.points(GFR.name)
    return [point for point in points if point.port == port]


def _least(study: RunsEvidence, points: list[Any]) -> float:
    return min(study.mean(GFR.name, "mcr_share", point) for point in points)


def _shares(study: RunsEvidence, points: list[Any]) -> str:
    """The least share at each point, with its 90 % interval."""
    return ", ".join(
        f"{_named(point)} {shown(study.interval(GFR.name, 'mcr_share', point), 3, '')}"
        for point in points
    )


def _named(point: GfrPoint) -> str:
    return f"{point.link} {point.sources} VCs"
