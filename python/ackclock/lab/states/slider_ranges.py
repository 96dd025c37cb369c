"""From where to where a slider goes, and in which unit it counts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

_WIDER = 10
"""A value outside the usual ends of its slider moves them: so many times as far."""
_RARE, _SMALL = 0.00001, 0.1
"""Shares: where sliders of small ones begin, and below what one is small."""
_MOST_COUNT = 20
_STEPS = 100


@dataclass(frozen=True)
class Unit:
    """A unit in which a slider counts.

    Attributes:
        name: as it is written behind the number.
        worth: in the unit of a column, as ``Kind.number`` gives a value.
        low: where sliders usually begin.
        high: where they usually end.
    """

    name: str
    worth: Fraction
    low: float
    high: float


LONG = Unit("s", Fraction(1), 1, 300)
"""Of the duration of a run."""
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
"""By the unit of a value; see ``Kind.unit``."""


def of_quantity(value: float, unit: Unit) -> dict[str, Any]:
    """Where a slider of a quantity goes; by factors, unless it is at 0."""
    if not value:
        high = unit.high / _WIDER
        return {"scale": "linear", "low": 0, "high": high, "step": high / _STEPS}
    low, high = min(unit.low, value / _WIDER), max(unit.high, value * _WIDER)
    return {"scale": "log", "low": low, "high": high, "step": None}


def of_number(number: Fraction, *, is_whole: bool) -> dict[str, Any]:
    """Where a slider of a number without unit goes.

    Args:
        number: now.
        is_whole: whether only whole numbers may stand there: then it is a count.
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
