"""The factors of the study and their levels (98-0876, Tables 2 and 3, sections 5.1 and 5.2)."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

RUNS = "runs"
"""The study's one part."""
LINKS = ("WAN", "MEO", "GEO")
DROP_POLICIES = ("EPD", "SD")
TCP_FLAVORS = ("Vanilla", "Reno", "NewReno", "SACK")
BUFFERS_RTT = (0.5, 1.0, 2.0)
FACTORS = ("tcp_flavor", "buffer_rtt", "drop_policy")
"""Columns of the factors that are analysed on each link."""


class Point(NamedTuple):
    """One combination of levels."""

    link: str
    drop_policy: str
    tcp_flavor: str
    buffer_rtt: float

    def __str__(self) -> str:
        return f"{self.link} {self.drop_policy} {self.tcp_flavor} {self.buffer_rtt:g} RTT"


POINT = list(Point._fields)
POINTS = tuple(Point(*levels) for levels in product(LINKS, DROP_POLICIES, TCP_FLAVORS, BUFFERS_RTT))
"""All of them, in the order of the published tables."""
