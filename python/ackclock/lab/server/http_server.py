"""The server: listens on this computer only, and ends at Ctrl-C."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import uvicorn

from ackclock.campaign.processors import processors
from ackclock.errors import InputError
from ackclock.lab.server.app import create
from ackclock.lab.settings import Settings
from ackclock.lab.slots import end_all

HOST = "127.0.0.1"
_TOKEN_BYTES = 24
_BACKLOG = 128
_GRACE_S = 0.5
"""Real time, s, in which running responses may end after Ctrl-C."""


def serve(folder: Path, port: int, opened: Callable[[str], None], route: str = "") -> None:
    """Serve until Ctrl-C.

    Args:
        folder: folder of the user's scenarios.
        port: port of 127.0.0.1; 0 for a free port.
        opened: called with the address of the page when the server listens.
        route: first route of the page; empty for the start page.

    Raises:
        InputError: the port is in use, or may not be used.
    """
    with listening(port) as listener:
        settings = Settings(folder, token(), listener.getsockname()[1], processors())
        server = _Server(config(settings))
        logging.getLogger("uvicorn.error").addFilter(_is_shown)
        server.opened = lambda: opened(address(settings, route))
        server.run([listener])


def token() -> str:
    """Return a new secret of 192 bits."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def address(settings: Settings, route: str = "") -> str:
    """Return the address of the page; browsers do not send the part after #, so no log has it."""
    to = f"&to={quote(route)}" if route else ""
    return f"http://{HOST}:{settings.port}/#token={settings.token}{to}"


def config(settings: Settings) -> uvicorn.Config:
    """Return the configuration of uvicorn."""
    return uvicorn.Config(
        create(settings),
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        ws="none",
        lifespan="off",
        http="h11",
        timeout_graceful_shutdown=_GRACE_S,
        # There are no proxies: headers must not override the address of a client.
        proxy_headers=False,
    )


class _Server(uvicorn.Server):
    """A server that calls a function when it listens."""

    opened: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        self.opened()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the running runs, then shut down."""
        end_all()
        await super().shutdown(sockets)


def _is_shown(record: logging.LogRecord) -> bool:
    """Return whether to show a line of uvicorn's log: not about streams cut by Ctrl-C."""
    error = record.exc_info[1] if record.exc_info else None
    is_cut = "timeout graceful shutdown exceeded" in record.getMessage()
    return not is_cut and not isinstance(error, asyncio.CancelledError)


def listening(port: int) -> socket.socket:
    """Return a socket that listens on this computer only; port 0 selects a free port.

    Raises:
        InputError: the port is in use, or may not be used.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise InputError(
            f"--port {port}: cannot be used ({error.strerror}); another program may use it; name"
            f" another port, for example --port {_another(port)}"
        ) from None
    return listener


def _another(port: int) -> int:
    """Return a free port close to a port in use."""
    for near in range(port + 1, min(port + 50, 65_536)):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            try:
                probe.bind((HOST, near))
            except OSError:
                continue
            return near
    return 0
