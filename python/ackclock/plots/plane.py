"""One metric against another: two factors as colour and marker, a third as panels."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ackclock.plots.axes import start_share, starting_at
from ackclock.plots.quantities import within
from ackclock.plots.style import GREY, new_figure, styled

_PANEL_IN, _FRAME_IN = 2.3, 0.95
_MOST_BESIDE = 2


class Key(NamedTuple):
    """A factor shown by colours or markers.

    Attributes:
        column: column of the frame.
        looks: colour or marker by level, in their order.
    """

    column: str
    looks: Mapping[Any, str]


@styled
def plane(
    frame: pd.DataFrame,
    *,
    colors: Key,
    markers: Key,
    facet: str,
    x_name: str,
    y_name: str,
    title: str = "",
    shares: bool = False,
) -> Figure:
    """Draw points with an interval in each direction.

    Args:
        frame: columns of ``colors``, ``markers`` and ``facet``; x, x_lo, x_hi, y, y_lo, y_hi (lo
            and hi are nan without an interval).
        colors: factor with one colour per level.
        markers: factor with a marker a level.
        facet: column with one panel per level, in order of appearance; the levels name the panels.
        x_name: name of the x axis, with unit.
        y_name: name of the y axis, with unit.
        title: shown above the figure.
        shares: whether both metrics are shares, between 0 and 1: axes start at 0 or state their
            start, and intervals are cut to 0 to 1.
    """
    if shares:
        for way in "xy":
            frame = within(frame, mean=way, lo=f"{way}_lo", hi=f"{way}_hi")
    facets = list(frame[facet].unique())
    columns = min(len(facets), _MOST_BESIDE)
    rows = ceil(len(facets) / columns)
    figure = new_figure(_FRAME_IN + _PANEL_IN * rows)
    axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for number, ax in enumerate(axes):
        if number >= len(facets):
            ax.set_visible(False)
            continue
        _draw(ax, frame[frame[facet] == facets[number]], colors, markers)
        ax.set_title(str(facets[number]), fontweight="normal" if title else "bold")
        if number + columns >= len(facets):
            ax.tick_params(labelbottom=True)
    if shares:
        x_name = starting_at(x_name, start_share(axes[0], way="x"), way="x")
        y_name = starting_at(y_name, start_share(axes[0]))
    for number, ax in enumerate(axes[: len(facets)]):
        if number + columns >= len(facets):
            ax.set_xlabel(x_name)
        if number % columns == 0:
            ax.set_ylabel(y_name)
    if title:
        figure.suptitle(title, fontsize="medium", fontweight="bold")
    _add_legend(figure, frame, colors, markers)
    return figure


def _draw(ax: Axes, frame: pd.DataFrame, colors: Key, markers: Key) -> None:
    for row in frame.to_dict("records"):
        lengths = {
            f"{way}err": _lengths(row[way], row[f"{way}_lo"], row[f"{way}_hi"]) for way in "xy"
        }
        ax.errorbar(
            row["x"],
            row["y"],
            **lengths,
            color=colors.looks[row[colors.column]],
            marker=markers.looks[row[markers.column]],
            mfc="none",
            ms=5,
            mew=1.2,
            elinewidth=0.5,
            ls="none",
        )


def _lengths(middle: float, lo: float, hi: float) -> np.ndarray | None:
    ends = np.array([[middle - lo], [hi - middle]])
    return ends if np.isfinite(ends).all() else None


def _add_legend(figure: Figure, frame: pd.DataFrame, colors: Key, markers: Key) -> None:
    """Add a legend of two rows: the colours, and below them the markers."""
    first = [_handle(str(level), color, "s") for level, color in _present(frame, colors)]
    second = [_handle(str(level), GREY, marker) for level, marker in _present(frame, markers)]
    columns = max(len(first), len(second))
    empty = Line2D([], [], ls="none", label=" ")
    first += [empty] * (columns - len(first))
    second += [empty] * (columns - len(second))
    # A legend is filled column by column.
    handles = [each for pair in zip(first, second, strict=True) for each in pair]
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=columns,
        handlelength=1.0,
        handletextpad=0.4,
        columnspacing=1.0,
    )


def _present(frame: pd.DataFrame, key: Key) -> list[tuple[Any, str]]:
    levels = set(frame[key.column])
    return [(level, look) for level, look in key.looks.items() if level in levels]


def _handle(label: str, color: str, marker: str) -> Line2D:
    filled = color if marker == "s" and color != GREY else "none"
    return Line2D(
        [], [], color=color, marker=marker, mfc=filled, ls="none", ms=5, mew=1.2, label=label
    )
