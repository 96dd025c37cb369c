"""Interaction plot: means against the levels of a factor, one line for each level of another."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ackclock.plots.axes import draw_means, handle, start_share, starting_at
from ackclock.plots.quantities import within
from ackclock.plots.style import GREY, Series, new_figure, styled

_DODGE = 0.15
"""Distance between the lines at one level, so that their intervals do not overlap."""
_MOST_DODGED = 0.6
"""Largest width of all lines at one level, so that no line is closer to the next level."""
_ASIDE = 0.055
"""Distance from a simulated value to the published one."""


@styled
def interaction(
    frame: pd.DataFrame,
    *,
    x: str,
    line: str,
    panel: str,
    looks: Mapping[str, Series],
    x_name: str,
    y_name: str,
    share: bool = False,
) -> Figure:
    """Draw means with their intervals as filled markers, published values as hollow ones.

    Args:
        frame: one row per combination of levels: columns ``x`` (number), ``line``, ``panel``,
            simulated, lo, hi (nan where there is no interval) and published.
        x: column on the horizontal axis; its levels are drawn at equal distances.
        line: column with one line per level.
        panel: column with one panel per level.
        looks: style of each level of ``line``.
        x_name: name of the x axis, with unit.
        y_name: name of the y axis, with unit.
        share: whether the values are shares, between 0 and 1: the axis starts at 0 or states its
            start, and intervals are cut to 0 to 1.
    """
    frame = within(frame, mean="simulated") if share else frame
    panels = list(frame[panel].unique())
    levels = sorted(frame[x].unique())
    figure = new_figure(3.1)
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for name, ax in zip(panels, axes, strict=True):
        rows = frame[frame[panel] == name]
        lines = list(rows[line].unique())
        for index, level in enumerate(lines):
            shift = (index - (len(lines) - 1) / 2) * min(_DODGE, _MOST_DODGED / len(lines))
            _draw_line(ax, rows[rows[line] == level].sort_values(x), x, levels, looks[level], shift)
        ax.set_title(name)
        ax.set_xticks(range(len(levels)), [f"{level:g}" for level in levels])
        ax.set_xlim(-0.45, len(levels) - 0.55)
        ax.grid(axis="x", visible=False)
        ax.set_xlabel(x_name)
    axes[0].set_ylabel(starting_at(y_name, start_share(axes[0])) if share else y_name)
    handles = [handle(looks[level], str(level)) for level in frame[line].unique()]
    hollow = Line2D([], [], color=GREY, marker="o", mfc="white", ls="none", label="published")
    figure.legend(
        handles=[*handles, hollow],
        loc="outside lower center",
        ncols=len(handles) + 1,
        handlelength=2.2,
        handletextpad=0.4,
        columnspacing=1.0,
    )
    return figure


def _draw_line(
    ax: Axes, rows: pd.DataFrame, x: str, levels: list[float], look: Series, shift: float
) -> None:
    places = np.array([levels.index(level) for level in rows[x]]) + shift
    draw_means(ax, places - _ASIDE / 2, (rows["simulated"], rows["lo"], rows["hi"]), look)
    ax.plot(
        places + _ASIDE / 2,
        rows["published"],
        color=look.color,
        marker=look.marker,
        mfc="white",
        ls="none",
        zorder=3,
    )
