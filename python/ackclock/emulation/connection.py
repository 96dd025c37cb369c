"""One TCP connection over a plain socket that never blocks."""

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
"""Received data is read into this buffer and ignored."""
_TURNS = 4
_SO_MAX_PACING_RATE = 47
_NO_LIMIT = 1 << 40
"""Bytes/s. A limit, however high, has the kernel pace the socket at the rate of its own choice."""


@dataclass(frozen=True)
class Options:
    """Of sockets.

    Attributes:
        congestion: name of the congestion control.
        nodelay: whether Nagle's algorithm is off.
        window: the largest that is advertised, bytes; none if the kernel decides.
        paced: whether the kernel is to pace them though their congestion control does not ask.
    """

    congestion: str
    nodelay: bool
    window: int | None
    paced: bool = False

    def new_socket(self) -> socket.socket:
        """A socket with these options; who is accepted by it has them, too."""
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, self.congestion.encode())
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, int(self.nodelay))
        if self.paced:
            limit = _NO_LIMIT.to_bytes(8, sys.byteorder)
            made.setsockopt(socket.SOL_SOCKET, _SO_MAX_PACING_RATE, limit)
        return made


class Connection:
    """A connection and what its application has done on it.

    When a segment arrives that is longer than any before, the kernel computes the largest window
    anew, whatever was asked for; so the window is set again after each read.

    Attributes:
        number: among the connections of a flow.
        opened: when this end opened it, if it did.
        established: when both ends had agreed to it.
        written: bytes that the application has written.
        delivered: bytes read.
        closed: whether the application has closed its direction.
        ended: whether nothing more will come.
        problem: why it could not be opened, or broke.
        info: what the kernel reported last.
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
        """A connection that is not open.

        Args:
            number: its own.
            loop: to run in.
            options: of its socket.
            clock: returns the time that is noted.
            on_news: called when something was read, and when nothing more will come.
            on_end: called when both directions are closed and the socket is let go.
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
        """Open it from an address and a port to another."""
        self._socket = its = self._options.new_socket()
        self.opened = self._clock()
        try:
            its.bind(own)
            its.connect(target)
        except BlockingIOError:
            pass
        except OSError as error:
            # Reported when the loop finds that it is not open.
            self._break(error)
        self._watch()

    def accept(self, its: socket.socket) -> None:
        """Be what a peer has opened."""
        its.setblocking(False)
        self._socket = its
        self.established = self._clock()
        self._watch()

    def write(self, size: int, head: bytes = b"") -> None:
        """Have so many bytes more to send, which begin so."""
        self.written += size
        self._unsent.append((head, size - len(head)))

    def close(self) -> None:
        """Have nothing more to send after what is written."""
        self.closed = True

    def seen(self) -> tuple[int, int | None, int | None, int, int, bool, bool]:
        """Its state, as ``_core.Application.next`` reads it."""
        times = (self.opened, self.established)
        return (self.number, *times, self.written, self.delivered, self.closed, self.ended)

    def look(self) -> dict[str, int]:
        """What the kernel reports about it now, or reported at its end."""
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
        """Whether its opening, which has come to an end, was a success."""
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
        """Send what the kernel takes, and close the direction when all is sent."""
        if self._socket is None or self.established is None:
            return
        # The FIN goes with the last data: by itself it would wait for cwnd.
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
            # That nothing more will come is read.
            self._break(error)
        self._watch()

    def _break(self, error: OSError) -> None:
        """Nothing more will go."""
        self.problem = self.problem or os.strerror(error.errno or 0)
        self._unsent.clear()
        self._shut = True

    def _watch(self) -> None:
        """Wait for what can still happen."""
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
