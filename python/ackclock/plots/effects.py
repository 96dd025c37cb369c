"""Main effects with their intervals, simulated beside published."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ackclock.plots.style import GREY, PUBLISHED, SIMULATED, Series, new_figure, styled

_ASIDE = 0.17
"""From the middle of a row to each of its two values."""


@styled
def main_effects(frame: pd.DataFrame, *, x_name: str) -> Figure:
    """A row a level, under the name of its factor.

    Args:
        frame: columns factor, level; simulated, simulated_lo, simulated_hi; published,
            published_lo, published_hi. An interval may be nan.
        x_name: what the effect is one on.
    """
    rows = _places(frame)
    figure = new_figure(0.9 + 0.225 * len(rows))
    ax = figure.add_subplot()
    for source, look, side in (("simulated", SIMULATED, -1), ("published", PUBLISHED, 1)):
        _draw(ax, rows.dropna(subset="level"), source, look, side * _ASIDE)
    ax.axvline(0, color=GREY, lw=0.9)
    ax.set_yticks(rows["place"], rows["label"])
    for label, is_factor in zip(ax.get_yticklabels(), rows["level"].isna(), strict=True):
        label.set_fontweight("bold" if is_factor else "normal")
    ax.set_ylim(rows["place"].max() + 0.6, rows["place"].min() - 0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlabel(x_name)
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def _places(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of the figure from the top; a factor's name is a row without a level."""
    parts = []
    for factor, rows in frame.groupby("factor", sort=False):
        parts += [pd.DataFrame({"label": [factor]}), rows.assign(label=rows["level"])]
    table = pd.concat(parts, ignore_index=True)
    return table.assign(place=np.arange(len(table)))


def _draw(ax: Axes, rows: pd.DataFrame, source: str, look: Series, aside: float) -> None:
    effect = rows[source].to_numpy(dtype=float)
    ends = np.array([effect - rows[f"{source}_lo"], rows[f"{source}_hi"] - effect], dtype=float)
    ax.errorbar(
        effect,
        rows["place"] + aside,
        xerr=ends if np.isfinite(ends).any() else None,
        color=look.color,
        marker=look.marker,
        mfc=look.color if look is SIMULATED else "white",
        ms=4.5,
        ls="none",
        capsize=2,
        elinewidth=1,
        label=source,
    )
