"""Means with their intervals against a factor: one line per series, one panel per facet."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from ackclock.plots.axes import (
    AUTO,
    LINEAR,
    LOG,
    SYMLOG,
    Nudges,
    draw_means,
    handle,
    linear_below,
    name_levels,
    natural_scale,
    start_share,
    starting_at,
)
from ackclock.plots.chart import MEANS, WORDS, Chart, Line, Panel, limits
from ackclock.plots.chart import Axis as ChartAxis
from ackclock.plots.quantities import (
    is_number,
    level_quantity,
    level_texts,
    quantity,
    sentence,
    within,
)
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.style import PlainNumbers, series_look, styled

_WIDTHS_IN = {1: 4.6, 2: 6.6, 3: 8.6}
"""Width of the figure, inches, by the number of panels in a row."""
_PANEL_IN = 2.5
_FRAME_IN = 0.75
_DODGE = 0.12
"""Distance of series at one level of an axis of words, so that intervals do not overlap."""
_MOST_DODGED = 0.6
_ASIDE, _MOST_ASIDE = 0.008, 0.04
"""Distance of series at one level of an axis of numbers, as a fraction of the axis."""
_LETTERS_OF_AXIS = 34
_MOST_TICKS = 8


class Scales(NamedTuple):
    """The scales of the axes.

    Attributes:
        x: "linear", "log" or "symlog"; or "auto", which is "symlog" if one level is 0 and the
            others span a decade, else "linear".
        y: "linear" or "log".
    """

    x: str = AUTO
    y: str = LINEAR


_USUAL = Scales()


@styled
def means(
    frame: pd.DataFrame,
    *,
    x: str,
    y: str,
    y_unit: str = "",
    series: str | None = None,
    facet: str | None = None,
    scales: Scales = _USUAL,
    share: bool = False,
    title: str = "",
    source: str,
) -> SourcedFigure:
    """Draw means with their intervals.

    Args:
        frame: one row per combination of levels: columns ``x``, ``series``, ``facet``; mean, lo, hi
            in the unit of ``y`` (lo and hi are nan without an interval); n, the number of
            replications, if known.
        x: column along the axis: numbers are placed to scale, texts at equal distances in their
            order of appearance.
        y: name of the metric; its suffix gives the unit.
        y_unit: unit of the metric, if the name does not contain it.
        series: column with one line per level.
        facet: column with one panel per level.
        scales: scales of the axes.
        share: whether the means are shares, between 0 and 1: the axis starts at 0 or states its
            start, and intervals are cut to 0 to 1.
        title: shown above the figure.
        source: text on the source of the figure.
    """
    facets = _levels(frame, facet)
    columns = min(len(facets), max(_WIDTHS_IN))
    rows = ceil(len(facets) / columns)
    shown = quantity(y, frame[["mean", "lo", "hi"]].to_numpy(dtype=float), y_unit)
    name = title or f"{sentence(shown.name)} against {quantity(x).name}"
    figure = SourcedFigure(
        _FRAME_IN + _PANEL_IN * rows, _WIDTHS_IN[columns], title=name, source=source
    )
    axes = figure.area.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    shares = within(frame) if share else frame
    values = frame.assign(**{part: shares[part] / shown.scale for part in ("mean", "lo", "hi")})
    place = _Places(frame[x], x, scales.x)
    names = level_texts(facet, facets) if facet else []
    heads = [f"{sentence(quantity(facet).name)}: {each}" for each in names] if facet else [""]
    panels = []
    for number, ax in enumerate(axes):
        if number >= len(facets):
            ax.set_visible(False)
            continue
        part = values if facet is None else values[values[facet] == facets[number]]
        # Set scales before drawing, because limits depend on the scale at the time of drawing.
        place.scale(ax)
        ax.set_yscale(scales.y)
        lines = list(_lines(part, x, series, _levels(frame, series), place))
        _draw_panel(ax, lines, connected=place.numeric)
        panels.append(Panel(heads[number], lines))
        if facet is not None:
            ax.set_title(heads[number])
        if number % columns == 0:
            ax.set_ylabel(sentence(shown.label))
        if scales.y == LOG:
            ax.yaxis.set_major_formatter(PlainNumbers())
            ax.yaxis.set_minor_formatter(PlainNumbers(minor_thresholds=(1.5, 0.7)))
        place.arrange(ax, labelled=number + columns >= len(facets))
    if share and scales.y == LINEAR:
        start = start_share(axes[0], most=1 / shown.scale)
        for ax in axes[::columns]:
            ax.set_ylabel(starting_at(ax.get_ylabel(), start) if ax.get_ylabel() else "")
    if title:
        figure.area.suptitle(title, fontsize="large", fontweight="bold")
    if series is not None:
        _add_legend(figure, series, _levels(frame, series), lines=place.numeric)
    (left, right), (bottom, top) = limits(axes[0])
    figure.chart = Chart(
        MEANS,
        name,
        source,
        place.axis(left, right),
        ChartAxis(" ".join(axes[0].get_ylabel().split("\n")), shown.unit, scales.y, bottom, top),
        sentence(quantity(series).name) if series else "",
        level_texts(series, _levels(frame, series)) if series else [sentence(shown.name)],
        panels,
        place.texts,
        above=title,
    )
    return figure


def _levels(frame: pd.DataFrame, column: str | None) -> list[Any]:
    """Return levels: numbers ascending, texts in order of appearance; one empty level if none."""
    if column is None:
        return [None]
    levels = list(frame[column].unique())
    return sorted(levels) if all(map(is_number, levels)) else levels


class _Places:
    """The positions of the levels on the horizontal axis."""

    def __init__(self, levels: pd.Series, column: str, scale: str) -> None:
        self.levels = list(levels.unique())
        self.numeric = all(map(is_number, self.levels))
        self._quantity = level_quantity(column, self.levels if self.numeric else ())
        self.texts = level_texts(column, self.levels)
        self._scale = scale
        if self.numeric:
            self._scale = natural_scale(self.levels) if scale == AUTO else scale
            places = [level / self._quantity.scale for level in self.levels]
            self._threshold, self._nudges = linear_below(places), Nudges(places, self._scale)

    def of(self, levels: pd.Series, number: int, count: int) -> np.ndarray:
        """Return the positions of the points of series ``number`` of ``count``."""
        if self.numeric:
            places = levels.to_numpy(dtype=float) / self._quantity.scale
            return self._nudges.moved(places, number, count, min(_ASIDE, _MOST_ASIDE / count))
        step = min(_DODGE, _MOST_DODGED / count)
        shift = (number - (count - 1) / 2) * step
        return np.array([self.levels.index(level) for level in levels]) + shift

    def axis(self, low: float, high: float) -> ChartAxis:
        """Return the axis for an interactive page."""
        if not self.numeric:
            return ChartAxis(self._label(), "", WORDS, low, high)
        ticks = tuple(self._ticks()) if self._has_ticks() else ()
        unit = self._quantity.unit
        return ChartAxis(self._label(), unit, self._scale, low, high, ticks, self._threshold)

    def scale(self, ax: Axes) -> None:
        """Set the scale of the axis."""
        if self.numeric:
            more = {"linthresh": self._threshold} if self._scale == SYMLOG else {}
            ax.set_xscale(self._scale, **more)

    def arrange(self, ax: Axes, *, labelled: bool) -> None:
        """Set ticks and name of the axis."""
        if self.numeric:
            self._set_ticks(ax)
        else:
            name_levels(ax, self.texts, _LETTERS_OF_AXIS)
        if labelled:
            ax.tick_params(labelbottom=True)
            ax.set_xlabel(self._label())

    def _label(self) -> str:
        label = sentence(self._quantity.label)
        if not self.numeric or self._scale != SYMLOG:
            return label
        # The axis is linear from 0 to the smallest level above 0.
        return f"{label}, logarithmic from {self._threshold:.4g}"

    def _set_ticks(self, ax: Axes) -> None:
        """Set ticks at the levels if there are few and they have enough distance."""
        if self._has_ticks():
            places = self._ticks()
            ax.set_xticks(places, [f"{place:.6g}" for place in places])
            ax.xaxis.set_minor_locator(NullLocator())
        elif self._scale == LOG:
            ax.xaxis.set_major_formatter(PlainNumbers())
            ax.xaxis.set_minor_formatter(PlainNumbers())
        elif self._scale == SYMLOG:
            ax.xaxis.set_major_formatter("{x:g}")

    def _has_ticks(self) -> bool:
        return bool((self._nudges.gaps() > 1 / _MOST_TICKS).all())

    def _ticks(self) -> np.ndarray:
        return np.sort(np.array(self.levels, dtype=float) / self._quantity.scale)


def _lines(
    frame: pd.DataFrame, x: str, series: str | None, levels: list[Any], place: _Places
) -> Iterator[Line]:
    """Yield the means of a panel, one line per level of the series."""
    for number, level in enumerate(levels):
        rows = frame if series is None else frame[frame[series] == level]
        rows = rows.sort_values(x) if place.numeric else rows
        mean, lo, hi = (rows[part].to_numpy(dtype=float) for part in ("mean", "lo", "hi"))
        at = np.array([place.levels.index(each) for each in rows[x]], dtype=np.uint32)
        n = rows["n"].to_numpy() if "n" in rows else None
        yield Line(number, place.of(rows[x], number, len(levels)), mean, at, lo, hi, n)


def _draw_panel(ax: Axes, lines: list[Line], *, connected: bool) -> None:
    for line in lines:
        look = series_look(line.series)
        # Words have no values between them, so no line joins them.
        dash = look.dash if connected else "none"
        draw_means(ax, line.x, (line.y, line.lo, line.hi), look, ls=dash, capsize=2.5)


def _add_legend(figure: SourcedFigure, series: str, levels: list[Any], *, lines: bool) -> None:
    handles = [
        handle(series_look(number), text, joined=lines)
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
