"""Means with their intervals against a factor: a line a series, a panel a facet."""

from __future__ import annotations

from math import ceil
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from ackclock.plots.quantities import is_number, level_texts, quantity, sentence
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.style import PlainNumbers, series_look, styled

_WIDTHS_IN = {1: 4.6, 2: 6.6, 3: 8.6}
"""By the number of panels beside each other."""
_PANEL_IN = 2.5
_FRAME_IN = 0.75
_DODGE = 0.12
"""Between the series at one place of an axis of words, so that intervals do not hide each other."""
_MOST_DODGED = 0.6
_ASIDE, _MOST_ASIDE = 0.008, 0.04
"""The same at one place of an axis of numbers, as a share of the axis."""
_LETTERS_OF_AXIS = 34
_TILT = 30
_MOST_TICKS = 8


class Scales(NamedTuple):
    """Of the axes: "linear" or "log"."""

    x: str = "linear"
    y: str = "linear"


LINEAR = Scales()


@styled
def means(
    frame: pd.DataFrame,
    *,
    x: str,
    y: str,
    y_unit: str = "",
    series: str | None = None,
    facet: str | None = None,
    scales: Scales = LINEAR,
    title: str = "",
    source: str,
) -> Figure:
    """Means with their intervals.

    Args:
        frame: a row a combination of levels: columns ``x``, ``series``, ``facet``; mean, lo, hi in
            the unit of ``y`` (the ends nan where there is no interval).
        x: column along the axis: numbers stand where they belong, anything else at equal distances
            in the order of appearance.
        y: name of what the means are of; its end tells the unit.
        y_unit: if it does not.
        series: column with a line a level.
        facet: column with a panel a level.
        scales: of the axes.
        title: above all.
        source: what produced the figure.
    """
    facets = _levels(frame, facet)
    columns = min(len(facets), max(_WIDTHS_IN))
    rows = ceil(len(facets) / columns)
    shown = quantity(y, frame[["mean", "lo", "hi"]].to_numpy(dtype=float), y_unit)
    name = title or f"{sentence(shown.name)} against {quantity(x).name}"
    figure = SourcedFigure(
        _FRAME_IN + _PANEL_IN * rows, _WIDTHS_IN[columns], title=name, source=source
    )
    axes = figure.area.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flat
    values = frame.assign(**{part: frame[part] / shown.scale for part in ("mean", "lo", "hi")})
    place = _Places(frame[x], x, scales.x)
    names = level_texts(facet, facets) if facet else []
    for number, ax in enumerate(axes):
        if number >= len(facets):
            ax.set_visible(False)
            continue
        part = values if facet is None else values[values[facet] == facets[number]]
        _draw_panel(ax, part, x, series, _levels(frame, series), place)
        if facet is not None:
            ax.set_title(f"{sentence(quantity(facet).name)}: {names[number]}")
        if number % columns == 0:
            ax.set_ylabel(sentence(shown.label))
        ax.set_yscale(scales.y)
        if scales.y == "log":
            ax.yaxis.set_major_formatter(PlainNumbers())
            ax.yaxis.set_minor_formatter(PlainNumbers(minor_thresholds=(1.5, 0.7)))
        place.arrange(ax, labelled=number + columns >= len(facets))
    if title:
        figure.area.suptitle(title, fontsize="large", fontweight="bold")
    if series is not None:
        _add_legend(figure, series, _levels(frame, series), lines=place.numeric)
    return figure


def _levels(frame: pd.DataFrame, column: str | None) -> list[Any]:
    """In order of appearance, numbers ascending; one nameless level if there is no column."""
    if column is None:
        return [None]
    levels = list(frame[column].unique())
    return sorted(levels) if all(map(is_number, levels)) else levels


