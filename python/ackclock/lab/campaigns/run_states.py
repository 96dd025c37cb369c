"""The state of the lab that gives a run of a campaign again."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ackclock import __version__
from ackclock.campaign import Campaign
from ackclock.campaign.design import text_hash
from ackclock.campaign.journal import as_json
from ackclock.campaign.store import SCENARIO
from ackclock.errors import InputError
from ackclock.lab.campaigns.folders import caught
from ackclock.lab.campaigns.pinned_scenario import pinned
from ackclock.results.emulated import is_emulated
from ackclock.scenario import Point, Scenario, load
from ackclock.scenario.document import read_text
from ackclock.scenario.plan import canonical_json
from ackclock.sizing.rendering import FILE as SIZING

_MOST_POINTS = 100
"""Of a sweep that the lab opens as a whole; of a larger one it opens the point alone."""


class Found(NamedTuple):
    """The point of a run, in the scenario that the lab opens.

    Attributes:
        text: of the scenario.
        sets: texts ``key=value``.
        point: of its sweep.
    """

    text: str
    sets: tuple[str, ...]
    point: Point


def state(campaign: Campaign, point: int, replication: int) -> dict[str, Any]:
    """The state of the lab that gives a run again, and a note if it may give another.

    Raises:
        InputError: the text of the scenario was not kept, or it has no such point any more.
    """
    its = found(campaign, point)
    return {
        "scenario": None,
        "source": its.text,
        "sets": list(its.sets),
        "point": its.point.number,
        "replication": replication,
        "note": _note(campaign, point, its.point),
    }


def found(campaign: Campaign, point: int) -> Found:
    """The point of a campaign's runs, in the scenario that it has kept.

    Args:
        campaign: of which perhaps only some points of the scenario were run.
        point: number of the point in its design.

    Raises:
        InputError: the text of the scenario was not kept, or it has no such point any more.
    """
    if not campaign.text.strip():
        raise InputError(f"{campaign.folder.name}: the text of its scenario was not kept")
    levels, text = campaign.design.points[point].levels, campaign.text + "\n"
    sets, folder = campaign.design.sets, campaign.folder
    its = _loaded(text, sets, folder)
    points = its.points()
    match = next((each for each in points if _levels(each) == levels), None)
    if match is None:
        return _of_a_search(campaign, text, levels)
    if len(points) <= _MOST_POINTS:
        return Found(text, sets, match)
    alone = pinned(match, sets)
    return Found(text, alone, _loaded(text, alone, folder).points()[0])


def _of_a_search(campaign: Campaign, text: str, levels: dict[str, Any]) -> Found:
    """The point of a buffer that was searched for: its answer has it as it is written."""
    unknown = InputError(
        f"{campaign.folder.name}: its scenario has no point {json.dumps(levels)}; the lab cannot"
        " make this run"
    )
    try:
        answer = json.loads((campaign.folder / f"{SIZING}.json").read_bytes())
        key = answer["key"]
        others = answer["other_factors"]
        buffers = {probe["number"]: probe["buffer"] for probe in answer["probes"]}
        (buffer,) = (buffers[level] for name, level in levels.items() if name not in others)
    except (OSError, ValueError, KeyError, TypeError):
        raise unknown from None
    sets, folder = campaign.design.sets, campaign.folder
    point = next(
        each
        for each in _loaded(text, sets, folder).points()
        if all(_levels(each).get(name) == level for name, level in others.items())
    )
    alone = pinned(point, sets, {key: [buffer]})
    return Found(text, alone, _loaded(text, alone, folder).points()[0])


@lru_cache(maxsize=8)
def _loaded(text: str, sets: tuple[str, ...], folder: Path) -> Scenario:
    # Nobody changes the scenario of a campaign that has been run. It has the files that it names.
    with caught():
        return load(read_text(SCENARIO, text, folder), sets)


def _levels(point: Point) -> dict[str, Any]:
    """The levels of a point as a design has them."""
    levels: dict[str, Any] = json.loads(as_json(dict(point.levels)))
    return levels


def _note(campaign: Campaign, point: int, its: Point) -> str | None:
    """What to say if the lab may give another run."""
    design = campaign.design
    if is_emulated(campaign):
        return "This run was emulated, with the TCP of a kernel; the lab simulates it."
    plan = text_hash(canonical_json(its.compile().without_probes()))
    if plan == design.points[point].plan:
        return None
    if design.version != __version__:
        return (
            f"Version {design.version} made this run, and version {__version__} compiles the"
            " scenario to another plan; its numbers may differ."
        )
    return "The scenario now compiles to another plan than when this run was made."
