"""Drawings that only this report has, without what a page says of them."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.figure import Figure

from ackclock.plots.steps import MOST_STEPS, steps
from ackclock.plots.style import GREY, new_figure, series_look, styled
from ackclock.studies.osu_tasks.result import Trace

_HEIGHT_IN = 3.3
_KILO = 1000


@styled
def windows_by_variant(traces: Mapping[str, Trace], bound_bytes: int, title: str) -> Figure:
    """Windows over time, a line a variant, with the window beyond which integers add nothing.

    Args:
        traces: by the name of the variant.
        bound_bytes: where the bound is.
        title: above the axes.
    """
    figure = new_figure(_HEIGHT_IN)
    ax = figure.add_subplot()
    end_s = max(each.end_s for each in traces.values())
    for number, (name, trace) in enumerate(traces.items()):
        look = series_look(number)
        times, values = steps(
            trace.cwnd, "cwnd_bytes", end_s=trace.end_s, scale=_KILO, most=MOST_STEPS
        )
        ax.step(times, values, where="post", color=look.color, ls=look.dash, lw=1.0, label=name)
    ax.axhline(bound_bytes / _KILO, color=GREY, lw=0.9, ls=(0, (4, 2)), zorder=1, label="SMSS²")
    ax.set_xlim(0, end_s)
    ax.set_ylim(bottom=0)
    ax.set_title(title, loc="left")
    ax.set_xlabel("Time (s)")
    ax.set_ylabel("cwnd (kB)")
    ax.yaxis.set_major_formatter("{x:,.0f}")
    figure.legend(loc="outside lower center", ncols=2)
    return figure
