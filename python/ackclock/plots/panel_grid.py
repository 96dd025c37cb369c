"""Figures with one panel per level of a factor, in a grid."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from matplotlib.axes import Axes

from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.style import WIDTH_IN

_WIDTHS_IN = {1: WIDTH_IN, 2: 6.6, 3: 8.6}
"""Width of the figure, inches, by the number of panels in a row."""
_PANEL_IN, _FRAME_IN, _LEGEND_IN = 2.5, 0.9, 0.17
_LINES_OF_LEGEND = 2
"""Number of legend lines for which the frame has room."""


def columns_of(panels: int) -> int:
    """Return the number of panels in a row."""
    return min(panels, max(_WIDTHS_IN))


def width_of(panels: int) -> float:
    """Return the width of a figure with this number of panels, inches."""
    return _WIDTHS_IN[columns_of(panels)]


def panel_grid(
    panels: Sequence[str], *, legend: int, title: str, source: str
) -> tuple[SourcedFigure, list[Axes]]:
    """Create a figure with one panel per name; all panels share their scales.

    Args:
        panels: names of the panels; the name of a single panel may be empty.
        legend: number of lines of the legend below all panels.
        title: title of the figure, for the metadata of its file.
        source: text on the source of the figure.

    Returns:
        The figure, and the axes in the order of their names.
    """
    columns = columns_of(len(panels))
    rows = ceil(len(panels) / columns)
    height = _FRAME_IN + _PANEL_IN * rows + _LEGEND_IN * max(legend - _LINES_OF_LEGEND, 0)
    figure = SourcedFigure(height, width_of(len(panels)), title=title, source=source)
    axes = figure.area.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for ax in axes[len(panels) :]:
        ax.set_visible(False)
    for ax, name in zip(axes, panels, strict=False):
        ax.set_title(name)
    return figure, list(axes[: len(panels)])


def outer(axes: Sequence[Axes]) -> tuple[list[Axes], list[Axes]]:
    """Return the axes in the left column, which have a y name, and those in the bottom row."""
    columns = columns_of(len(axes))
    left = [ax for at, ax in enumerate(axes) if at % columns == 0]
    lowest = [ax for at, ax in enumerate(axes) if at + columns >= len(axes)]
    for ax in lowest:
        ax.tick_params(labelbottom=True)
    return left, lowest
