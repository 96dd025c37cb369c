"""The points of the published studies: the scenario of each number."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from statistics import fmean
from typing import Any, NamedTuple

from ackclock.lab.campaigns.pinned_scenario import pinned
from ackclock.lab.states.cost import cost_of
from ackclock.plots.quantities import point_text
from ackclock.scenario import Point, Scenario
from ackclock.studies import study_of
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import chosen_points
from ackclock.studies.machinery.settings import scenario_of

_MOST_COSTS = 50


class Behind(NamedTuple):
    """A point of a study.

    Attributes:
        part: of the study. label: its name, empty if it is the only one.
        name: the study's named tuple of the levels.
        scenario: scenario of the part.
        point: point of the sweep.
    """

    part: str
    label: str
    name: Any
    scenario: Scenario
    point: Point

    @property
    def title(self) -> str:
        """Readable title: "background: queue red, background 140"."""
        return ": ".join(filter(None, [self.label, point_text(self.point.levels)]))

    def state(self) -> dict[str, Any]:
        """Return the state of the lab that repeats the study's run.

        The sets include the seed, and the changes of the part to the study's file.
        """
        sets = pinned(self.point, self.scenario.sets)
        return {
            "scenario": None,
            "source": self.scenario.text,
            "sets": list(sets),
            "point": 0,
            "replication": 0,
        }


@lru_cache
def points(study: str) -> tuple[Behind, ...]:
    """Return all points of a study with its defaults, part by part."""
    request = Request(study_of(study))
    several = len(request.study.parts) > 1
    return tuple(
        Behind(
            part,
            part if several else "",
            name,
            scenario_of(request.study.part(part), request),
            point,
        )
        for part, its in chosen_points(request).items()
        for name, point in its.items()
    )


@lru_cache
def numbers(study: str) -> Mapping[tuple[str, Any], int]:
    """Return the number of each point of a study, by its part and the study's named tuple."""
    return {(each.part, each.name): number for number, each in enumerate(points(study))}


class PartCost(NamedTuple):
    """The cost of a part of a study.

    Attributes:
        name: name of the part; empty if it is the only one.
        points: number of points; a replication is one run per point.
        estimate_s: approximate processor time of a replication, s.
    """

    name: str
    points: int
    estimate_s: float


@lru_cache
def costs(study: str) -> tuple[PartCost, ...]:
    """Return the cost of a study's parts with its defaults, estimated from some points."""
    by_part: dict[str, list[Behind]] = {}
    for each in points(study):
        by_part.setdefault(each.label, []).append(each)
    made = []
    for part, its in by_part.items():
        some = its[:: max(1, len(its) // _MOST_COSTS)]
        mean_s = fmean(cost_of(each.point.scenario).estimate_s for each in some)
        made.append(PartCost(part, len(its), mean_s * len(its)))
    return tuple(made)
