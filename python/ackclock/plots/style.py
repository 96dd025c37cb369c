"""Colours, markers, line styles and sizes of all figures.

Colours are those of the Okabe-Ito palette with a contrast of 3:1 or more on white; series also
differ in marker and line style.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, NamedTuple

import matplotlib.style
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter

from ackclock.plots import glyphs

BLACK, GREEN, BLUE, VERMILLION = "#000000", "#009E73", "#0072B2", "#D55E00"
GREY, LIGHT = "#595959", "#D9D9D9"
WIDTH_IN = 4.6
"""Width of a figure, inches: it fits on a phone, and two fit side by side on a wide page."""
FONT_PT = 8.5

_RC: dict[str, Any] = {
    # The font that comes with matplotlib, so that the layout is the same on every machine.
    "font.family": ["DejaVu Sans"],
    "font.size": FONT_PT,
    "axes.titlesize": FONT_PT,
    "axes.labelsize": FONT_PT,
    "xtick.labelsize": FONT_PT - 0.5,
    "ytick.labelsize": FONT_PT - 0.5,
    "legend.fontsize": FONT_PT - 0.5,
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    # Ticks show full numbers, without an offset in a corner of the axis.
    "axes.formatter.useoffset": False,
    "grid.color": LIGHT,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.8,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
    "lines.markersize": 5.0,
    "svg.fonttype": "none",
    # A dollar sign in a name does not start a formula.
    "text.parse_math": False,
}


class Series(NamedTuple):
    """The style of a series."""

    color: str
    marker: str
    dash: str | tuple[float, tuple[float, ...]]


SERIES = (
    Series(BLACK, "o", "-"),
    Series(GREEN, "s", (0, (5, 1.5))),
    Series(BLUE, "^", (0, (5, 1.5, 1, 1.5))),
    Series(VERMILLION, "D", (0, (1.5, 1.2))),
)
"""Styles of up to four series, in this order."""
_MORE_SERIES = (
    Series("#AA4499", "v", (0, (8, 2))),
    Series("#8C510A", "P", (0, (3, 1))),
    Series(GREY, "X", (0, (8, 2, 1, 2))),
    Series("#B8860B", "p", (0, (3, 1, 1, 1, 1, 1))),
)
SIMULATED = Series(BLUE, "o", "-")
PUBLISHED = Series(VERMILLION, "D", "-")


class PlainNumbers(LogFormatter):
    """Labels of a logarithmic axis as plain numbers: 0.6, not 6e-01."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the label of a tick; empty if matplotlib does not label it."""
        return f"{x:g}" if super().__call__(x, pos) else ""


def series_look(number: int) -> Series:
    """Return the style of series ``number``, from 0, for any number of series.

    The first eight styles differ in colour, marker and line style; later ones are other
    combinations of these.
    """
    looks = (*SERIES, *_MORE_SERIES)
    turn, at = divmod(number, len(looks))
    return Series(
        looks[at].color,
        looks[(at + turn) % len(looks)].marker,
        looks[(at + 3 * turn) % len(looks)].dash,
    )


@contextmanager
def style() -> Iterator[None]:
    """Apply the settings of all figures instead of the user's matplotlib settings."""
    with matplotlib.style.context(["default", _RC]), glyphs.quiet():
        yield


def styled(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """Decorate a function to draw with the settings of all figures."""

    @wraps(draw)
    def with_style(*args: Any, **kwargs: Any) -> Figure:
        with style():
            return draw(*args, **kwargs)

    return with_style


def new_figure(height_in: float) -> Figure:
    """Return an empty figure of the common width whose layout makes room for labels."""
    return Figure(figsize=(WIDTH_IN, height_in), layout="constrained")
