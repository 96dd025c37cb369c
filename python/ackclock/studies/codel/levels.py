"""Parts and points of the study."""

from __future__ import annotations

from typing import NamedTuple

LAW, RATES, STATIC, EDGE = "law", "rates", "static", "edge"
QUEUES = DROP_TAIL, CODEL = "drop_tail", "codel"
USUAL_S = 0.1
INTERVALS_S = (0.05, USUAL_S, 0.2)
SMALL, NOMINAL = BUFFERS = (10, 830)
FTPS = (5, 20)
STATIC_RATES = (3_000_000, 10_000_000, 45_000_000, 100_000_000)
EDGE_RATES = (512_000, 1_500_000)


class Law(NamedTuple):
    """Datagrams that do not respond to drops: the interval of CoDel."""

    interval_s: float


class Rates(NamedTuple):
    """The link that changes its rate: its queue, and how many packets may wait there."""

    queue: str
    buffer_packets: int


class Static(NamedTuple):
    """So many transfers on a link of a fixed rate."""

    ftps: int
    rate_bit_s: int


class Edge(NamedTuple):
    """A consumer's link: its rate in both directions, and its queues."""

    rate_bit_s: int
    queue: str
