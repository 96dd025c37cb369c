"""Description of a state without a run: the response of ``POST /api/check``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ackclock.errors import InputError
from ackclock.lab.errors import described
from ackclock.lab.settings import Settings
from ackclock.lab.states.cost import REFUSED, cost_of
from ackclock.lab.states.path import NOTHING, path
from ackclock.lab.states.sliders import sliders
from ackclock.lab.states.state import State
from ackclock.plurals import counted
from ackclock.scenario import Scenario, keys
from ackclock.scenario.compile.network import PS_PER_S
from ackclock.scenario.keys import Path
from ackclock.scenario.loading import OnePoint
from ackclock.scenario.model.base import Table
from ackclock.scenario.model.base import keys as keys_of
from ackclock.scenario.problems import brief
from ackclock.scenario.summary import simulated_time
from ackclock.scenario.summary_tables import summary_tables
from ackclock.scenario.sweep.factors import Level
from ackclock.scenario.values.kind import shown as shown_value

_APART = ("sweep", "figures", "files")
"""Tables that do not belong to a point."""
_QUOTE = '"'
_MOST_POINTS = 2000
"""Largest number of points whose levels are listed."""


def checked(settings: Settings, body: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a state, or its errors."""
    state = State.read(body)
    try:
        one = state.load_point(settings)
    except InputError as error:
        return {"ok": False, "problems": described(error.messages)}
    scenario = one.scenario
    shown = sliders(one)
    cost = cost_of(scenario)
    # A state with too many flows is refused at once, but keeps its sliders.
    is_refused = cost.verdict == REFUSED
    return {
        "ok": True,
        "problems": [],
        "title": scenario.title,
        "description": scenario.description,
        "one_line": _one_line(one),
        "duration_s": scenario.duration / PS_PER_S,
        "warm_up_s": scenario.warm_up / PS_PER_S,
        "factors": _factors(one),
        "points": _points(one),
        "point": state.point,
        "sliders": shown,
        "values": {each["key"]: {"value": each["value"], "text": each["text"]} for each in shown},
        "keys": keys_now(scenario),
        "path": NOTHING if is_refused else path(scenario),
        "tables": [
            {"title": each.title, "heads": each.heads, "rows": each.rows}
            for each in ([] if is_refused else summary_tables(one.point))
        ],
        "cost": cost._asdict(),
    }


def _one_line(one: OnePoint) -> str:
    """Return a line with the number of points and the content of this point."""
    points = counted(len(one.combinations), "point")
    return f"{points}, {simulated_time(one.scenario.duration)} of simulated time each"


def _factors(one: OnePoint) -> list[dict[str, Any]]:
    return [
        {"name": factor.name, "levels": _levels(one, at)} for at, factor in enumerate(one.factors)
    ]


def _levels(one: OnePoint, factor: int) -> list[str]:
    """Return the levels of a factor, in order of first appearance."""
    return list(dict.fromkeys(_text(each[factor]) for each in one.combinations))


def _points(one: OnePoint) -> list[dict[str, Any]]:
    """Return the number of each factor's level at each point."""
    numbers = [
        {text: number for number, text in enumerate(_levels(one, at))}
        for at in range(len(one.factors))
    ]
    return [
        {
            "number": number,
            "levels": [numbers[at][_text(level)] for at, level in enumerate(combination)],
        }
        for number, combination in enumerate(one.combinations[:_MOST_POINTS])
    ]


def _text(level: Level) -> str:
    """Return the name of a level, or the value of its key as written in a file."""
    if level.name is not None:
        return str(level.name)
    return ", ".join(brief(raw).strip(_QUOTE) for raw in level.values.values())


def keys_now(scenario: Scenario) -> list[dict[str, str]]:
    """Return keys and values of a scenario at a point, as written in a file."""
    return [{"key": keys.show(path), "text": text} for path, text in _values(scenario, ())]


def _values(table: Table, within: Path) -> Iterator[tuple[Path, str]]:
    for name, key in keys_of(type(table)).items():
        if name in _APART and not within:
            continue
        value, path = getattr(table, key.attribute), (*within, name)
        if isinstance(value, Table):
            yield from _values(value, path)
        elif key.many and key.tables:
            for at, each in enumerate(value or ()):
                yield from _values(each, (*path, at))
        elif key.kind is None:
            if isinstance(value, str):
                yield path, value
        elif isinstance(value, Mapping):
            yield from (((*path, each), shown_value(raw)) for each, raw in value.items())
        elif key.is_value(value):
            written = key.kind.write(value)
            yield path, written if isinstance(written, str) else shown_value(written)
