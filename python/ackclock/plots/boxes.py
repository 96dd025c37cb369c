"""Boxes: quartiles and percentiles, one group of boxes per level, one colour per series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ackclock.plots.axes import LINEAR, LOG, name_levels, start_share, starting_at
from ackclock.plots.histograms import Histogram
from ackclock.plots.quantities import level_quantity, level_texts, quantity, sentence
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.style import WIDTH_IN, PlainNumbers, series_look, styled

_HEIGHT_IN, _LEGEND_IN = 3.4, 0.17
_BOXES_IN, _MOST_WIDTH_IN = 0.3, 8.6
_COLUMNS_OF_LEGEND = 4
_MOST_OF_LOG = 1e4
"""Ratio of the ends of a logarithmic axis if values of 0 are below the axis."""
_FEW = 20
"""If each box has at most this many values, all values are drawn."""
_GROUP, _MOST_WIDE, _WITHIN = 0.8, 0.3, 0.75
"""Widths relative to the distance of levels: all boxes of a level; largest width of a box; and
the width of a box relative to its room."""
_LETTERS_OF_AXIS = 34


class Box(NamedTuple):
    """Key of a box: a level of x and a level of the series; none without a factor."""

    x: Any
    series: Any = None


@styled
def boxes(
    samples: Mapping[Box, Histogram],
    *,
    y: str,
    y_unit: str = "",
    x: str | None = None,
    series: str | None = None,
    y_scale: str = LINEAR,
    share: bool = False,
    title: str = "",
    source: str,
) -> Figure:
    """Draw boxes from the 25th to the 75th percentile, with a median line and whiskers.

    With few values per box, whiskers end at the smallest and the largest value, and each value is a
    dot. Otherwise whiskers end at the 5th and 95th percentile, with a mark at the 99th. The foot of
    the figure states which of these applies.

    Args:
        samples: values by level, in order of appearance, in the unit of ``y``; not all empty.
        y: name of the values; its suffix gives the unit.
        y_unit: unit of the values, if the name does not contain it.
        x: column along the axis; its levels have equal distances.
        series: column with one colour per level.
        y_scale: "linear" or "log".
        share: whether the values are shares, between 0 and 1.
        title: shown above the figure.
        source: text on the source of the figure.
    """
    levels, its_series = (list(dict.fromkeys(keys)) for keys in zip(*samples, strict=True))
    few = all(its.is_sample and its.total <= _FEW for its in samples.values())
    top = [its.percentile(100 if few else 99) for its in samples.values()]
    shown = quantity(y, top, y_unit)
    name = title or f"{sentence(shown.name)}{f' by {quantity(x).name}' if x else ''}"
    lines = ceil(len(its_series) / _COLUMNS_OF_LEGEND)
    figure = SourcedFigure(
        _HEIGHT_IN + _LEGEND_IN * max(lines - 1, 0),
        min(max(WIDTH_IN, _BOXES_IN * len(samples)), _MOST_WIDTH_IN),
        title=name,
        source=f"{source} · {_meaning(few)}",
    )
    ax = figure.area.subplots()
    ax.set_yscale(y_scale, **({"nonpositive": "clip"} if y_scale == LOG else {}))
    for (level, its), values in samples.items():
        number, count = its_series.index(its), len(its_series)
        wide = min(_GROUP / count, _MOST_WIDE)
        place = levels.index(level) + (number - (count - 1) / 2) * wide
        _draw(
            ax,
            values.scaled(shown.scale),
            place,
            _WITHIN * wide,
            series_look(number).color,
            few=few,
        )
    letters = _LETTERS_OF_AXIS * figure.bbox.width / (WIDTH_IN * figure.dpi)
    name_levels(ax, level_texts(x, levels) if x else [""], letters)
    ax.set_xlabel(sentence(level_quantity(x).name) if x else "")
    ax.set_ylabel(sentence(shown.label))
    if y_scale == LOG:
        _cut_below(ax, samples, shown.scale, few=few)
        ax.yaxis.set_major_formatter(PlainNumbers())
        ax.yaxis.set_minor_formatter(PlainNumbers(minor_thresholds=(1.5, 0.7)))
    elif share:
        ax.set_ylabel(starting_at(ax.get_ylabel(), start_share(ax, most=1 / shown.scale)))
    else:
        _start_at_zero(ax)
    if title:
        ax.set_title(title, loc="left")
    if series:
        _add_legend(figure, series, its_series)
    return figure


def _meaning(few: bool) -> str:
    """Return the description of the parts of a box, for the foot."""
    if few:
        return (
            "box: 25 % to 75 % of the values, line: median · whiskers: smallest and largest · dots:"
            " single values"
        )
    return "box: 25 % to 75 % of the values, line: median · whiskers: 5 % and 95 % · mark: 99 %"


def _parts(few: bool) -> tuple[float, ...]:
    """Return the percentiles of the parts of a box, from the lower whisker to the mark."""
    return (0, 25, 50, 75, 100) if few else (5, 25, 50, 75, 95, 99)


def _draw(ax: Axes, its: Histogram, place: float, wide: float, color: str, *, few: bool) -> None:
    names = ("whislo", "q1", "med", "q3", "whishi")
    stats: dict[str, Any] = {
        name: its.percentile(percent) for name, percent in zip(names, _parts(few), strict=False)
    }
    stats["fliers"] = [] if few else [its.percentile(99)]
    line = {"color": color, "lw": 1.0}
    ax.bxp(
        [stats],
        positions=[place],
        widths=[wide],
        patch_artist=True,
        boxprops={"facecolor": to_rgba(color, 0.22), "edgecolor": color, "lw": 1.0},
        medianprops={"color": color, "lw": 2.0, "solid_capstyle": "butt"},
        whiskerprops=line,
        capprops=line,
        flierprops={"marker": "D", "ms": 3, "mfc": color, "mec": color},
        manage_ticks=False,
    )
    if few:
        # Dots are spread sideways only to keep equal values visible.
        aside = np.linspace(-0.3, 0.3, its.total) if its.total > 1 else np.zeros(its.total)
        ax.plot(
            place + wide * aside,
            its.values,
            ls="none",
            marker="o",
            ms=2.6,
            mfc="white",
            mec=color,
            mew=0.8,
            zorder=3,
        )


def _start_at_zero(ax: Axes) -> None:
    """Start the axis at 0 if at most half of it stays empty."""
    low, high = ax.get_ylim()
    if low < high / 2:
        ax.set_ylim(min(low, 0) if low < -0.1 * high else 0, high)


def _cut_below(ax: Axes, samples: Mapping[Box, Histogram], scale: float, *, few: bool) -> None:
    """Let a logarithmic axis start at the smallest part of a box that is above 0."""
    ends = np.array([its.percentile(each) for its in samples.values() for each in _parts(few)])
    above = ends[ends > 0] / scale
    if above.size and (ends <= 0).any():
        ax.set_ylim(max(above.min(), above.max() / _MOST_OF_LOG) / 1.2, above.max() * 1.2)


def _add_legend(figure: SourcedFigure, series: str, levels: Sequence[Any]) -> None:
    handles = [
        Patch(
            facecolor=to_rgba(series_look(number).color, 0.22),
            edgecolor=series_look(number).color,
            label=text,
        )
        for number, text in enumerate(level_texts(series, levels))
    ]
    figure.area.legend(
        handles=handles,
        loc="outside lower center",
        title=sentence(quantity(series).name),
        title_fontsize="medium",
        ncols=min(len(handles), _COLUMNS_OF_LEGEND),
        handlelength=1.4,
    )
