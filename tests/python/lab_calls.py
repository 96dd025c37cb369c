"""Calls of the lab's server, without a socket."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from ackclock.lab.server.app import create
from ackclock.lab.settings import Settings

HOST = "127.0.0.1"
TEXT = """
title = "A short transfer"
duration = "2 s"
metrics = ["goodput_bit_s", "drops"]

[topology]
kind = "dumbbell"
access = { rate = "100 Mbit/s", delay = "1 ms" }

[topology.bottleneck]
rate = "4 Mbit/s"
delay = "10 ms"
queue = { limit = "20 packets" }

[workload]
kind = "bulk"
start_spread = "200 ms"
"""
"""A scenario of short runs, in which something is random."""


def settings_of(folder: Path, port: int = 8737) -> Settings:
    """Of a server that nobody has begun."""
    return Settings(folder, "secret", port, 2)


def call(
    settings: Settings,
    method: str,
    path: str,
    json: Any = None,
    *,
    token: str | None = "secret",
) -> httpx.Response:
    """What a server answers to somebody who knows the token, or to whom it gave none."""

    async def called() -> httpx.Response:
        transport = httpx.ASGITransport(create(settings))
        base = f"http://{HOST}:{settings.port}"
        async with httpx.AsyncClient(transport=transport, base_url=base) as client:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            return await client.request(method, path, json=json, headers=headers, timeout=120)

    return asyncio.run(called())


def problem(response: httpx.Response) -> str:
    """The messages of an answer that tells what is wrong."""
    return " ".join(each["message"] for each in response.json()["problems"])


def until(holds: Callable[[], Any], seconds: float = 90.0) -> Any:
    """What a function returns once that is true."""
    end = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < end, "this takes too long"
        time.sleep(0.05)
    return found
