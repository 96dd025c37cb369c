"""Checks of every request, limits of its body, and headers of every response.

The server listens on this computer only. A page of another origin can still make a browser send
requests to it, and with DNS rebinding even read the responses. So Host, Origin and Sec-Fetch-Site
are checked for every path. The token keeps out other users of this computer.

The page shows reports in a frame. A frame cannot send the token, so the address of a report has a
seal, derived from the token and the id of the campaign. It opens only this report, and only while
this server runs.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ackclock.lab.endpoints import problems
from ackclock.lab.errors import NotThereError
from ackclock.lab.settings import MOST_BODY_BYTES, Settings

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Headers of every response, unless its route sets others."""
FRAMED: Mapping[str, str] = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
"""Headers of a report in a frame: only its own styles and pictures, no scripts, no requests, and
only the page may embed it."""
_MOST_READ_BYTES = 4_000_000
"""Bytes of a too large body that are still read, so that the client receives the response."""


class Guard:
    """Passes a request to an application, or refuses it."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Create a guard of an application."""
        self._app = app
        self._token = f"Bearer {settings.token}".encode()
        self._hosts = {f"{name}:{settings.port}" for name in ("127.0.0.1", "localhost")}
        if settings.port == 80:
            self._hosts |= {"127.0.0.1", "localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            # WebSockets are not supported; without a response they are refused.
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self._refused(scope)
        if refused is None:
            content = await _body(Headers(scope=scope), receive)
            if content is not None:
                await self._app(scope, _again(content, receive), send_with_headers)
                return
            refused = 413, f"a request may have {MOST_BODY_BYTES} bytes"
        status, why = refused
        await problems(Exception(why), status)(scope, receive, send_with_headers)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """Return the reason to refuse a request; none to accept it."""
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self._hosts]:
            return 403, "this server accepts requests to 127.0.0.1 and localhost with its port only"
        origins = headers.getlist("origin")
        if origins and origins not in [[f"http://{host}"] for host in self._hosts]:
            return 403, "this server accepts requests from its own page only"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403, "this server accepts requests from its own page only"
        given = headers.get("authorization", "").encode()
        if scope["path"].startswith("/api") and not hmac.compare_digest(given, self._token):
            return 401, "the token is missing or wrong; open the address that the terminal shows"
        return None


async def _body(headers: Headers, receive: Receive) -> bytes | None:
    """Return the body of a request; none if it is too large, even without Content-Length."""
    told = headers.get("content-length", "0")
    if not told.isdecimal() or int(told) > _MOST_READ_BYTES:
        return None
    content, length = bytearray(), 0
    while length <= _MOST_READ_BYTES:
        message = await receive()
        part = message.get("body", b"")
        length += len(part)
        if length <= MOST_BODY_BYTES:
            content += part
        if not message.get("more_body", False):
            break
    return bytes(content) if length <= MOST_BODY_BYTES else None


def _again(content: bytes, receive: Receive) -> Receive:
    """Return a receive function that first returns a given body, then later messages."""
    is_read = False

    async def received() -> Message:
        nonlocal is_read
        if is_read:
            return await receive()
        is_read = True
        return {"type": "http.request", "body": content, "more_body": False}

    return received


def seal(settings: Settings, name: str) -> str:
    """Return the seal that opens the report of a campaign in a frame."""
    return hmac.new(settings.token.encode(), f"report {name}".encode(), hashlib.sha256).hexdigest()


def check_seal(settings: Settings, name: str, given: str) -> None:
    """Check the seal of a campaign.

    Raises:
        NotThereError: the seal is wrong; the message is that for an unknown address, so that it
            does not disclose which campaigns exist.
    """
    if not hmac.compare_digest(seal(settings, name).encode(), given.encode()):
        raise NotThereError("page", "reports", ["/"])
