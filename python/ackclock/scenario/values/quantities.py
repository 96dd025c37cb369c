"""Values with a unit: times, rates, sizes, amounts of data, and sizes of queues."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from ackclock.scenario.units import (
    AVERAGE,
    CELL_RATE,
    CELLS,
    FREQUENCY,
    PACKETS,
    RATE,
    RTT,
    SIZE,
    TIME,
    VOLUME,
    Dimension,
    wrong_unit,
)
from ackclock.scenario.units import parse as parse_uncached
from ackclock.scenario.units import show as show_quantity
from ackclock.scenario.values.kind import Computed, Kind, decimal, exact, shown

parse_quantity = lru_cache(maxsize=4096)(parse_uncached)
"""A sweep reads the same texts at every point."""
AUTO = "auto"
OFF = "off"
UNLIMITED = "unlimited"
_SUFFIX = {
    TIME: "s",
    RATE: "bit_s",
    SIZE: "bytes",
    VOLUME: "bytes",
    CELLS: "cells",
    CELL_RATE: "cells_s",
    PACKETS: "packets",
    AVERAGE: "packets",
    FREQUENCY: "hz",
    RTT: "rtt",
}
_IN_EXPRESSIONS = {TIME: 10**12}
"""Base units in the unit that expressions reckon in, where that is another one."""
_COUNTS = (CELLS, CELL_RATE, PACKETS)


def _unit_text(dimension: Dimension) -> str:
    return dimension.example.split()[1]


def _from_number(number: Fraction, dimension: Dimension) -> int | Fraction:
    """The result of an expression as a value; what is finer than the base unit is rounded."""
    value = number * in_base_units(dimension)
    if dimension in _COUNTS and value.denominator != 1:
        raise ValueError(
            f"{decimal(number)} is not a whole number of {_unit_text(dimension)}; "
            "use round(...), floor(...) or ceil(...)"
        )
    whole = round(value) if dimension.whole else value
    if not 0 <= whole <= dimension.maximum:
        largest, multiple = list(dimension.units.items())[-1]
        raise ValueError(
            f"{decimal(number)} is outside 0 to {dimension.maximum // multiple} {largest}; "
            f'a correct value is "{dimension.example}"'
        )
    return whole


def _read(raw: Any, dimension: Dimension, *, positive: bool) -> int | Fraction:
    if isinstance(raw, Computed):
        raw = raw.value
        if isinstance(raw, Fraction):
            value = _from_number(raw, dimension)
        else:
            return _read(raw, dimension, positive=positive)
    elif isinstance(raw, str):
        value = parse_quantity(raw, dimension)
    elif isinstance(raw, int | float | Decimal) and not isinstance(raw, bool):
        meant = dimension.example
        if math.isfinite(raw) and 0 < raw < 10**6:
            meant = f"{raw} {_unit_text(dimension)}"
        raise ValueError(f'{shown(raw)} has no unit; write it like "{meant}"')
    else:
        raise ValueError(f'expected a {dimension.name}; write it like "{dimension.example}"')
    if positive and value == 0:
        raise ValueError(f'must be above 0; write it like "{dimension.example}"')
    return value


def parse_any(text: str) -> tuple[Dimension, Fraction] | None:
    """A text that is a quantity of any dimension: which, and the number that expressions use."""
    for dimension in (TIME, RATE, VOLUME, CELLS, CELL_RATE, PACKETS, RTT):
        try:
            return dimension, to_number(parse_quantity(text, dimension), dimension)
        except ValueError:
            continue
    return None


def to_number(value: int | Fraction, dimension: Dimension) -> Fraction:
    """A value in base units as expressions and columns have it: seconds, not ps."""
    return Fraction(value) / in_base_units(dimension)


def in_base_units(dimension: Dimension) -> int:
    """Base units in the unit that expressions reckon in: 1e12 ps in a second."""
    return _IN_EXPRESSIONS.get(dimension, 1)


def suffix(dimension: Dimension) -> str:
    """How the name of a column of such values ends."""
    return _SUFFIX[dimension]


def quantity(
    dimension: Dimension,
    *,
    positive: bool,
    most: int | None = None,
    example: str = "",
    words: Mapping[str, int | None] | None = None,
) -> Kind:
    """Values of one dimension.

    Args:
        dimension: what is measured.
        positive: whether 0 is refused.
        most: the largest value, in base units, where it is less than that of the dimension.
        example: a correct value, for where none is written.
        words: texts that stand for a value without a unit, such as "off".
    """
    words = words or {}
    texts = {value: text for text, value in words.items()}

    def read(raw: Any) -> int | Fraction | None:
        text = raw.value if isinstance(raw, Computed) else raw
        if isinstance(text, str) and text.strip() in words:
            return words[text.strip()]
        try:
            value = _read(raw, dimension, positive=positive)
        except ValueError as error:
            if not words:
                raise
            raise ValueError(f'{error}, or "{next(iter(words))}"') from None
        if most is not None and value > most:
            raise ValueError(f'must be at most "{show_quantity(most, dimension)}"')
        return value

    def write(value: int | None) -> str:
        return texts[value] if value in texts else show_quantity(value, dimension)

    def number(value: int | None) -> Fraction | str:
        return texts[value] if value in texts else to_number(value, dimension)

    accepts = f"{dimension.name}{' above 0' if positive else ''}"
    return Kind(
        accepts=", or ".join([accepts, *(f'"{word}"' for word in words)]),
        example=f'"{example or dimension.example}"',
        read=read,
        write=write,
        number=number,
        unit=lambda value: None if value in texts else suffix(dimension),
        schema=_schema([dimension], words),
        means_none=None in texts,
    )


class Amount(NamedTuple):
    """How much a queue holds, in the unit that was written.

    Attributes:
        number: of that unit.
        unit: "packets", "bytes", "cells", "rtt" (bandwidth-delay products), or "s" for what the
            link sends in a time, whose number is in ps.
    """

    number: int | Fraction
    unit: str


def _amount(dimensions: tuple[Dimension, ...], name: str) -> Kind:
    """Sizes of a queue; a plain number that an expression gives is of the first dimension."""
    by_unit = {suffix(dimension): dimension for dimension in dimensions}
    examples = " or ".join(f'"{dimension.example}"' for dimension in dimensions)

    def read(raw: Any) -> Amount:
        text = raw.value if isinstance(raw, Computed) else raw
        if not isinstance(text, str):
            if isinstance(raw, Computed) or (exact(raw) is not None):
                dimension = dimensions[0]
                return Amount(_read(raw, dimension, positive=True), suffix(dimension))
            raise ValueError(f"expected the {name}; write it like {examples}")
        unit = text.strip().lstrip("+-0123456789. ")
        for dimension in dimensions:
            if unit in (*dimension.units, dimension.singular or "\0"):
                return Amount(_read(text, dimension, positive=True), suffix(dimension))
        said = wrong_unit(text, dimensions, f"the {name}")
        if said:
            raise ValueError(said)
        return Amount(_read(text, dimensions[0], positive=True), suffix(dimensions[0]))

    return Kind(
        accepts=", or ".join(dimension.name for dimension in dimensions),
        example=f'"{dimensions[0].example}"',
        read=read,
        write=lambda value: show_quantity(value.number, by_unit[value.unit]),
        number=lambda value: to_number(value.number, by_unit[value.unit]),
        unit=lambda value: value.unit,
        schema=_schema(dimensions, {}),
    )


def _schema(dimensions: list[Dimension] | tuple[Dimension, ...], words: Any) -> dict[str, Any]:
    units = [unit for dimension in dimensions for unit in dimension.units]
    units += [dimension.singular for dimension in dimensions if dimension.singular]
    number = r"\s*\+?[0-9]+(\.[0-9]+)?\s*"
    pattern = "|".join([f"{number}({'|'.join(units)})\\s*", *words])
    examples = [dimension.example for dimension in dimensions]
    return {"type": "string", "pattern": f"^({pattern})$", "examples": [*examples, *words]}


Duration = Annotated[int, quantity(TIME, positive=True)]
"""A time above 0, ps."""
DurationOrZero = Annotated[int, quantity(TIME, positive=False)]
"""A time, ps."""
Delay = Annotated[int, quantity(TIME, positive=False, example="20 ms")]
"""A one-way propagation delay, ps."""
DurationOrOff = Annotated[int | None, quantity(TIME, positive=True, words={OFF: None})]
"""A time above 0, ps; ``None`` is written "off"."""
Rate = Annotated[int, quantity(RATE, positive=True, example="10 Mbit/s")]
"""A rate above 0, bit/s."""
AutoRate = Annotated[int | None, quantity(RATE, positive=True, words={AUTO: None})]
"""A rate above 0, bit/s; ``None`` is written "auto"."""
Size = Annotated[int, quantity(SIZE, positive=True)]
"""A size above 0, bytes."""
NO_THRESHOLD = 2**62
"""An initial ssthresh that no window reaches, bytes; twice as much still fits 64 bits."""
Threshold = Annotated[int, quantity(VOLUME, positive=True, words={UNLIMITED: NO_THRESHOLD})]
"""A window, bytes; "unlimited" is ``NO_THRESHOLD``."""
VolumeOrUnlimited = Annotated[int | None, quantity(VOLUME, positive=True, words={UNLIMITED: None})]
"""An amount of data above 0, bytes; ``None`` is written "unlimited"."""
QueueLimit = Annotated[Amount, _amount((PACKETS, SIZE, RTT, TIME), "length of a queue")]
"""How long a queue of packets may grow."""
CELL_BUFFER = _amount((CELLS, RTT), "size of a cell buffer")
CellBuffer = Annotated[Amount, CELL_BUFFER]
"""Size of a port's buffer."""
