"""Parts and points of the study."""

from __future__ import annotations

from typing import NamedTuple

BUFFERS, CROWD, ALONE = "buffers", "crowd", "alone"
BDPS = (2, 4, 8, 16, 32, 64)
OTHERS = (1, 2, 4, 8, 16)
FLAVORS = ("cubic", "reno_sack")
DEEP_BDP = 32


class Beside(NamedTuple):
    """One BBR flow beside one loss-based flow: its TCP, and the buffer."""

    flavor: str
    buffer_bdp: int


class Crowd(NamedTuple):
    """One BBR flow beside so many CUBIC flows, in a buffer of ``DEEP_BDP``."""

    other_flows: int


class Alone(NamedTuple):
    """So many BBR flows and no others."""

    bbr_flows: int


BBRS = (2, 4, 8, 16, 32, 64)
