"""Responses of the server: JSON, frames, and errors in a request."""

from __future__ import annotations

import json
from collections.abc import Callable
from inspect import signature
from typing import Any

from anyio import CapacityLimiter, create_task_group, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ackclock.errors import InputError
from ackclock.lab.errors import NotThereError, described
from ackclock.lab.slots import Turn

FRAMES = "application/octet-stream"
WRONG = 422
NOT_THERE = 404


def problems(error: InputError | Exception, status: int = WRONG) -> Response:
    """Return the response for an error, with keys and lines."""
    messages = error.messages if isinstance(error, InputError) else [str(error)]
    return JSONResponse({"problems": described(messages)}, status)


def parameters_endpoint(answer: Callable[..., Any]) -> Callable[[Request], Any]:
    """Return the endpoint for a function of the path and query parameters, as texts.

    Args:
        answer: returns a value for JSON, or a response; raises ``InputError`` or
            ``NotThereError``. It runs in a thread. Query parameters that it does not have are
            left out, unless it accepts any.
    """
    takes = signature(answer).parameters
    takes_any = any(each.kind is each.VAR_KEYWORD for each in takes.values())

    async def endpoint(request: Request) -> Response:
        query = {key: its for key, its in request.query_params.items() if takes_any or key in takes}
        return await _answered(lambda: answer(**{**query, **request.path_params}))

    return endpoint


def body_endpoint(answer: Callable[[dict[str, Any]], Any]) -> Callable[[Request], Any]:
    """Return the endpoint for a function of a body; otherwise as ``parameters_endpoint``."""

    async def endpoint(request: Request) -> Response:
        text = await request.body()
        return await _answered(lambda: answer(body(text)))

    return endpoint


def simulation_endpoint(
    answer: Callable[[dict[str, Any], Turn], Any], limiter: CapacityLimiter
) -> Callable[[Request], Any]:
    """Return the endpoint for a function that simulates; otherwise as ``body_endpoint``.

    Args:
        answer: function of a body and a turn; the turn ends when the client has disconnected.
        limiter: limiter of the threads that simulate.
    """

    async def endpoint(request: Request) -> Response:
        text, turn = await request.body(), Turn()

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            turn.end()

        try:
            async with create_task_group() as group:
                group.start_soon(watch)
                response = await _answered(lambda: answer(body(text), turn), limiter)
                group.cancel_scope.cancel()
        finally:
            # Also at the end of the server, which a simulating thread would delay.
            turn.end()
        return response

    return endpoint


async def _answered(answer: Callable[[], Any], limiter: CapacityLimiter | None = None) -> Response:
    try:
        made = await to_thread.run_sync(answer, limiter=limiter)
    except InputError as error:
        return problems(error)
    except NotThereError as error:
        return problems(error, NOT_THERE)
    return made if isinstance(made, Response) else JSONResponse(made)


def body(text: bytes) -> dict[str, Any]:
    """Parse a body as a JSON object.

    Raises:
        InputError: the body is not a JSON object.
    """
    try:
        found = json.loads(text or b"{}")
    except (ValueError, RecursionError) as error:
        raise InputError(f"the body is not JSON ({error}); send an object") from None
    if not isinstance(found, dict):
        raise InputError('the body is not an object; send one, like {"scenario": "red"}')
    return found


def frames(content: bytes) -> Response:
    """Return the response with one frame or several."""
    return Response(content, media_type=FRAMES)


async def failed(request: Request, error: Exception) -> Response:
    """Return the response for an unhandled error: a status and a sentence."""
    if isinstance(error, HTTPException):
        return problems(Exception(error.detail), error.status_code)
    return problems(Exception("the server failed; its terminal shows the error"), 500)
