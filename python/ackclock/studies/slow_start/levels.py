"""Parts and points of the study."""

from __future__ import annotations

from typing import NamedTuple

LOSSES, RISE, SPIKE = "losses", "rise", "spike"
STANDARD, PLUS_PLUS, HYSTART = "standard", "hystart_plus_plus", "hystart"
STARTS = (STANDARD, PLUS_PLUS, HYSTART)
SENDERS = (1, 4)
RTTS_S = (0.01, 0.02, 0.05, 0.1, 0.2)
RISING_RTTS_S = (0.02, 0.05, 0.08, 0.2)
LESS_S, MORE_S = -0.0005, 0.0005
SPIKE_ROUNDS, SPIKE_MARGIN_S = 2, 0.002


class Transfer(NamedTuple):
    """So many transfers through a buffer of one BDP: their slow start, and the RTT of the path."""

    start: str
    senders: int
    path_rtt_s: float


class Rise(NamedTuple):
    """The RTT rises, by so much more than what ends slow start."""

    path_rtt_s: float
    margin_s: float


class Spike(NamedTuple):
    """The RTT rises for two round trips."""

    start: str
    path_rtt_s: float
