"""Ranges of levels: from here to there, in equal steps or equal ratios."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Any

from ackclock.scenario import places
from ackclock.scenario.evaluation import VARIABLES
from ackclock.scenario.expression import is_expression
from ackclock.scenario.keys import Path
from ackclock.scenario.model.sweep import MOST_POINTS
from ackclock.scenario.model.variables import read_variable
from ackclock.scenario.units import RTT, show
from ackclock.scenario.values.kind import decimal, exact
from ackclock.scenario.values.quantities import Amount, in_base_units, parse_any, suffix

_KEYS = ("from", "to", "count", "step", "scale")
_SCALES = ("linear", "log")
_EXAMPLE = '{ from = "10 ms", to = "100 ms", count = 4 }'
_LOG = Context(prec=40)
_SHORT = Context(prec=6, rounding=ROUND_HALF_EVEN)
_ONE = Fraction(1)
_FINE = Fraction(1, 10**9)


@dataclass(frozen=True)
class Axis:
    """How levels of a key lie on a line of numbers.

    Attributes:
        number: of what is written, in base units.
        write: a number as it may be written.
        grain: of which numbers are multiples; none if any number will do.
    """

    number: Callable[[Any], Fraction]
    write: Callable[[Fraction], Any]
    grain: Fraction | None


@dataclass(frozen=True)
class Range:
    """A range of levels.

    Attributes:
        low: first number, in base units of the key.
        high: last number.
        count: of levels; none if the design says how many.
        log: whether levels have equal ratios.
        step: between levels, if it was written.
        axis: on which the numbers lie.
    """

    low: Fraction
    high: Fraction
    count: int | None
    log: bool
    step: Fraction | None
    axis: Axis

    @property
    def is_open(self) -> bool:
        """Whether the design says how many levels there are."""
        return self.count is None and self.step is None

    def levels(self) -> list[Any]:
        """The levels as they may be written, the ends included; none if the range is open."""
        if self.is_open:
            return []
        if self.step is not None:
            numbers = [self.low + at * self.step for at in range(self._steps() + 1)]
        else:
            assert self.count is not None
            last = self.count - 1
            inner = [self._rounded(self.at(Fraction(at, last))) for at in range(1, last)]
            numbers = [self.low, *inner, self.high]
        return [self.axis.write(number) for number in numbers]

    def _steps(self) -> int:
        assert self.step is not None
        return floor((self.high - self.low) / self.step)

    def at(self, share: Fraction) -> Fraction:
        """The number at a share of the range, from 0 to 1."""
        if not self.log:
            return self.low + (self.high - self.low) * share
        ratio = _LOG.ln(_decimal(self.high / self.low))
        return self.low * Fraction(_LOG.exp(_LOG.multiply(ratio, _decimal(share))))

    def _rounded(self, number: Fraction) -> Fraction:
        if self.log:  # Powers have endless digits; a level must be short.
            number = Fraction(_SHORT.plus(_decimal(number)))
        grain = self.axis.grain
        return number if grain is None else round(number / grain) * grain

    def within(self, start: Fraction, end: Fraction, share: Fraction) -> Any:
        """A level between two shares of the range, with no more digits than it takes.

        Args:
            start: share of the range at which the interval begins.
            end: where it ends.
            share: of the interval, from 0 to below 1.
        """
        low, high = self.at(start), self.at(end)
        grain = self.axis.grain
        if grain is not None and high - low < 100 * grain:
            return self.axis.write(self._of_few(start, end, share, grain))
        number = self.at(start + (end - start) * share)
        grain = _grain(high - low)
        number = round(number / grain) * grain
        if number < low:
            number += grain
        elif number >= high:
            number -= grain
        return self.axis.write(number)

    def _of_few(self, start: Fraction, end: Fraction, share: Fraction, grain: Fraction) -> Fraction:
        """One of the few multiples of the grain in an interval; its neighbour if there is none."""
        wide = replace(self, high=self.high + grain)  # gives the last number a share too
        first, last = (ceil(wide.at(each) / grain) for each in (start, end))
        number = first + floor(share * (last - first)) if last > first else first - 1
        return min(number * grain, self.high)


def _grain(width: Fraction) -> Fraction:
    """A power of ten of which a few hundred fit into a width."""
    return Fraction(10) ** (_decimal(width).adjusted() - 2)


def read_range(
    written: Mapping[str, Any], path: Path, place: Path, document: Mapping[str, Any]
) -> Range:
    """A range of levels of a key.

    Raises:
        ValueError: it is none; the message names a correct one.
    """
    unknown = [name for name in written if name not in _KEYS]
    if unknown:
        raise ValueError(f"a range has no {unknown[0]}, only {', '.join(_KEYS)}; write {_EXAMPLE}")
    if "from" not in written or "to" not in written:
        raise ValueError(f"a range has from and to; write it like {_EXAMPLE}")
    if "count" in written and "step" in written:
        raise ValueError("a range has either count or step; remove one of the two")
    for end in ("from", "to"):
        if is_expression(written[end]):
            raise ValueError(f"{end} must be a plain value; write expressions in a list of levels")
    axis = _axis(path, written["from"], document)
    low, high = (_number(axis, written[end], end) for end in ("from", "to"))
    if low >= high:
        raise ValueError(f"from must be below to; write it like {_EXAMPLE}")
    scale = written.get("scale", "linear")
    if scale not in _SCALES:
        raise ValueError('scale must be "linear" or "log"')
    log = scale == "log"
    if log and low <= 0:
        raise ValueError('a range with scale = "log" must begin above 0')
    count, step = _count(written), _step(axis, written, log)
    found = Range(low, high, count, log, step, axis)
    if step is not None and found._steps() >= MOST_POINTS:
        raise ValueError(f"the range has more than {MOST_POINTS} levels; write a larger step")
    return found


def _count(written: Mapping[str, Any]) -> int | None:
    count = written.get("count")
    if count is None:
        return None
    if type(count) is not int or not 2 <= count <= MOST_POINTS:
        raise ValueError(f"count must be a whole number from 2 to {MOST_POINTS}, for example 4")
    return count


def _step(axis: Axis, written: Mapping[str, Any], log: bool) -> Fraction | None:
    if "step" not in written:
        return None
    if log:
        raise ValueError('a range with scale = "log" takes count, not step; write count = 4')
    step = _number(axis, written["step"], "step")
    if step <= 0:
        raise ValueError("step must be above 0")
    return step


def _number(axis: Axis, raw: Any, name: str) -> Fraction:
    try:
        return axis.number(raw)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _axis(path: Path, first: Any, document: Mapping[str, Any]) -> Axis:
    """How the levels of a key lie on a line, of which one is known."""
    if path[0] == VARIABLES:
        return _axis_of_variable(first)
    try:
        place = places.locate(document, path)
    except places.UnknownKeyError as error:
        raise ValueError(str(error)) from None
    kind = place.key.kind
    assert kind is not None
    if place.rest:
        raise ValueError("a range cannot be given for an element of a list; use a list of levels")
    value = kind.read(first)
    if isinstance(value, Amount):
        unit = value.unit

        def number(raw: Any) -> Fraction:
            amount = kind.read(raw)
            if amount.unit != unit:
                raise ValueError(f"is in {amount.unit}, but from is in {unit}; use one unit")
            return Fraction(amount.number)

        grain = _FINE if unit == suffix(RTT) else _ONE
        return Axis(number, lambda n: kind.write(Amount(n, unit)), grain)
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise ValueError("a range is for numbers; use a list of levels")

    def read(raw: Any) -> Fraction:
        found = kind.read(raw)
        if not isinstance(found, int | Fraction):
            raise ValueError("a range is for numbers")
        return Fraction(found)

    if isinstance(value, int):
        return Axis(read, lambda n: kind.write(int(n)), _ONE)
    return Axis(read, kind.write, _FINE)


def _axis_of_variable(first: Any) -> Axis:
    quantity = parse_any(first) if isinstance(first, str) else None
    if quantity is None:

        def plain(raw: Any) -> Fraction:
            number = exact(read_variable(raw))
            if number is None:
                raise ValueError("expected a number, for example 0.5")
            return number

        return Axis(plain, _toml_number, None)
    dimension = quantity[0]

    def number(raw: Any) -> Fraction:
        found = parse_any(raw) if isinstance(raw, str) else None
        if found is None or found[0] is not dimension:
            raise ValueError(f'expected a {dimension.name}, like "{dimension.example}"')
        return found[1] * in_base_units(dimension)

    grain = _ONE if dimension.whole else _FINE
    return Axis(number, lambda n: show(n, dimension), grain)


def _toml_number(number: Fraction) -> int | Decimal | str:
    if number.denominator == 1:
        return int(number)
    text = decimal(number)
    return Decimal(text) if Fraction(text) == number else f"= {number}"


def _decimal(number: Fraction) -> Decimal:
    return _LOG.divide(Decimal(number.numerator), Decimal(number.denominator))
