"""Parts and points of the study."""

from __future__ import annotations

from typing import NamedTuple

TAIL, REORDERING, REDUCTION, SPIKE = "tail", "reordering", "reduction", "spike"
LINUX, RFC = "linux", "rfc"
STACKS = (LINUX, RFC)
RTTS_S = (0.02, 0.05, 0.1)
TAILS = (1, 2, 4, 8)
SPREADS = (0.1, 0.2, 0.25, 0.3, 0.4, 0.5)
LOST = (1, 3, 10, 20, 30)
PATTERNS = ("together", "spread")


class Tail(NamedTuple):
    """The last segments of a response are lost."""

    stack: str
    path_rtt_s: float
    tail: int


class Reordering(NamedTuple):
    """Packets are late by up to a share of the RTT; duplicates are reported (DSACK) or not."""

    spread_share: float
    dsack: bool


class Reduction(NamedTuple):
    """Segments of one window are lost, together or every third one; with PRR or without."""

    prr: bool
    lost_segments: int
    pattern: str


class Spike(NamedTuple):
    """A link stops for a second; spurious time-outs are detected (F-RTO) and undone, or not."""

    f_rto: bool
    path_rtt_s: float
