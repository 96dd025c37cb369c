"""The experiments of the paper: which points each part of the study runs.

Source: N. Parvez, A. Mahanti, C. Williamson, An Analytic Throughput Model for TCP NewReno, sections
IV-B to IV-H, V and VI. A curve is what a figure of the paper shows over its horizontal axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

NEWRENO, RENO = FLOWS = ("newreno", "reno")
"""The flows that are measured."""
FLOW_NAMES = {NEWRENO: "NewReno", RENO: "Reno"}
DROP_TAIL, RED = QUEUES = ("drop_tail", "red")
QUEUE_NAMES = {DROP_TAIL: "drop-tail", RED: "RED"}

BURSTY = "bursty"
VARIANTS = "variants"
BERNOULLI = "bernoulli"
BACKGROUND = "background"
BOTTLENECKS = "bottlenecks"
UDP = "udp"
SCALING = "scaling"
BUFFER = "buffer"
EMULATION = "emulation"
INTERNET = "internet"
RUN_PARTS = (
    BURSTY,
    VARIANTS,
    BERNOULLI,
    BACKGROUND,
    BOTTLENECKS,
    UDP,
    SCALING,
    BUFFER,
    EMULATION,
)
NAMES = (*RUN_PARTS, INTERNET)
"""The last one has no run: it computes with printed counts."""

RARE, FREQUENT = "p = 0.05 %", "p = 1 %"
LOSS_EVENT_RATES = {RARE: 0.0005, FREQUENT: 0.01}
STEADY, IMPATIENT, FULL = "slow-but-steady", "impatient", "full deflation"
"""Variants of NewReno; the first two with partial deflation, the last one slow but steady."""


class Curve(NamedTuple):
    """What is run over one horizontal axis.

    Attributes:
        part: of the study.
        queue: one of ``QUEUES``.
        variant: what else distinguishes it from the other curves of its part; empty if nothing.
    """

    part: str
    queue: str = DROP_TAIL
    variant: str = ""


class Point(NamedTuple):
    """One combination of levels.

    Attributes:
        part: as for a curve.
        queue: the same.
        variant: the same.
        x: where on the curve; ``AXES`` says what it counts.
    """

    part: str
    queue: str
    variant: str
    x: float

    @property
    def curve(self) -> Curve:
        """On which it lies."""
        return Curve(*self[:3])


POINT = list(Point._fields)
CURVE = list(Curve._fields)
LOSSES_PCT = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
FLOWS_BEHIND = (100, 120, 140, 160, 180, 200)
VARIANT_LOSSES = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40)
_FEW = tuple(each for each in VARIANT_LOSSES if each <= 10)
CURVES: Mapping[Curve, tuple[float, ...]] = {
    Curve(BURSTY, variant=RARE): tuple(range(1, 21)),
    Curve(BURSTY, variant=FREQUENT): tuple(range(1, 11)),
    **{Curve(VARIANTS, variant=f"{each}, {RARE}"): VARIANT_LOSSES for each in (STEADY, IMPATIENT)},
    Curve(VARIANTS, variant=f"{FULL}, {RARE}"): VARIANT_LOSSES,
    Curve(VARIANTS, variant=f"{STEADY}, {FREQUENT}"): _FEW,
    Curve(VARIANTS, variant=f"{FULL}, {FREQUENT}"): _FEW,
    Curve(BERNOULLI): LOSSES_PCT,
    **{Curve(BACKGROUND, queue): FLOWS_BEHIND for queue in QUEUES},
    **{Curve(BOTTLENECKS, queue): FLOWS_BEHIND for queue in QUEUES},
    **{Curve(UDP, queue): (24, 30, 36, 42) for queue in QUEUES},
    Curve(SCALING): (15, 30, 45, 60),
    Curve(BUFFER): (25, 50, 75, 100, 125, 150),
    Curve(EMULATION): (0.5, 1, 1.5, 2, 2.5, 3),
}
"""Where each curve has points."""
AXES = {
    BURSTY: "losses in a loss event",
    VARIANTS: "losses in a loss event",
    BERNOULLI: "imposed loss (%)",
    BACKGROUND: "background flows",
    BOTTLENECKS: "background flows a bottleneck",
    UDP: "UDP flows",
    SCALING: "rate of the bottleneck (Mbit/s)",
    BUFFER: "queue limit (packets)",
    EMULATION: "imposed loss (%)",
}
"""What x counts, by part."""


def points_of(part: str) -> tuple[Point, ...]:
    """The points of a part, curve by curve; none of the part without runs."""
    return tuple(
        Point(*curve, x) for curve, places in CURVES.items() if curve.part == part for x in places
    )
