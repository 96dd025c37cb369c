"""Messages between the supervisor and its children: one JSON object per line."""

from __future__ import annotations

import json
import socket
from typing import Any, Self


class ClosedError(Exception):
    """The other end has closed the channel."""


class Channel:
    """One end of a channel; ``pair`` creates both ends.

    Attributes:
        descriptor: file descriptor received with a message.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._rest = b""
        self.descriptor = -1

    @classmethod
    def pair(cls) -> tuple[Self, Self]:
        """Return both ends of a new channel."""
        left, right = socket.socketpair()
        return cls(left), cls(right)

    def fileno(self) -> int:
        """Return the file descriptor, for use with select."""
        return self._socket.fileno()

    def send(self, message: dict[str, Any], descriptor: int | None = None) -> None:
        """Send a message, with an optional file descriptor.

        Raises:
            ClosedError: the other end is closed.
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
        """Wait for the next message and return it.

        Raises:
            ClosedError: the other end is closed, and no message is left.
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
        """Close this end."""
        self._socket.close()
