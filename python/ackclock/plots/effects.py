"""Main effects with their intervals, of one or two sources side by side."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ackclock.plots.axes import bars
from ackclock.plots.style import GREY, PUBLISHED, SIMULATED, Series, new_figure, styled

_APART = 0.34
"""Distance between the two values of a row."""
_BOTH = {"simulated": SIMULATED, "published": PUBLISHED}


@styled
def main_effects(
    frame: pd.DataFrame, *, x_name: str, sources: Mapping[str, Series] = _BOTH
) -> Figure:
    """Draw one row per level, below the name of its factor.

    Args:
        frame: columns factor, level; for each of ``sources`` a column of that name with its value,
            and columns with _lo and _hi for the ends of its interval, which may be nan.
        x_name: name of the response.
        sources: styles of at most two sources; markers of the first one are filled.
    """
    rows = _places(frame)
    figure = new_figure(0.9 + 0.225 * len(rows))
    ax = figure.add_subplot()
    for number, (source, look) in enumerate(sources.items()):
        aside = (number - (len(sources) - 1) / 2) * _APART
        _draw(ax, rows.dropna(subset="level"), source, look, aside, filled=number == 0)
    ax.axvline(0, color=GREY, lw=0.9)
    ax.set_yticks(rows["place"], rows["label"])
    for label, is_factor in zip(ax.get_yticklabels(), rows["level"].isna(), strict=True):
        label.set_fontweight("bold" if is_factor else "normal")
    ax.set_ylim(rows["place"].max() + 0.6, rows["place"].min() - 0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlabel(x_name)
    if len(sources) > 1:
        figure.legend(loc="outside lower center", ncols=2)
    return figure


def _places(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the figure from the top; a factor's name is a row without a level."""
    parts = []
    for factor, rows in frame.groupby("factor", sort=False):
        parts += [pd.DataFrame({"label": [factor]}), rows.assign(label=rows["level"])]
    table = pd.concat(parts, ignore_index=True)
    return table.assign(place=np.arange(len(table)))


def _draw(
    ax: Axes, rows: pd.DataFrame, source: str, look: Series, aside: float, *, filled: bool
) -> None:
    effect = rows[source].to_numpy(dtype=float)
    ax.errorbar(
        effect,
        rows["place"] + aside,
        xerr=bars(effect, rows[f"{source}_lo"], rows[f"{source}_hi"]),
        color=look.color,
        marker=look.marker,
        mfc=look.color if filled else "white",
        ms=4.5,
        ls="none",
        capsize=2,
        elinewidth=1,
        label=source,
    )
