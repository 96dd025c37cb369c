"""Parts and points of the study."""

from __future__ import annotations

from typing import NamedTuple

GRID, MEASURED, QUEUES, LAW, DEAF = "grid", "measured", "queues", "law", "deaf"
_MBIT = 1_000_000
RATES = tuple(mbit * _MBIT for mbit in (4, 12, 40, 120))
RTTS_S = (0.005, 0.01, 0.02, 0.05, 0.1)
OTHER_RATES, OTHER_RTTS_S = (10 * _MBIT, 50 * _MBIT), (0.01, 0.02, 0.08)
"""Of a measurement by others."""
AQMS = ("DualPI2", "PIE", "FQ-CoDel")
MARK_SHARES, SHORT_RTTS_S = (0.01, 0.1, 0.5, 0.91), (0.005, 0.01, 0.025)
LOADS = (0.5, 0.7, 0.8, 0.9, 1)


class Path(NamedTuple):
    """One Prague and one CUBIC flow through a link: its rate, and the RTT that it adds."""

    rate_bit_s: int
    path_rtt_s: float


class Behind(NamedTuple):
    """The same at 40 Mbit/s and 20 ms, behind one of several queues."""

    queue: str


class Marked(NamedTuple):
    """Prague alone: the share of its packets that the path marks, and the RTT of the path."""

    mark_share: float
    path_rtt_s: float


class Deaf(NamedTuple):
    """A CUBIC flow beside an L4S flow that ignores marks: the largest share of the latter."""

    load_share: float
