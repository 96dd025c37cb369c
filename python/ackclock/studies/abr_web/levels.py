"""The points of the study: the rows of the paper's Table 2, and services beside each other.

Source: Vandalore et al., Simulation study of World Wide Web traffic over the ATM ABR service, SPIE
3530, 1998, section 7, for the numbers of servers. The services are not the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import inf
from typing import NamedTuple

TABLE2, SERVICE = PARTS = ("table2", "service")
SERVERS = tuple(range(1, 16))
ABR, EPD, SD = ("ABR", "UBR EPD", "UBR SD")
COMPARED_SERVERS = (3, 5, 10)
"""Of the part ``SERVICE``: below, at and beyond what the bottleneck carries."""
UNLIMITED = inf
BUFFERS_RTT = (0.5, 1.0, 2.0)
TCPS = ("vanilla", "sack")


class Carrier(NamedTuple):
    """What carries the load.

    Attributes:
        service: ``ABR``, or UBR with ``EPD`` or ``SD`` (Selective Drop) in the switches.
        buffer_rtt: buffer of a switch port for it, in bandwidth-delay products of the bottleneck.
        tcp: flavor of all hosts; empty if it is the scenario file's own.
    """

    service: str
    buffer_rtt: float
    tcp: str

    def __str__(self) -> str:
        if self == PAPERS:
            return self.service
        return f"{self.service} {self.buffer_rtt:g} RTT {self.tcp}"


PAPERS = Carrier(ABR, UNLIMITED, "")
CARRIERS = (PAPERS, *(Carrier(*each) for each in product((EPD, SD), BUFFERS_RTT, TCPS)))


class Point(NamedTuple):
    """One combination of levels.

    Attributes:
        part: of the study.
        servers: how many there are, each with the same number of clients.
        service: as for ``Carrier``.
        buffer_rtt: the same.
        tcp: the same.
    """

    part: str
    servers: int
    service: str
    buffer_rtt: float
    tcp: str

    @property
    def carrier(self) -> Carrier:
        """What carries the load."""
        return Carrier(*self[2:])


POINT = list(Point._fields)
CARRIER = list(Carrier._fields)


@dataclass(frozen=True)
class Selection:
    """The levels that are run, in the order of the published table."""

    parts: tuple[str, ...] = PARTS
    servers: tuple[int, ...] = SERVERS

    def points(self) -> list[Point]:
        """All points, part by part."""
        return [point for part in self.parts for point in self.points_of(part)]

    def points_of(self, part: str) -> list[Point]:
        """The points of a part; perhaps none of ``SERVICE``."""
        carriers = (PAPERS,) if part == TABLE2 else CARRIERS
        return [
            Point(part, servers, *carrier)
            for servers in self.servers
            if part == TABLE2 or servers in COMPARED_SERVERS
            for carrier in carriers
        ]
