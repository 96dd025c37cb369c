"""The points of the published studies: the scenario behind each number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from statistics import fmean
from types import ModuleType
from typing import Any, NamedTuple

from ackclock.lab.campaigns.pinned_scenario import pinned
from ackclock.lab.states.cost import cost_of
from ackclock.plots.quantities import point_text
from ackclock.scenario import Point, Scenario

_MOST_COSTS = 50


class Behind(NamedTuple):
    """A point of a study.

    Attributes:
        part: of the study; empty if it has none.
        name: the study's named tuple of its levels.
        scenario: of the part.
        point: of its sweep.
    """

    part: str
    name: Any
    scenario: Scenario
    point: Point

    @property
    def title(self) -> str:
        """In words: "background: queue red, background 140"."""
        return ": ".join(filter(None, [self.part, point_text(self.point.levels)]))

    def state(self) -> dict[str, Any]:
        """The state of the lab that gives the study's own run.

        The seed is among the sets, and so is what the part changes of the study's file.
        """
        sets = pinned(self.point, self.scenario.sets)
        return {
            "scenario": None,
            "source": self.scenario.text,
            "sets": list(sets),
            "point": 0,
            "replication": 0,
        }


def module(package: str, name: str) -> ModuleType:
    """A module of a study."""
    return import_module(f"ackclock.studies.{package}.{name}")


@lru_cache
def points(package: str) -> tuple[Behind, ...]:
    """All points of a study with its defaults, part by part."""
    return tuple(_POINTS.get(package, _of_parts)(package))


@lru_cache
def numbers(package: str) -> Mapping[Any, int]:
    """The number of each point of a study, by its part and the study's named tuple."""
    return {(each.part, each.name): number for number, each in enumerate(points(package))}


class PartCost(NamedTuple):
    """What a part of a study takes.

    Attributes:
        name: of the part; empty if the study has none.
        points: how many it has; a replication is a run of each.
        estimate_s: of processor time for a replication, about.
    """

    name: str
    points: int
    estimate_s: float


@lru_cache
def costs(package: str) -> tuple[PartCost, ...]:
    """What the parts of a study take with its defaults; of many points only some are looked at."""
    by_part: dict[str, list[Behind]] = {}
    for each in points(package):
        by_part.setdefault(each.part, []).append(each)
    made = []
    for part, its in by_part.items():
        some = its[:: max(1, len(its) // _MOST_COSTS)]
        mean_s = fmean(cost_of(each.point.scenario).estimate_s for each in some)
        made.append(PartCost(part, len(its), mean_s * len(its)))
    return tuple(made)


def _of_parts(package: str) -> Iterator[Behind]:
    """One scenario file, which each part changes."""
    request = module(package, "result").Request()
    point_of = module(package, "parts").point_of
    for part, its in module(package, "settings").part_scenarios(request).items():
        wanted = set(request.selection.points_of(part))
        for point in its.points():
            name = point_of(part, point.levels)
            if name in wanted:
                yield Behind(part, name, its, point)


def _of_one_file(package: str) -> Iterator[Behind]:
    """One scenario file, without parts."""
    its = module(package, "settings").study_scenario(module(package, "result").Request())
    name = module(package, "levels").Point
    for point in its.points():
        yield Behind("", name(**point.levels), its, point)


def _of_many_files(package: str) -> Iterator[Behind]:
    """A scenario file for each part."""
    request = module(package, "result").Request()
    parts, points_of = module(package, "parts").PARTS, module(package, "runs").points_of
    for part, its in module(package, "settings").part_scenarios(request).items():
        for name, point in points_of(parts[part], its).items():
            yield Behind(part, name, its, point)


_POINTS: Mapping[str, Callable[[str], Iterator[Behind]]] = {
    "ubr_web": _of_one_file,
    "osu_tasks": _of_many_files,
}
"""How the points of a study are found, unless its parts change one file."""
