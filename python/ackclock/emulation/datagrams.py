"""The sender and the receiver of a flow of UDP datagrams.

The simulator's own source gives the times of sending (``_core.Departures``). A datagram that is due
while the process waits for the processor is sent as soon as the process runs again, so none is
skipped.
"""

from __future__ import annotations

import selectors
import socket
import time
from typing import Any

from ackclock.emulation.connection_samples import Record
from ackclock.emulation.event_loop import Loop

HEADER_BYTES = 28
_PS_PER_NS = 1000
_BUFFER = 4 << 20
_ROOM = bytearray(1 << 16)
_AT_ONCE = 64


class Source:
    """Sends datagrams of equal length.

    Attributes:
        problem: error of sending; empty without an error.
        record: none, because there are no connections.
    """

    def __init__(self, loop: Loop, departures: Any, target: tuple[str, int]) -> None:
        """Create a source that has not begun.

        Args:
            loop: event loop.
            departures: times of sending, a ``_core.Departures``.
            target: address and port of the receiver.
        """
        self._loop, self._departures = loop, departures
        self._data = bytes(departures.packet_bytes - HEADER_BYTES)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        self._socket.connect(target)
        self._start = 0
        self._next: int | None = None
        self._sent = 0
        self._opened: int | None = None
        self.problem = ""
        self.record = Record()

    def begin(self, start: int) -> None:
        """Set the start of the run, monotonic, ns."""
        self._start = start
        self._draw()

    def sample(self) -> None:
        """Do nothing: datagrams have no samples."""

    def standing(self) -> dict[str, Any]:
        """Return the bytes sent so far, with headers; times in ns from the start of the run."""
        sent = self._sent * self._departures.packet_bytes
        nothing = dict.fromkeys(("total_retrans", "total_rto", "total_rto_recoveries"), 0)
        return {
            "written": sent,
            "writes": self._sent,
            "opened": self._opened,
            "info": {"data_segs_out": self._sent, **nothing},
        }

    def _draw(self) -> None:
        drawn = self._departures.next()
        self._next = None if drawn is None else self._start - -drawn // _PS_PER_NS
        if self._next is not None:
            self._loop.at(self._next, self._send)

    def _send(self) -> None:
        try:
            self._socket.send(self._data)
        except OSError as error:
            self.problem = f"a datagram could not be sent: {error.strerror}"
        else:
            self._sent += 1
            if self._opened is None:
                self._opened = time.monotonic_ns() - self._start
        self._draw()


class Sink:
    """Counts received datagrams.

    Attributes:
        problem: always empty.
    """

    def __init__(self, loop: Loop, address: tuple[str, int]) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        self._socket.bind(address)
        self._start = 0
        self._delivered = 0
        self._last: int | None = None
        self.problem = ""
        loop.watch(self._socket, selectors.EVENT_READ, self._read)

    def begin(self, start: int) -> None:
        """Set the start of the run, monotonic, ns."""
        self._start = start

    def sample(self) -> None:
        """Do nothing: datagrams have no samples."""

    def standing(self) -> dict[str, Any]:
        """Return the bytes received so far, with headers; times in ns from the start of the run."""
        self._read()
        return {"delivered": self._delivered, "opened": None, "last": self._last}

    def _read(self) -> None:
        try:
            for _ in range(_AT_ONCE):
                self._delivered += self._socket.recv_into(_ROOM) + HEADER_BYTES
                self._last = time.monotonic_ns() - self._start
        except BlockingIOError:
            return


def undelivered() -> int:
    """Return the number of datagrams dropped for lack of buffer in this namespace's sockets."""
    with open("/proc/self/net/snmp") as file:
        names, values = (line.split() for line in file if line.startswith("Udp:"))
    counted = dict(zip(names, values, strict=True))
    return int(counted["RcvbufErrors"]) + int(counted["SndbufErrors"])
