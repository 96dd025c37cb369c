"""The kernel's report on all connections of this namespace (sock_diag(7))."""

from __future__ import annotations

import socket
import struct
from typing import NamedTuple

from ackclock.emulation.tcp_info import parsed, parsed_bbr

_NETLINK_SOCK_DIAG = 4
_SOCK_DIAG_BY_FAMILY = 20
_NLM_F_REQUEST_DUMP = 0x301
_NLMSG_ERROR, _NLMSG_DONE = 2, 3
_INET_DIAG_INFO, _INET_DIAG_VEGASINFO, _INET_DIAG_CONG, _INET_DIAG_BBRINFO = 2, 3, 4, 16
_ASKED = sum(1 << (kind - 1) for kind in (_INET_DIAG_INFO, _INET_DIAG_VEGASINFO, _INET_DIAG_CONG))
"""BBR's report has no bit of its own: a request for Vegas' report returns it."""
_LISTEN_STATE = 1 << 10
_OPEN_STATES = 0b1111_1111_1110 & ~_LISTEN_STATE
"""All states except LISTEN and those without a socket."""
_HEADER = struct.Struct("=IHHII")
_REQUEST = struct.Struct("=BBBxI48s")
_MESSAGE = struct.Struct("=BBBB48sIIIII")
_PORTS = struct.Struct("!HH")
_ATTRIBUTE = struct.Struct("=HH")
_ROOM = 1 << 16


class Connection(NamedTuple):
    """A TCP connection.

    Attributes:
        local: local port.
        remote: remote port.
        info: fields of ``tcp_info``, and the report of BBR.
        congestion: name of the congestion control.
    """

    local: int
    remote: int
    info: dict[str, int]
    congestion: str


def connections() -> list[Connection]:
    """Return the IPv4 connections of this namespace.

    Raises:
        OSError: the kernel does not answer.
    """
    return _dump(_OPEN_STATES)


def listens(port: int) -> bool:
    """Return whether a program listens on a port."""
    return any(connection.local == port for connection in _dump(_LISTEN_STATE))


def _dump(states: int) -> list[Connection]:
    body = _REQUEST.pack(socket.AF_INET, socket.IPPROTO_TCP, _ASKED, states, bytes(48))
    size = _HEADER.size + len(body)
    header = _HEADER.pack(size, _SOCK_DIAG_BY_FAMILY, _NLM_F_REQUEST_DUMP, 1, 0)
    found: list[Connection] = []
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG) as diag:
        diag.send(header + body)
        while _take(diag.recv(_ROOM), found):
            pass
    return found


def _take(data: bytes, found: list[Connection]) -> bool:
    """Add the connections of one answer; return whether more answers follow."""
    at = 0
    while at < len(data):
        size, kind, _, _, _ = _HEADER.unpack_from(data, at)
        if kind == _NLMSG_DONE:
            return False
        content = data[at + _HEADER.size : at + size]
        if kind == _NLMSG_ERROR:
            (number,) = struct.unpack_from("=i", content)
            raise OSError(-number, "sock_diag")
        found.append(_connection(content))
        at += _padded(size)
    return True


def _connection(content: bytes) -> Connection:
    identity = _MESSAGE.unpack_from(content)[4]
    local, remote = _PORTS.unpack_from(identity)
    info: dict[str, int] = {}
    of_bbr: dict[str, int] = {}
    congestion = ""
    at = _MESSAGE.size
    while at < len(content):
        size, kind = _ATTRIBUTE.unpack_from(content, at)
        value = content[at + _ATTRIBUTE.size : at + size]
        if kind == _INET_DIAG_INFO:
            info = parsed(value)
        elif kind == _INET_DIAG_BBRINFO:
            of_bbr = parsed_bbr(value)
        elif kind == _INET_DIAG_CONG:
            congestion = value.partition(b"\0")[0].decode()
        at += _padded(size)
    return Connection(local, remote, info | of_bbr, congestion)


def _padded(size: int) -> int:
    return (size + 3) & ~3
