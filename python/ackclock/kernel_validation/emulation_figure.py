"""The figure: throughput of the kernel's TCP over that of the simulated one."""

from __future__ import annotations

import io
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ackclock.kernel_validation.parts import PARTS, TCPS
from ackclock.plots.style import GREY, LIGHT, SERIES, Series, new_figure, styled

_LOOKS: dict[str, Series] = dict(zip(TCPS, SERIES, strict=False))
_HEIGHT_IN, _PANEL_IN = 0.9, 2.4
_ASIDE = 0.16
_LABEL_PT = 7
"""Nine labels stand beside each other."""
_LEAST_RANGE = (0.85, 1.15)
_PARTS = ("losses", "grid")


def figure_svg(found: pd.DataFrame) -> str:
    """The figure as SVG; the same text for the same numbers.

    Args:
        found: of ``comparison.points``.
    """
    figure, text = ratios(found), io.StringIO()
    metadata: dict[str, Any] = {"Date": None, "Creator": None}
    with matplotlib.rc_context({"svg.hashsalt": "ackclock", "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", metadata=metadata)
    return text.getvalue()


@styled
def ratios(found: pd.DataFrame) -> Figure:
    """A panel a part: the ratio at every place, a mark a TCP; the limit as a band.

    Args:
        found: of ``comparison.points``; points without a usable run are left out.
    """
    parts = [part for part in _PARTS if part in set(found["part"])]
    figure = new_figure(_HEIGHT_IN + _PANEL_IN * len(parts))
    axes = figure.subplots(len(parts), 1, squeeze=False).flat
    for part, ax in zip(parts, axes, strict=True):
        _panel(ax, found[found["part"] == part], part)
    handles = {
        label: handle
        for ax in figure.axes
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4)
    return figure


def _panel(ax: Axes, found: pd.DataFrame, part: str) -> None:
    places = {_label(row, part): None for row in found.itertuples()}
    numbers = {label: number for number, label in enumerate(places)}
    limit = PARTS[part].limit
    ax.axhspan(1 - limit, 1 + limit, color=LIGHT, alpha=0.5, lw=0, label=f"within {limit:.0%}")
    ax.axhline(1, color=GREY, lw=0.9)
    low, high = _LEAST_RANGE
    for aside, (tcp, look) in enumerate(_LOOKS.items()):
        its = [row for row in found.itertuples() if row.tcp == tcp and row.usable]
        if its:
            at = [numbers[_label(row, part)] + (aside - 1) * _ASIDE for row in its]
            values = [row.ratio for row in its]
            ax.plot(at, values, ls="none", marker=look.marker, color=look.color, label=TCPS[tcp])
            low, high = min(low, *values), max(high, *values)
    ax.set_ylim(low - 0.02, high + 0.02)
    ax.set_xlim(-0.6, len(places) - 0.4)
    ax.set_xticks(range(len(places)), list(places), fontsize=_LABEL_PT)
    ax.grid(axis="x", visible=False)
    ax.set(title=PARTS[part].title.capitalize(), ylabel="kernel / simulated")


def _label(row: Any, part: str) -> str:
    """What distinguishes a place from the others of its part."""
    loss = f"{row.loss * 100:g} %"
    if part == "losses":
        return loss
    return f"{row.rate_bit_s / 1e6:g} M\n{row.rtt_s * 1e3:g} ms\n{row.buffer_packets} p\n{loss}"
