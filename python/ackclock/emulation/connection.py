"""One TCP connection over a non-blocking socket."""

from __future__ import annotations

import os
import selectors
import socket
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from ackclock.emulation.event_loop import Loop
from ackclock.emulation.tcp_info import congestion_of, of_congestion_control, tcp_info

_ZEROS = bytes(1 << 16)
_ROOM = bytearray(1 << 18)
"""Buffer for received data, which is ignored."""
_TURNS = 4
_SO_MAX_PACING_RATE = 47
_NO_LIMIT = 1 << 40
"""Pacing limit, bytes/s. With any limit, the kernel paces the socket at its own rate."""


@dataclass(frozen=True)
class Options:
    """Options of sockets.

    Attributes:
        congestion: name of the congestion control.
        nodelay: whether Nagle's algorithm is off.
        window: largest advertised window, bytes; none for the kernel's choice.
        paced: whether the kernel paces the socket even if the congestion control does not need it.
    """

    congestion: str
    nodelay: bool
    window: int | None
    paced: bool = False

    def new_socket(self) -> socket.socket:
        """Return a socket with these options, which accepted sockets inherit."""
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, self.congestion.encode())
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, int(self.nodelay))
        if self.paced:
            limit = _NO_LIMIT.to_bytes(8, sys.byteorder)
            made.setsockopt(socket.SOL_SOCKET, _SO_MAX_PACING_RATE, limit)
        return made


class Connection:
    """A connection with the progress of its application.

    When a segment arrives that is longer than all before, the kernel computes the largest window
    again and ignores the option. So the window is set again after each read.

    Attributes:
        number: number of the connection in its flow.
        opened: time when this end opened the connection; none if the peer did.
        established: time at the end of the handshake.
        written: bytes that the application has written.
        delivered: bytes that the application has read.
        closed: whether the application has closed its direction.
        ended: whether the peer has closed its direction.
        problem: error of the connection; empty without an error.
        info: last report of the kernel.
        congestion: name of its congestion control, as the kernel reports it.
    """

    def __init__(
        self,
        number: int,
        loop: Loop,
        options: Options,
        clock: Callable[[], int],
        on_news: Callable[[Connection], None],
        on_end: Callable[[Connection], None],
    ) -> None:
        """Create a connection that is not open.

        Args:
            number: number of the connection.
            loop: event loop.
            options: options of the socket.
            clock: returns the present time.
            on_news: called after data were read, and after the peer has closed its direction.
            on_end: called when both directions and the socket are closed.
        """
        self.number = number
        self._loop, self._options, self._clock = loop, options, clock
        self._on_news, self._on_end = on_news, on_end
        self._socket: socket.socket | None = None
        self._watched = 0
        self._unsent: deque[tuple[bytes, int]] = deque()
        self._shut = False
        self.opened: int | None = None
        self.established: int | None = None
        self.written = self.delivered = 0
        self.closed = self.ended = False
        self.problem = ""
        self.info: dict[str, int] = {}
        self.congestion = ""

    def open(self, own: tuple[str, int], target: tuple[str, int]) -> None:
        """Open the connection from an address and port to another."""
        self._socket = its = self._options.new_socket()
        self.opened = self._clock()
        try:
            its.bind(own)
            its.connect(target)
        except BlockingIOError:
            pass
        except OSError as error:
            # The event loop reports the error later.
            self._break(error)
        self._watch()

    def accept(self, its: socket.socket) -> None:
        """Use the socket of a connection that a peer has opened."""
        its.setblocking(False)
        self._socket = its
        self.established = self._clock()
        self._watch()

    def write(self, size: int, head: bytes = b"") -> None:
        """Add ``size`` bytes to send, which begin with ``head``."""
        self.written += size
        self._unsent.append((head, size - len(head)))

    def close(self) -> None:
        """Close the direction after all written bytes."""
        self.closed = True

    def seen(self) -> tuple[int, int | None, int | None, int, int, bool, bool]:
        """Return the state in the form of ``_core.Application.next``."""
        times = (self.opened, self.established)
        return (self.number, *times, self.written, self.delivered, self.closed, self.ended)

    def look(self) -> dict[str, int]:
        """Return the kernel's report on the connection, now or at its end."""
        if self._socket is not None and self.established is not None:
            self.congestion = self.congestion or congestion_of(self._socket)
            self.info = tcp_info(self._socket) | of_congestion_control(
                self._socket, self.congestion
            )
        return self.info

    def _ready(self) -> None:
        if self._socket is None:
            return
        if self.established is None and not self._has_opened():
            self.ended = True
            self._on_news(self)
        if not self.ended:
            self._read()
        self.send()
        if self.ended and self._shut:
            self._release()

    def _has_opened(self) -> bool:
        """Return whether the attempt to open the connection has succeeded."""
        assert self._socket is not None
        problem = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if problem:
            self._break(OSError(problem, ""))
        if not self.problem:
            self.established = self._clock()
        return not self.problem

    def _release(self) -> None:
        assert self._socket is not None
        self.look()
        if self._watched:
            self._loop.forget(self._socket)
        self._socket.close()
        self._socket = None
        self._on_end(self)

    def _read(self) -> None:
        assert self._socket is not None
        try:
            got = self._socket.recv_into(_ROOM)
        except BlockingIOError:
            return
        except OSError as error:
            self._break(error)
            got = 0
        window = self._options.window
        if got and window is not None:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_WINDOW_CLAMP, window)
        self.delivered += got
        self.ended = self.ended or not got
        self._on_news(self)

    def send(self) -> None:
        """Send as much as the kernel accepts, and close the direction after the last byte."""
        if self._socket is None or self.established is None:
            return
        # The FIN is sent with the last data, because a separate FIN would wait for cwnd.
        flags = socket.MSG_MORE if self.closed else 0
        try:
            for _ in range(_TURNS):
                if not self._unsent:
                    break
                head, zeros = self._unsent[0]
                sent = self._socket.sendmsg([head, memoryview(_ZEROS)[:zeros]], (), flags)
                self._unsent[0] = head[sent:], zeros - max(sent - len(head), 0)
                if not any(self._unsent[0]):
                    self._unsent.popleft()
            if self.closed and not self._unsent and not self._shut:
                self._shut = True
                self._socket.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            pass
        except OSError as error:
            # The end of the peer's direction appears as a read.
            self._break(error)
        self._watch()

    def _break(self, error: OSError) -> None:
        """Record an error: nothing more can be sent."""
        self.problem = self.problem or os.strerror(error.errno or 0)
        self._unsent.clear()
        self._shut = True

    def _watch(self) -> None:
        """Watch the socket for the events that can still occur."""
        assert self._socket is not None
        wanted = 0 if self.ended else selectors.EVENT_READ
        if self._unsent or (self.established is None and not self.ended):
            wanted |= selectors.EVENT_WRITE
        if wanted == self._watched:
            return
        if wanted:
            self._loop.watch(self._socket, wanted, self._ready)
        else:
            self._loop.forget(self._socket)
        self._watched = wanted
