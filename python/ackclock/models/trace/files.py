"""Read captures in pcapng and pcap format, as far as TCP over IPv4 needs.

Source: draft-ietf-opsawg-pcapng (section header, interface description and enhanced packet blocks;
all others are skipped), draft-ietf-opsawg-pcap. Both byte orders; any resolution of time.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ackclock.errors import InputError

NS = 10**9
_SECTION, _INTERFACE, _ENHANCED = 0x0A0D0D0A, 1, 6
_ORDER_MAGIC = 0x1A2B3C4D
_TSRESOL, _TSOFFSET = 9, 14
_PCAP = {0xA1B2C3D4: 10**6, 0xA1B23C4D: NS}
"""Time units per second, by the magic number of a pcap file."""


class Captured(NamedTuple):
    """A captured packet.

    Attributes:
        time_ns: time since the epoch of the capture, ns.
        interface: number of the interface, from 0.
        link_type: type of the link header (registry of LINKTYPE values).
        data: captured bytes of the packet, which may be cut off.
        length: length of the whole packet, bytes.
    """

    time_ns: int
    interface: int
    link_type: int
    data: bytes
    length: int


def packets(path: Path) -> list[Captured]:
    """Return the packets of a capture, in the order of the file.

    Raises:
        InputError: the file cannot be read, is not a capture, or is damaged.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror}); name a pcapng file"
        ) from error
    try:
        return list(parsed(content))
    except _DamagedError as error:
        raise InputError(f"{path}: {error}") from None


class _DamagedError(ValueError):
    """The file violates its format."""


def parsed(content: bytes) -> Iterator[Captured]:
    """Yield the packets in the bytes of a capture.

    Raises:
        ValueError: the bytes are not a capture, or are damaged; the message has the position.
    """
    if content[:4] == _SECTION.to_bytes(4, "big"):
        return _pcapng(content)
    for order in "<>":
        if len(content) >= 24 and struct.unpack_from(f"{order}I", content)[0] in _PCAP:
            return _pcap(content, order)
    raise _DamagedError(
        "is not a capture; expected a pcapng or pcap file, as `ackclock capture` or tcpdump -w"
        " writes"
    )


def _pcap(content: bytes, order: str) -> Iterator[Captured]:
    magic, *_, link_type = struct.unpack_from(f"{order}IHHIIII", content)
    unit = NS // _PCAP[magic]
    at = 24
    while at < len(content):
        if at + 16 > len(content):
            raise _cut(at)
        seconds, parts, kept, length = struct.unpack_from(f"{order}IIII", content, at)
        at += 16
        if at + kept > len(content):
            raise _cut(at)
        # The upper bits of the link type are about frame check sequences.
        its_type = link_type & 0xFFFF
        yield Captured(seconds * NS + parts * unit, 0, its_type, content[at : at + kept], length)
        at += kept


class _Interface(NamedTuple):
    link_type: int
    units_per_s: int
    offset_s: int

    def time_ns(self, ticks: int) -> int:
        return ticks * NS // self.units_per_s + self.offset_s * NS


@dataclass
class _Section:
    """The state of a section, until the next section header."""

    order: str = "<"
    first: int = 0
    """Number of interfaces in the earlier sections."""
    interfaces: list[_Interface] = field(default_factory=list)


def _pcapng(content: bytes) -> Iterator[Captured]:
    section = _Section()
    at = 0
    while at < len(content):
        if at + 12 > len(content):
            raise _cut(at)
        kind = struct.unpack_from(f"{section.order}I", content, at)[0]
        if kind == _SECTION:
            order = _order(content, at)
            section = _Section(order, section.first + len(section.interfaces))
        length = struct.unpack_from(f"{section.order}I", content, at + 4)[0]
        if length < 12 or length % 4:
            raise _DamagedError(f"is damaged at byte {at}: a block of {length} bytes")
        if at + length > len(content):
            raise _cut(at)
        body = content[at + 8 : at + length - 4]
        if kind == _INTERFACE:
            section.interfaces.append(_interface(body, section.order, at))
        elif kind == _ENHANCED:
            yield _enhanced(body, section, at)
        at += length


def _order(content: bytes, at: int) -> str:
    for order in "<>":
        if struct.unpack_from(f"{order}I", content, at + 8)[0] == _ORDER_MAGIC:
            return order
    raise _DamagedError(f"is damaged at byte {at}: a section header without byte order")


def _interface(body: bytes, order: str, at: int) -> _Interface:
    if len(body) < 8:
        raise _DamagedError(f"is damaged at byte {at}: an interface without link type")
    units, offset = 10**6, 0
    for code, value in _options(body[8:], order):
        if code == _TSRESOL and value:
            power = value[0] & 0x7F
            units = 2**power if value[0] & 0x80 else 10**power
        elif code == _TSOFFSET and len(value) == 8:
            offset = struct.unpack(f"{order}q", value)[0]
    return _Interface(struct.unpack_from(f"{order}H", body)[0], units, offset)


def _enhanced(body: bytes, section: _Section, at: int) -> Captured:
    if len(body) < 20:
        raise _DamagedError(f"is damaged at byte {at}: a packet block of {len(body)} bytes")
    number, high, low, kept, length = struct.unpack_from(f"{section.order}5I", body)
    if number >= len(section.interfaces):
        raise _DamagedError(f"is damaged at byte {at}: a packet of interface {number}, unknown")
    if 20 + kept > len(body):
        raise _DamagedError(f"is damaged at byte {at}: a packet longer than its block")
    its = section.interfaces[number]
    time_ns = its.time_ns(high << 32 | low)
    data = body[20 : 20 + kept]
    return Captured(time_ns, section.first + number, its.link_type, data, length)


def _options(body: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + 4 <= len(body):
        code, length = struct.unpack_from(f"{order}HH", body, at)
        if code == 0:
            return
        yield code, body[at + 4 : at + 4 + length]
        at += 4 + (length + 3) // 4 * 4


def _cut(at: int) -> _DamagedError:
    return _DamagedError(f"is cut short at byte {at}: end the capture before it is read")
