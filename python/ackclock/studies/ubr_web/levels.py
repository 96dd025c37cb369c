"""The factors of the study and their levels (98-0876, Tables 2 and 3, sections 5.1 and 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

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


@dataclass(frozen=True)
class Selection:
    """The levels that are run, each in the order of the published tables."""

    links: tuple[str, ...] = LINKS
    drop_policies: tuple[str, ...] = DROP_POLICIES
    tcp_flavors: tuple[str, ...] = TCP_FLAVORS
    buffers_rtt: tuple[float, ...] = BUFFERS_RTT

    def points(self) -> list[Point]:
        """All combinations, in the order of the published tables."""
        levels = (self.links, self.drop_policies, self.tcp_flavors, self.buffers_rtt)
        return [Point(*combination) for combination in product(*levels)]

    @property
    def complete(self) -> bool:
        """Whether every link that is run has its full factorial, which the analysis needs."""
        return self == Selection(links=self.links)
