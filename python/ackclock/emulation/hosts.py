"""An end of a flow: an application of the plan over plain sockets.

The simulator's own application (``_core.Application``) decides when to open and close connections
and how many bytes to write. The connections are the kernel's. So the n-th request is the same as in
a simulated run with the same seed.

Both ends use the same number for a connection: the n-th connection has the client's n-th source
port.
"""

from __future__ import annotations

import selectors
import time
from typing import Any

from ackclock.emulation.connection import Connection, Options
from ackclock.emulation.connection_samples import Record
from ackclock.emulation.event_loop import Loop
from ackclock.emulation.http_messages import Head
from ackclock.emulation.tcp_info import summed

FIRST_PORT = 10_000
PORTS = 22_768
"""The source ports of a client, below the kernel's range of ephemeral ports."""
_BACKLOG = 1024
_PS_PER_NS = 1000


def number_of(port: int, accepted: int) -> int:
    """Return the number of a connection from its source port; ports are reused in a cycle.

    Args:
        port: source port of the client.
        accepted: number of earlier connections, whose order may differ slightly.
    """
    ahead = (port - FIRST_PORT - accepted) % PORTS
    return accepted + (ahead if ahead < PORTS // 2 else ahead - PORTS)


class Host:
    """An application and its connections.

    Attributes:
        record: samples of the connections.
    """

    def __init__(
        self,
        loop: Loop,
        application: Any,
        own: str,
        server: tuple[str, int],
        options: Options,
        head: Head,
    ) -> None:
        """Create a host; an application that does not open connections listens from now on.

        Args:
            loop: event loop.
            application: application, a ``_core.Application``.
            own: address of this host.
            server: address and port of the listening socket.
            options: options of the sockets.
            head: returns the beginning of each written message.
        """
        self._head = head
        self._loop, self._application, self._options = loop, application, options
        self._own, self._server = own, server
        self._start = 0
        self._asks_at: int | None = None
        self._newest = self._connection(0)
        self._connections: dict[int, Connection] = {}
        self._accepted = 0
        self._past: dict[str, int] = {}
        self._written = self._writes = self._delivered = 0
        self._opened: int | None = None
        self._last: int | None = None
        self._problem = self._congestion = ""
        self.record = Record()
        if application.starts_at is None:
            self._listener = options.new_socket()
            self._listener.bind(server)
            self._listener.listen(_BACKLOG)
            loop.watch(self._listener, selectors.EVENT_READ, self._accept)

    def begin(self, start: int) -> None:
        """The run begins then, monotonic, ns."""
        self._start = start
        self._wait(self._application.starts_at)

    @property
    def problem(self) -> str:
        """The error of a connection; empty without an error."""
        live = (each.problem for each in self._connections.values())
        return self._problem or next(filter(None, live), "")

    def sample(self) -> None:
        """Record a sample of each connection."""
        for connection in self._connections.values():
            self._note(connection)

    def standing(self) -> dict[str, Any]:
        """Return the counters so far; times in ns from the start of the run."""
        live = sum(each.delivered for each in self._connections.values())
        return {
            "written": self._written,
            "writes": self._writes,
            "delivered": self._delivered + live,
            "opened": self._opened,
            "last": self._last,
            "first_timeouts": self.record.first_timeouts,
            "first_rto_us": self.record.first_rto_us,
            "info": self._info(),
            "congestion": self._congestion,
        }

    def fetched(self, flow: int, since: int) -> dict[str, dict[str, list[float]]]:
        """Return tables of this client's fetched objects; see ``_core.Application.fetched``."""
        return self._application.fetched(flow, since * _PS_PER_NS)

    def _info(self) -> dict[str, int]:
        """Return the kernel's report on all connections together."""
        live = [each.look() for each in self._connections.values()]
        for connection in self._connections.values():
            self._congestion = connection.congestion or self._congestion
        return summed(self._past, *live)

    def _now(self) -> int:
        """Return the time from the start of the run, ps."""
        return (time.monotonic_ns() - self._start) * _PS_PER_NS

    def _connection(self, number: int) -> Connection:
        loop, options = self._loop, self._options
        return Connection(number, loop, options, self._now, self._on_news, self._on_end)

    def _wait(self, until: int | None) -> None:
        """Set the timer for the next call of the application, ps; it replaces an earlier one."""
        self._asks_at = until
        if until is not None:
            # Rounded up: before this time the application would only wait again.
            self._loop.at(self._start - -until // _PS_PER_NS, self._due)

    def _due(self) -> None:
        if self._asks_at is not None and self._asks_at <= self._now():
            self._ask(self._newest)

    def _ask(self, about: Connection) -> None:
        """Execute the application's next actions after an event of a connection."""
        now = self._now()
        stirred: dict[int, Connection] = {}
        while True:
            step, what, size = self._application.next(now, about.seen())
            if step == "wait":
                break
            if step == "open":
                self._open(what)
            elif connection := self._connections.get(what):
                stirred[what] = connection
                if step == "write":
                    self._written += size
                    self._writes += 1
                    connection.write(size, self._head(size, what))
                else:
                    connection.close()
        self._wait(what)
        for connection in stirred.values():
            connection.send()

    def _open(self, number: int) -> None:
        connection = self._newest if self._opened is None else self._connection(number)
        self._add(connection)
        connection.open((self._own, FIRST_PORT + number % PORTS), self._server)
        if self._opened is None and connection.opened is not None:
            self._opened = connection.opened // _PS_PER_NS

    def _accept(self) -> None:
        try:
            its, (_, port) = self._listener.accept()
        except BlockingIOError:
            return
        connection = self._connection(number_of(port, self._accepted))
        self._accepted += 1
        self._add(connection)
        connection.accept(its)

    def _add(self, connection: Connection) -> None:
        self._newest = connection
        self._connections[connection.number] = connection

    def _on_news(self, connection: Connection) -> None:
        if not connection.ended:
            self._last = self._loop.woke - self._start
        if not self._application.ignores_events:
            self._ask(connection)

    def _on_end(self, connection: Connection) -> None:
        self._note(connection)
        self.record.forget(connection.number)
        self._past = summed(self._past, connection.info)
        self._congestion = connection.congestion or self._congestion
        self._delivered += connection.delivered
        self._problem = self.problem
        del self._connections[connection.number]

    def _note(self, connection: Connection) -> None:
        """Record a sample."""
        if info := connection.look():
            self.record.note(time.monotonic_ns() - self._start, connection.number, info)
