"""The claims on GFR (002, task 4a)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.common.evidence import shown
from ackclock.studies.osu_tasks.claims.registry import INTERVALS, Study
from ackclock.studies.osu_tasks.levels_ubr_class import (
    FIFO_DFBA,
    GFR,
    PER_VC_DOUBLE,
    PER_VC_EPD,
    GfrPoint,
)

CLAIMS = Claims()
PER_VC_LEAST, DFBA_LEAST = 0.95, 0.90
"""What every VC must deliver of its MCR."""
FRAME_CELLS = 23
"""Of a full segment of 1024 bytes."""
ELIGIBLE_LOST_MOST = FRAME_CELLS * 1e-5
"""Eligible frames that may be lost where the CLP0 guarantee is kept. TM 4.1 leaves the number to
the network; ITU-T I.356 allows one cell in 100 000 with CLP = 0 in its tolerant and bi-level
classes, and each such cell may spoil another frame."""


@CLAIMS.add(
    "gfr-per-vc-queueing",
    "task 4a",
    "GFR: per-VC queueing and scheduling gives every VC at least 95 % of its MCR; a single FIFO "
    "with DFBA gives every VC at least 90 %",
    (GFR.name, INTERVALS),
)
def _per_vc_queueing(study: Study) -> Verdict:
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
def _thresholds(study: Study) -> Verdict:
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


def _points(study: Study, port: str) -> list[Any]:
    """The points of a kind of port, in the order in which they were run."""
    points: Iterable[GfrPoint] = study.points(GFR.name)
    return [point for point in points if point.port == port]


def _least(study: Study, points: list[Any]) -> float:
    return min(study.mean(GFR.name, "mcr_share", point) for point in points)


def _shares(study: Study, points: list[Any]) -> str:
    """The least share at each point, with its 90 % interval."""
    return ", ".join(
        f"{_named(point)} {shown(study.interval(GFR.name, 'mcr_share', point), 3, '')}"
        for point in points
    )


def _named(point: GfrPoint) -> str:
    return f"{point.link} {point.sources} VCs"
