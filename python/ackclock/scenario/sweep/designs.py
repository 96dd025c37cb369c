"""Designs: which levels of the factors make a point."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any

from ackclock.scenario.evaluation import VARIABLES
from ackclock.scenario.keys import Path, show
from ackclock.scenario.model.sweep import CROSS, LATIN_HYPERCUBE, LIST, MOST_POINTS, ZIP, Sweep
from ackclock.scenario.problems import Problem
from ackclock.scenario.sweep.factors import FACTORS, Factor, Level, assignments

Combination = tuple[Level, ...]
"""A level of each factor."""
_POINTS: Path = ("sweep", "points")


class Design:
    """The points of a sweep, or what is wrong with it; one point without a sweep.

    Attributes:
        factors: of which each point has a level.
        combinations: the points, in order.
        problems: what is wrong.
    """

    def __init__(
        self,
        sweep: Sweep | None,
        factors: list[Factor],
        document: Mapping[str, Any],
        seed: int,
    ) -> None:
        """Combine the levels.

        Args:
            sweep: how; none if there is no sweep.
            factors: the levels.
            document: the scenario without its sweep.
            seed: from which a Latin hypercube is made.
        """
        self.factors = factors
        self.combinations: list[Combination] = [()] if sweep is None else []
        self.problems: list[Problem] = []
        self._seed = seed
        if sweep is None:
            return
        if sweep.design == LIST:
            self._list(sweep, document)
            return
        self.problems += _count_problems(sweep, factors)
        if not self.problems:
            combine: dict[str, Callable[[], Iterator[Combination]]] = {
                CROSS: lambda: product(*(factor.levels for factor in factors)),
                ZIP: lambda: zip(*(factor.levels for factor in factors), strict=True),
                LATIN_HYPERCUBE: lambda: self._latin_hypercube(int(sweep.points)),
            }
            self.combinations = list(combine[sweep.design]())

    def _latin_hypercube(self, count: int) -> Iterator[Combination]:
        """Each factor's range is cut into as many parts as there are points, each used once.

        Source: McKay, Beckman and Conover, "A comparison of three methods for selecting values of
        input variables in the analysis of output from a computer code", Technometrics 21, 1979.
        """
        columns = []
        for factor in self.factors:
            key = f"ackclock/{self._seed}/latin_hypercube/{factor.name}"
            random = Random(int.from_bytes(hashlib.sha256(key.encode()).digest()))
            # By sorting: the order of `shuffle` is not promised to stay the same.
            parts = sorted(range(count), key=[random.random() for _ in range(count)].__getitem__)
            columns.append([_between(factor, part, count, random.random()) for part in parts])
        return zip(*columns, strict=True)

    def _list(self, sweep: Sweep, document: Mapping[str, Any]) -> None:
        """The points as they are listed; names of factors stand for named levels."""
        named = {factor.name: factor for factor in self.factors if factor.path is None}
        for factor in self.factors:
            if factor.path is not None:
                self._wrong(
                    (*FACTORS, factor.name),
                    "the points of a list set the keys themselves; remove it, "
                    f'or write design = "{CROSS}"',
                )
        if not isinstance(sweep.points, tuple):
            self._wrong(
                _POINTS,
                'is missing; write each point as [[sweep.points]] with "tcp.flavor" = "reno"',
            )
            return
        rows = []
        for at, table in enumerate(sweep.points):
            place: Path = (*_POINTS, at)
            own = {key: raw for key, raw in table.items() if key not in named}
            try:
                rows.append((assignments(own, None, place, document), table))
            except ValueError as error:
                self._wrong(place, str(error))
        if self.problems:
            return
        self.factors = [*_listed_factors(rows[0][0]), *_in_row(named, rows[0][1])]
        for at, (level, table) in enumerate(rows):
            self._row(at, level, table)

    def _row(self, at: int, level: Level, table: Mapping[str, Any]) -> None:
        place: Path = (*_POINTS, at)
        combination = []
        for factor in self.factors:
            if factor.path is not None:
                if factor.path not in level.values:
                    self._wrong(place, f"{factor.name} is missing; every point sets the same keys")
                    continue
                path = factor.path
                combination.append(
                    Level(None, {path: level.values[path]}, {path: level.written[path]})
                )
                continue
            names = {str(each.name): each for each in factor.levels}
            wanted = table.get(factor.name)
            if wanted not in names:
                known = ", ".join(f'"{name}"' for name in names)
                self._wrong((*place, factor.name), f"choose from {known}")
                continue
            combination.append(names[wanted])
        extra = set(level.values) - {factor.path for factor in self.factors}
        for path in sorted(extra, key=str):
            key = level.written[path].text.partition(" = ")[0].rpartition("].")[2]
            self._wrong(
                place, f"the first point does not set {key}; every point sets the same keys"
            )
        self.combinations.append(tuple(combination))

    def _wrong(self, path: Path, reason: str) -> None:
        self.problems.append(Problem(path, reason))


def _listed_factors(first: Level) -> list[Factor]:
    """The keys that the points of a list set, as factors."""
    names = {path: show(path[1:] if path[0] == VARIABLES else path) for path in first.values}
    return [Factor(name, path, ()) for path, name in names.items()]


def _in_row(named: Mapping[str, Factor], table: Mapping[str, Any]) -> list[Factor]:
    return [factor for name, factor in named.items() if name in table]


def _between(factor: Factor, part: int, count: int, share: float) -> Level:
    """The level of a factor in one of so many parts."""
    if factor.range is not None and factor.range.is_open:
        start, end = Fraction(part, count), Fraction(part + 1, count)
        return factor.level(factor.range.within(start, end, Fraction(share)))
    return factor.levels[part * len(factor.levels) // count]


def _count_problems(sweep: Sweep, factors: Sequence[Factor]) -> list[Problem]:
    """Numbers of points, of levels and of factors that do not agree with the design."""
    problems = []
    if not factors:
        example = '"tcp.flavor" = ["reno", "sack"]'
        problems.append(Problem(FACTORS, f"there is no factor; write for example {example}"))
    if sweep.design == LATIN_HYPERCUBE:
        if not isinstance(sweep.points, int):
            problems.append(
                Problem(
                    _POINTS,
                    f'design = "{LATIN_HYPERCUBE}" needs the number of points; write for example'
                    " points = 20",
                )
            )
        return problems
    if sweep.points is not None:
        only = "latin_hypercube and list"
        problems.append(
            Problem(_POINTS, f'has no meaning with design = "{sweep.design}", only with {only}')
        )
    needed = "the range needs count or step; write for example count = 4"
    open_ranges = [each for each in factors if each.range is not None and each.range.is_open]
    problems += [Problem((*FACTORS, each.name), needed) for each in open_ranges]
    lengths = {factor.name: len(factor.levels) for factor in factors if factor.levels}
    if sweep.design == ZIP and len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        problems.append(
            Problem(
                FACTORS,
                f'design = "zip" needs the same number of levels for each factor, but {shown};'
                " add or remove levels",
            )
        )
    if sweep.design == CROSS and prod(lengths.values()) > MOST_POINTS:
        problems.append(
            Problem(
                FACTORS,
                f"{prod(lengths.values())} points are too many, at most {MOST_POINTS}; "
                f'use fewer levels, or design = "{LATIN_HYPERCUBE}"',
            )
        )
    return problems
