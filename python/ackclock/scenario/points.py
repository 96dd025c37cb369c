"""Points of a sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from ackclock.errors import InputError
from ackclock.scenario import keys
from ackclock.scenario.compile.compiler import compile_scenario
from ackclock.scenario.compile.facts import Compiled
from ackclock.scenario.files import Files
from ackclock.scenario.keys import Path
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.problems import Written, brief
from ackclock.scenario.settle import Settled, settle
from ackclock.scenario.sweep.columns import Columns, Entry
from ackclock.scenario.sweep.designs import Combination
from ackclock.scenario.sweep.factors import Factor
from ackclock.scenario.values.kind import Computed

_QUOTE = '"'


@dataclass(frozen=True)
class Point:
    """One point of a sweep.

    It holds what differs from the other points, and computes everything else when asked.

    Attributes:
        number: of the point, from 0 on.
        levels: the columns of the factors: times in s, rates in bit/s, sizes in bytes; texts.
        factors: of the sweep.
        combination: the level of each factor, as it was written.
    """

    number: int
    levels: dict[str, Entry]
    factors: tuple[Factor, ...] = field(repr=False)
    combination: Combination = field(repr=False)
    _document: Mapping[str, Any] = field(repr=False)
    _files: Files = field(repr=False, compare=False)

    @property
    def scenario(self) -> Scenario:
        """The scenario at this point, every key settled; without a sweep and its figures."""
        document, settled = self._settled()
        scenario = settled.scenario
        assert scenario is not None, "a point was made of a document that had not been checked"
        scenario._points = (Point(0, {}, (), (), document, self._files),)
        return scenario

    @property
    def swept(self) -> dict[Path, str]:
        """The keys that the levels of this point set, with the names of their factors."""
        return {
            path: factor.name
            for factor, level in zip(self.factors, self.combination, strict=True)
            for path in level.values
        }

    @property
    def as_written(self) -> str:
        """The levels by the keys and in the units of the file: "tcp.receive_buffer = 14 kB"."""
        raws = {
            factor.name: level.name if factor.path is None else level.values[factor.path]
            for factor, level in zip(self.factors, self.combination, strict=True)
        }
        # The values stand out enough without quotes.
        return ", ".join(f"{name} = {brief(raw).strip(_QUOTE)}" for name, raw in raws.items())

    def compile(self) -> Compiled:
        """The plan of the runs of this point, and what the results need to know of it."""
        return compile_scenario(self.scenario)

    def expressions(self) -> list[tuple[str, str, str]]:
        """The expressions: the key, the expression, and what it gives in the key's base unit."""
        return [(key, text, brief(computed)) for key, text, computed in self.computed()]

    def computed(self) -> list[tuple[str, str, Computed]]:
        """``expressions`` with what they give as it is, not as text."""
        document, settled = self._settled()
        return [
            (keys.show(path), str(keys.get(document, path)), computed)
            for path, computed in settled.computed.items()
        ]

    def _settled(self) -> tuple[Mapping[str, Any], Settled]:
        return settled_at(self._document, self.factors, self.combination, self._files)

    def __str__(self) -> str:
        """The levels, as in "tcp_flavor = reno, buffer = small"."""
        return ", ".join(f"{name} = {level}" for name, level in self.levels.items())


class Points(Sequence[Point]):
    """The points of a sweep. Each is made when it is asked for: many need little memory."""

    def __init__(
        self,
        columns: Columns,
        combinations: Sequence[Combination],
        document: Mapping[str, Any],
        files: Files,
    ) -> None:
        """Keep what the points differ in.

        Args:
            columns: of the factors, with the levels of each point.
            combinations: the level of each factor at each point, as it was written.
            document: the scenario without its sweep.
            files: that it names, as they were read.
        """
        self._columns = columns
        self._combinations = combinations
        self._document = document
        self._files = files

    def __len__(self) -> int:
        return len(self._combinations)

    @overload
    def __getitem__(self, at: int) -> Point: ...
    @overload
    def __getitem__(self, at: slice) -> list[Point]: ...
    def __getitem__(self, at: int | slice) -> Point | list[Point]:
        numbers = range(len(self))[at]
        if isinstance(numbers, range):
            return [self[number] for number in numbers]
        levels, factors = self._columns.levels(numbers), self._columns.factors
        combination = self._combinations[numbers]
        return Point(numbers, levels, factors, combination, self._document, self._files)


def at_point(document: Mapping[str, Any], combination: Combination) -> Mapping[str, Any]:
    """The document with what a combination of levels sets.

    Raises:
        ValueError: a level sets a key in something that is no table.
    """
    changed: Any = document
    for level in combination:
        for path, raw in level.values.items():
            changed = keys.put(changed, path, raw)
    return changed


def written(combination: Combination) -> dict[Path, Written]:
    """How each of the values was written that a combination sets."""
    return {path: each for level in combination for path, each in level.written.items()}


def level_names(factors: tuple[Factor, ...], combination: Combination) -> dict[str, str]:
    """What the names of factors with named levels mean in expressions."""
    return {
        factor.name: str(level.name)
        for factor, level in zip(factors, combination, strict=True)
        if factor.path is None
    }


def settled_at(
    document: Mapping[str, Any],
    factors: tuple[Factor, ...],
    combination: Combination,
    files: Files,
) -> tuple[Mapping[str, Any], Settled]:
    """The document of a point and what becomes of it, right or not."""
    changed = at_point(document, combination)
    return changed, settle(changed, level_names(factors, combination), files)


def chosen_point(points: Sequence[Point], number: int) -> Point:
    """The point of a number that was given as ``--point``.

    Raises:
        InputError: there is none.
    """
    if 0 <= number < len(points):
        return points[number]
    raise InputError(f"--{no_such_point(number, len(points))}")


def no_such_point(number: int, count: int) -> str:
    """What to say of a number of no point, where there are so many."""
    some = f"there are {count}, from 0 to {count - 1}"
    return f"point {number}: {some if count > 1 else 'there is only point 0'}"
