"""Figures of means and of shares as frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from ackclock.lab.frame import Words, frame
from ackclock.plots.chart import Axis, Chart, Line

_ARRAYS = {
    "x": np.float64,
    "y": np.float64,
    "levels": np.uint32,
    "lo": np.float64,
    "hi": np.float64,
    "n": np.uint32,
}
"""Types of a line's arrays; exact, because a page shows the means from them."""
_SHARES = {"x": np.float32, "y": np.float32, "n": np.uint32}
"""Types of the arrays of a line with many steps."""


def chart_frame(chart: Chart) -> bytes:
    """Return the frame of a figure.

    The head has: kind ("chart"), of ("means", "shares"), title, source, x and y (axes), heading,
    series (names), levels (texts), above, rises, panels (title, lines: number of the series and
    names of its arrays).
    """
    arrays: dict[str, np.ndarray | Words] = {}
    types = _SHARES if chart.kind == "shares" else _ARRAYS
    head = {
        "kind": "chart",
        "of": chart.kind,
        "title": chart.title,
        "source": chart.source,
        "x": _axis(chart.x),
        "y": _axis(chart.y),
        "heading": chart.heading,
        "series": list(chart.series),
        "levels": list(chart.levels),
        "above": chart.above,
        "rises": chart.rises,
        "panels": [
            {"title": panel.title, "lines": [_line(line, types, arrays) for line in panel.lines]}
            for panel in chart.panels
        ],
    }
    return frame(head, arrays)


def _axis(axis: Axis) -> dict[str, Any]:
    return {**axis._asdict(), "ticks": list(map(float, axis.ticks))}


def _line(
    line: Line, types: dict[str, Any], arrays: dict[str, np.ndarray | Words]
) -> dict[str, Any]:
    """Return a line with the names of its arrays, and add these to ``arrays``."""
    named: dict[str, Any] = {"series": line.series}
    at = len(arrays)
    for name, dtype in types.items():
        values = getattr(line, name)
        if values is not None:
            arrays[f"{at}{name}"] = np.asarray(values).astype(dtype)
            named[name] = f"{at}{name}"
    return named
