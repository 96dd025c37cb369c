"""The points of the study: the rows of the paper's Table 2, and services beside each other.

Source: Vandalore et al., Simulation study of World Wide Web traffic over the ATM ABR service, SPIE
3530, 1998, section 7, for the numbers of servers. The services are not the paper's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import product
from math import inf
from typing import Any, NamedTuple

from ackclock.plurals import counted

TABLE2, SERVICE = ("table2", "service")
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


_SWITCH = "topology.switch"
_POLICIES = {EPD: "epd", SD: "selective_drop"}


def _settings(carrier: Carrier) -> str:
    """The keys of a level, as an inline table."""
    if carrier.service == ABR:
        values = {"topology.service": "abr"}
    else:
        values = {
            "topology.service": "ubr",
            f"{_SWITCH}.policy": _POLICIES[carrier.service],
            f"{_SWITCH}.ubr_buffer": f"{carrier.buffer_rtt:g} rtt",
            "tcp.flavor": carrier.tcp,
        }
    return ", ".join(f"{json.dumps(key)}={json.dumps(value)}" for key, value in values.items())


_BY_NAME = {str(carrier): carrier for carrier in CARRIERS}
_LEVELS = ", ".join(f'"{name}"={{{_settings(each)}}}' for name, each in _BY_NAME.items())
SERVICES_SWEEP = f"sweep.factors={{servers={list(COMPARED_SERVERS)}, carrier={{{_LEVELS}}}}}"
"""What the part ``SERVICE`` changes in the file, as for ``--set``."""


def row_of_table2(levels: Mapping[str, Any]) -> Point:
    """The point that the levels of the sweep stand for in the part ``TABLE2``."""
    return Point(TABLE2, levels["servers"], *PAPERS)


def service(levels: Mapping[str, Any]) -> Point:
    """The same in the part ``SERVICE``."""
    return Point(SERVICE, levels["servers"], *_BY_NAME[levels["carrier"]])


def named(servers: int) -> str:
    """A number of servers in words: "1 server", "15 servers"."""
    return counted(servers, "server")


def carrier_name(carrier: Carrier) -> str:
    """A service with its buffer and TCP: "ABR", "UBR SD, 0.5 RTT, sack"."""
    if carrier.service == ABR:
        return carrier.service
    return f"{carrier.service}, {carrier.buffer_rtt:g} RTT, {carrier.tcp}"
