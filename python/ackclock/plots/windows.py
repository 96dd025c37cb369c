"""cwnd and rates of some flows, ACR of some VCs and the queue they share, on one time axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor, log10
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from ackclock.plots.quantities import Quantity, quantity
from ackclock.plots.sourced import SourcedFigure, lines_of_parts
from ackclock.plots.steps import MOST_STEPS, bins_between, changes_between, steps
from ackclock.plots.style import BLUE, GREY, LIGHT, series_look, styled
from ackclock.plurals import listed

_SKY = "#BFDCEC"
_WINDOW_IN, _QUEUE_IN, _TITLE_IN, _FRAME_IN = 1.25, 0.75, 0.2, 0.75
_HEADROOM = 1.08
_RATES = {"pacing_rate_bit_s": "-", "delivery_rate_bit_s": (0, (1, 1.2))}
"""Rates of a sender, and the line style of each."""
_LETTERS_OF_TITLE = 52
_LETTERS_OF_TIMES, _MOST_TIMES = 45, 9
"""Time axis: number of letters that fit, and largest number of labels."""


@dataclass(frozen=True)
class Panel:
    """One run.

    Attributes:
        name: heading with the name of the run, with "; " where it may be wrapped.
        cwnd: by name of the flow: columns time_s, cwnd_bytes, ssthresh_bytes, and connection if a
            flow has several; one row per change.
        queue: columns time_s (start of the bin, ascending), max_length; empty if not recorded.
        queue_unit: "packets" or "cells".
        queue_s: serialization time of one packet or cell, s; none if it varies or is unknown.
        acr: by name of the VC: columns time_s (start of the bin, ascending), acr_bit_s.
        queue_of: name of the queue's link, if the title must contain it.
        senders: by name of the flow: columns time_s (ascending), pacing_rate_bit_s,
            delivery_rate_bit_s (nan without a sample), in_flight_bytes, and connection if a flow
            has several.
    """

    name: str
    cwnd: Mapping[str, pd.DataFrame]
    queue: pd.DataFrame = field(default_factory=pd.DataFrame)
    queue_unit: str = "packets"
    queue_s: float | None = None
    acr: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    queue_of: str = ""
    senders: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    def between(self, start_s: float, end_s: float) -> Panel:
        """Return the part of the panel on a time axis from start to end, s."""
        return replace(
            self,
            cwnd={name: changes_between(rows, start_s, end_s) for name, rows in self.cwnd.items()},
            senders={
                name: changes_between(rows, start_s, end_s) for name, rows in self.senders.items()
            },
            acr={name: bins_between(rows, start_s, end_s) for name, rows in self.acr.items()},
            queue=bins_between(self.queue, start_s, end_s),
        )

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.cwnd and not self.senders and not self.acr and self.queue.empty

    @property
    def rates(self) -> list[str]:
        """The rates that some sender has: pacing rate, delivery rate."""
        senders = self.senders.values()
        return [rate for rate in _RATES if any(rows[rate].notna().any() for rows in senders)]


@styled
def windows(
    panels: Sequence[Panel],
    *,
    start_s: float = 0.0,
    end_s: float,
    warm_up_s: float = 0.0,
    title: str = "",
    source: str,
) -> Figure:
    """Draw one panel per run; all panels have the same axes.

    A flow with several connections has one line per connection, in one colour. ssthresh is drawn
    only for a single flow. A flow and its VC have the same colour. The warm-up has a grey
    background.

    Args:
        panels: runs of equal duration, cut to the time between start and end.
        start_s: start of the time axis, s.
        end_s: end of the time axis, s: the end of the runs or earlier.
        warm_up_s: end of the warm-up, s.
        title: shown above the figure.
        source: text on the source of the figure.
    """
    drawn = [(panel, kind) for panel in panels for kind in _KINDS if kind.shows(panel)]
    heights = [kind.height for _, kind in drawn]
    titles = [lines_of_parts(panel.name, _LETTERS_OF_TITLE, "; ", at_end=";") for panel in panels]
    height = _FRAME_IN + sum(heights) + _TITLE_IN * sum(map(len, titles)) + 0.25 * bool(title)
    kinds = dict.fromkeys(kind.name for _, kind in drawn)
    name = title or f"{listed(list(kinds))} over time"
    in_warm_up = warm_up_s > start_s
    source += " · grey: warm-up" if in_warm_up else ""
    if any(panel.queue_s is not None and panel.queue_unit == "packets" for panel in panels):
        source += " · times of queues: of full packets"
    figure = SourcedFigure(height, title=name, source=source)
    axes = figure.area.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[
        :, 0
    ]
    looks = _looks(panels, start_s, end_s)
    named: list[Panel] = []
    for ax, (panel, kind) in zip(axes, drawn, strict=True):
        kind.draw(ax, panel, looks)
        if not any(panel is each for each in named):
            number = len(named)
            named.append(panel)
            ax.set_title("\n".join(titles[number]), loc="left")
        ax.set_xlim(start_s, end_s)
        if in_warm_up:
            ax.axvspan(start_s, min(warm_up_s, end_s), color=LIGHT, alpha=0.6, lw=0, zorder=0)
    figure.area.align_ylabels()
    set_times(axes[-1], start_s, end_s)
    if title:
        figure.area.suptitle(title, fontsize="large", fontweight="bold")
    _add_legend(figure, panels, looks)
    return figure


def set_times(ax: Axes, start_s: float, end_s: float) -> None:
    """Set ticks with full numbers, as many as fit."""
    decimals = max(1 - floor(log10(end_s - start_s)), 0)
    letters = len(f"{end_s:.{decimals}f}")
    most = min(_LETTERS_OF_TIMES // letters, _MOST_TIMES)
    # The same steps as matplotlib's default.
    ax.xaxis.set_major_locator(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
    ax.ticklabel_format(axis="x", style="plain")
    ax.set_xlabel("Time (s)")


class _Looks(NamedTuple):
    """The units, limits and names that all panels share.

    Attributes:
        start_s: start of the time axis, s.
        end_s: end of the time axis, s.
        flows: names of the flows whose cwnd or rates are drawn.
        vcs: names of the VCs whose ACR is drawn.
        cwnd: unit of the windows.
        cwnd_top: upper end of the axes of windows, in that unit.
        rate: unit of the rates of senders.
        rate_top: upper end of the axes of rates, in that unit.
        in_flight: unit of the data in flight.
        in_flight_top: upper end of the axes of data in flight, in that unit.
        acr: unit of the ACRs.
        acr_top: upper end of the axes of ACRs, in that unit.
        queue_top: upper end of the axes of queues.
    """

    start_s: float
    end_s: float
    flows: list[str]
    vcs: list[str]
    cwnd: Quantity
    cwnd_top: float
    rate: Quantity
    rate_top: float
    in_flight: Quantity
    in_flight_top: float
    acr: Quantity
    acr_top: float
    queue_top: float

    @property
    def names(self) -> list[str]:
        """Return the names of flows and VCs, one colour per name."""
        return list(dict.fromkeys([*self.flows, *self.vcs]))

    def color(self, name: str) -> str:
        """Return the colour of a flow or a VC."""
        if self.names == [name]:
            return BLUE
        return series_look(self.names.index(name)).color


def _looks(panels: Sequence[Panel], start_s: float, end_s: float) -> _Looks:
    flows = list(dict.fromkeys(flow for panel in panels for flow in (*panel.cwnd, *panel.senders)))
    vcs = list(dict.fromkeys(vc for panel in panels for vc in panel.acr))
    windows = [rows["cwnd_bytes"].max() for panel in panels for rows in panel.cwnd.values()]
    senders = [rows for panel in panels for rows in panel.senders.values()]
    paced = [0.0, *(rows[list(_RATES)].max(axis=None, skipna=True) for rows in senders)]
    paced = [rate for rate in paced if rate == rate]
    out = [rows["in_flight_bytes"].max() for rows in senders]
    rates = [rows["acr_bit_s"].max() for panel in panels for rows in panel.acr.values()]
    queues = [panel.queue["max_length"].max() for panel in panels if not panel.queue.empty]
    cwnd, acr = quantity("cwnd_bytes", windows), quantity("acr_bit_s", rates)
    rate, in_flight = quantity("pacing_rate_bit_s", paced), quantity("in_flight_bytes", out)
    return _Looks(
        start_s,
        end_s,
        flows,
        vcs,
        cwnd,
        _HEADROOM * max(windows, default=1) / cwnd.scale,
        rate,
        _HEADROOM * max([*paced, 1]) / rate.scale,
        in_flight,
        _HEADROOM * max([*out, 1]) / in_flight.scale,
        acr,
        _HEADROOM * max([*rates, 1]) / acr.scale,
        _HEADROOM * max([1, *queues]),
    )


def _draw_windows(ax: Axes, panel: Panel, looks: _Looks) -> None:
    scale = looks.cwnd.scale
    for flow, rows in panel.cwnd.items():
        its = looks.color(flow)
        _step(ax, rows, "cwnd_bytes", looks, scale, color=its, lw=0.9, zorder=3)
        if len(looks.flows) == 1:
            dashes = {"color": GREY, "lw": 0.8, "ls": (0, (4, 2))}
            _step(ax, rows, "ssthresh_bytes", looks, scale, **dashes)
    ax.set_ylim(0, looks.cwnd_top)
    ax.set_ylabel(f"cwnd ({looks.cwnd.unit})")


def _draw_rates(ax: Axes, panel: Panel, looks: _Looks) -> None:
    for flow, rows in panel.senders.items():
        for column, dashes in _RATES.items():
            there = rows[rows[column].notna()]
            look = {"color": looks.color(flow), "lw": 0.9, "ls": dashes, "zorder": 3}
            _step(ax, there, column, looks, looks.rate.scale, **look)
    ax.set_ylim(0, looks.rate_top)
    ax.set_ylabel(f"Rate ({looks.rate.unit})")


def _draw_in_flight(ax: Axes, panel: Panel, looks: _Looks) -> None:
    for flow, rows in panel.senders.items():
        look = {"color": looks.color(flow), "lw": 0.9, "zorder": 3}
        _step(ax, rows, "in_flight_bytes", looks, looks.in_flight.scale, **look)
    ax.set_ylim(0, looks.in_flight_top)
    ax.set_ylabel(f"In flight\n({looks.in_flight.unit})")


def _draw_acrs(ax: Axes, panel: Panel, looks: _Looks) -> None:
    for vc, rows in panel.acr.items():
        its = looks.color(vc)
        _step(ax, rows, "acr_bit_s", looks, looks.acr.scale, color=its, lw=0.9, zorder=3)
    ax.set_ylim(0, looks.acr_top)
    ax.set_ylabel(f"ACR ({looks.acr.unit})")


def _step(
    ax: Axes, rows: pd.DataFrame, column: str, looks: _Looks, scale: float, **look: object
) -> None:
    span = {"start_s": looks.start_s, "end_s": looks.end_s}
    times, values = steps(rows, column, **span, scale=scale, most=MOST_STEPS)
    if values.size:
        ax.step(times, values, where="post", **look)


def _draw_queue(ax: Axes, panel: Panel, looks: _Looks) -> None:
    queue = panel.queue
    edges = np.append(queue["time_s"].to_numpy(dtype=float), looks.end_s)
    ax.stairs(queue["max_length"], edges, fill=True, fc=_SKY, ec=BLUE, lw=0.5)
    ax.yaxis.set_major_formatter("{x:,.0f}")
    ax.set_ylim(0, looks.queue_top)
    ax.set_ylabel(f"Queue\n({panel.queue_unit})")
    if panel.queue_s is not None:
        _add_waits(ax, panel.queue_s, looks.queue_top)
    ax.set_title(panel.queue_of, loc="right", fontweight="normal", fontsize="medium", pad=2)


def _add_waits(ax: Axes, one_s: float, top: float) -> None:
    """Add an axis at the right with the waiting time of the queue."""
    shown = quantity("wait_s", [top * one_s])
    one = one_s / shown.scale
    waits = ax.secondary_yaxis("right", functions=(lambda held: held * one, lambda t: t / one))
    waits.yaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
    waits.spines["right"].set_visible(True)
    waits.set_ylabel(f"Queue\n({shown.unit})")


class _Kind(NamedTuple):
    """A kind of axes in a panel.

    Attributes:
        name: name of the quantity.
        height: height of the axes, inches.
        shows: returns whether a panel has the quantity.
        draw: draws the quantity.
    """

    name: str
    height: float
    shows: Callable[[Panel], bool]
    draw: Callable[[Axes, Panel, _Looks], None]


_KINDS = (
    _Kind("cwnd", _WINDOW_IN, lambda panel: bool(panel.cwnd), _draw_windows),
    _Kind("rates", _WINDOW_IN, lambda panel: bool(panel.rates), _draw_rates),
    _Kind("data in flight", _QUEUE_IN, lambda panel: bool(panel.senders), _draw_in_flight),
    _Kind("ACR", _WINDOW_IN, lambda panel: bool(panel.acr), _draw_acrs),
    _Kind("queue", _QUEUE_IN, lambda panel: not panel.queue.empty, _draw_queue),
)
"""The kinds of axes from top to bottom."""


def _add_legend(figure: SourcedFigure, panels: Sequence[Panel], looks: _Looks) -> None:
    handles = [Line2D([], [], color=looks.color(name), label=name) for name in looks.names]
    if len(looks.flows) == 1 and any(panel.cwnd for panel in panels):
        if not looks.vcs and not any(panel.senders for panel in panels):
            handles[0].set_label(f"cwnd of {looks.flows[0]}")
        handles.insert(1, Line2D([], [], color=GREY, ls=(0, (4, 2)), label="ssthresh"))
    handles += [
        Line2D([], [], color=GREY, ls=_RATES[rate], label=quantity(rate).name)
        for rate in dict.fromkeys(rate for panel in panels for rate in panel.rates)
    ]
    if handles:
        figure.area.legend(handles=handles, loc="outside lower center", ncols=4)
