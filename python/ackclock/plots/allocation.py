"""Allocation of variation: the share of each factor and interaction, simulated and published."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ackclock.plots.style import PUBLISHED, SIMULATED, new_figure, styled

_THICK = 0.38


@styled
def allocation(frame: pd.DataFrame, *, x_name: str) -> Figure:
    """Draw two bars per component, each with its value as a number.

    Args:
        frame: columns component, simulated, published: shares of the variation, percent; nan if
            no value varies.
        x_name: name of the varying quantity.
    """
    figure = new_figure(0.8 + 0.42 * len(frame))
    ax = figure.add_subplot()
    places = np.arange(len(frame))
    bars = [
        ax.barh(
            places - _THICK / 2,
            frame["simulated"],
            _THICK,
            color=SIMULATED.color,
            edgecolor=SIMULATED.color,
            label="simulated",
        ),
        ax.barh(
            places + _THICK / 2,
            frame["published"],
            _THICK,
            color="white",
            edgecolor=PUBLISHED.color,
            hatch="////",
            label="published",
        ),
    ]
    for container, name in zip(bars, ("simulated", "published"), strict=True):
        labels = ["" if np.isnan(share) else f"{share:.1f}" for share in frame[name]]
        ax.bar_label(container, labels, padding=2, fontsize="small")
    ax.set_yticks(places, [_two_lines(name) for name in frame["component"]])
    ax.set_ylim(len(frame) - 0.4, -0.6)
    ax.set_xlim(0, 108)
    ax.set_xticks(range(0, 101, 20))
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(x_name)
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def _two_lines(component: str) -> str:
    return component.replace(" × ", " ×\n")
