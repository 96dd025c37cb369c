"""Ratios with their intervals, one row each, and the line of equality."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ackclock.plots.axes import handle
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.style import BLUE, GREY, VERMILLION, PlainNumbers, Series, styled

_ROW_IN, _FRAME_IN = 0.22, 1.3
_MOST = 10.0
"""Ratios and ends of intervals beyond it, or below its reciprocal, are at the edge of the axis."""
_LOOKS = {
    "better": Series(BLUE, "o", "none"),
    "worse": Series(VERMILLION, "D", "none"),
    "not decided": Series(GREY, "s", "none"),
}


@styled
def ratios(frame: pd.DataFrame, *, name: str, title: str, source: str) -> Figure:
    """Draw one row per ratio on a logarithmic axis, coloured by its verdict.

    Args:
        frame: columns row (text), ratio, ratio_lo, ratio_hi (nan without an interval), verdict
            ("better", "worse", "not decided"). A row without a ratio stays empty.
        name: of the axis.
        title: shown above the figure.
        source: text on the source of the figure.
    """
    figure = SourcedFigure(_FRAME_IN + _ROW_IN * len(frame), title=title, source=source)
    ax = figure.area.subplots()
    ax.set_xscale("log")
    places = np.arange(len(frame))
    for verdict, look in _LOOKS.items():
        is_so = (frame["verdict"] == verdict).to_numpy()
        middle, lo, hi = (
            frame.loc[is_so, each].astype(float).clip(1 / _MOST, _MOST).to_numpy()
            for each in ("ratio", "ratio_lo", "ratio_hi")
        )
        lengths = np.nan_to_num(np.array([middle - lo, hi - middle]))
        style = {"color": look.color, "marker": look.marker, "ls": "none", "ms": 4}
        ax.errorbar(middle, places[is_so], xerr=lengths, elinewidth=1.4, **style)
    ax.axvline(1, color=GREY, lw=0.9)
    ax.set_yticks(places, frame["row"])
    ax.set_ylim(len(frame) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.xaxis.set_major_formatter(PlainNumbers())
    ax.xaxis.set_minor_formatter(PlainNumbers(minor_thresholds=(1.2, 0.5)))
    ax.set_xlabel(name)
    ax.set_title(title, loc="left")
    shown = [each for each in _LOOKS if (frame["verdict"] == each).any()]
    handles = [handle(_LOOKS[each], each, joined=False) for each in shown]
    figure.area.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure
