"""A scenario file of a study, and what ``--set`` may change in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ackclock import scenario
from ackclock.errors import InputError
from ackclock.scenario.document import Document, read
from ackclock.scenario.settings import NOT_OF_A_RUN, Setting, settings

SWEEP = "sweep"
_FLOWS, _IDLE_WITH_FLOWS = "flows", ("topology.pairs",)
"""Keys that mean nothing in a file with [[flows]]; they are not listed."""
_INSTEAD = {
    "seed": "the option --seed gives it, for example --seed 7",
    "replications": "the option --replications gives it, for example --replications 30",
    "precision": "the option --replications sets how often a point is run, for example 30",
}
"""Keys that an option of the command decides, and which."""
_IDLE = "changes no run of the study; --list-settings shows what does"


@dataclass(frozen=True, eq=False)
class StudyFile:
    """A scenario file of a study.

    Attributes:
        path: of the file.
        variables: what is accepted and what it means, of each of the file's variables; there may
            be others, of other files.
        decided: keys that mean nothing beside what else the file says; they are not listed.
        sweep_stays: whether nothing in ``[sweep]`` may be changed; if not, a level may mean
            something else as long as its name stays.
        folder: from which the file names others; by default its own.
    """

    path: Path
    variables: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    decided: Collection[str] = ()
    sweep_stays: bool = False
    folder: Path | None = None

    def load(
        self, sets: Sequence[str], seed: int, own: Sequence[str] = (), options: str = "--help"
    ) -> scenario.Scenario:
        """The scenario with what was asked for.

        Args:
            sets: texts ``key=value`` that the user gave.
            seed: from which the seeds of all replications are derived.
            own: texts ``key=value`` by which the study changes the file itself.
            options: that choose levels, for messages: "--links and --buffers".

        Raises:
            InputError: with all that is wrong with the changes.
        """
        problems = [problem for pair in sets if (problem := self._refused(pair, options))]
        if problems:
            raise InputError(problems)
        given = " ".join(f"--set {pair}" for pair in sets)
        try:
            found = scenario.load(self._document, [*sets, f"seed={seed}", *own])
        except InputError as error:
            # The file by itself is right: what is wrong in it now comes from the changes.
            of_the_file = re.compile(rf"{re.escape(str(self.path))}(:\d+)?: ")
            described = (
                of_the_file.sub(lambda _: f"{given}: ", each, 1) for each in error.messages
            )
            raise InputError(described) from error
        if not self.sweep_stays and _levels(found) != _levels(scenario.load(self.path)):
            raise InputError(f"{given}: {_levels_stay(options)}")
        return found

    @property
    def _document(self) -> Document:
        its = read(self.path)
        return replace(its, folder=self.folder) if self.folder is not None else its

    def settings(self, its: scenario.Scenario) -> list[Setting]:
        """What can be set, with the values that hold in the scenario."""
        found = []
        idle = _IDLE_WITH_FLOWS if _FLOWS in its.document else ()
        for setting in settings(its):
            table, _, variable = setting.key.partition(".")
            if table == "variables" and variable in self.variables:
                accepts, meaning = self.variables[variable]
                setting = setting._replace(accepts=accepts, meaning=meaning)
            if setting.key not in (*_INSTEAD, *self.decided, *idle):
                found.append(setting)
        return found

    def _refused(self, pair: str, options: str) -> str | None:
        """What to say of a change that would do nothing here, or undo what an option says."""
        key = pair.partition("=")[0].strip().partition(".")[0]
        if key in _INSTEAD:
            return f"--set {pair}: {_INSTEAD[key]}"
        if key == SWEEP:
            return f"--set {pair}: {_levels_stay(options)}" if self.sweep_stays else None
        return f"--set {pair}: {_IDLE}" if key in NOT_OF_A_RUN else None


def files_in(folder: Path, variables: Mapping[str, tuple[str, str]]) -> dict[str, StudyFile]:
    """The scenario files of a folder, by their names without ".toml"; no sweep may be changed.

    Args:
        folder: of the files.
        variables: of all of them together; see ``StudyFile``.
    """
    paths = sorted(folder.glob("*.toml"))
    return {path.stem: StudyFile(path, variables, sweep_stays=True) for path in paths}


def _levels(its: scenario.Scenario) -> set[tuple[tuple[str, Any], ...]]:
    """The columns of all points with their values."""
    return {tuple(point.levels.items()) for point in its.points()}


def _levels_stay(options: str) -> str:
    return f"the levels of the study must stay what they are; choose some of them with {options}"
