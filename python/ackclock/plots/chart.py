"""The content of a figure as numbers, from which an interactive page draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

WORDS = "words"
MEANS, SHARES = "means", "shares"
"""Kinds: means with intervals by level of a factor; shares of values up to or above a value."""


class Axis(NamedTuple):
    """An axis that all panels share.

    Attributes:
        label: name and unit of the quantity.
        unit: unit of the numbers; empty for plain numbers.
        scale: "linear", "log", "symlog" or "words" (0, 1, 2 ... are the first, second, third word).
        low: start of the axis.
        high: end of the axis.
        ticks: positions of the numbers; empty for free choice.
        linear_below: start of the logarithmic part of "symlog".
    """

    label: str
    unit: str
    scale: str
    low: float
    high: float
    ticks: tuple[float, ...] = ()
    linear_below: float = 0.0


class Line(NamedTuple):
    """A line, or points with intervals; all arrays have one value per point.

    Attributes:
        series: number of the series.
        x: positions; points that would hide others are moved aside.
        y: means, or shares in percent.
        levels: for means, number of the factor's level.
        lo: for means, lower end of the interval; nan without an interval.
        hi: for means, upper end of the interval.
        n: for means, number of replications; for shares, one element: the number of values.
    """

    series: int
    x: np.ndarray
    y: np.ndarray
    levels: np.ndarray | None = None
    lo: np.ndarray | None = None
    hi: np.ndarray | None = None
    n: np.ndarray | None = None


class Panel(NamedTuple):
    """A panel.

    Attributes:
        title: text that distinguishes the panel; empty for a single panel.
        lines: lines of the panel.
    """

    title: str
    lines: list[Line]


@dataclass(frozen=True)
class Chart:
    """A figure of means or of shares.

    Attributes:
        kind: ``MEANS`` or ``SHARES``.
        title: title of the figure.
        source: text on the source of the figure.
        x: axis of levels, or of values.
        y: axis of means, or of shares.
        heading: name of the factor of the series; empty for a single series without a name.
        series: names of the series.
        panels: panels, at least one.
        levels: for means, the levels along the axis as texts.
        above: text above all panels; may be empty.
        rises: for shares, whether they are shares up to a value; else shares above it.
    """

    kind: str
    title: str
    source: str
    x: Axis
    y: Axis
    heading: str
    series: Sequence[str]
    panels: Sequence[Panel]
    levels: Sequence[str] = field(default=())
    above: str = ""
    rises: bool = True


def limits(ax: Axes) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return start and end of both axes of a panel."""
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    return (float(left), float(right)), (float(bottom), float(top))
