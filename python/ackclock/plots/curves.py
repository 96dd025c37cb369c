"""Curves of one run on one time axis, one panel per quantity, as in the lab in the browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ackclock.plots.quantities import quantity
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.style import BLUE, GREY, LIGHT, series_look, styled
from ackclock.plots.windows import set_times

_PANEL_IN, _FRAME_IN, _TITLE_IN = 1.1, 0.8, 0.25
_HEADROOM = 1.08
_DASHES = ("-", (0, (4, 2)), (0, (1, 1.2)))
"""Line styles of the first, second and third quantity of a panel."""


class Curve(NamedTuple):
    """A curve.

    Attributes:
        name: name of the quantity.
        flow: name of the flow; empty without a flow.
        x: times, s, ascending.
        y: values, as many as times.
        step: whether a value is constant until the next.
    """

    name: str
    flow: str
    x: np.ndarray
    y: np.ndarray
    step: bool


class CurvePanel(NamedTuple):
    """Curves with one axis.

    Attributes:
        title: title of the axis, without unit.
        column: name whose suffix gives the unit: "cwnd_bytes".
        curves: curves of the panel.
        limits: names and values of reference lines.
    """

    title: str
    column: str
    curves: Sequence[Curve]
    limits: Mapping[str, float]


@styled
def curves(
    panels: Sequence[CurvePanel],
    *,
    start_s: float,
    end_s: float,
    warm_up_s: float,
    title: str,
    source: str,
) -> Figure:
    """Draw panels one below the other; a flow has the same colour in all panels.

    Args:
        panels: panels, at least one.
        start_s: start of the time axis, s.
        end_s: end of the time axis, s.
        warm_up_s: end of the warm-up, s, which has a grey background.
        title: shown above the figure.
        source: text on the source of the figure.
    """
    in_warm_up = warm_up_s > start_s
    source += " · grey: warm-up" if in_warm_up else ""
    height = _FRAME_IN + _TITLE_IN * bool(title) + _PANEL_IN * len(panels)
    figure = SourcedFigure(height, title=title or "One run over time", source=source)
    axes = figure.area.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    flows = dict.fromkeys(each.flow for panel in panels for each in panel.curves if each.flow)
    colors = {flow: series_look(number).color for number, flow in enumerate(flows)}
    if len(colors) == 1:
        colors = dict.fromkeys(colors, BLUE)
    names: dict[str, object] = {}
    for ax, panel in zip(axes, panels, strict=True):
        names |= _draw(ax, panel, colors, end_s)
        if in_warm_up:
            ax.axvspan(start_s, min(warm_up_s, end_s), color=LIGHT, alpha=0.6, lw=0, zorder=0)
        ax.set_xlim(start_s, end_s)
    figure.area.align_ylabels()
    set_times(axes[-1], start_s, end_s)
    if title:
        figure.area.suptitle(title, fontsize="large", fontweight="bold")
    handles = [Line2D([], [], color=color, label=flow) for flow, color in colors.items()]
    handles += [Line2D([], [], color=GREY, ls=dash, label=name) for name, dash in names.items()]
    if handles:
        figure.area.legend(handles=handles, loc="outside lower center", ncols=4)
    return figure


def _draw(
    ax: Axes, panel: CurvePanel, colors: Mapping[str, str], end_s: float
) -> dict[str, object]:
    """Draw a panel, and return the line styles of its quantities except the first."""
    tops = [float(each.y.max()) for each in panel.curves if each.y.size]
    top = max([*tops, *panel.limits.values(), 0.0])
    shown = quantity(panel.column, (top,))
    names = list(dict.fromkeys(each.name for each in panel.curves))
    dashes = dict(zip(names, _DASHES, strict=False))
    for each in panel.curves:
        x, y = each.x, each.y / shown.scale
        if each.step and x.size:
            x, y = np.append(x, end_s), np.append(y, y[-1])
        look = {"color": colors.get(each.flow, BLUE), "ls": dashes[each.name], "lw": 0.8}
        ax.plot(x, y, drawstyle="steps-post" if each.step else "default", **look)
    for height in panel.limits.values():
        ax.axhline(height / shown.scale, color=GREY, lw=0.8, ls=(0, (5, 2)))
    ax.set_ylim(0, _HEADROOM * top / shown.scale or 1)
    ax.set_ylabel(f"{panel.title}\n({shown.unit})")
    return {name: dash for name, dash in dashes.items() if name != names[0]}
