"""Time-sequence diagram of a connection at its sender, with the signs of tcptrace.

Source: S. Ostermann, tcptrace; T. J. Shepard, TCP Packet Trace Analysis, MIT/LCS/TR-494, 1991, for
the diagram.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.textpath import TextPath
from matplotlib.transforms import ScaledTranslation

from ackclock.plots.quantities import Quantity, quantity
from ackclock.plots.sourced import SourcedFigure, lines_of_parts
from ackclock.plots.steps import MOST_STEPS, steps
from ackclock.plots.style import BLACK, BLUE, GREEN, VERMILLION, styled
from ackclock.plots.windows import set_times

_HEIGHT_IN, _WIDTH_IN, _TITLE_IN = 4.6, 6.6, 0.16
_LETTERS_OF_TITLE = 78
_PURPLE, _AMBER = "#AA4499", "#B8860B"
_MOST_BARS = 4000
"""With more bars than this, overlapping bars are merged."""
_MOST_CAPPED, _MOST_LETTERED = 400, 120
"""Largest numbers of bars for which ends and letters are drawn."""
_LETTER_PT = 4.5
"""Height of a letter, and its distance above the bar."""
_PLACES = 1500
"""Number of positions along each axis that can be distinguished by eye."""
_ROOM = 0.04
_WINDOW_ROOM = 0.6
"""Largest height of the receive window relative to the data; a higher one is not shown."""


class _Bars(NamedTuple):
    """A kind of bars; a bar shows a range of bytes at a time.

    Attributes:
        name: name in the legend.
        color: colour of the bars.
        width: line width, points.
        letter: letter beside a bar if there is room; may be empty.
    """

    name: str
    color: str
    width: float
    letter: str = ""


_DATA = _Bars("data", BLACK, 0.9)
_AGAIN = _Bars("retransmission", VERMILLION, 1.6, "R")
_SACK = _Bars("SACK", _PURPLE, 1.2, "S")


class Axis(NamedTuple):
    """The visible part of the connection.

    Attributes:
        start_s: start of the time axis, s.
        end_s: end of the time axis, s.
        segment_bytes: size of a segment, bytes, if the axis counts segments; none for bytes.
    """

    start_s: float
    end_s: float
    segment_bytes: int | None = None


@styled
def time_sequence(rows: pd.DataFrame, *, axis: Axis, name: str, title: str, source: str) -> Figure:
    """Draw data, ACKs, SACKs and the receive window over time at the sender.

    Args:
        rows: rows of one connection, in order of time: columns time_s; kind, "data", "ack", "sack"
            or "window" (its right edge: ACK + receive window); low and high, bytes of the stream
            from 0 (for an ACK and a window only high is used); sent_again, whether data were
            retransmitted; and lost, whether the network lost this segment.
        axis: visible part, which must contain at least one row.
        name: name of connection and run, with "; " where it may be wrapped.
        title: title for the metadata of the file.
        source: text on the source of the figure.
    """
    seen = rows[(rows["time_s"] >= axis.start_s) & (rows["time_s"] <= axis.end_s)]
    shown = _unit(seen, axis.segment_bytes)
    heading = lines_of_parts(name, _LETTERS_OF_TITLE, "; ", at_end=";")
    low, high = _heights(rows, seen, axis)
    bars = list(_kinds(seen))
    if any(len(its) > _MOST_BARS for _, its in bars):
        source += " · bars that overlap at one place of the picture are drawn as one"
    height = _HEIGHT_IN + _TITLE_IN * (len(heading) - 1)
    figure = SourcedFigure(height, _WIDTH_IN, title=title, source=source)
    ax = figure.area.subplots()
    handles = []
    for kind, its in bars:
        handles.append(_draw_bars(ax, its, kind, shown.scale, axis, high - low))
    handles += _draw_lost(ax, seen, shown.scale)
    handles += _draw_lines(ax, rows, shown.scale, axis, high)
    ax.set_ylim(low / shown.scale, high / shown.scale)
    ax.set_xlim(axis.start_s, axis.end_s)
    ax.yaxis.set_major_formatter("{x:,g}")
    ax.set_ylabel(f"Sequence number ({shown.unit})")
    set_times(ax, axis.start_s, axis.end_s)
    ax.set_title("\n".join(heading), loc="left")
    figure.area.legend(handles=handles, loc="outside lower center", ncols=4, handlelength=1.6)
    return figure


def _unit(seen: pd.DataFrame, segment_bytes: int | None) -> Quantity:
    if segment_bytes is not None:
        return Quantity("sequence number", f"segments of {segment_bytes:,} B", float(segment_bytes))
    return quantity("sequence_bytes", seen["high"].to_numpy(dtype=float))


def _heights(rows: pd.DataFrame, seen: pd.DataFrame, axis: Axis) -> tuple[float, float]:
    """Return the ends of the axis, bytes: data, ACKs, SACKs, and a close receive window."""
    data = seen[seen["kind"] == "data"]
    acks = seen[seen["kind"] == "ack"]["high"]
    sacked = seen[seen["kind"] == "sack"]["high"]
    edges = [*data["low"], *acks[acks > 0]], [*data["high"], *acks, *sacked]
    if not edges[0]:
        edges = [*seen["low"], 0], [*seen["high"], 1]
    low, high = float(min(edges[0])), float(max(edges[1]))
    room = _ROOM * max(high - low, 1.0)
    windows = rows[(rows["kind"] == "window") & (rows["time_s"] <= axis.end_s)]["high"]
    if not windows.empty and windows.iloc[-1] <= high + _WINDOW_ROOM * (high - low):
        high = max(high, float(windows.iloc[-1]))
    return (low - room if low > room else -room), high + room


def _kinds(seen: pd.DataFrame) -> Iterator[tuple[_Bars, pd.DataFrame]]:
    """Yield the kinds of visible bars, from the lowest layer to the uppermost."""
    data, again = seen["kind"] == "data", seen["sent_again"].astype(bool)
    for kind, which in (
        (_SACK, seen["kind"] == "sack"),
        (_DATA, data & ~again),
        (_AGAIN, data & again),
    ):
        if which.any():
            yield kind, seen[which]


def _draw_bars(
    ax: Axes, rows: pd.DataFrame, kind: _Bars, scale: float, axis: Axis, height: float
) -> Line2D:
    """Draw all bars of a kind as one artist, and their ends and letters as one artist each.

    Returns:
        The sign for the legend.
    """
    times, low, high = (rows[name].to_numpy(dtype=float) for name in ("time_s", "low", "high"))
    if times.size > _MOST_BARS:
        at = np.floor((times - axis.start_s) / (axis.end_s - axis.start_s) * _PLACES)
        times, low, high = merged(times, low, high, at.astype(np.int64), height / _PLACES)
    low, high = low / scale, high / scale
    lines = np.stack([np.column_stack([times, low]), np.column_stack([times, high])], axis=1)
    zorder = 3 if kind is _AGAIN else 2
    ax.add_collection(
        LineCollection(lines, colors=kind.color, linewidths=kind.width, zorder=zorder),
        autolim=False,
    )
    look = {"ls": "none", "color": kind.color, "zorder": zorder}
    if times.size <= _MOST_CAPPED and kind is not _SACK:
        ends = np.concatenate([low, high])
        ax.plot(np.concatenate([times, times]), ends, marker="_", ms=3.2, mew=0.8, **look)
    label = kind.name
    if kind.letter and times.size <= _MOST_LETTERED:
        above = ScaledTranslation(-_LETTER_PT / 200, _LETTER_PT / 144, ax.figure.dpi_scale_trans)
        sign = TextPath((0, 0), kind.letter, size=1)
        letter = {**look, "marker": sign, "ms": 2 * _LETTER_PT, "mew": 0.2, "zorder": 4}
        ax.plot(times, high, transform=ax.transData + above, **letter)
        label += f" ({kind.letter})"
    sign = {"color": kind.color, "ls": "none", "marker": "|", "ms": 9, "mew": kind.width + 0.4}
    return Line2D([], [], **sign, label=label)


def merged(
    times: np.ndarray, low: np.ndarray, high: np.ndarray, place: np.ndarray, gap: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Merge bars at one position if one reaches the next.

    Args:
        times: shape (n,), times of the bars, s.
        low: shape (n,), lower ends.
        high: shape (n,), upper ends.
        place: shape (n,), whole numbers: only bars at the same position are merged.
        gap: largest invisible gap between bars.

    Returns:
        Times (the first time of each merged bar), lower ends, upper ends.
    """
    order = np.lexsort((low, place))
    times, low, high, place = times[order], low[order], high[order], place[order]
    reach = pd.Series(high).groupby(place).cummax().to_numpy()
    begins = np.ones(times.size, dtype=bool)
    begins[1:] = (place[1:] != place[:-1]) | (low[1:] > reach[:-1] + gap)
    first = np.flatnonzero(begins)
    return np.minimum.reduceat(times, first), low[first], np.maximum.reduceat(high, first)


