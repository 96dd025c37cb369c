"""Levels in the results: a column a factor, numbers with their unit in its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ackclock.scenario import places
from ackclock.scenario.evaluation import VARIABLES
from ackclock.scenario.keys import Path
from ackclock.scenario.problems import Problem
from ackclock.scenario.sweep.factors import FACTORS, Factor, Level
from ackclock.scenario.units import TIME
from ackclock.scenario.values.kind import Computed, decimal, shown
from ackclock.scenario.values.quantities import parse_any, suffix

Entry = float | int | str | bool


class Reading(NamedTuple):
    """What a level is worth.

    Attributes:
        number: in the unit; none if it is a text.
        unit: suffix of the column; "" for a plain number, none for a text.
        text: as it is written.
    """

    number: Fraction | None
    unit: str | None
    text: Entry


def reading(
    factor: Factor,
    level: Level,
    document: Mapping[str, Any],
    computed: Mapping[Path, Computed],
) -> Reading:
    """What the level of a factor is worth at a point.

    Args:
        factor: of the sweep.
        level: that it has there.
        document: of the point, known to be right.
        computed: what its expressions gave.
    """
    if factor.path is None:
        return Reading(None, None, str(level.name))
    raw = computed.get(factor.path, level.values[factor.path])
    if factor.path[0] == VARIABLES:
        return of_variable(raw)
    place = places.locate(document, factor.path)
    kind = place.key.kind
    assert kind is not None
    if place.rest:
        return of_variable(raw)
    value = kind.read(raw)
    unit, number = kind.unit(value), kind.number(value)
    written = kind.write(value)
    text = written if isinstance(written, str | bool) else shown(written)
    return Reading(number if unit is not None else None, unit, text)


def of_variable(raw: Any) -> Reading:
    """What a variable is worth."""
    value = raw.value if isinstance(raw, Computed) else raw
    if isinstance(value, str) and (quantity := parse_any(value)):
        return Reading(quantity[1], suffix(quantity[0]), value)
    if isinstance(value, str | bool):
        return Reading(None, None, value)
    if isinstance(value, list | tuple):
        return Reading(None, None, shown(value))
    number = Fraction(value)
    return Reading(number, "", decimal(number))


class Columns:
    """The columns of the factors of a sweep, when the levels of all points are known."""

    def __init__(self, factors: tuple[Factor, ...], rows: Sequence[Sequence[Reading]]) -> None:
        """Choose a name and a form for each column.

        Args:
            factors: of the sweep.
            rows: for each point, what the levels are worth, in the order of the factors.
        """
        self.factors = factors
        self.problems: list[Problem] = []
        self._rows = rows
        self._forms: list[Callable[[Reading], Entry]] = []
        self.names: list[str] = []
        for at, factor in enumerate(factors):
            units = {row[at].unit for row in rows}
            self._check_kinds(factor, [row[at] for row in rows])
            (unit,) = units if len(units) == 1 else (None,)
            self._forms.append(_form(unit, [row[at].number for row in rows]))
            self.names.append(f"{factor.column}_{unit}" if unit else factor.column)
        for name in {name for name in self.names if self.names.count(name) > 1}:
            self.problems.append(
                Problem(FACTORS, f"two factors have the column {name}; give one another name")
            )

    def _check_kinds(self, factor: Factor, readings: Sequence[Reading]) -> None:
        """Variables may be anything; the levels of one must be of one kind to be plotted."""
        if factor.path is None or factor.path[0] != VARIABLES:
            return
        first = readings[0]
        other = next((each for each in readings if _kind(each) != _kind(first)), None)
        if other is not None:
            self.problems.append(
                Problem(
                    (*FACTORS, factor.name),
                    f"{first.text} is {_kind(first)}, {other.text} is {_kind(other)}; "
                    "write levels of one kind",
                )
            )

    def levels(self, point: int) -> dict[str, Entry]:
        """The columns of a point."""
        row = self._rows[point]
        return {
            name: form(reading)
            for name, form, reading in zip(self.names, self._forms, row, strict=True)
        }


def _kind(reading: Reading) -> str:
    if isinstance(reading.text, bool):
        return "true or false"
    if reading.unit is None:
        return "a text"
    return f"a number in {reading.unit}" if reading.unit else "a number"


def _form(unit: str | None, numbers: Sequence[Fraction | None]) -> Callable[[Reading], Entry]:
    """How the levels of a column stand in it: all as texts, as real or as whole numbers."""
    if unit is None:
        return lambda reading: reading.text
    counted = unit != suffix(TIME) and all(n is not None and n.denominator == 1 for n in numbers)
    form = int if counted else float
    return lambda reading: form(reading.number or 0)
