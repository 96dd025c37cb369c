"""HTTP messages with the lengths in a plan (RFC 9112), so that a capture shows the requests.

The content of a response is zeros. A message that is too short for its header is all zeros.
"""

from __future__ import annotations

from collections.abc import Callable

Head = Callable[[int, int], bytes]
"""Returns the header of a message, from its length and the number of its connection."""


def request(version: str) -> Head:
    """Return the function for requests in an HTTP version such as "1.1"."""

    def head(size: int, connection: int) -> bytes:
        begins = f"GET /{connection} HTTP/{version}\r\nHost: server\r\nX-Filler: "
        ends = "\r\n\r\n"
        room = size - len(begins) - len(ends)
        return b"" if room < 0 else f"{begins}{'x' * room}{ends}".encode()

    return head


def response(version: str) -> Head:
    """Return the function for responses in an HTTP version."""

    def head(size: int, _: int) -> bytes:
        digits = len(str(size))
        begins = f"HTTP/{version} 200 OK\r\nContent-Type: application/octet-stream\r\n"
        length = size - len(begins) - len("Content-Length: \r\n\r\n") - digits
        if length < 0:
            return b""
        # Leading zeros keep the length of the header constant.
        return f"{begins}Content-Length: {length:0{digits}}\r\n\r\n".encode()

    return head


def nothing(size: int, connection: int) -> bytes:
    """Return no header, for data that are not HTTP messages."""
    del size, connection
    return b""
