"""Parts and points of the study."""

from __future__ import annotations

from typing import NamedTuple

ONE, MANY = "one", "many"
FLAVORS = ("reno_sack", "cubic", "bbr")
BDPS = (0.01, 0.05, 0.1, 0.15, 0.25, 0.35, 0.43, 0.5, 0.75, 1)
FLOWS = (100, 200, 300, 400)
MULTIPLES = (0.5, 1, 2, 3)


class One(NamedTuple):
    """One flow: its TCP, and the buffer."""

    flavor: str
    buffer_bdp: float


class Many(NamedTuple):
    """So many flows, and a buffer of so many BDP / sqrt(flows)."""

    senders: int
    multiple: float
