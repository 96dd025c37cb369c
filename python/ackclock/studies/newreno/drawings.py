"""The drawings of the figures: simulated points of a curve, and what each formula says there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ackclock.plots.axes import draw_means, start_share, starting_at
from ackclock.plots.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    VERMILLION,
    PlainNumbers,
    Series,
    new_figure,
    styled,
)
from ackclock.studies.newreno.levels import AXES, FLOW_NAMES, NEWRENO, RENO, Curve
from ackclock.studies.newreno.predictions import (
    FULL,
    MODEL_NAMES,
    NOTO,
    PFTK,
    PFTK_FULL,
    SQUARE_ROOT,
    column,
)

_HEIGHT_IN = 3.6
_PER_MBIT_S = 1e-6
_POINTS = {NEWRENO: Series(BLACK, "o", "none"), RENO: Series(GREY, "s", "none")}
_LINES = {
    SQUARE_ROOT: Series("#B8860B", "", (0, (1.5, 1.2))),
    PFTK: Series(VERMILLION, "", (0, (5, 1.5))),
    PFTK_FULL: Series("#AA4499", "", (0, (5, 1.5, 1, 1.5))),
    NOTO: Series(GREEN, "", (0, (8, 2))),
    FULL: Series(BLUE, "", "-"),
}


class Drawn(NamedTuple):
    """How a curve is drawn.

    Attributes:
        logarithmic: whether throughput is, as in Figure 7 of the paper.
        reno: whether PFTK is drawn for Reno's losses, too.
    """

    logarithmic: bool = False
    reno: bool = True


@styled
def throughput(results: pd.DataFrame, curve: Curve, drawn: Drawn) -> Figure:
    """Throughput against x: points with intervals for each flow, lines for the formulas.

    Args:
        results: the rows of ``analysis.results_table`` of one curve.
        curve: which.
        drawn: how.
    """
    figure, ax = _empty(curve)
    for flow, rows in results.groupby("flow", sort=False):
        points(ax, rows, "x", _POINTS[str(flow)], f"{FLOW_NAMES[str(flow)]}, simulated")
    newreno = results[results["flow"] == NEWRENO]
    for model, look in _LINES.items():
        _line(ax, newreno, column(model), look, MODEL_NAMES[model])
    reno = results[results["flow"] == RENO]
    if drawn.reno and len(reno):
        _line(ax, reno, column(PFTK), Series(GREY, "", (0, (1, 1))), "PFTK for Reno")
    ax.set_ylabel("Throughput (Mbit/s)")
    if drawn.logarithmic:
        ax.set_yscale("log")
        ax.yaxis.set_major_formatter(PlainNumbers())
        ax.yaxis.set_minor_formatter(PlainNumbers())
    else:
        ax.set_ylim(bottom=0)
    figure.legend(loc="outside lower center", ncols=3, handlelength=2.4, columnspacing=1.0)
    return figure


@styled
def variants(results: pd.DataFrame, curves: Sequence[tuple[Curve, str]]) -> Figure:
    """Throughput of several variants of NewReno against the losses in a loss event.

    Args:
        results: their rows of ``analysis.results_table``.
        curves: of each variant, and its name.
    """
    figure, ax = _empty(curves[0][0])
    looks = (Series(BLACK, "o", "-"), Series(BLUE, "^", "-"), Series(VERMILLION, "D", "-"))
    for (curve, name), look in zip(curves, looks, strict=False):
        rows = results[results["variant"] == curve.variant]
        points(ax, rows, "x", look, name)
    ax.set_ylabel("Throughput (Mbit/s)")
    ax.set_ylim(bottom=0)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


@styled
def loss_rates(results: pd.DataFrame, curve: Curve) -> Figure:
    """Segment loss rate and loss event rate that each flow has met, against the imposed one.

    Args:
        results: the rows of ``analysis.results_table`` of one curve.
        curve: which.
    """
    figure, ax = _empty(curve)
    for flow, rows in results.groupby("flow", sort=False):
        look, name = _POINTS[str(flow)], FLOW_NAMES[str(flow)]
        for rate, dash, described in (
            ("loss_rate", "-", "segments"),
            ("p", (0, (5, 1.5)), "events"),
        ):
            ax.plot(
                rows["x"],
                100 * rows[rate],
                color=look.color,
                marker=look.marker,
                ls=dash,
                ms=3.5,
                mfc="none",
                label=f"{described}, {name}",
            )
    ax.set_ylabel(starting_at("Lost (%)", start_share(ax, most=100)))
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def _empty(curve: Curve) -> tuple[Figure, Axes]:
    figure = new_figure(_HEIGHT_IN)
    ax = figure.add_subplot()
    name = AXES[curve.part]
    ax.set_xlabel(name[0].upper() + name[1:])
    return figure, ax


def points(
    ax: Axes, rows: pd.DataFrame, x: str, look: Series, label: str, *, zorder: float = 3
) -> None:
    """Mean throughputs with their intervals, as far as there are any, against a column.

    Args:
        ax: to draw on.
        rows: columns x, throughput_bit_s, throughput_bit_s_lo, throughput_bit_s_hi.
        x: column on the horizontal axis.
        look: of points, and of the line between them.
        label: in the legend.
        zorder: larger for what lies above others.
    """
    ends = [rows[f"throughput_bit_s{end}"].to_numpy() * _PER_MBIT_S for end in ("", "_lo", "_hi")]
    style = {"mfc": "none", "ms": None, "elinewidth": 0.8}
    draw_means(ax, rows[x], ends, look, **style, label=label, zorder=zorder)


def _line(ax: Axes, rows: pd.DataFrame, name: str, look: Series, label: str) -> None:
    ax.plot(rows["x"], rows[name] * _PER_MBIT_S, color=look.color, ls=look.dash, label=label)
