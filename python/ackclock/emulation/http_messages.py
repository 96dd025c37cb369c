"""HTTP messages of the lengths in a plan (RFC 9112), so that a capture shows the requests.

A message too short for its header is zeros, as is the content of a response.
"""

from __future__ import annotations

from collections.abc import Callable

Head = Callable[[int, int], bytes]
"""How a message begins, from its length and the number of its connection."""


def request(version: str) -> Head:
    """Requests of a client that speaks HTTP in this version, such as "1.1"."""

    def head(size: int, connection: int) -> bytes:
        begins = f"GET /{connection} HTTP/{version}\r\nHost: server\r\nX-Filler: "
        ends = "\r\n\r\n"
        room = size - len(begins) - len(ends)
        return b"" if room < 0 else f"{begins}{'x' * room}{ends}".encode()

    return head


def response(version: str) -> Head:
    """Responses of a server that speaks HTTP in this version."""

    def head(size: int, _: int) -> bytes:
        digits = len(str(size))
        begins = f"HTTP/{version} 200 OK\r\nContent-Type: application/octet-stream\r\n"
        length = size - len(begins) - len("Content-Length: \r\n\r\n") - digits
        if length < 0:
            return b""
        # Zeros in front keep the header as long as it was counted.
        return f"{begins}Content-Length: {length:0{digits}}\r\n\r\n".encode()

    return head


def nothing(size: int, connection: int) -> bytes:
    """Of what is no message."""
    del size, connection
    return b""
