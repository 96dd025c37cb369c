"""Ranges and units of sliders."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

_WIDER = 10
"""A value outside the default range of its slider extends the range by this factor."""
_RARE, _SMALL = 0.00001, 0.1
"""Shares: start of the sliders of small shares, and limit of small shares."""
_MOST_COUNT = 20
_STEPS = 100


@dataclass(frozen=True)
class Unit:
    """The unit of a slider.

    Attributes:
        name: name of the unit, as written after a number.
        worth: value of the unit in the unit of a column, as for ``Kind.number``.
        low: default start of sliders.
        high: default end of sliders.
    """

    name: str
    worth: Fraction
    low: float
    high: float


LONG = Unit("s", Fraction(1), 1, 300)
"""Unit of the duration of a run."""
SIZE = Unit("kB", Fraction(1000), 4, 10_000)
UNITS = {
    "bit_s": Unit("Mbit/s", Fraction(10**6), 0.1, 1000),
    "s": Unit("ms", Fraction(1, 1000), 0.1, 1000),
    "bytes": SIZE,
    "packets": Unit("packets", Fraction(1), 1, 2000),
    "cells": Unit("cells", Fraction(1), 10, 100_000),
    "rtt": Unit("rtt", Fraction(1), 0.05, 8),
    "segments": Unit("segments", Fraction(1), 1, 1000),
}
"""Units of sliders, by the unit of a value; see ``Kind.unit``."""


def of_quantity(value: float, unit: Unit) -> dict[str, Any]:
    """Return the range of a quantity's slider; logarithmic, unless the value is 0."""
    if not value:
        high = unit.high / _WIDER
        return {"scale": "linear", "low": 0, "high": high, "step": high / _STEPS}
    low, high = min(unit.low, value / _WIDER), max(unit.high, value * _WIDER)
    return {"scale": "log", "low": low, "high": high, "step": None}


def of_number(number: Fraction, *, is_whole: bool) -> dict[str, Any]:
    """Return the range of a slider for a number without unit.

    Args:
        number: present value.
        is_whole: whether the value must be a whole number, and so is a count.
    """
    value = float(number)
    if is_whole:
        high = max(_MOST_COUNT, 4 * int(number))
        return {"scale": "linear", "low": min(1, int(number)), "high": high, "step": 1}
    if number > 1:
        return {"scale": "log", "low": value / _WIDER, "high": value * _WIDER, "step": None}
    if number >= _SMALL:
        return {"scale": "linear", "low": 1 / _STEPS, "high": 1, "step": 1 / _STEPS}
    if not number:
        return {"scale": "linear", "low": 0, "high": _SMALL, "step": _SMALL / _STEPS}
    return {"scale": "log", "low": min(_RARE, value / _WIDER), "high": 1, "step": None}
