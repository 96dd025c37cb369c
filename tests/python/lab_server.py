"""A server of the lab in a thread, and what tests ask it."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import httpx
import uvicorn

from ackclock.lab import frame
from ackclock.lab.server import http_server
from ackclock.lab.settings import Settings

TOKEN = "a-token-of-the-tests"
SMALL = """
title = "Two transfers"
duration = "4 s"
[topology]
kind = "dumbbell"
pairs = 2
[topology.bottleneck]
rate = "10 Mbit/s"
delay = "20 ms"
queue = { limit = "1 rtt" }
"""
"""A scenario whose run takes a few milliseconds."""
LONG = SMALL.replace('"4 s"', '"150 s"').replace('"10 Mbit/s"', '"1 Gbit/s"')
"""One whose run takes seconds: 12.5 million segments."""


class Answer(NamedTuple):
    """An answer as it came.

    Attributes:
        status: its number.
        headers: names in lower case.
        body: all of it.
    """

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def messages(self) -> list[str]:
        """What is wrong, in words."""
        return [each["message"] for each in json.loads(self.body)["problems"]]


class Lab:
    """A server that runs, and a client with its token."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.client = httpx.Client(
            base_url=f"http://127.0.0.1:{settings.port}",
            headers={"Authorization": f"Bearer {settings.token}"},
            timeout=60,
        )

    def get(self, path: str, status: int = 200) -> Any:
        """The JSON of an answer with this status."""
        return self._json(self.client.get(f"/api/{path}"), status)

    def post(self, path: str, body: Any, status: int = 200) -> Any:
        """The JSON of an answer with this status."""
        return self._json(self.client.post(f"/api/{path}", json=body), status)

    def frames(self, path: str, body: Any) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """The frames of an answer."""
        response = self.client.post(f"/api/{path}", json=body)
        assert response.status_code == 200, response.text
        return frame.read(response.content)

    def messages(self, path: str, body: Any, status: int = 422) -> str:
        """What is wrong with a body, in lines."""
        return "\n".join(each["message"] for each in self.post(path, body, status)["problems"])

    def raw(self, head: str, body: bytes = b"") -> Answer:
        """The answer to bytes; PORT and TOKEN in the head stand for those of this server."""
        text = head.replace("PORT", str(self.settings.port)).replace("TOKEN", self.settings.token)
        with socket.create_connection(("127.0.0.1", self.settings.port), timeout=30) as connection:
            lines = f"{text}\nConnection: close\n\n".replace("\n", "\r\n")
            connection.sendall(lines.encode("latin-1") + body)
            answer = b""
            while part := connection.recv(65536):
                answer += part
        above, _, content = answer.partition(b"\r\n\r\n")
        lines = above.decode("latin-1").split("\r\n")
        headers = (line.split(": ", 1) for line in lines[1:])
        return Answer(
            int(lines[0].split()[1]), {name.lower(): value for name, value in headers}, content
        )

    @staticmethod
    def _json(response: httpx.Response, status: int) -> Any:
        assert response.status_code == status, response.text
        return response.json()


@contextmanager
def running(folder: Path, port: int = 0, token: str = TOKEN) -> Iterator[Lab]:
    """A server of the scenarios in a folder, until the end of the block; 0: any free port."""
    with http_server.listening(port) as listener:
        settings = Settings(folder, token, listener.getsockname()[1], processors=3)
        server = uvicorn.Server(http_server.config(settings))
        thread = Thread(target=server.run, args=([listener],))
        thread.start()
        lab = Lab(settings)
        try:
            yield lab
        finally:
            lab.client.close()
            server.should_exit = True
            thread.join(10)
            assert not thread.is_alive(), "the server did not end"
