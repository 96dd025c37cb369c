"""The figures of the parts "single" and "pairs"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ackclock.kernel_validation.parts import PARTS, tcp_name
from ackclock.plots.style import GREY, LIGHT, PUBLISHED, SERIES, SIMULATED, new_figure, styled
from ackclock.plots.svg import svg_text

_SINGLE_IN, _PANEL_IN, _HEIGHT_IN = 3.6, 1.9, 0.8
_ASIDE = 0.2
_LABEL_PT = 6.5
"""Twelve labels stand beside each other."""
_LEAST_RANGE = (0.85, 1.15)
_COLUMNS = 2


def _svg(draw: Callable[[pd.DataFrame], Figure], part: str) -> Callable[[pd.DataFrame], str]:
    """What makes a figure as SVG: the same text for the same numbers."""

    def made(found: pd.DataFrame) -> str:
        return svg_text(draw(found[found["part"] == part]))

    return made


@styled
def ratios(found: pd.DataFrame) -> Figure:
    """The ratio of throughputs on every path, a mark a TCP; the limits as bands.

    Args:
        found: of ``comparison.points``, of this part; points without a usable run are left out.
    """
    kind = PARTS["single"]
    figure = new_figure(_SINGLE_IN)
    ax = figure.subplots()
    paths = list(dict.fromkeys(_path(row) for row in found.itertuples()))
    ax.axhspan(1 - kind.limit, 1 + kind.limit, color=LIGHT, alpha=0.5, lw=0, label="within 10 %")
    ax.axhline(1, color=GREY, lw=0.9)
    low, high = _LEAST_RANGE
    for number, (tcp, its) in enumerate(found.groupby("tcp", sort=False)):
        look = SERIES[number % len(SERIES)]
        rows = [row for row in its.itertuples() if row.usable]
        at = [paths.index(_path(row)) + (number - 1) * _ASIDE for row in rows]
        values = [row.ratio for row in rows]
        label = tcp_name(str(tcp))
        ax.plot(at, values, ls="none", marker=look.marker, color=look.color, label=label)
        low, high = min([low, *values]), max([high, *values])
    ax.set_ylim(low - 0.02, high + 0.02)
    ax.set_xlim(-0.6, len(paths) - 0.4)
    ax.set_xticks(range(len(paths)), paths, fontsize=_LABEL_PT)
    ax.grid(axis="x", visible=False)
    ax.set(title="One flow: throughput", ylabel="kernel / simulated")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def _path(row: Any) -> str:
    return f"{row.loss * 100:g} %\n{row.rate_bit_s / 1e6:g} M\n{row.rtt_s * 1e3:g} ms"


@styled
def shares(found: pd.DataFrame) -> Figure:
    """A panel a pair: the share of the first over the buffer, simulated and in the kernel.

    Args:
        found: of ``comparison.points``, of this part; points without a usable run have no mark for
            the kernel.
    """
    groups = list(found.groupby("tcp", sort=False))
    rows = max(-(-len(groups) // _COLUMNS), 1)
    figure = new_figure(_HEIGHT_IN + _PANEL_IN * rows)
    axes = list(figure.subplots(rows, _COLUMNS, squeeze=False, sharex=True, sharey=True).flat)
    handles: dict[str, Any] = {}
    for ax, (tcp, its) in zip(axes, groups, strict=False):
        _panel(ax, its.sort_values("bdp"), tcp_name(str(tcp)))
        drawn = zip(*ax.get_legend_handles_labels(), strict=True)
        handles |= {label: handle for handle, label in drawn}
    for ax in axes[len(groups) :]:
        ax.set_visible(False)
    for number, ax in enumerate(axes):
        if number % _COLUMNS == 0:
            ax.set_ylabel("share of the first")
        if number >= len(axes) - _COLUMNS:
            ax.set_xlabel("buffer, bandwidth-delay products")
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3)
    return figure


def _panel(ax: Axes, its: pd.DataFrame, title: str) -> None:
    limit = PARTS["pairs"].limit
    bdp, simulated = its["bdp"], its["simulated_share"]
    ax.fill_between(
        bdp, simulated - limit, simulated + limit, color=LIGHT, alpha=0.5, lw=0, label="within 0.1"
    )
    ax.plot(bdp, simulated, marker=SIMULATED.marker, color=SIMULATED.color, label="simulated")
    usable = its[its["usable"] > 0]
    ax.plot(
        usable["bdp"], usable["kernel_share"], ls="none", marker=PUBLISHED.marker,
        color=PUBLISHED.color, label="kernel",
    )  # fmt: skip
    ax.set_xscale("log", base=2)
    ax.set_xticks(list(bdp), [f"{each:g}" for each in bdp])
    ax.minorticks_off()
    ax.set_ylim(-0.03, 1.03)
    ax.set(title=title)


FIGURES = {"single.svg": _svg(ratios, "single"), "pairs.svg": _svg(shares, "pairs")}
"""By name of the file."""
