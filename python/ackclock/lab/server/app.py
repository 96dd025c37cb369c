"""The application: its table of routes, behind the guard."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from anyio import CapacityLimiter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp

from ackclock import __version__
from ackclock.lab.endpoints import body_endpoint, failed, parameters_endpoint
from ackclock.lab.lessons import lesson_files
from ackclock.lab.runs import detail, export, stream
from ackclock.lab.server import folder_routes, static
from ackclock.lab.server.guard import Guard
from ackclock.lab.settings import Settings, limits
from ackclock.lab.states import scenarios
from ackclock.lab.states.check import checked
from ackclock.scenario.model.queues import DISCIPLINES
from ackclock.scenario.model.tcp import FLAVORS
from ackclock.scenario.plan import SCHEMA
from ackclock.scenario.schema import json_schema


def create(settings: Settings) -> ASGIApp:
    """The application of a server."""
    limiter = CapacityLimiter(settings.runs_at_once)
    routes = [
        *static.routes(),
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
    """What there is, for the page."""
    return {
        "version": __version__,
        "schema": SCHEMA,
        "processors": settings.processors,
        "flavors": [{"name": name, "summary": summary} for name, summary in FLAVORS.items()],
        "queues": [{"name": each.name, "title": each.title} for each in DISCIPLINES.values()],
        "folder": os.path.basename(settings.folder.resolve()),
        "limits": limits(),
    }
