"""Heat map: a metric's means over two factors, one cell per combination of their levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ackclock.plots.axes import LINEAR, LOG
from ackclock.plots.quantities import is_number, level_texts, quantity, sentence
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.style import GREY, LIGHT, WIDTH_IN, PlainNumbers, styled

_COLORS = "cividis"
"""Colour map for all kinds of colour vision: dark blue to yellow in even steps of lightness."""
_STEPS = 48
"""Number of colours: with more, matplotlib draws the bar as an image, not as SVG shapes."""
_CELL_IN, _FRAME_IN = 0.34, 1.2
_CELL_WIDE_IN, _MOST_WIDTH_IN = 0.55, 8.6
_FRAME_WIDE_IN = 1.9
_LETTERS_OF_AXIS, _TILT = 30, 30
_DARK = 0.179
"""Luminance above which black text has more contrast than white; both have 4.58 here."""


@styled
def heat_map(
    frame: pd.DataFrame,
    *,
    x: str,
    y: str,
    metric: str,
    unit: str = "",
    scale: str = LINEAR,
    title: str = "",
    source: str,
) -> Figure:
    """Draw coloured cells with numbers; a combination without a value is hatched, with "–".

    Args:
        frame: columns ``x``, ``y`` and mean, in the unit of the metric; one row per combination,
            not all nan.
        x: column of the factor along the axis.
        y: column of the factor with one row per level: numbers upwards, words downwards.
        metric: name of the metric; its suffix gives the unit.
        unit: unit of the metric, if the name does not contain it.
        scale: scale of the colours, "linear" or "log".
        title: shown above the figure.
        source: text on the source of the figure.
    """
    columns, rows = _levels(frame[x]), _levels(frame[y])
    shown = quantity(metric, frame["mean"].to_numpy(dtype=float), unit)
    values = _cells(frame, x, y, columns, rows) / shown.scale
    figure = SourcedFigure(
        _FRAME_IN + _CELL_IN * max(len(rows), 3),
        min(max(WIDTH_IN, _FRAME_WIDE_IN + _CELL_WIDE_IN * len(columns)), _MOST_WIDTH_IN),
        title=title or f"{sentence(shown.name)} over {quantity(x).name} and {quantity(y).name}",
        source=source,
    )
    ax = figure.area.subplots()
    colors = matplotlib.colormaps[_COLORS].resampled(_STEPS)
    norm = _norm(values, scale)
    mesh = ax.pcolormesh(
        np.ma.masked_invalid(values), cmap=colors, norm=norm, edgecolors="white", linewidth=1.0
    )
    _write(ax, values, colors, norm)
    _arrange(ax, level_texts(x, columns), level_texts(y, rows))
    if not all(map(is_number, rows)):
        ax.invert_yaxis()
    ax.set_xlabel(sentence(quantity(x).name))
    ax.set_ylabel(sentence(quantity(y).name))
    bar = figure.area.colorbar(mesh, ax=ax, pad=0.02, aspect=12)
    bar.outline.set_visible(False)
    # The steps have edges, because viewers show gaps between steps without edges.
    bar.solids.set_edgecolor("face")
    bar.set_label(sentence(shown.label))
    if scale == LOG:
        bar.ax.yaxis.set_major_formatter(PlainNumbers())
        bar.ax.yaxis.set_minor_formatter(PlainNumbers(minor_thresholds=(1.5, 0.7)))
    if title:
        ax.set_title(title, loc="left")
    return figure


def _levels(levels: pd.Series) -> list[Any]:
    """Return numbers in ascending order, texts in order of appearance."""
    found = list(levels.unique())
    return sorted(found) if all(map(is_number, found)) else found


def _cells(
    frame: pd.DataFrame, x: str, y: str, columns: Sequence[Any], rows: Sequence[Any]
) -> np.ndarray:
    """Return the means, shape (rows, columns); nan where there is no mean."""
    cells = np.full((len(rows), len(columns)), np.nan)
    for level, other, mean in zip(frame[x], frame[y], frame["mean"], strict=True):
        cells[rows.index(other), columns.index(level)] = mean if np.isfinite(mean) else np.nan
    return cells


def _norm(values: np.ndarray, scale: str) -> Normalize:
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if low == high:
        # Equal values have one colour, in the middle of the bar.
        low, high = (low / 2, high * 2) if scale == LOG else (low - 0.5, high + 0.5)
    return LogNorm(low, high) if scale == LOG else Normalize(low, high)


def _write(ax: Axes, values: np.ndarray, colors: Any, norm: Normalize) -> None:
    """Write the number of each cell, in black or white for the higher contrast."""
    texts = _texts(values)
    for (row, column), value in np.ndenumerate(values):
        if np.isnan(value):
            place = (column, row)
            ax.add_patch(Rectangle(place, 1, 1, fc="white", ec=LIGHT, hatch="////", lw=0, zorder=0))
            color, text = GREY, "–"
        else:
            dark = _luminance(colors(norm(value))) < _DARK
            color, text = "white" if dark else "black", texts[row][column]
        ax.text(
            column + 0.5,
            row + 0.5,
            text,
            ha="center",
            va="center",
            color=color,
            fontsize="small",
            # The numbers must fit into their cells.
            clip_on=True,
        )


def _luminance(color: Sequence[float]) -> float:
    """Return the relative luminance of a colour by WCAG 2, from 0 to 1."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def _texts(values: np.ndarray) -> list[list[str]]:
    """Return texts with three digits for the largest value, and equal decimals for all."""
    largest = float(np.nanmax(np.abs(values)))
    decimals = min(max(2 - int(np.floor(np.log10(largest))), 0), 6) if largest else 0
    return [[f"{value:,.{decimals}f}" for value in row] for row in values]


def _arrange(ax: Axes, columns: Sequence[str], rows: Sequence[str]) -> None:
    tilted = sum(len(text) + 2 for text in columns) > _LETTERS_OF_AXIS * ax.figure.bbox.width / (
        WIDTH_IN * ax.figure.dpi
    )
    look = {"rotation": _TILT, "ha": "right", "rotation_mode": "anchor"} if tilted else {}
    ax.set_xticks(np.arange(len(columns)) + 0.5, columns, **look)
    ax.set_yticks(np.arange(len(rows)) + 0.5, rows)
    ax.tick_params(length=0)
    ax.grid(visible=False)
    for spine in ax.spines.values():
        spine.set_visible(False)
