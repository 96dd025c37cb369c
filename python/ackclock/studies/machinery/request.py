"""The request: what of a study is to be run, and how it is changed."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ackclock.studies.machinery.levels import spelling
from ackclock.studies.machinery.study import PARTS, Part, Study


@dataclass(frozen=True)
class Request:
    """The request, which determines every byte of what is simulated.

    Attributes:
        study: which.
        sets: texts ``key=value`` that change the study's scenario.
        levels: those to run, by the options that choose them; all of those not named.
        replications: runs of each point.
        seed: from which the seed of each replication is derived.
        options: values of the study's own options; the defaults of those not named.
    """

    study: Study
    sets: tuple[str, ...] = ()
    levels: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    replications: int = 1
    seed: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)

    def chosen(self, option: str) -> tuple[Any, ...]:
        """The levels that are run, in the order of the published tables."""
        everything = {choice.option: choice.levels for choice in self.study.choices}
        return tuple(self.levels.get(option, everything[option]))

    def option(self, name: str) -> Any:
        """The value of one of the study's own options."""
        defaults = {option.name: option.default for option in self.study.options}
        return self.options.get(name, defaults[name])

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that are chosen, those without runs included."""
        if len(self.study.parts) == 1:
            return self.study.parts
        return tuple(part for part in self.study.parts if part.name in self.chosen(PARTS))

    def has(self, part: Part, point: Any) -> bool:
        """Whether the options that choose levels choose a point of a part."""
        return all(
            getattr(point, choice.column) in self.chosen(choice.option)
            for choice in self.study.levels
            if choice.column in part.columns and choice.column not in part.fixed
        )

    @property
    def command(self) -> str:
        """The command that gives the same result, whatever the folder and the number of threads."""
        words = ["ackclock", *(self.study.command or ("reproduce", self.study.name))]
        words += ["--replications", str(self.replications), "--seed", str(self.seed)]
        for choice in self.study.choices:
            levels = self.chosen(choice.option)
            if levels != choice.levels:
                words += [f"--{choice.option}", ",".join(map(spelling, levels))]
        for option in self.study.options:
            value = self.option(option.name)
            if option.of_result and value != option.default:
                words += [f"--{option.name}"] if value is True else [f"--{option.name}", str(value)]
        for pair in self.sets:
            words += ["--set", pair]
        return shlex.join(words)
