"""The state of the lab that repeats a run of a campaign."""

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
"""Largest number of points of a sweep that the lab opens whole; else it opens one point."""


class Found(NamedTuple):
    """The point of a run, in the scenario that the lab opens.

    Attributes:
        text: text of the scenario.
        sets: texts ``key=value`` that change the scenario.
        point: number of the point in the sweep.
    """

    text: str
    sets: tuple[str, ...]
    point: Point


def state(campaign: Campaign, point: int, replication: int) -> dict[str, Any]:
    """Return the state of the lab that repeats a run, and a note if the run may differ.

    Raises:
        InputError: the text of the scenario was not kept, or the point no longer exists.
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
    """Find the point of a campaign's runs in the campaign's own scenario.

    Args:
        campaign: campaign, possibly with only some points of the scenario.
        point: number of the point in its design.

    Raises:
        InputError: the text of the scenario was not kept, or the point no longer exists.
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
    """Find the point of a buffer of a search, whose answer has the size as text."""
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
    # The scenario of a campaign must not change after its first run; the folder has its files.
    with caught():
        return load(read_text(SCENARIO, text, folder), sets)


def _levels(point: Point) -> dict[str, Any]:
    """Return the levels of a point in the form of a design."""
    levels: dict[str, Any] = json.loads(as_json(dict(point.levels)))
    return levels


def _note(campaign: Campaign, point: int, its: Point) -> str | None:
    """Return a note if the lab's run may differ; else none."""
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
