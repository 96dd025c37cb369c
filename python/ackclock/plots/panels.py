"""Means against a factor with levels at equal distances, by series and facet.

For levels that are words, or numbers of which each is a multiple of the last. ``means`` places
numbers to scale, and its foot states the source; this module is for pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ackclock.plots.axes import draw_means, handle, name_levels, start_share, starting_at
from ackclock.plots.quantities import within
from ackclock.plots.style import GREY, Series, new_figure, styled

_PANEL_IN, _FRAME_IN = 2.05, 0.85
_MOST_BESIDE = 2
_WIDTH_OF_SERIES, _MOST_DODGE = 0.5, 0.13
"""Positions of the series at one level: largest width of all, and distance between two."""
_LETTERS_OF_PANEL = 36
_LETTERS_OF_LEGEND, _LETTERS_OF_HANDLE = 66, 7


class Axis(NamedTuple):
    """A factor with the texts of its levels.

    Attributes:
        column: column of the frame.
        name: name with unit; empty if the levels need no name.
        texts: texts by level, in their order.
    """

    column: str
    name: str
    texts: Mapping[Any, str]


class Mark(NamedTuple):
    """A reference value.

    Attributes:
        at: value in the unit of the means.
        name: name for the legend.
    """

    at: float
    name: str


@styled
def panels(
    frame: pd.DataFrame,
    *,
    x: Axis,
    series: Axis,
    facet: Axis | None = None,
    looks: Mapping[Any, Series],
    y_name: str,
    mark: Mark | None = None,
    joined: bool = True,
    most: float | None = None,
) -> Figure:
    """Draw means with their intervals.

    Args:
        frame: one row per combination of levels: the columns of ``x``, ``series``, ``facet``; mean,
            lo, hi (nan without an interval). Levels without a row are left out.
        x: factor along the axis.
        series: factor with one line per level.
        facet: factor with one panel per level; none for a single panel.
        looks: style of each level of ``series``.
        y_name: name of the y axis, with unit.
        mark: reference line across all panels.
        joined: whether lines join the means of a series.
        most: largest value if the means are shares: 1, or 100 for percent. The axis then starts
            at 0 or states its start, and intervals are cut to the possible values.
    """
    frame = frame if most is None else within(frame, most=most)
    facets = [None] if facet is None else _levels(frame, facet)
    columns = min(len(facets), _MOST_BESIDE)
    rows = ceil(len(facets) / columns)
    figure = new_figure(_FRAME_IN + _PANEL_IN * rows)
    axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    shown = _levels(frame, series)
    for number, ax in enumerate(axes):
        if number >= len(facets):
            ax.set_visible(False)
            continue
        part = frame
        if facet is not None:
            part = frame[frame[facet.column] == facets[number]]
            ax.set_title(facet.texts[facets[number]])
        _draw(ax, part, x, _levels(frame, x), (series, shown, looks), joined=joined)
        if mark is not None:
            ax.axhline(mark.at, color=GREY, lw=0.9, ls=(0, (4, 2)), zorder=1)
        _arrange(ax, x, _levels(frame, x), columns, labelled=number + columns >= len(facets))
    label = y_name if most is None else starting_at(y_name, start_share(axes[0], most=most))
    for ax in axes[::columns]:
        ax.set_ylabel(label)
    _add_legend(figure, [(series.texts[each], looks[each]) for each in shown], mark, joined=joined)
    return figure


def _levels(frame: pd.DataFrame, axis: Axis) -> list[Any]:
    present = set(frame[axis.column])
    return [level for level in axis.texts if level in present]


def _draw(
    ax: Axes,
    frame: pd.DataFrame,
    x: Axis,
    levels: list[Any],
    lines: tuple[Axis, list[Any], Mapping[Any, Series]],
    *,
    joined: bool,
) -> None:
    series, shown, looks = lines
    step = min(_MOST_DODGE, _WIDTH_OF_SERIES / len(shown))
    for number, each in enumerate(shown):
        rows = frame[frame[series.column] == each]
        places = np.array([levels.index(level) for level in rows[x.column]], dtype=float)
        order = np.argsort(places, kind="stable")
        ends = [rows[name].to_numpy(dtype=float)[order] for name in ("mean", "lo", "hi")]
        at = places[order] + (number - (len(shown) - 1) / 2) * step
        draw_means(ax, at, ends, looks[each], ls=looks[each].dash if joined else "none")


def _arrange(ax: Axes, x: Axis, levels: list[Any], columns: int, *, labelled: bool) -> None:
    name_levels(ax, [x.texts[level] for level in levels], 2 * _LETTERS_OF_PANEL / columns)
    if labelled:
        ax.tick_params(labelbottom=True)
        ax.set_xlabel(x.name)


def _add_legend(
    figure: Figure, named: list[tuple[str, Series]], mark: Mark | None, *, joined: bool
) -> None:
    handles = [handle(look, text, joined=joined) for text, look in named]
    if mark is not None:
        handles.append(Line2D([], [], color=GREY, lw=0.9, ls=(0, (4, 2)), label=mark.name))
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=_columns([handle.get_label() for handle in handles]),
        handlelength=2.4 if joined else 1.2,
        handletextpad=0.4,
        columnspacing=1.0,
    )


def _columns(texts: list[str]) -> int:
    """Return the number of legend columns that fit, with rows of about equal length."""
    widest = max(map(len, texts)) + _LETTERS_OF_HANDLE
    rows = ceil(len(texts) / max(_LETTERS_OF_LEGEND // widest, 1))
    if sum(len(text) + _LETTERS_OF_HANDLE for text in texts) <= _LETTERS_OF_LEGEND:
        rows = 1
    return ceil(len(texts) / rows)
