"""The target of a search: a lower or upper limit of a metric, in the user's unit."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import inf
from typing import NamedTuple

from ackclock.plots.quantities import quantity
from ackclock.results.means import is_share
from ackclock.results.metrics import METRICS
from ackclock.results.names import unknown
from ackclock.scenario.units import RATE, TIME, Dimension, parse
from ackclock.scenario.values.quantities import to_number

AT_LEAST, AT_MOST = ">=", "<="
EXAMPLE = "efficiency >= 98 %"
_TARGET = re.compile(r"\s*(?P<metric>[^\s<>=≤≥]+)\s*(?P<sense>[<>=≤≥!]+)\s*(?P<value>.*?)\s*")
_SENSES = {">=": AT_LEAST, "≥": AT_LEAST, "<=": AT_MOST, "≤": AT_MOST}
_DIMENSIONS = {"bit/s": RATE, "s": TIME}
_COUNTED = re.compile(r"(?P<number>\S+)(?:\s+(?P<word>[a-z]+))?")


class Target(NamedTuple):
    """A metric and a limit.

    Attributes:
        metric: name of the metric.
        sense: ">=" if the metric must be at least the value, "<=" if at most.
        value: limit in the unit of the metric.
        scale: divisor that converts values of the metric to ``unit``.
        unit: unit of the value as written; empty for a plain number.
    """

    metric: str
    sense: str
    value: float
    scale: float
    unit: str

    @property
    def bounds(self) -> tuple[float, float]:
        """The smallest and largest possible value of the metric."""
        return 0.0, 1.0 if is_share(self.metric) else inf

    @property
    def at_bound(self) -> bool:
        """Whether the value is a bound of the metric, so that one run that misses it decides."""
        return self.value == self.bounds[self.sense == AT_LEAST]

    def reached_by(self, value: float) -> bool:
        """Return whether a value reaches the target."""
        return value >= self.value if self.sense == AT_LEAST else value <= self.value

    @property
    def name(self) -> str:
        """The readable name of the metric."""
        return quantity(self.metric).name

    def __str__(self) -> str:
        """Return the target in the form that ``read_target`` reads."""
        shown = f"{self.value / self.scale:.12g}"
        return " ".join(filter(None, [self.metric, self.sense, shown, self.unit]))


def read_target(text: str) -> Target:
    """Read a target, for example ``efficiency >= 98 %``.

    Args:
        text: a metric's name, ">=" or "<=", and a value with its unit: a rate for metrics in
            bit/s, a time for those in s, percent or a number for shares, a number for the others.

    Raises:
        ValueError: the text is not a target; the message suggests a correct form.
    """
    match = _TARGET.fullmatch(text)
    if match is None:
        raise ValueError(f"is not a target; write it like {EXAMPLE!r}")
    metric, value = match["metric"], match["value"]
    if metric not in METRICS:
        raise ValueError(unknown(metric, list(METRICS), "a metric"))
    sense = _SENSES.get(match["sense"])
    if sense is None:
        raise ValueError(f"{match['sense']!r} is not a comparison for a target; write >= or <=")
    return Target(metric, sense, *_value(metric, value))


def _value(metric: str, text: str) -> tuple[float, float, str]:
    """Return the value in the metric's unit, and scale and unit as written."""
    unit = METRICS[metric].unit
    if unit in _DIMENSIONS:
        return _quantity(text, _DIMENSIONS[unit])
    if is_share(metric):
        return _share(metric, text)
    match = _COUNTED.fullmatch(text)
    words = () if unit == "1" else tuple(unit.split(" or "))
    wanted = f'expected a number{f" of {unit}" if words else ""}; write it like "{metric} <= 10"'
    if match is None or match["word"] not in (None, *words):
        raise ValueError(f'"{text}" is not a value of {metric}: {wanted}')
    return float(_number(match["number"], wanted)), 1.0, match["word"] or ""


def _quantity(text: str, dimension: Dimension) -> tuple[float, float, str]:
    value = to_number(parse(text, dimension), dimension)
    unit = text.strip().lstrip("+0123456789.").strip()
    return float(value), float(to_number(dimension.units[unit], dimension)), unit


def _share(metric: str, text: str) -> tuple[float, float, str]:
    number, percent, rest = text.partition("%")
    wanted = f'expected a share; write it like "{metric} >= 98 %" or "{metric} >= 0.98"'
    value = _number("" if rest else number.strip(), wanted) / (100 if percent else 1)
    if value > 1:
        meant = f'; did you mean "{text} %"?' if not percent and value <= 100 else ""
        raise ValueError(f'"{text}" is above 100 %, which no {metric} reaches{meant}')
    return float(value), 0.01 if percent else 1.0, "%" if percent else ""


def _number(text: str, wanted: str) -> Fraction:
    """Return an exact fraction, so that 98 % becomes exactly the float 0.98."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite() or value < 0:
        raise ValueError(f'"{text}" is not a number of 0 or more: {wanted}')
    return Fraction(value)
