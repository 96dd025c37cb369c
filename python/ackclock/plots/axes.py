"""Axes: the start of a share's axis, the positions of a factor's levels."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.lines import Line2D
from matplotlib.scale import SymmetricalLogTransform
from numpy.typing import ArrayLike

from ackclock.plots.style import Series

LINEAR, LOG, SYMLOG = "linear", "log", "symlog"
AUTO = "auto"
_DECADE = 10.0
_WORTH_A_ZERO = 0.5
_HEADROOM = 0.02
"""Room for half a marker above a share of 1, as a fraction of the axis."""
_MOST_OF_A_GAP = 1 / 3
"""Largest spread of the points of all series at one level, as a fraction of the smallest gap."""
_TILT = 30


def bars(middle: np.ndarray, lo: ArrayLike, hi: ArrayLike) -> np.ndarray | None:
    """Return the lengths of intervals below and above the middles; none without an interval."""
    lengths = np.array([middle - lo, hi - middle], dtype=float)
    return lengths if np.isfinite(lengths).any() else None


def draw_means(
    ax: Axes, x: ArrayLike, ends: Sequence[ArrayLike], look: Series, **changed: Any
) -> ErrorbarContainer:
    """Draw means with their intervals against ``x``.

    Args:
        ax: to draw on.
        x: place of each mean.
        ends: the means, and the lower and the upper ends of their intervals, nan without one.
        look: of the series.
        changed: keywords of ``Axes.errorbar`` that differ from the usual.
    """
    mean, lo, hi = (np.asarray(each, dtype=float) for each in ends)
    usual = {"ls": look.dash, "ms": 4, "capsize": 2, "elinewidth": 0.9}
    looks = {"color": look.color, "marker": look.marker, **usual, **changed}
    return ax.errorbar(x, mean, yerr=bars(mean, lo, hi), **looks)


def handle(look: Series, text: str, *, joined: bool = True) -> Line2D:
    """Return what stands for a series in a legend: its marker, on its line if means are joined."""
    dash = look.dash if joined else "none"
    return Line2D([], [], color=look.color, marker=look.marker, ls=dash, ms=4, label=text)


def name_levels(ax: Axes, texts: Sequence[str], letters: float) -> None:
    """Name the levels at 0, 1 ... on the horizontal axis; tilted if they exceed ``letters``."""
    tilted = sum(len(text) + 2 for text in texts) > letters
    look = {"rotation": _TILT, "ha": "right", "rotation_mode": "anchor"} if tilted else {}
    ax.set_xticks(range(len(texts)), texts, **look)
    ax.set_xlim(-0.5, len(texts) - 0.5)
    ax.grid(axis="x", visible=False)


def start_share(
    ax: Axes, *, way: str = "y", most: float = 1.0, worth: float = _WORTH_A_ZERO
) -> float:
    """Start an axis of shares at 0 if at most half of it stays empty, or else at a tick.

    Call this after everything is drawn on the axis and on those that share it.

    Args:
        ax: axes with a linear scale in this direction.
        way: direction, "x" or "y".
        most: the largest share: 1, or 100 for percent.
        worth: fraction of the axis that a start at 0 may leave empty.

    Returns:
        The start of the axis.
    """
    axis = ax.yaxis if way == "y" else ax.xaxis
    low, high = ax.get_ylim() if way == "y" else ax.get_xlim()
    start = 0.0
    if low > worth * high:
        ticks = axis.get_major_locator().tick_values(low, min(high, most))
        step = float(ticks[1] - ticks[0])
        # In whole steps, so that 0.3 is not 0.30000000000000004.
        start = round(floor(low / step + 1e-9) * step, 12)
    end = min(high, most + _HEADROOM * (most - start))
    ax.set(**{f"{way}lim": (start, end)})
    for line in ax.lines:
        values = np.asarray(line.get_data()[way == "y"], dtype=float)
        if ((values >= start) & (values <= end) | np.isnan(values)).all():
            # Markers on the edge of the axis are not cut.
            line.set_clip_on(False)
    return start


def starting_at(label: str, start: float, *, way: str = "y") -> str:
    """Return the label of an axis of shares, with a note if it does not start at 0."""
    between = "\n" if way == "y" else " "
    return f"{label}{between}(axis starts at {start:g})" if start else label


def natural_scale(levels: Sequence[float]) -> str:
    """Return the scale that can show the levels of a factor: "symlog" or "linear".

    The scale is symmetrically logarithmic if one level is 0 and the others are positive and span a
    decade.
    """
    values = np.unique(np.asarray(levels, dtype=float))
    above = values[values > 0]
    spread = above.size > 1 and above[-1] >= (1 - 1e-9) * _DECADE * above[0]
    return SYMLOG if spread and values[0] == 0 else LINEAR


class Nudges:
    """Moves the points of several series at one level aside, so that no point hides another.

    A moved point crosses neither the middle between two levels nor 0: points at 0 move to the
    right.

    Args:
        levels: levels of the factor, not all nan.
        scale: "linear", "log" or "symlog".
    """

    def __init__(self, levels: Sequence[float], scale: str) -> None:
        values = np.unique(np.asarray(levels, dtype=float))
        self._symlog = SymmetricalLogTransform(10, linear_below(values), 1)
        self._scale = LINEAR if scale == LOG and values[0] <= 0 else scale
        places = self._along(values)
        self._extent = float(places[-1] - places[0])
        self._gaps = np.diff(places)
        # 0 is a neighbour of all levels, except on a logarithmic axis, which cannot show 0.
        neighbours = places if self._scale == LOG else np.unique([*places, 0.0])
        self._room = float(np.diff(neighbours).min()) if places.size > 1 else 0.0

    def gaps(self) -> np.ndarray:
        """Distances from each level to the next, as fractions of the axis."""
        return self._gaps / max(self._extent, np.finfo(float).tiny)

    def moved(self, places: np.ndarray, number: int, count: int, aside: float) -> np.ndarray:
        """Return the positions of the points of one series.

        Args:
            places: levels of the points.
            number: number of the series, from 0.
            count: number of series.
            aside: distance between series, as a fraction of the axis; less if there is no room.
        """
        step = min(aside * self._extent, _MOST_OF_A_GAP * self._room / max(count - 1, 1))
        shift = np.where(places == 0, number, number - (count - 1) / 2) * step
        return self._back(self._along(places) + shift) if step else places

    def _along(self, values: np.ndarray) -> np.ndarray:
        if self._scale == SYMLOG:
            return np.asarray(self._symlog.transform(values))
        return np.log(values) if self._scale == LOG else values

    def _back(self, along: np.ndarray) -> np.ndarray:
        if self._scale == SYMLOG:
            return np.asarray(self._symlog.inverted().transform(along))
        return np.exp(along) if self._scale == LOG else along


def linear_below(levels: Sequence[float] | np.ndarray) -> float:
    """Return the start of the logarithmic part of a "symlog" axis: the smallest level above 0."""
    values = np.asarray(levels, dtype=float)
    above = values[values > 0]
    return float(above.min()) if above.size else 1.0
