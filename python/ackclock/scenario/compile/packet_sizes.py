"""How large the packets of flows are, and how much of them the results count."""

from __future__ import annotations

from fractions import Fraction

from ackclock.scenario.compile.groups import Group
from ackclock.scenario.model.tcp import Tcp
from ackclock.scenario.model.workload import Datagrams

HEADER_BYTES = 40
"""Headers of IP and TCP."""
DATAGRAM_HEADER_BYTES = 28
"""Headers of IP and UDP."""


def packet_bytes(tcp: Tcp) -> int:
    """A full-sized packet: data and the headers of TCP and IP."""
    return tcp.smss + HEADER_BYTES


def data_packet(group: Group) -> int:
    """The largest packet of a group's data, bytes."""
    if isinstance(group.workload, Datagrams):
        return group.workload.packet_size
    return packet_bytes(group.sender_tcp)


def largest_packet(group: Group) -> int:
    """The largest packet that a group sends in either direction, bytes."""
    if isinstance(group.workload, Datagrams):
        return group.workload.packet_size
    return max(packet_bytes(group.sender_tcp), packet_bytes(group.receiver_tcp))


def counted_bytes(group: Group) -> int:
    """What the results count of the largest packet of a group's data: of a datagram, all of it."""
    if isinstance(group.workload, Datagrams):
        return group.workload.packet_size
    return group.sender_tcp.smss


def counted_share(groups: list[Group]) -> Fraction:
    """What the results count at most of full packets, as a share of them."""
    return max(Fraction(counted_bytes(group), data_packet(group)) for group in groups)
