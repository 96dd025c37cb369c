"""Parts and points of the study."""

from __future__ import annotations

from typing import NamedTuple

PORT, OSCILLATION, THRESHOLD, INCAST, CONVERGENCE = (
    "port",
    "oscillation",
    "threshold",
    "incast",
    "convergence",
)
DCTCP, TCP = "dctcp", "reno_sack"
FLAVORS = (DCTCP, TCP)
BUSY = (2, 20)
"""Numbers of long flows through one port."""
K = 20
"""Threshold of a port of 1 Gbit/s, packets."""
THRESHOLDS = (4, 8, 12, 16, 20, 30, 40, 65)
FEW, WORST = 2, 12
"""Numbers of flows; with ``WORST`` the analysis asks for the highest threshold."""
SERVERS = (1, 5, 10, 15, 20, 25, 30, 35, 40)
USUAL_RTO_S, SHORT_RTO_S = 0.3, 0.01


class Busy(NamedTuple):
    """Long flows through a port of 1 Gbit/s."""

    flavor: str
    senders: int


class Sawtooth(NamedTuple):
    """Long DCTCP flows: rate of the port, its threshold, number of flows."""

    rate_bit_s: int
    threshold_packets: int
    senders: int


class Marked(NamedTuple):
    """Long DCTCP flows through a port of 10 Gbit/s."""

    threshold_packets: int
    senders: int


class Query(NamedTuple):
    """A query to so many servers, and the least time-out of their TCP."""

    flavor: str
    rto_s: float
    senders: int


class Joining(NamedTuple):
    """Five flows that come and go."""

    flavor: str


_SLOW, _FAST = 10**9, 10**10
SAWTEETH = (
    Sawtooth(_FAST, 40, 2),
    Sawtooth(_FAST, 40, 10),
    Sawtooth(_FAST, 40, 40),
    Sawtooth(_FAST, 65, 2),
    Sawtooth(_SLOW, 20, 2),
)
MANY = Sawtooth(_FAST, 40, 40)
