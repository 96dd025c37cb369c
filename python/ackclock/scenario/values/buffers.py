"""Receive buffers: a size, or a number of segments of the TCP with the buffer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ackclock.scenario.units import SIZE, Dimension, show
from ackclock.scenario.values.kind import Computed, Kind
from ackclock.scenario.values.quantities import Amount, quantity, suffix

SEGMENTS = Dimension(
    "number of segments",
    "11 segments",
    {"segments": 1},
    maximum=2**32 - 1,
    singular="segment",
)
_NUMBER = quantity(SEGMENTS, positive=True)


def buffer(most: int) -> Kind:
    """Receive buffers of ``most`` bytes at most; what an expression gives is bytes.

    A number of segments is limited where it is known how large they are.
    """
    size = quantity(SIZE, positive=True, most=most)

    def read(raw: Any) -> Amount:
        text = raw.value if isinstance(raw, Computed) else raw
        if isinstance(text, str) and text.strip().endswith(("segment", "segments")):
            return Amount(_NUMBER.read(raw), "segments")
        try:
            return Amount(size.read(raw), suffix(SIZE))
        except ValueError as error:
            raise ValueError(f'{error}, or "{SEGMENTS.example}"') from None

    return Kind(
        accepts=f"{size.accepts}, or {_NUMBER.accepts}",
        example='"64 KiB"',
        read=read,
        write=show_buffer,
        number=lambda value: Fraction(value.number),
        unit=lambda value: value.unit,
        schema={"anyOf": [dict(size.schema), dict(_NUMBER.schema)]},
    )


def show_buffer(value: Amount) -> str:
    """A buffer as a person would write it."""
    return show(value.number, SEGMENTS if value.unit == "segments" else SIZE)
