"""Messages between the supervisor and its children: one JSON object a line."""

from __future__ import annotations

import json
import socket
from typing import Any, Self


class ClosedError(Exception):
    """The other end has gone."""


class Channel:
    """One end; ``pair`` makes both.

    Attributes:
        descriptor: a file descriptor that has come with a message.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._rest = b""
        self.descriptor = -1

    @classmethod
    def pair(cls) -> tuple[Self, Self]:
        """Two ends."""
        left, right = socket.socketpair()
        return cls(left), cls(right)

    def fileno(self) -> int:
        """To wait for."""
        return self._socket.fileno()

    def send(self, message: dict[str, Any], descriptor: int | None = None) -> None:
        """Send a message, and a file descriptor with it.

        Raises:
            ClosedError: the other end has gone.
        """
        line = json.dumps(message).encode() + b"\n"
        try:
            if descriptor is not None:
                sent = socket.send_fds(self._socket, [line], [descriptor])
                line = line[sent:]
            self._socket.sendall(line)
        except BrokenPipeError:
            raise ClosedError from None

    def receive(self) -> dict[str, Any]:
        """The next message; waits for it.

        Raises:
            ClosedError: there is none any more.
        """
        while b"\n" not in self._rest:
            try:
                more, descriptors, _, _ = socket.recv_fds(self._socket, 1 << 16, 1)
                self.descriptor = descriptors[0] if descriptors else self.descriptor
            except ConnectionResetError:
                more = b""
            if not more:
                raise ClosedError
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)

    def close(self) -> None:
        """Let go of it."""
        self._socket.close()
