"""Types of the fields of a scenario: text as a person writes it in, integers for the plan out.

Each is an annotated type for a pydantic model. A field holds the exact value; dumping the model in
JSON mode gives the text back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from ackclock.scenario.units import CELLS, RATE, SIZE, TIME, Dimension, parse, show

OFF = "off"
PPM = 10**6


@dataclass(frozen=True)
class Written:
    """How a field's text becomes its value, and the value text again.

    Attributes:
        accepts: what may be written, in words, for the list of settings.
        read: from text; raises ``ValueError`` with a message that names a correct text.
        write: the value as text.
    """

    accepts: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Text is read; a value that already is one (a default) passes."""
        return core_schema.no_info_before_validator_function(
            lambda value: self.read(value) if isinstance(value, str) else value,
            handler(source),
            serialization=core_schema.plain_serializer_function_ser_schema(
                self.write, when_used="json"
            ),
        )


def _quantity(dimension: Dimension, *, positive: bool) -> Written:
    def read(text: str) -> int | Fraction:
        value = parse(text, dimension)
        if positive and value == 0:
            raise ValueError(f'"{text}" must be above 0; write it like "{dimension.example}"')
        return value

    accepts = f"{dimension.name}: {', '.join(dimension.units)}"
    return Written(accepts, read, lambda value: show(value, dimension))


def _duration_or_off() -> Written:
    duration = _quantity(TIME, positive=True)
    return Written(
        f"{duration.accepts}, or {OFF}",
        lambda text: None if text == OFF else duration.read(text),
        lambda value: OFF if value is None else duration.write(value),
    )


def _read_share(text: str) -> int:
    try:
        parts = Fraction(text) * PPM
    except (ValueError, ZeroDivisionError):
        parts = Fraction(-1)
    if not 0 < parts <= PPM:
        raise ValueError(f'"{text}" must be a number above 0 and at most 1; for example 0.8')
    if parts.denominator != 1:
        raise ValueError(f'"{text}" has more than six decimals; for example 0.8')
    return int(parts)


def _read_cells(text: str) -> tuple[int, ...]:
    amounts = text.removesuffix("cells").split(",")
    return tuple(int(parse(f"{amount.strip()} cells", CELLS)) for amount in amounts)


def _write_cells(amounts: tuple[int, ...]) -> str:
    return f"{', '.join(map(str, amounts))} cells"


Duration = Annotated[int, _quantity(TIME, positive=True)]
"""A time above 0, ps."""
DurationOrZero = Annotated[int, _quantity(TIME, positive=False)]
"""A time, ps."""
DurationOrOff = Annotated[int | None, _duration_or_off()]
"""A time above 0, ps; ``None`` is written "off"."""
Rate = Annotated[int, _quantity(RATE, positive=True)]
"""A rate above 0, bit/s."""
Size = Annotated[int, _quantity(SIZE, positive=True)]
"""A size above 0, bytes."""
Share = Annotated[
    int, Written("number above 0, at most 1", _read_share, lambda ppm: f"{ppm / PPM:g}")
]
"""A share above 0 and at most 1, parts per million."""
Cells = Annotated[tuple[int, ...], Written("numbers of cells", _read_cells, _write_cells)]
"""Several numbers of cells."""
