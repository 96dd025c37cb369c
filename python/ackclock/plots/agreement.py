"""Simulated against published values, with a grey line of equality."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ackclock.plots.axes import draw_means, start_share, starting_at
from ackclock.plots.quantities import within
from ackclock.plots.style import GREY, Series, styled


@styled
def agreement(
    frame: pd.DataFrame, *, group: str, looks: Mapping[str, Series], name: str, shares: bool = False
) -> Figure:
    """Draw one point per value, with its interval.

    Args:
        frame: columns ``group``, published, simulated, lo, hi (nan where there is no interval).
        group: column with a colour and marker a level.
        looks: style of each level of ``group``.
        name: name of the compared quantity, with unit.
        shares: whether the values are shares, between 0 and 1: axes start at 0 or state their
            start, and intervals are cut to 0 to 1.
    """
    frame = within(frame, mean="simulated") if shares else frame
    # Narrow, so that a page shows three figures side by side with letters of the usual size.
    figure = Figure(figsize=(3.5, 3.7), layout="constrained")
    ax = figure.add_subplot()
    for level, rows in frame.groupby(group, sort=False):
        its = rows["simulated"], rows["lo"], rows["hi"]
        style = {"mfc": "none", "ls": "none", "ms": None, "capsize": None, "elinewidth": 0.8}
        draw_means(ax, rows["published"], its, looks[str(level)], **style, label=str(level))
    low, high = _limits(frame)
    ax.axline((low, low), (high, high), color=GREY, lw=0.9, zorder=0)
    ax.set(xlim=(low, high), ylim=(low, high), aspect="equal")
    start = 0.0
    if shares:
        # Points, not bars: the axes need not start at 0.
        start = start_share(ax, way="x", worth=0.0)
        ax.set_ylim(ax.get_xlim())
    ax.set_xlabel(starting_at(f"{name}, published", start, way="x"))
    ax.set_ylabel(starting_at(f"{name}, simulated", start))
    figure.legend(
        loc="outside lower center", ncols=4, handlelength=1, handletextpad=0.3, columnspacing=1
    )
    return figure


def _limits(frame: pd.DataFrame) -> tuple[float, float]:
    values = frame[["published", "simulated", "lo", "hi"]].to_numpy(dtype=float)
    low, high = np.nanmin(values), np.nanmax(values)
    margin = 0.04 * (high - low) or 0.01
    return float(low - margin), float(high + margin)
