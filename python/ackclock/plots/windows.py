"""cwnd of some flows and the queue that they share, on one time axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ackclock.plots.quantities import quantity
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.steps import MOST_STEPS, steps
from ackclock.plots.style import BLUE, GREY, LIGHT, series_look, styled

_SKY = "#BFDCEC"
_WINDOW_IN, _QUEUE_IN, _TITLE_IN, _FRAME_IN = 1.25, 0.75, 0.2, 0.75
_HEADROOM = 1.08


@dataclass(frozen=True)
class Panel:
    """One run.

    Attributes:
        name: what stands above it; nothing for a single run.
        cwnd: by the name of the flow: columns time_s, cwnd_bytes, ssthresh_bytes, and connection
            where a flow has several; a row a change.
        queue: columns time_s (start of the bin, ascending), max_length; empty if not recorded.
        queue_unit: "packets" or "cells".
    """

    name: str
    cwnd: Mapping[str, pd.DataFrame]
    queue: pd.DataFrame = field(default_factory=pd.DataFrame)
    queue_unit: str = "packets"


@styled
def windows(
    panels: Sequence[Panel], *, end_s: float, warm_up_s: float = 0.0, title: str = "", source: str
) -> Figure:
    """A panel a run; all have the same axes.

    A flow with several connections has a line for each of them, in one colour. ssthresh is drawn
    where there is a single flow. What belongs to the warm-up has a grey ground.

    Args:
        panels: runs of the same length.
        end_s: end of the runs.
        warm_up_s: end of the warm-up.
        title: above all.
        source: what produced the figure.
    """
    heights = []
    for panel in panels:
        heights += [_WINDOW_IN] * bool(panel.cwnd) + [_QUEUE_IN] * (not panel.queue.empty)
    height = _FRAME_IN + sum(heights) + _TITLE_IN * len(panels) + 0.25 * bool(title)
    name = title or "cwnd and queue over time"
    source += " · grey: warm-up" if warm_up_s else ""
    figure = SourcedFigure(height, title=name, source=source)
    axes = figure.area.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[
        :, 0
    ]
    flows = list(dict.fromkeys(flow for panel in panels for flow in panel.cwnd))
    values = [rows["cwnd_bytes"].max() for panel in panels for rows in panel.cwnd.values()]
    unit = quantity("cwnd_bytes", values)
    longest = max([1, *(panel.queue["max_length"].max() for panel in _with_queue(panels))])
    at = iter(axes)
    for panel in panels:
        if panel.cwnd:
            ax = next(at)
            _draw_windows(ax, panel, flows, end_s, unit.scale)
            ax.set_ylim(0, _HEADROOM * max(values) / unit.scale)
            ax.set_ylabel(f"cwnd ({unit.unit})")
            ax.set_title(panel.name, loc="left")
        if not panel.queue.empty:
            queue_ax = next(at)
            _draw_queue(queue_ax, panel.queue, end_s)
            queue_ax.set_ylim(0, _HEADROOM * longest)
            queue_ax.set_ylabel(f"Queue\n({panel.queue_unit})")
            if not panel.cwnd:
                queue_ax.set_title(panel.name, loc="left")
    for ax in axes:
        ax.set_xlim(0, end_s)
        if warm_up_s:
            ax.axvspan(0, warm_up_s, color=LIGHT, alpha=0.6, lw=0, zorder=0)
    figure.area.align_ylabels()
    axes[-1].set_xlabel("Time (s)")
    if title:
        figure.area.suptitle(title, fontsize="large", fontweight="bold")
    _add_legend(figure, flows)
    return figure


def _with_queue(panels: Sequence[Panel]) -> list[Panel]:
    return [panel for panel in panels if not panel.queue.empty]


def _draw_windows(ax: Axes, panel: Panel, flows: list[str], end_s: float, scale: float) -> None:
    for flow, rows in panel.cwnd.items():
        color = BLUE if len(flows) == 1 else series_look(flows.index(flow)).color
        _step(ax, rows, "cwnd_bytes", end_s, scale, color=color, lw=0.9, zorder=3)
        if len(flows) == 1:
            _step(ax, rows, "ssthresh_bytes", end_s, scale, color=GREY, lw=0.8, ls=(0, (4, 2)))


def _step(
    ax: Axes, rows: pd.DataFrame, column: str, end_s: float, scale: float, **look: object
) -> None:
    times, values = steps(rows, column, end_s=end_s, scale=scale, most=MOST_STEPS)
    if values.size:
        ax.step(times, values, where="post", **look)


def _draw_queue(ax: Axes, queue: pd.DataFrame, end_s: float) -> None:
    edges = np.append(queue["time_s"].to_numpy(dtype=float), end_s)
    ax.stairs(queue["max_length"], edges, fill=True, fc=_SKY, ec=BLUE, lw=0.5)
    ax.yaxis.set_major_formatter("{x:,.0f}")


def _add_legend(figure: SourcedFigure, flows: list[str]) -> None:
    if not flows:
        return
    if len(flows) == 1:
        handles = [
            Line2D([], [], color=BLUE, label=f"cwnd of {flows[0]}"),
            Line2D([], [], color=GREY, ls=(0, (4, 2)), label="ssthresh"),
        ]
    else:
        handles = [
            Line2D([], [], color=series_look(number).color, label=flow)
            for number, flow in enumerate(flows)
        ]
    figure.area.legend(handles=handles, loc="outside lower center", ncols=4)
