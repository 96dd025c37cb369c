"""TCP segments and connections of a capture.

Source: RFC 791, RFC 9293 (headers), RFC 7323 (timestamps), RFC 2018 (SACK). Skipped: IPv6,
fragments, protocols other than TCP, and packets without complete headers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Address
from typing import NamedTuple

from ackclock.models.trace.files import Captured

FIN, SYN, RST, ACK = 1, 2, 4, 16
_MSS, _SACK_PERMITTED, _SACK, _TIMESTAMPS = 2, 4, 5, 8
_IPV4 = 0x0800
_VLAN = (0x8100, 0x88A8)
_RAW, _RAW_BSD, _RAW_IPV4, _ETHERNET, _NULL, _LOOP, _SLL, _SLL2 = 101, 12, 228, 1, 0, 108, 113, 276

End = tuple[bytes, int]
"""Address and port."""


class Segment(NamedTuple):
    """A captured TCP segment.

    Attributes:
        time_ns: time of the capture, ns.
        interface: number of the interface.
        source, destination: addresses and ports.
        seq, ack: sequence and acknowledgement number, 32 bits.
        flags: flags of the header.
        size: data, bytes.
        mss: value of the MSS option, bytes, or none.
        sack_permitted: whether the segment has the SACK-permitted option.
        sack: edges of the SACK blocks, 32 bits.
        timestamps: value and echo of the timestamps option, or none.
    """

    time_ns: int
    interface: int
    source: End
    destination: End
    seq: int
    ack: int
    flags: int
    size: int
    mss: int | None
    sack_permitted: bool
    sack: tuple[tuple[int, int], ...]
    timestamps: tuple[int, int] | None


@dataclass
class Connection:
    """The segments of a connection at the interface where it was captured first.

    Attributes:
        ends: ends in the order of their first segments.
        interface: number of the interface.
        segments: segments in the order of the file.
        data_bytes: data sent by each end, including retransmissions, bytes.
    """

    ends: tuple[End, End]
    interface: int
    segments: list[Segment] = field(default_factory=list)
    data_bytes: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def sender(self) -> End:
        """Return the end that sent more data."""
        return self.ends[self.data_bytes[1] > self.data_bytes[0]]

    def __str__(self) -> str:
        sender = self.sender
        receiver = self.ends[self.ends[0] == sender]
        return f"{show_end(sender)} to {show_end(receiver)}"


def show_end(end: End) -> str:
    """Return address and port as text: "192.0.2.1:80"."""
    address, port = end
    return f"{IPv4Address(address)}:{port}"


def connections(packets: Iterable[Captured]) -> list[Connection]:
    """Return the connections, in the order of their first segments.

    A SYN after data begins another connection between the same ends. Segments of a connection at a
    second interface are left out, because they would count as retransmissions.
    """
    known: dict[frozenset[End], Connection] = {}
    found = []
    for packet in packets:
        segment = parse(packet)
        if segment is None:
            continue
        pair = frozenset((segment.source, segment.destination))
        its = known.get(pair)
        opens = segment.flags & (SYN | ACK) == SYN
        if its is None or (opens and any(its.data_bytes) and segment.interface == its.interface):
            its = Connection((segment.source, segment.destination), segment.interface)
            known[pair] = its
            found.append(its)
        if segment.interface == its.interface:
            its.segments.append(segment)
            its.data_bytes[segment.source != its.ends[0]] += segment.size
    return found


def parse(packet: Captured) -> Segment | None:
    """Return the TCP segment in a packet; none without a segment or with cut headers."""
    at = _ip_begins(packet)
    data = packet.data
    if at is None or len(data) < at + 20 or data[at] >> 4 != 4:
        return None
    header = 4 * (data[at] & 15)
    total, fragment = struct.unpack_from(">H2xH", data, at + 2)
    tcp = at + header
    if header < 20 or data[at + 9] != 6 or fragment & 0x3FFF or len(data) < tcp + 20:
        return None
    source, destination = data[at + 12 : at + 16], data[at + 16 : at + 20]
    from_port, to_port, seq, ack, offset, flags = struct.unpack_from(">HHIIBB", data, tcp)
    # With segmentation offload, the length is 0 if 16 bits are too few.
    total = total or packet.length - at
    size = total - header - 4 * (offset >> 4)
    if offset >> 4 < 5 or size < 0:
        return None
    options = _options(data[tcp + 20 : tcp + 4 * (offset >> 4)])
    return Segment(
        packet.time_ns,
        packet.interface,
        (source, from_port),
        (destination, to_port),
        seq,
        ack,
        flags,
        size,
        *options,
    )


def _ip_begins(packet: Captured) -> int | None:
    """Return the offset of the IPv4 header; none for other protocols."""
    kind, data = packet.link_type, packet.data
    if kind in (_RAW, _RAW_BSD, _RAW_IPV4):
        return 0
    if kind in (_NULL, _LOOP):
        return 4 if data[:4] in (b"\0\0\0\2", b"\2\0\0\0") else None
    if kind == _SLL2:
        return 20 if data[:2] == b"\x08\x00" else None
    if kind not in (_ETHERNET, _SLL):
        return None
    at = 12 if kind == _ETHERNET else 14
    while len(data) >= at + 2:
        its = int.from_bytes(data[at : at + 2], "big")
        if its == _IPV4:
            return at + 2
        if its not in _VLAN:
            return None
        at += 4
    return None


def _options(
    data: bytes,
) -> tuple[int | None, bool, tuple[tuple[int, int], ...], tuple[int, int] | None]:
    """Return MSS, SACK permitted, SACK blocks and timestamps."""
    mss, permitted, sack, timestamps = None, False, (), None
    for kind, value in _each_option(data):
        if kind == _MSS and len(value) == 2:
            mss = int.from_bytes(value, "big")
        elif kind == _SACK_PERMITTED:
            permitted = True
        elif kind == _SACK and len(value) % 8 == 0:
            sack = tuple(struct.iter_unpack(">II", value))
        elif kind == _TIMESTAMPS and len(value) == 8:
            timestamps = struct.unpack(">II", value)
    return mss, permitted, sack, timestamps


def _each_option(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data) and data[at] != 0:
        if data[at] == 1:
            at += 1
            continue
        length = data[at + 1] if at + 1 < len(data) else 0
        if length < 2:
            return
        yield data[at], data[at + 2 : at + length]
        at += length
