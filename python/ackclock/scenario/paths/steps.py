"""Steps of a link in a CSV file.

The columns are ``time_s`` or ``time_ms``, and at least one of ``rate_bit_s``, ``rate_kbit_s``,
``rate_mbit_s``; ``delay_s``, ``delay_ms``; ``loss``; ``up``. An empty cell leaves the value as it
was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ackclock.scenario.csv_file import CsvFile, number_of
from ackclock.scenario.units import RATE, TIME
from ackclock.suggestions import hint

PS_PER_S = 10**12
PPB = 10**9
_TIME = "time"


class _Column(NamedTuple):
    """What a column holds: which value, in how many base units, at most how many of them."""

    value: str
    factor: int
    most: int
    example: str


COLUMNS: Mapping[str, _Column] = {
    "time_s": _Column(_TIME, PS_PER_S, TIME.maximum, "20.5"),
    "time_ms": _Column(_TIME, 10**9, TIME.maximum, "20500"),
    "rate_bit_s": _Column("rate", 1, RATE.maximum, "5000000"),
    "rate_kbit_s": _Column("rate", 10**3, RATE.maximum, "5000"),
    "rate_mbit_s": _Column("rate", 10**6, RATE.maximum, "5"),
    "delay_s": _Column("delay", PS_PER_S, TIME.maximum, "0.02"),
    "delay_ms": _Column("delay", 10**9, TIME.maximum, "20"),
    "loss": _Column("loss", PPB, PPB, "0.01"),
    "up": _Column("up", 1, 1, "1"),
}
"""By the names in the first line of the file."""
_EXAMPLES = {name: column.example for name, column in COLUMNS.items()}
_WANTED = "write for example time_s,rate_mbit_s,delay_ms"
_EMPTY = f"{_WANTED} and below it lines like 20.5,5,20"


@dataclass(frozen=True)
class Step:
    """What changes at a time; ``None`` leaves a value as it was.

    Attributes:
        at: ps.
        rate: bit/s.
        delay: one way, ps.
        loss: probability, parts per billion.
        up: whether the link sends.
    """

    at: int
    rate: int | None = None
    delay: int | None = None
    loss: int | None = None
    up: bool | None = None


class PathSteps(NamedTuple):
    """The steps of a file, in the order of time."""

    steps: tuple[Step, ...]


def parse_steps(name: str, text: str) -> PathSteps:
    """The steps that a CSV file holds; arguments and errors are those of ``CsvFile``."""
    file = CsvFile(name, text, _EXAMPLES, _EMPTY, _header_problem)
    steps: list[Step] = []
    for at, cells in file.rows():
        values: dict[str, int] = {}
        wrong = len(file.problems)
        for column, cell in cells.items():
            its = COLUMNS[column]
            if cell or its.value == _TIME:
                try:
                    values[its.value] = _read(its, cell)
                except ValueError as error:
                    file.problems.add(str(error), at, column)
        if len(file.problems) > wrong:
            continue
        step = _step(values)
        if steps and step.at <= steps[-1].at:
            reason = "the time is not after that of the line before; write the lines in order"
            file.problems.add(reason, at)
        steps.append(step)
    file.problems.check()
    return PathSteps(tuple(steps))


def _header_problem(columns: list[str]) -> str:
    for column in columns:
        if column not in COLUMNS:
            return f'there is no column "{column}"; {hint(column, list(COLUMNS)) or _WANTED}'
    values = [COLUMNS[column].value for column in columns]
    for value in values:
        if values.count(value) > 1:
            several = " and ".join(each for each in columns if COLUMNS[each].value == value)
            return f"{several} both say the {value}; write one of them"
    if _TIME not in values:
        return f"column time_s is missing; {_WANTED}"
    return "" if len(values) > 1 else f"only times are there; {_WANTED}"


def _read(column: _Column, cell: str) -> int:
    """A cell in base units, rounded.

    Raises:
        ValueError: it is no number that the column may have.
    """
    number = number_of(cell)
    value = None if number is None else round(Fraction(number) * column.factor)
    if value is None or not 0 <= value <= column.most or (column.value == "up" and number != value):
        said = column.most // column.factor
        what = "neither 0 nor 1" if said == 1 == column.factor else f"not a number from 0 to {said}"
        raise ValueError(f"{cell or 'nothing'} is {what}; write it like {column.example}")
    return value


def _step(values: Mapping[str, int]) -> Step:
    up = values.get("up")
    return Step(
        values[_TIME],
        values.get("rate"),
        values.get("delay"),
        values.get("loss"),
        None if up is None else bool(up),
    )
