"""``POST /api/run``: a run as a stream of frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ackclock.errors import InputError
from ackclock.lab.endpoints import FRAMES, NOT_THERE, NotThereError, body, problems
from ackclock.lab.runs.live_run import Kept, LiveRun, begun
from ackclock.lab.settings import Settings
from ackclock.lab.slots import Slots, Turn
from ackclock.lab.states.state import whole

_LONGEST_SLOT = 64
_SUPERSEDED = 204


def routes(settings: Settings, limiter: CapacityLimiter) -> list[Route]:
    """Return the route, with its slots and its cache of runs."""
    slots, kept = Slots(), Kept()

    async def run(request: Request) -> Response:
        try:
            asked = body(await request.body())
            slot, order = _place(asked)
            turn = slots.turn(slot, order)
            if turn is None:
                return Response(status_code=_SUPERSEDED)

            def begin() -> LiveRun | None:
                return None if turn.is_over else begun(settings, asked, turn, kept)

            watched = await to_thread.run_sync(begin, limiter=limiter)
        except InputError as error:
            return problems(error)
        except NotThereError as error:
            return problems(error, NOT_THERE)
        if watched is None:
            return Response(status_code=_SUPERSEDED)
        return _Frames(watched, turn, limiter)

    return [Route("/api/run", run, methods=["POST"])]


def _place(asked: Mapping[str, Any]) -> tuple[str, int]:
    """Return slot and order of a request."""
    wrong: list[str] = []
    slot = asked.get("slot", "A")
    if not isinstance(slot, str) or len(slot) > _LONGEST_SLOT:
        wrong.append(f"slot: expected a text of at most {_LONGEST_SLOT} characters")
    order = whole(asked, "order", 0, 2**53, wrong)
    if wrong:
        raise InputError(wrong)
    return slot, order


class _Frames(Response):
    """A response with frames, until the last one or until the client disconnects."""

    def __init__(self, watched: LiveRun, turn: Turn, limiter: CapacityLimiter) -> None:
        """Create the response.

        Args:
            watched: live run that makes the frames, in a thread.
            turn: turn that ends when the client disconnects.
            limiter: limiter of the threads.
        """
        super().__init__(media_type=FRAMES)
        self._watched, self._turn, self._limiter = watched, turn, limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the frames."""

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            self._turn.end()

        try:
            async with anyio.create_task_group() as group:
                group.start_soon(watch)
                await self._send(send)
                group.cancel_scope.cancel()
        finally:
            self._turn.end()

    async def _send(self, send: Send) -> None:
        content = await self._next()
        if content is None:
            await send({"type": "http.response.start", "status": _SUPERSEDED, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        headers = [(b"content-type", FRAMES.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        while content is not None:
            await send({"type": "http.response.body", "body": content, "more_body": True})
            content = await self._next()
        await send({"type": "http.response.body", "body": b""})

    async def _next(self) -> bytes | None:
        if self._watched.is_over:
            return None
        return await to_thread.run_sync(self._watched.next, limiter=self._limiter)