def _draw_lost(ax: Axes, seen: pd.DataFrame, scale: float) -> list[Line2D]:
    """Draw a cross in the middle of each segment that the network lost."""
    rows = seen[(seen["kind"] == "data") & seen["lost"].astype(bool)]
    if rows.empty:
        return []
    many = sum(len(rows) > most for most in (_MOST_LETTERED, _MOST_CAPPED))
    size = {"ms": (5, 3.5, 2)[many], "mew": (1.3, 1.0, 0.6)[many]}
    look = {"ls": "none", "marker": "x", "color": BLUE, "zorder": 5 if not many else 2.2}
    middle = (rows["low"] + rows["high"]).to_numpy(dtype=float) / 2 / scale
    # In a long time many losses overlap: draw one cross per position.
    kept = _apart(rows["time_s"].to_numpy(dtype=float), middle)
    ax.plot(rows["time_s"].to_numpy(dtype=float)[kept], middle[kept], **look, **size)
    return [Line2D([], [], **look, ms=5, mew=1.3, label="lost by the network")]


def _apart(times: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """Return one point per position."""
    if times.size <= _MOST_BARS:
        return np.arange(times.size)
    cells = [
        np.floor((each - each.min()) / max(np.ptp(each), 1e-12) * _PLACES)
        for each in (times, heights)
    ]
    return np.unique(np.stack(cells), axis=1, return_index=True)[1]


def _draw_lines(ax: Axes, rows: pd.DataFrame, scale: float, axis: Axis, top: float) -> list[Line2D]:
    """Draw the acknowledged data, and the right edge of the receive window if it is visible."""
    handles = []
    for kind, name, color, dash in (
        ("ack", "ACK", GREEN, "-"),
        ("window", "receive window", _AMBER, (0, (4, 1.5))),
    ):
        its = rows[(rows["kind"] == kind) & (rows["time_s"] <= axis.end_s)]
        held = its[its["time_s"] < axis.start_s].tail(1).assign(time_s=axis.start_s)
        its = pd.concat([held, its[its["time_s"] >= axis.start_s]])
        if its.empty or its["high"].min() > top:
            continue
        span = {"start_s": axis.start_s, "end_s": axis.end_s}
        times, values = steps(
            its.drop(columns="connection", errors="ignore"),
            "high",
            **span,
            scale=scale,
            most=MOST_STEPS,
        )
        look = {"color": color, "ls": dash, "lw": 1.1}
        ax.step(times, values, where="post", zorder=2.5, **look)
        handles.append(Line2D([], [], **look, label=name))
        if kind == "ack":
            handles += _draw_duplicates(ax, its, scale)
    return handles


def _draw_duplicates(ax: Axes, acks: pd.DataFrame, scale: float) -> list[Line2D]:
    """Draw a tick at each duplicate ACK if these can be distinguished."""
    same = acks["high"].diff().eq(0).to_numpy()
    if not same.any() or same.sum() > _MOST_CAPPED:
        return []
    look = {"ls": "none", "marker": "|", "ms": 5, "mew": 0.9, "color": GREEN, "zorder": 2.6}
    its = acks[same]
    ax.plot(its["time_s"], its["high"] / scale, **look)
    return [Line2D([], [], **look, label="duplicate ACK")]
