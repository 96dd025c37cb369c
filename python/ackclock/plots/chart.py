"""What a figure shows, as numbers: a page on which it can be looked into draws it from these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

WORDS = "words"
MEANS, SHARES = "means", "shares"
"""Kinds: means with intervals by levels of a factor; shares of all values, up to or above one."""


class Axis(NamedTuple):
    """An axis, which all panels share.

    Attributes:
        label: what it shows, with the unit.
        unit: of its numbers; empty if they have none.
        scale: "linear", "log", "symlog" or "words" (0, 1, 2 ... are the first, second, third word).
        low: where it begins.
        high: where it ends.
        ticks: where it has numbers; empty if anywhere will do.
        linear_below: of "symlog", where its logarithmic part begins.
    """

    label: str
    unit: str
    scale: str
    low: float
    high: float
    ticks: tuple[float, ...] = ()
    linear_below: float = 0.0


class Line(NamedTuple):
    """A line, or points with intervals; all arrays have a value each point.

    Attributes:
        series: number of its series.
        x: places, those of points moved aside where others would hide them.
        y: means, or shares in percent.
        levels: of means, number of the level of the factor.
        lo: of means, lower end of the interval; nan where there is none.
        hi: upper end.
        n: of means, replications; of shares, values behind the line, once.
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
        title: what tells it from the others; empty if there is one.
        lines: in it.
    """

    title: str
    lines: list[Line]


@dataclass(frozen=True)
class Chart:
    """A figure of means or of shares.

    Attributes:
        kind: ``MEANS`` or ``SHARES``.
        title: what it shows.
        source: what produced it.
        x: the axis of levels, or of values.
        y: the axis of means, or of shares.
        heading: what the series are levels of; empty if there is one without a name.
        series: their names.
        panels: at least one.
        levels: of means, the levels along the axis as texts.
        above: what stands above all panels; may be empty.
        rises: of shares, whether they are those up to a value; else those above it.
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
    """Where the axes of a panel begin and end."""
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    return (float(left), float(right)), (float(bottom), float(top))
