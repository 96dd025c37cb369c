"""What a state is, without a run: the answer of ``POST /api/check``."""

from __future__ import annotations

from typing import Any

from ackclock.errors import InputError
from ackclock.lab.errors import described
from ackclock.lab.settings import Settings
from ackclock.lab.states.cost import REFUSED, cost_of
from ackclock.lab.states.keys_now import keys_now
from ackclock.lab.states.path import NOTHING, path
from ackclock.lab.states.sliders import sliders
from ackclock.lab.states.state import State
from ackclock.plurals import counted
from ackclock.scenario.compile.network import PS_PER_S
from ackclock.scenario.loading import OnePoint
from ackclock.scenario.problems import brief
from ackclock.scenario.summary import simulated_time
from ackclock.scenario.summary_tables import summary_tables
from ackclock.scenario.sweep.factors import Level

_QUOTE = '"'
_MOST_POINTS = 2000
"""Whose levels are told."""


def checked(settings: Settings, body: dict[str, Any]) -> dict[str, Any]:
    """What a state is; of one that is wrong, what is wrong with it."""
    state = State.read(body)
    try:
        one = state.load_point(settings)
    except InputError as error:
        return {"ok": False, "problems": described(error.messages)}
    scenario = one.scenario
    shown = sliders(one)
    cost = cost_of(scenario)
    # Who is refused for a million flows wants to know it at once, and has sliders to go back.
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
    """How many points there are, and what is simulated at this one."""
    points = counted(len(one.combinations), "point")
    return f"{points}, {simulated_time(one.scenario.duration)} of simulated time each"


def _factors(one: OnePoint) -> list[dict[str, Any]]:
    return [
        {"name": factor.name, "levels": _levels(one, at)} for at, factor in enumerate(one.factors)
    ]


def _levels(one: OnePoint, factor: int) -> list[str]:
    """The levels of a factor, in the order in which points have them first."""
    return list(dict.fromkeys(_text(each[factor]) for each in one.combinations))


def _points(one: OnePoint) -> list[dict[str, Any]]:
    """The number of each factor's level at each point."""
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
    """A level by its name, or by the value of its key as it is written."""
    if level.name is not None:
        return str(level.name)
    return ", ".join(brief(raw).strip(_QUOTE) for raw in level.values.values())
