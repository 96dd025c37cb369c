"""``GET /api/scenarios``: the available scenarios."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from typing import Any

from starlette.routing import Route

from ackclock.errors import InputError
from ackclock.lab.endpoints import parameters_endpoint
from ackclock.lab.settings import Settings
from ackclock.lab.states import catalog
from ackclock.lab.states.catalog import Entry
from ackclock.lab.states.sliders import sliders
from ackclock.lab.states.state import State
from ackclock.scenario.compile.groups import groups
from ackclock.scenario.compile.network import PS_PER_S

_KEPT = 1000
"""Number of files that are cached until they change."""


def routes(settings: Settings) -> list[Route]:
    """Return the routes of the list and of a single scenario."""
    return [
        Route("/api/scenarios", parameters_endpoint(lambda: listed(settings))),
        Route("/api/scenarios/{name:path}", parameters_endpoint(lambda name: one(settings, name))),
    ]


def listed(settings: Settings) -> list[dict[str, Any]]:
    """Return all scenarios; for one with errors only the title."""
    found = [
        _described(settings, each, each.changed) for each in catalog.entries(settings).values()
    ]
    return [each for each in found if each is not None]


def one(settings: Settings, name: str) -> dict[str, Any]:
    """Return a scenario with its text and its sliders.

    Raises:
        NotThereError: no scenario has this id.
    """
    entry = catalog.entry(settings, name)
    described = _described(settings, entry, entry.changed) or {
        "id": entry.id,
        "folder": entry.folder,
    }
    try:
        found = sliders(State(scenario=name).load_point(settings))
    except InputError:
        found = []
    return {**described, "text": entry.text, "sliders": found}


@lru_cache(_KEPT)
def _described(settings: Settings, entry: Entry, changed: float) -> dict[str, Any] | None:
    """Return the description of a file; none for TOML files that are not scenarios.

    Args:
        settings: settings of the server.
        entry: entry of the file.
        changed: time of the file's last change, as a key of the cache.
    """
    try:
        text = entry.text
        tables = tomllib.loads(text)
    except (InputError, tomllib.TOMLDecodeError, RecursionError):
        return None
    if "topology" not in tables:
        return None
    see = catalog.see(text)
    described = {
        "id": entry.id,
        "title": str(tables.get("title") or entry.id),
        "description": str(tables.get("description") or ""),
        "folder": entry.folder,
        "see": see.text,
        "commands": see.commands,
        "flows": None,
        "duration_s": None,
    }
    try:
        scenario = State(scenario=entry.id).load_point(settings).scenario
    except InputError:
        return described
    flows = sum(group.count for group in groups(scenario))
    return {**described, "flows": flows, "duration_s": scenario.duration / PS_PER_S}
