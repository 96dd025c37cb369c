"""Figures of one run over time: the queue of a port, and cwnd of some connections."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from ackclock.plots.steps import steps
from ackclock.plots.style import BLUE, GREY, VERMILLION, new_figure, styled

_KILO = 1000
_HEIGHT_IN = 3.2
_SKY = "#BFDCEC"


@styled
def queue_over_time(
    frame: pd.DataFrame, *, end_s: float, levels: Mapping[str, float], title: str
) -> Figure:
    """Draw the largest queue of each bin of time.

    Args:
        frame: columns time_s (start of the bin, ascending) and max_cells.
        end_s: end of the last bin, s.
        levels: values, cells, of reference lines by name.
        title: name of the run.
    """
    figure = new_figure(_HEIGHT_IN)
    ax = figure.add_subplot()
    edges = np.append(frame["time_s"].to_numpy(dtype=float), end_s)
    ax.stairs(frame["max_cells"], edges, fill=True, fc=_SKY, ec=BLUE, lw=0.5)
    for (name, height), dash in zip(levels.items(), ("-", (0, (5, 2))), strict=False):
        ax.axhline(height, color=VERMILLION, lw=1, ls=dash, label=f"{name}, {height:,.0f} cells")
    ax.set_title(title, loc="left")
    ax.set_xlim(0, end_s)
    ax.set_ylim(0, 1.08 * max([1, frame["max_cells"].max(), *levels.values()]))
    ax.yaxis.set_major_formatter("{x:,.0f}")
    ax.set_xlabel("Time (s)")
    ax.set_ylabel("Queue (cells)")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


@styled
def cwnd_over_time(frame: pd.DataFrame, *, end_s: float, title: str) -> Figure:
    """Draw congestion window and ssthresh, one panel per pair of hosts.

    Args:
        frame: columns pair, time_s, cwnd_bytes, ssthresh_bytes, and connection if a pair has
            several; one row per change.
        end_s: end of the run, s.
        title: which run it is.
    """
    pairs = sorted(frame["pair"].unique())
    figure = new_figure(_HEIGHT_IN)
    axes = figure.subplots(len(pairs), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for pair, ax in zip(pairs, axes, strict=True):
        _draw_connection(ax, frame[frame["pair"] == pair], end_s)
        ax.set_title(f"Connection {pair}", loc="left", fontweight="normal", pad=2)
    figure.suptitle(title, fontsize="medium", fontweight="bold")
    axes[0].set_xlim(0, end_s)
    # One segment and the initial ssthresh of a long path are three decades apart.
    axes[0].set_yscale("log")
    axes[0].yaxis.set_major_formatter("{x:g}")
    axes[0].yaxis.set_minor_locator(NullLocator())
    axes[-1].set_xlabel("Time (s)")
    figure.supylabel("Window (kB, logarithmic)", fontsize="medium")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


def _draw_connection(ax: Axes, rows: pd.DataFrame, end_s: float) -> None:
    looks = {
        "cwnd": {"color": BLUE, "lw": 0.9, "zorder": 3},
        "ssthresh": {"color": GREY, "lw": 0.9, "ls": (0, (4, 2))},
    }
    for name, look in looks.items():
        times, values = steps(rows, f"{name}_bytes", end_s=end_s, scale=_KILO)
        ax.step(times, values, where="post", label=name, **look)
