"""The analysis of variation of many tables at once: of all replications but one, or of single runs.

Source: R. Jain, The Art of Computer Systems Performance Analysis (1991), chapters 21 to 23, as in
``ackclock.stats.factorial``, whose numbers this gives for each table: one value a cell, main
effects and first-order interactions, the rest is the error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ackclock.stats.intervals import two_sided_t

Number = Any
"""An ``Estimate``, or an array with a number for each table."""


class MainEffect(NamedTuple):
    """A main effect, and half the width of its interval."""

    effect: Number
    half_width: Number


class Variation:
    """The analysis of variation of a full factorial, for several tables of means.

    Args:
        cells: by their levels, in the order of ``factors``: arrays of shape (tables,).
        factors: names of the factors.
        confidence: of the intervals of effects.
        number: makes a number of an array of shape (tables,).
    """

    def __init__(
        self,
        cells: Mapping[tuple[Any, ...], np.ndarray],
        factors: Sequence[str],
        confidence: float,
        number: Callable[[np.ndarray], Number],
    ) -> None:
        self.levels = {
            name: list(dict.fromkeys(key[axis] for key in cells))
            for axis, name in enumerate(factors)
        }
        shape = [len(its) for its in self.levels.values()]
        tables = next(iter(cells.values())).size
        values = np.empty((*shape, tables))
        for key, each in cells.items():
            places = zip(self.levels.values(), key, strict=True)
            values[tuple(its.index(level) for its, level in places)] = each
        self._number, self._confidence = number, confidence
        self._analyse(values, prod(shape))

    def _analyse(self, values: np.ndarray, n: int) -> None:
        names, axes = list(self.levels), range(len(self.levels))
        # With one of the values as origin, values that do not vary have effects of exactly 0.
        values = values - values[(0,) * len(names)]
        centred = values - values.mean(axis=tuple(axes))
        self._effects, self._squares, freedom = {}, {}, n - 1
        for axis, name in enumerate(names):
            effects = centred.mean(axis=tuple(other for other in axes if other != axis))
            self._effects[name] = effects
            self._squares[name] = n / len(effects) * np.square(effects).sum(axis=0)
            freedom -= len(effects) - 1
        for one, other in combinations(axes, 2):
            pair = centred.mean(axis=tuple(each for each in axes if each not in (one, other)))
            rest = pair - self._effects[names[one]][:, None] - self._effects[names[other]][None]
            sides = pair.shape[:2]
            self._squares[f"{names[one]}:{names[other]}"] = (
                n / prod(sides) * np.square(rest).sum(axis=(0, 1))
            )
            freedom -= (sides[0] - 1) * (sides[1] - 1)
        total = np.square(centred).sum(axis=tuple(axes))
        error = np.maximum(total - sum(self._squares.values()), 0)
        self._total = total
        self._half = {
            name: two_sided_t(self._confidence, freedom)
            * np.sqrt(error / freedom * (len(its) - 1) / n)
            for name, its in self.levels.items()
        }

    def effect(self, factor: str, level: Any) -> MainEffect:
        """The main effect of a level."""
        at = self.levels[factor].index(level)
        return MainEffect(self._number(self._effects[factor][at]), self._number(self._half[factor]))

    def effects(self, factor: str) -> dict[Any, MainEffect]:
        """The main effects of a factor, by level."""
        return {level: self.effect(factor, level) for level in self.levels[factor]}

    def squares(self, component: str) -> Number:
        """The sum of squares of a factor, or of two as "a:b"."""
        return self._number(self._squares[component])

    def share(self, component: str) -> Number:
        """What a factor, or two as "a:b", explains of the total variation, %; 0 if none varies."""
        total = np.where(self._total > 0, self._total, 1)
        return self._number(100 * self._squares[component] / total)

    def shares(self) -> dict[str, Number]:
        """All shares, factors first."""
        return {component: self.share(component) for component in self._squares}
