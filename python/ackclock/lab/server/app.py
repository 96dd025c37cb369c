"""The web application: a table of routes behind the guard.

The page's files are a fixed table of names, not a folder.
"""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from anyio import CapacityLimiter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from ackclock import __version__
from ackclock.lab.bundle import FOLDER
from ackclock.lab.endpoints import NOT_THERE, body_endpoint, failed, parameters_endpoint, problems
from ackclock.lab.lessons import lesson_files
from ackclock.lab.runs import detail, export, stream
from ackclock.lab.server import folder_routes
from ackclock.lab.server.guard import Guard
from ackclock.lab.settings import Settings, limits
from ackclock.lab.states import scenarios
from ackclock.lab.states.check import checked
from ackclock.scenario.model.queues import DISCIPLINES
from ackclock.scenario.model.tcp import FLAVORS
from ackclock.scenario.plan import SCHEMA
from ackclock.scenario.schema import json_schema

_INDEX = "index.html"
_TYPES = {
    _INDEX: "text/html; charset=utf-8",
    "lab.js": "text/javascript; charset=utf-8",
    "lab.css": "text/css; charset=utf-8",
    "THIRD-PARTY.txt": "text/plain; charset=utf-8",
}


def create(settings: Settings) -> ASGIApp:
    """Create the application of a server."""
    limiter = CapacityLimiter(settings.runs_at_once)
    routes = [
        *static_routes(),
        Route("/api/about", parameters_endpoint(lambda: about(settings))),
        Route("/api/schema", parameters_endpoint(json_schema)),
        *scenarios.routes(settings),
        Route("/api/check", body_endpoint(partial(checked, settings)), methods=["POST"]),
        *stream.routes(settings, limiter),
        *detail.routes(settings, limiter),
        *export.routes(settings, limiter),
        *folder_routes.routes(settings),
        *lesson_files.routes(settings),
    ]
    handlers: dict[Any, Any] = {HTTPException: failed, Exception: failed}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), settings)


def about(settings: Settings) -> dict[str, Any]:
    """Return the description of the server for the page."""
    return {
        "version": __version__,
        "schema": SCHEMA,
        "processors": settings.processors,
        "flavors": [{"name": name, "summary": summary} for name, summary in FLAVORS.items()],
        "queues": [{"name": each.name, "title": each.title} for each in DISCIPLINES.values()],
        "folder": os.path.basename(settings.folder.resolve()),
        "limits": limits(),
    }


def static_routes() -> list[Route]:
    """Return the routes of the page and its files."""
    return [Route("/", _page), Route("/static/{name}", _file)]


def _page(request: Request) -> Response:
    return _answer(_INDEX)


def _file(request: Request) -> Response:
    return _answer(request.path_params["name"])


def _answer(name: str) -> Response:
    if name not in _TYPES:
        return problems(Exception(f"the files of the page are {', '.join(_TYPES)}"), NOT_THERE)
    try:
        content = (FOLDER / name).read_bytes()
    except OSError:
        return problems(Exception("the page is not built; write `make page`"), NOT_THERE)
    return Response(content, media_type=_TYPES[name])
