"""An endless transfer by iperf3, which runs as a separate process.

iperf3 ends a transfer of a given size when all bytes are written, even if they have not arrived, so
it is not used for such transfers. iperf3 also opens a control connection over the same path; a
scripted loss counts its few segments too. The connection that carried more data is the transfer's.
"""

from __future__ import annotations

import subprocess
import time
from typing import Any

from ackclock.emulation.connection import Options
from ackclock.emulation.connection_samples import Record
from ackclock.emulation.event_loop import Loop
from ackclock.emulation.sock_diag import Connection, connections, listens

PROGRAM = "iperf3"
ENDLESS = 1 << 61
"""Number of bytes that an endless source has written, as in a simulation."""
_LONG_S = 86_400
_COOKIE_BYTES = 37
"""Length of the cookie that the client sends first on each connection, bytes."""
_NS_PER_MS = 1_000_000
_PATIENCE_S = 10.0
_BETWEEN_LOOKS_S = 0.02


def _watched(found: list[Connection], counter: str) -> Connection | None:
    """Return the connection with the highest counter; none without connections."""
    known = [connection for connection in found if counter in connection.info]
    return max(known, key=lambda connection: connection.info[counter], default=None)


class Source:
    """Runs the client, with the interface of ``hosts.Host``.

    Attributes:
        record: samples of the connection.
        problem: error of the connection; empty without an error.
    """

    def __init__(
        self, loop: Loop, starts_at: int, target: tuple[str, int], options: Options
    ) -> None:
        """Create a client that has not begun.

        Args:
            loop: event loop.
            starts_at: time from the start of the run, ns.
            target: address and port of the server.
            options: options of the sockets.
        """
        self._loop, self._starts_at, self._target = loop, starts_at, target
        self._options = options
        self._client: subprocess.Popen[bytes] | None = None
        self._start = 0
        self._opened: int | None = None
        self._info: dict[str, int] = {}
        self._congestion = ""
        self.record = Record()
        self.problem = ""

    def begin(self, start: int) -> None:
        """The run begins then, monotonic, ns."""
        self._start = start
        self._loop.at(start + self._starts_at, self._open)

    def sample(self) -> None:
        """Record the current window."""
        if self._record_sample():
            self.record.note(time.monotonic_ns() - self._start, 0, self._info)

    def standing(self) -> dict[str, Any]:
        """Return the counters so far; times in ns from the start of the run."""
        self._record_sample()
        has_begun = self._opened is not None
        return {
            "written": ENDLESS * has_begun,
            "writes": int(has_begun),
            "opened": self._opened,
            "first_timeouts": self.record.first_timeouts,
            "first_rto_us": self.record.first_rto_us,
            "info": self._info,
            "congestion": self._congestion,
        }

    def _open(self) -> None:
        """Start the client."""
        address, port = self._target
        where = ["-c", address, "-p", str(port)]
        command = [PROGRAM, *where, "-C", self._options.congestion, "-t", str(_LONG_S)]
        if self._options.nodelay:
            command.append("--no-delay")
        self._opened = time.monotonic_ns() - self._start
        # Standard output is the launcher's.
        self._client = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def _record_sample(self) -> bool:
        """Record the kernel's report on the connection; return whether there is one."""
        _, port = self._target
        its = [connection for connection in connections() if connection.remote == port]
        watched = _watched(its, "bytes_sent")
        # The control connection may be the only one left, but is not the transfer's.
        if watched and watched.info["bytes_sent"] >= self._info.get("bytes_sent", 0):
            self._info, self._congestion = watched.info, watched.congestion
        if not its and self._client and self._client.poll():
            self.problem = f"iperf3 has ended with exit code {self._client.returncode}"
        return watched is not None


class Sink:
    """Runs the server for one test, with the interface of ``hosts.Host``."""

    def __init__(self, address: tuple[str, int]) -> None:
        host, port = address
        self._port = port
        self._start = 0
        self._delivered = 0
        self._last: int | None = None
        self.problem = ""
        command = [PROGRAM, "-s", "-1", "-B", host, "-p", str(port)]
        self._server = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + _PATIENCE_S
        while not listens(port):
            if self._server.poll() is not None or time.monotonic() > end:
                raise OSError("iperf3 does not listen")
            time.sleep(_BETWEEN_LOOKS_S)

    def begin(self, start: int) -> None:
        """The run begins then, monotonic, ns."""
        self._start = start

    def sample(self) -> None:
        """Record the received bytes, in case the connection ends before the next sample."""
        its = [connection for connection in connections() if connection.local == self._port]
        watched = _watched(its, "bytes_received")
        info = watched.info if watched else {}
        received = info.get("bytes_received", 0)
        if received > self._delivered:
            self._delivered = received
            now = time.monotonic_ns() - self._start
            self._last = now - info["last_data_recv"] * _NS_PER_MS

    def standing(self) -> dict[str, Any]:
        """Return the received bytes without the cookie; times in ns from the start."""
        self.sample()
        delivered = max(self._delivered - _COOKIE_BYTES, 0)
        return {"delivered": delivered, "opened": None, "last": self._last}
