"""What the page shows: a scenario, what it changes of it, and which of its runs."""

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
    """A state of the lab; the page builds nothing else.

    Attributes:
        scenario: id of a scenario; none if its text is given.
        source: the text of a scenario; none if its id is given.
        sets: texts ``key=value`` that change it.
        point: number of a point of its sweep.
        replication: number of a run of that point.
    """

    scenario: str | None = None
    source: str | None = None
    sets: tuple[str, ...] = ()
    point: int = 0
    replication: int = 0

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> State:
        """The state that a body describes, which may have more keys.

        Raises:
            InputError: it describes none.
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
        """The text of its scenario, without what is changed.

        Raises:
            NotThereError: no scenario has this id.
            InputError: its file cannot be read.
        """
        if self.source is not None:
            return self.source
        assert self.scenario is not None
        return catalog.entry(settings, self.scenario).text

    def load(self, settings: Settings) -> Scenario:
        """Its scenario, checked at every point.

        Raises:
            NotThereError: no scenario has this id.
            InputError: with everything that is wrong.
        """
        return load(self._document(settings), self.sets)

    def load_point(self, settings: Settings) -> OnePoint:
        """Its point, in a time that does not depend on how many there are.

        Raises:
            NotThereError: no scenario has this id.
            InputError: with everything that is wrong at this point.
        """
        return load_point(self._document(settings), self.sets, self.point)

    def seed(self, scenario: Scenario) -> int:
        """The seed of its run."""
        return replication_seed(scenario.seed, self.replication)

    def _document(self, settings: Settings) -> Document:
        if self.source is not None:
            return read_text("scenario", self.source, settings.folder)
        assert self.scenario is not None
        its = catalog.entry(settings, self.scenario)
        return read_text(its.path.name, its.text, its.path.parent)


def whole(body: Mapping[str, Any], name: str, least: int, most: int, problems: list[str]) -> int:
    """A whole number of a body, the least if it is not there; what is wrong joins the problems."""
    value = body.get(name, least)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        problems.append(f"{name}: expected a whole number from {least} to {most}")
        return least
    return value
