"""A study in parts: one scenario file, in which each part changes some keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ackclock import scenario
from ackclock.errors import InputError
from ackclock.studies.common.file import StudyFile


class Parts:
    """The parts of a study.

    Args:
        study: its scenario file.
        own_sets: texts ``key=value``, as for ``--set``, by which each part changes the file.
    """

    def __init__(self, study: StudyFile, own_sets: Mapping[str, tuple[str, ...]]) -> None:
        self.study = study
        self.own_sets = own_sets
        # Checked at every point, which is worth doing once: the command, the runs and the report
        # ask.
        self._loaded = lru_cache(maxsize=len(own_sets) + 1)(self._load)

    def load(self, part: str, sets: tuple[str, ...], seed: int) -> scenario.Scenario:
        """The scenario of one part, with what the user changes.

        Raises:
            InputError: with all that is wrong with the changes.
        """
        return self._loaded(part, sets, seed)

    def scenarios(
        self, parts: Sequence[str], sets: tuple[str, ...], seed: int
    ) -> dict[str, scenario.Scenario]:
        """The scenarios of some parts, with what the user changes.

        Raises:
            InputError: with all that is wrong with the changes.
        """
        problems = [clash for pair in sets for clash in self._clashes(pair, parts)]
        if problems:
            raise InputError(problems)
        found = {}
        for part in parts:
            try:
                found[part] = self.load(part, sets, seed)
            except InputError as error:
                problems += error.messages
        if problems:
            raise InputError(dict.fromkeys(problems))
        return found

    def _load(self, part: str, sets: tuple[str, ...], seed: int) -> scenario.Scenario:
        return self.study.load(sets, seed, self.own_sets[part])

    def _clashes(self, pair: str, parts: Sequence[str]) -> list[str]:
        """What to say of a change of what a part sets itself."""
        key = pair.partition("=")[0].strip()
        return [
            f"--set {pair}: the part {part} sets it; leave the part out, for example "
            f"--parts {','.join(other for other in self.own_sets if other != part)}"
            for part in parts
            if any(own.partition("=")[0] == key for own in self.own_sets[part])
        ]
