"""Differences from a baseline, each with its interval, and the line of no difference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ackclock.plots.quantities import level_texts, quantity, sentence
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.style import BLUE, GREY, styled

_ROW_IN, _FRAME_IN = 0.24, 1.25


@styled
def differences(
    frame: pd.DataFrame,
    *,
    metric: str,
    unit: str = "",
    factor: str,
    others: Sequence[str] = (),
    source: str,
) -> Figure:
    """Draw one row per comparison: paired difference, its interval, simultaneous interval.

    Args:
        frame: table that ``ackclock.stats.compare_levels`` returns.
        metric: name of the compared metric; its suffix gives the unit.
        unit: unit of the metric, if the name does not contain it.
        factor: column whose levels were compared with the baseline.
        others: columns of the other factors, one row per combination.
        source: text on the source of the figure.
    """
    ends = ["difference", "lo", "hi", "simultaneous_lo", "simultaneous_hi"]
    shown = quantity(metric, frame[ends].to_numpy(dtype=float), unit)
    values = frame[ends].astype(float) / shown.scale
    baseline = level_texts(factor, frame["baseline"].tolist())[0]
    title = f"{sentence(shown.name)}: difference from {baseline}"
    figure = SourcedFigure(_FRAME_IN + _ROW_IN * len(frame), title=title, source=source)
    ax = figure.area.subplots()
    places = np.arange(len(frame))
    look = {"color": BLUE, "ls": "none"}
    widths = {"": 2.2, "simultaneous_": 0.8}
    for kind, width in widths.items():
        lengths = _lengths(values, f"{kind}lo", f"{kind}hi")
        if np.isfinite(lengths).any():
            ax.errorbar(values["difference"], places, xerr=lengths, elinewidth=width, **look)
    ax.plot(values["difference"], places, marker="o", ms=5, mfc="white", **look)
    ax.axvline(0, color=GREY, lw=0.9)
    ax.set_yticks(places, _names(frame, factor, others))
    ax.set_ylim(len(frame) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(f"Difference in {shown.label}")
    ax.set_title(title, loc="left")
    return figure


def _lengths(values: pd.DataFrame, lo: str, hi: str) -> np.ndarray:
    middle = values["difference"]
    return np.array([middle - values[lo], values[hi] - middle], dtype=float)


def _names(frame: pd.DataFrame, factor: str, others: Sequence[str]) -> list[str]:
    columns = [level_texts(name, frame[name].tolist()) for name in (*others, factor)]
    return [", ".join(texts) for texts in zip(*columns, strict=True)]
