"""The state of the page: a scenario, changes of it, and a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ackclock.campaign.identity import replication_seed
from ackclock.errors import InputError
from ackclock.lab.settings import Settings
from ackclock.lab.states import catalog
from ackclock.scenario import Scenario, load
from ackclock.scenario.document import Document, read_text
from ackclock.scenario.loading import OnePoint, load_point
from ackclock.scenario.model.precision import MOST_REPLICATIONS

_MOST_SETS = 200


@dataclass(frozen=True)
class State:
    """A state of the lab.

    Attributes:
        scenario: id of a scenario; none if the text is given.
        source: text of a scenario; none if the id is given.
        sets: texts ``key=value`` that change the scenario.
        point: number of the point in the sweep.
        replication: number of the replication.
    """

    scenario: str | None = None
    source: str | None = None
    sets: tuple[str, ...] = ()
    point: int = 0
    replication: int = 0

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> State:
        """Read the state in a body, which may have more keys.

        Raises:
            InputError: the body is not a valid state.
        """
        problems = []
        scenario, source = body.get("scenario"), body.get("source")
        if not isinstance(scenario, str | None) or not isinstance(source, str | None):
            problems.append("scenario, source: expected a text or null")
        elif (scenario is None) == (source is None):
            problems.append("scenario, source: give one of the two, the id or the text")
        sets = body.get("sets", [])
        if not isinstance(sets, list) or not all(isinstance(each, str) for each in sets):
            problems.append('sets: expected a list of texts, like ["tcp.flavor=reno"]')
        elif len(sets) > _MOST_SETS:
            problems.append(f"sets: at most {_MOST_SETS} keys can be changed; send the text")
        point = whole(body, "point", 0, 2**31, problems)
        replication = whole(body, "replication", 0, MOST_REPLICATIONS - 1, problems)
        if problems:
            raise InputError(problems)
        return cls(scenario, source, tuple(sets), point, replication)

    def scenario_text(self, settings: Settings) -> str:
        """Return the text of the scenario without changes.

        Raises:
            NotThereError: no scenario has this id.
            InputError: the file cannot be read.
        """
        if self.source is not None:
            return self.source
        assert self.scenario is not None
        return catalog.entry(settings, self.scenario).text

    def load(self, settings: Settings) -> Scenario:
        """Return the scenario, checked at every point.

        Raises:
            NotThereError: no scenario has this id.
            InputError: with all errors.
        """
        return load(self._document(settings), self.sets)

    def load_point(self, settings: Settings) -> OnePoint:
        """Return the point of the state, in a time independent of the number of points.

        Raises:
            NotThereError: no scenario has this id.
            InputError: with all errors at this point.
        """
        return load_point(self._document(settings), self.sets, self.point)

    def seed(self, scenario: Scenario) -> int:
        """Return the seed of the run."""
        return replication_seed(scenario.seed, self.replication)

    def _document(self, settings: Settings) -> Document:
        if self.source is not None:
            return read_text("scenario", self.source, settings.folder)
        assert self.scenario is not None
        its = catalog.entry(settings, self.scenario)
        return read_text(its.path.name, its.text, its.path.parent)


def whole(body: Mapping[str, Any], name: str, least: int, most: int, problems: list[str]) -> int:
    """Return a whole number of a body, by default the smallest; add errors to ``problems``."""
    value = body.get(name, least)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        problems.append(f"{name}: expected a whole number from {least} to {most}")
        return least
    return value
