"""Allocation of variation of several experiments: one bar of shares per experiment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ackclock.plots.style import new_figure, styled

_THICK = 0.62
_BAR_IN, _FRAME_IN = 0.36, 1.15
_LEAST_WITH_TEXT = 5.0
"""Smaller shares, percent, have no room for their number."""


class Paint(NamedTuple):
    """The colours of a component: share, number in it, and edge (none: colour of the share)."""

    color: str
    text: str = "white"
    edge: str = ""


@styled
def shares(frame: pd.DataFrame, *, paints: Mapping[str, Paint], x_name: str) -> Figure:
    """Draw one bar per row, with the shares of the components from left to right.

    Args:
        frame: columns row, component, percent; a row's shares sum to 100, or are nan if no value
            varies.
        paints: colours of the components, in order; components without a row are left out.
        x_name: name of the varying quantity.
    """
    rows = list(frame["row"].unique())
    shown = {name: paint for name, paint in paints.items() if (frame["component"] == name).any()}
    table = frame.pivot_table("percent", "row", "component", sort=False, dropna=False)
    table = table.reindex(index=rows, columns=list(shown))
    figure = new_figure(_FRAME_IN + _BAR_IN * len(rows))
    ax = figure.add_subplot()
    left = np.zeros(len(rows))
    for component, paint in shown.items():
        widths = table[component].fillna(0).to_numpy(dtype=float)
        bars = ax.barh(
            np.arange(len(rows)),
            widths,
            _THICK,
            left=left,
            color=paint.color,
            edgecolor=paint.edge or paint.color,
            lw=0.5,
            label=component,
        )
        texts = [f"{width:.0f}" if width >= _LEAST_WITH_TEXT else "" for width in widths]
        ax.bar_label(bars, texts, label_type="center", fontsize="small", color=paint.text)
        left = left + widths
    ax.set_yticks(range(len(rows)), rows)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlim(0, 100)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(x_name)
    figure.legend(loc="outside lower center", ncols=3, handlelength=1.4, columnspacing=1.2)
    return figure