class _Places:
    """Where the levels of the horizontal axis stand."""

    def __init__(self, levels: pd.Series, column: str, scale: str) -> None:
        self.levels = list(levels.unique())
        self.numeric = all(map(is_number, self.levels))
        self._quantity = quantity(column, levels if self.numeric else ())
        self._texts = level_texts(column, self.levels)
        self._scale = scale

    def of(self, levels: pd.Series, number: int, count: int) -> np.ndarray:
        """Places of one series of so many."""
        if self.numeric:
            aside = (number - (count - 1) / 2) * min(_ASIDE, _MOST_ASIDE / count)
            return self._shifted(levels.to_numpy(dtype=float) / self._quantity.scale, aside)
        step = min(_DODGE, _MOST_DODGED / count)
        shift = (number - (count - 1) / 2) * step
        return np.array([self.levels.index(level) for level in levels]) + shift

    def _shifted(self, places: np.ndarray, aside: float) -> np.ndarray:
        """Places moved by a share of the axis."""
        ends = np.array([min(self.levels), max(self.levels)], dtype=float) / self._quantity.scale
        if self._scale == "log" and ends[0] > 0:
            return places * (ends[1] / ends[0]) ** aside
        return places + (ends[1] - ends[0]) * aside

    def arrange(self, ax: Axes, *, labelled: bool) -> None:
        """Scale, ticks and name of the axis."""
        if self.numeric:
            ax.set_xscale(self._scale)
            self._set_ticks(ax)
        else:
            tilted = sum(len(text) + 2 for text in self._texts) > _LETTERS_OF_AXIS
            look = {"rotation": _TILT, "ha": "right", "rotation_mode": "anchor"} if tilted else {}
            ax.set_xticks(range(len(self.levels)), self._texts, **look)
            ax.set_xlim(-0.5, len(self.levels) - 0.5)
            ax.grid(axis="x", visible=False)
        if labelled:
            ax.tick_params(labelbottom=True)
            ax.set_xlabel(sentence(self._quantity.label))

    def _set_ticks(self, ax: Axes) -> None:
        """At the levels themselves if they are few and far between."""
        places = np.sort(np.array(self.levels, dtype=float) / self._quantity.scale)
        along = np.log(places) if self._scale == "log" and places[0] > 0 else places
        gaps = np.diff(along) / max(along[-1] - along[0], np.finfo(float).tiny)
        if (gaps > 1 / _MOST_TICKS).all():
            ax.set_xticks(places, [f"{place:.4g}" for place in places])
            ax.xaxis.set_minor_locator(NullLocator())
        elif self._scale == "log":
            ax.xaxis.set_major_formatter(PlainNumbers())
            ax.xaxis.set_minor_formatter(PlainNumbers())


def _draw_panel(
    ax: Axes,
    frame: pd.DataFrame,
    x: str,
    series: str | None,
    levels: list[Any],
    place: _Places,
) -> None:
    for number, level in enumerate(levels):
        rows = frame if series is None else frame[frame[series] == level]
        rows = rows.sort_values(x) if place.numeric else rows
        mean = rows["mean"].to_numpy(dtype=float)
        ends = np.array([mean - rows["lo"], rows["hi"] - mean], dtype=float)
        look = series_look(number)
        ax.errorbar(
            place.of(rows[x], number, len(levels)),
            mean,
            yerr=ends if np.isfinite(ends).any() else None,
            color=look.color,
            marker=look.marker,
            # Between words there is nothing.
            ls=look.dash if place.numeric else "none",
            ms=4,
            capsize=2.5,
            elinewidth=0.9,
        )


def _add_legend(figure: SourcedFigure, series: str, levels: list[Any], *, lines: bool) -> None:
    handles = [
        Line2D(
            [],
            [],
            color=series_look(number).color,
            marker=series_look(number).marker,
            ls=series_look(number).dash if lines else "none",
            ms=4,
            label=text,
        )
        for number, text in enumerate(level_texts(series, levels))
    ]
    figure.area.legend(
        handles=handles,
        loc="outside lower center",
        title=sentence(quantity(series).name),
        title_fontsize="medium",
        ncols=min(len(handles), 4),
        handlelength=2.6 if lines else 1.2,
        columnspacing=1.2,
    )
