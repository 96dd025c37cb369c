"""The server: a socket on this computer only, and its end at Ctrl-C."""

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
"""Real time in which answers under way may end after Ctrl-C."""


def serve(folder: Path, port: int, opened: Callable[[str], None], route: str = "") -> None:
    """Answer until Ctrl-C.

    Args:
        folder: of the user's scenarios.
        port: of 127.0.0.1; 0 for one that is free.
        opened: called with the address of the page, once it can be opened.
        route: of the page, that it shows first; its start if it is empty.

    Raises:
        InputError: the port is taken, or may not be used.
    """
    with listening(port) as listener:
        settings = Settings(folder, token(), listener.getsockname()[1], processors())
        server = _Server(config(settings))
        logging.getLogger("uvicorn.error").addFilter(_is_told)
        server.opened = lambda: opened(address(settings, route))
        server.run([listener])


def token() -> str:
    """A new secret, of 192 bits."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def address(settings: Settings, route: str = "") -> str:
    """Where the page is; what is after the # is sent to no server and stands in no log."""
    to = f"&to={quote(route)}" if route else ""
    return f"http://{HOST}:{settings.port}/#token={settings.token}{to}"


def config(settings: Settings) -> uvicorn.Config:
    """How uvicorn serves the application."""
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
        # Proxies are none of ours: nobody may say from where a request comes.
        proxy_headers=False,
    )


class _Server(uvicorn.Server):
    """Calls somebody once it listens."""

    opened: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen."""
        await super().startup(sockets)
        self.opened()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the runs under way, and then answer no more."""
        end_all()
        await super().shutdown(sockets)


def _is_told(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn's log is for a person: not that a stream was cut at Ctrl-C."""
    error = record.exc_info[1] if record.exc_info else None
    is_cut = "timeout graceful shutdown exceeded" in record.getMessage()
    return not is_cut and not isinstance(error, asyncio.CancelledError)


def listening(port: int) -> socket.socket:
    """A socket on a port of this computer only; 0 for one that is free.

    Raises:
        InputError: the port is taken, or may not be used.
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
    """A port that nobody uses now, near to one that somebody does."""
    for near in range(port + 1, min(port + 50, 65_536)):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            try:
                probe.bind((HOST, near))
            except OSError:
                continue
            return near
    return 0
