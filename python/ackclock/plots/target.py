"""A metric against a size, with the sizes that reach a target and the smallest one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, NullLocator

from ackclock.plots.axes import bars, start_share, starting_at
from ackclock.plots.quantities import within
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.style import BLUE, GREEN, GREY, VERMILLION, PlainNumbers, styled

_HEIGHT_IN = 3.9
_SHADE = "#CFE8DD"
_ROOM = 0.08
"""Margin above and below the visible range, as a fraction of the range."""
_MOST_TICKS = 7
_NICE = (1.0, 2.0, 5.0)


class Look(NamedTuple):
    """The style of buffers with one verdict."""

    label: str
    color: str
    marker: str
    fill: str


LOOKS = {
    "holds": Look("reaches it", GREEN, "o", "full"),
    "fails": Look("does not", VERMILLION, "X", "full"),
    "undecided": Look("undecided", GREY, "D", "none"),
}


class Marks(NamedTuple):
    """The lines and ranges beside the points.

    Attributes:
        target: value of the target line.
        label: label of the target line.
        bracket: ends of the shaded range, ascending; none without a range.
    """

    target: float
    label: str
    bracket: tuple[float, float] | None


@styled
def target_reached(
    frame: pd.DataFrame,
    *,
    x_label: str,
    y_label: str,
    marks: Marks,
    title: str,
    source: str,
    most: float | None = None,
) -> Figure:
    """Draw means with their intervals against sizes on a logarithmic axis, and a target.

    The axis shows all means and the target; a wide interval may extend beyond the axis.

    Args:
        frame: columns size (above 0), mean, lo, hi (nan without an interval), verdict (of
            ``LOOKS``).
        x_label: label of the sizes, with unit.
        y_label: label of the means, with unit.
        marks: target and bracket, in these units.
        title: shown above the figure.
        source: text on the source of the figure.
        most: largest value if the metric is a share, in its unit: 1, or 100 for percent. The axis
            then starts at 0 or states its start, and intervals are cut to the possible values.
    """
    figure = SourcedFigure(_HEIGHT_IN, title=title, source=source)
    ax = figure.area.subplots()
    shown = frame.sort_values("size")
    if most is not None:
        shown = within(shown, most=most)
    if marks.bracket is not None:
        ax.axvspan(*marks.bracket, color=_SHADE, lw=0, zorder=0)
    ax.axhline(marks.target, color=BLUE, lw=1.2, ls=(0, (5, 2)), zorder=1)
    ax.plot(shown["size"], shown["mean"], color=GREY, lw=0.7, zorder=1.5)
    for verdict, look in LOOKS.items():
        _draw(ax, shown[shown["verdict"] == verdict], look)
    ax.set_xscale("log")
    _set_ticks(ax, shown["size"].to_numpy(dtype=float))
    ax.set_ylim(*_heights(shown, marks.target))
    ax.set_xlabel(x_label)
    start = 0.0 if most is None else start_share(ax, most=most)
    ax.set_ylabel(starting_at(y_label, start))
    figure.area.suptitle(title, fontsize="large", fontweight="bold")
    figure.area.legend(
        handles=_handles(shown, marks), loc="outside lower center", ncols=3, handlelength=1.6
    )
    return figure


def _draw(ax: Axes, rows: pd.DataFrame, look: Look) -> None:
    mean = rows["mean"].to_numpy(dtype=float)
    drawn = ax.errorbar(
        rows["size"],
        mean,
        yerr=bars(mean, rows["lo"], rows["hi"]),
        color=look.color,
        marker=look.marker,
        fillstyle=look.fill,
        ls="none",
        ms=5,
        capsize=2.5,
        elinewidth=0.9,
        zorder=2,
    )
    # An interval may extend beyond the axes; the layout must not make room for its hidden part.
    for part in drawn.get_children():
        part.set_in_layout(False)


def _heights(frame: pd.DataFrame, target: float) -> tuple[float, float]:
    """Return the ends of the axis: all means, and the narrower half of the intervals."""
    width = frame["hi"] - frame["lo"]
    narrow = frame[width <= width.median()]
    values = np.concatenate([[target], frame["mean"], narrow["lo"], narrow["hi"]])
    values = values[np.isfinite(values)]
    least, most = float(values.min()), float(values.max())
    room = _ROOM * ((most - least) or abs(most) or 1.0)
    return least - room, most + room


def _set_ticks(ax: Axes, sizes: np.ndarray) -> None:
    """Set ticks at 1, 2 and 5 of each decade if these are few, else matplotlib's ticks."""
    least, most = sizes.min(), sizes.max()
    decades = range(int(np.floor(np.log10(least))), int(np.ceil(np.log10(most))) + 1)
    ticks = [nice * 10.0**decade for decade in decades for nice in _NICE]
    ticks = [tick for tick in ticks if 0.95 * least <= tick <= 1.05 * most]
    if 2 <= len(ticks) <= _MOST_TICKS:
        ax.xaxis.set_major_locator(FixedLocator(ticks))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.xaxis.set_major_formatter("{x:g}")
    else:
        ax.xaxis.set_major_formatter(PlainNumbers())
        ax.xaxis.set_minor_formatter(PlainNumbers())


def _handles(frame: pd.DataFrame, marks: Marks) -> list[Line2D | Patch]:
    handles: list[Line2D | Patch] = [
        Line2D(
            [],
            [],
            color=look.color,
            marker=look.marker,
            fillstyle=look.fill,
            ls="none",
            label=look.label,
        )
        for verdict, look in LOOKS.items()
        if (frame["verdict"] == verdict).any()
    ]
    handles.append(Line2D([], [], color=BLUE, lw=1.2, ls=(0, (5, 2)), label=marks.label))
    if marks.bracket is not None:
        handles.append(Patch(color=_SHADE, label="the answer lies here"))
    return handles
