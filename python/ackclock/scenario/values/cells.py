"""Values of ATM networks: powers of two, and buffers that may be without limit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any

from ackclock.scenario.units import CELL_RATE, CELLS, RATE, TIME
from ackclock.scenario.values.kind import Kind, exact
from ackclock.scenario.values.plain import or_word, plain, whole
from ackclock.scenario.values.quantities import CELL_BUFFER, UNLIMITED, Amount, quantity

MOST_TBE = 2**24 - 1
"""TBE has 24 bits."""
MOST_NRM = 256
MOST_MFS = 1366
"""Cells of the largest AAL5 frame: 65,535 bytes, and a trailer of 8."""
MOST_MBS = 2**32 - 1
"""What a plan has room for."""
PATH, LINE, OF_PCR, NEVER = "path", "line", "pcr", "never"
FRAME, TWO_FRAMES = "frame", "two_frames"
OFF_CRM, TBE_CRM = "off", "tbe"


def power_of_two(least: int, most: int, example: int) -> Kind:
    """Powers of two from ``least`` to ``most``."""
    numbers = whole(least, most, example)

    def read(raw: Any) -> int:
        number = numbers.read(raw)
        if number & (number - 1):
            raise ValueError(f"is not a power of two; write for example {example}")
        return number

    known = [2**power for power in range(most.bit_length()) if least <= 2**power <= most]
    return replace(
        numbers,
        accepts=f"power of two from {least} to {most}",
        read=read,
        schema={"enum": known, "examples": [example]},
    )


def inverse_of_a_power(most: int, *, zero: bool = False) -> Kind:
    """Shares 1, 1/2, 1/4 ... to 1/``most``, or 0 as well: texts like "1/16", or numbers."""
    wanted = f'expected 1, 1/2, 1/4 ... or 1/{most}{", or 0" * zero}; write it like "1/16"'

    def read(raw: Any) -> Fraction:
        number = _fraction(plain(raw))
        if zero and number == 0:
            return Fraction(0)
        inverse = 1 / number if number else Fraction(1, 2)
        if inverse.denominator != 1 or inverse > most or inverse < 1:
            raise ValueError(wanted)
        if inverse.numerator & (inverse.numerator - 1):
            raise ValueError(wanted)
        return Fraction(1, inverse.numerator)

    return Kind(
        accepts=f"1, 1/2, 1/4 ... 1/{most}{', or 0' * zero}: a text or a number",
        example='"1/16"',
        read=read,
        write=lambda value: str(value) if value.denominator > 1 else value.numerator,
        unit=lambda value: "",
        schema={
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": 1},
                {"type": "string", "pattern": r"^\s*1\s*/\s*[0-9]{1,9}\s*$"},
            ],
            "examples": ["1/16"],
        },
    )


def _fraction(value: Any) -> Fraction | None:
    """A number, or a text like "1/16"; none for anything else."""
    if not isinstance(value, str):
        return exact(value)
    above, slash, below = (part.strip() for part in value.partition("/"))
    digits = f"{above}{below}"
    if not slash or len(digits) > 30 or not (above.isdecimal() and below.isdecimal()):
        return None
    return Fraction(int(above), int(below)) if int(below) else None


PeakRate = Annotated[int | None, quantity(RATE, positive=True, words={LINE: None})]
"""PCR, bit/s; ``None`` is written "line"."""
InitialRate = Annotated[int | None, quantity(RATE, positive=True, words={OF_PCR: None})]
"""ICR, bit/s; ``None`` is written "pcr"."""
RateOrZero = Annotated[int, quantity(RATE, positive=False)]
"""A rate, bit/s."""
FixedRoundTrip = Annotated[int | None, quantity(TIME, positive=True, words={PATH: None})]
"""FRTT, ps; ``None`` is written "path"."""
DurationOrNever = Annotated[int | None, quantity(TIME, positive=True, words={NEVER: None})]
"""A time above 0, ps; ``None`` is written "never"."""
MaximumFrame = Annotated[
    int | None,
    quantity(CELLS, positive=True, most=MOST_MFS, example="23 cells", words={FRAME: None}),
]
"""MFS, cells; ``None`` is written "frame"."""
MaximumBurst = Annotated[
    int | None,
    quantity(CELLS, positive=True, most=MOST_MBS, example="46 cells", words={TWO_FRAMES: None}),
]
"""MBS, cells; ``None`` is written "two_frames"."""
CellCount = Annotated[int, quantity(CELLS, positive=True)]
"""A number of cells above 0."""
Tbe = Annotated[int, quantity(CELLS, positive=True, most=MOST_TBE, example="16777215 cells")]
"""TBE, cells."""
Tcr = Annotated[int, quantity(CELL_RATE, positive=True)]
"""TCR, cells/s."""
Nrm = Annotated[int, power_of_two(2, MOST_NRM, 32)]
"""Cells for each forward RM cell."""
Crm = Annotated[int | str, whole(1, MOST_TBE, 32, also=[TBE_CRM, OFF_CRM])]
"""Forward RM cells without an answer."""
RateFactor = Annotated[Fraction, inverse_of_a_power(32768)]
"""RIF or RDF."""
CutoffFactor = Annotated[Fraction, inverse_of_a_power(64, zero=True)]
"""CDF."""
BufferOrUnlimited = Annotated[Amount | None, or_word(CELL_BUFFER, UNLIMITED)]
"""Size of a buffer of cells; ``None`` is written "unlimited"."""
