"""Empirical distributions: the share of the values up to each value, a line a level of a factor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ackclock.plots.quantities import level_texts, quantity, sentence
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.style import GREY, PlainNumbers, series_look, styled

_HEIGHT_IN = 3.4
_MOST_STEPS = 1000
"""More values than these in one line cannot be distinguished by eye."""


@styled
def distributions(
    samples: Mapping[Any, np.ndarray],
    *,
    x: str,
    of: str,
    factor: str | None = None,
    x_scale: str = "linear",
    title: str = "",
    source: str,
) -> Figure:
    """Empirical distribution functions. The dotted line is where the medians are.

    Args:
        samples: by level: shape (n,), finite values in the unit of ``x``; one of them may be
            without a factor, and not all may be empty.
        x: name of what the values are; its suffix gives the unit.
        of: what has a value each, in the plural: "pages".
        factor: column of the factor; none if there is a single sample.
        x_scale: "linear" or "log".
        title: above all.
        source: what produced the figure.
    """
    shown = quantity(x, np.concatenate(list(samples.values())))
    name = title or f"Distribution of the {shown.name}"
    figure = SourcedFigure(_HEIGHT_IN, title=name, source=source)
    ax = figure.area.subplots()
    texts = level_texts(factor, list(samples)) if factor else ["all"]
    for number, (text, values) in enumerate(zip(texts, samples.values(), strict=True)):
        places, shares = _steps(values / shown.scale)
        look = series_look(number)
        label = f"{text}: {values.size:,} {of}"
        ax.step(places, 100 * shares, where="post", color=look.color, ls=look.dash, label=label)
    ax.axhline(50, color=GREY, lw=0.8, ls=":", zorder=1)
    ax.set_xscale(x_scale)
    if x_scale == "log":
        ax.xaxis.set_major_formatter(PlainNumbers())
        ax.xaxis.set_minor_formatter(PlainNumbers(minor_thresholds=(1.5, 0.7)))
    ax.set_ylim(0, 100)
    ax.set_xlabel(sentence(shown.label))
    ax.set_ylabel("Share up to this value (%)")
    if title:
        ax.set_title(title, loc="left")
    head = {"title": sentence(quantity(factor).name), "title_fontsize": "medium"} if factor else {}
    figure.area.legend(loc="outside lower center", ncols=min(len(samples), 3), **head)
    return figure


def _steps(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values in ascending order, and the share of all that is not larger; at most so many."""
    ascending = np.sort(values)
    at = np.arange(ascending.size)
    if ascending.size > _MOST_STEPS:
        at = np.linspace(0, ascending.size - 1, _MOST_STEPS).round().astype(int)
    places, shares = ascending[at], (at + 1) / max(ascending.size, 1)
    # A line begins at the axis, with its smallest value.
    return np.concatenate([places[:1], places]), np.concatenate([[0.0] * bool(at.size), shares])
