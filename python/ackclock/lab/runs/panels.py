"""Convert the tables of a run to curves, strips and marks of a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ackclock import _core
from ackclock.lab.frame import Words
from ackclock.lab.runs.recording import Recording
from ackclock.scenario.compile.network import PS_PER_S
from ackclock.scenario.units import TIME, show

Tables = Mapping[str, Mapping[str, Any]]
"""Tables in the form of the core."""
_MOST_CONNECTIONS = 8
"""Largest number of drawn connections of a flow."""
_GOODPUT_BINS = 60
"""Smallest number of goodput bins in a picture; many more would show bursts of each round trip."""
_NO_THRESHOLD = 2**40
"""An ssthresh above this stands for an unset one, bytes."""
_NO_WORD = ""


class Curve(NamedTuple):
    """A curve of a panel.

    Attributes:
        name: name of the quantity.
        flow: number of the flow; none for a link.
        connection: number of the flow's connection.
        x: times, s.
        y: values, as many as times.
        step: whether a value is constant until the next.
        until: for steps, end of the last value, s: the end of the records, or the last event of a
            flow that has ended.
    """

    name: str
    flow: int | None
    connection: int
    x: np.ndarray
    y: np.ndarray
    step: bool
    until: float | None = None

    def points_to_draw(self, begin_s: float, end_s: float, columns: int) -> np.ndarray:
        """Return the indices of the points that a picture can show.

        Args:
            begin_s: start of the picture, s.
            end_s: end of the picture, s.
            columns: columns of pixels in the picture.
        """
        return _core.points_to_draw(self.x, np.asarray(self.y, np.float64), begin_s, end_s, columns)


class Drawing(NamedTuple):
    """The content of a frame, from the tables of a run.

    Attributes:
        head: "panels", "strips", "marks" and "notes", as JSON.
        arrays: arrays that the head names.
    """

    head: dict[str, Any]
    arrays: dict[str, np.ndarray | Words]


class Panel(NamedTuple):
    """Curves with one axis.

    Attributes:
        id: "cwnd", "rtt", "queue" or "goodput".
        title: title of the panel.
        unit: unit of all curves.
        curves: curves of the panel.
        limits: names and values of reference lines.
    """

    id: str
    title: str
    unit: str
    curves: list[Curve]
    limits: dict[str, float]


def drawing(tables: Tables, recording: Recording, come_s: float = inf) -> Drawing:
    """Return the picture of a run's tables, up to a time or to its end."""
    arrays: dict[str, np.ndarray | Words] = {}
    found, notes = panels(tables, recording, come_s)
    rows = _Rows(recording, come_s)
    ends = {
        (curve.flow, curve.connection): curve.until
        for panel in found
        for curve in panel.curves
        if curve.name == "cwnd" and curve.until is not None
    }
    head = {
        "panels": [
            {
                "id": panel.id,
                "title": panel.title,
                "unit": panel.unit,
                "series": list(_series(panel.curves, recording, arrays)),
                "limits": [{"name": name, "y": y} for name, y in panel.limits.items()],
            }
            for panel in found
        ],
        "strips": list(_strips(tables, recording, rows, ends, arrays)),
        "marks": list(_marks(tables, recording, rows, arrays)),
        "notes": notes,
    }
    return Drawing(head, arrays)


def panels(
    tables: Tables, recording: Recording, come_s: float = inf
) -> tuple[list[Panel], list[str]]:
    """Return the panels with all of their points, and notes on omitted data."""
    rows = _Rows(recording, come_s)
    kinds = {"cwnd": _cwnd, "rtt": _rtt, "queue": _queue, "goodput": _goodput}
    made = (
        draw(tables[name], recording, rows)
        for name, draw in kinds.items()
        if name in recording.wanted.show and tables.get(name)
    )
    return [panel for panel in made if panel is not None], rows.notes


class _Rows:
    """The rows of each connection of the drawn flows in a table.

    Attributes:
        notes: notes on data that are not drawn.
        come_s: present time of the run, s.
        until_s: end of the records of flows, s.
    """

    def __init__(self, recording: Recording, come_s: float) -> None:
        self._recording = recording
        self.notes: list[str] = []
        self.come_s = min(come_s, recording.duration_s)
        until = recording.scenario.probes.until
        self.until_s = self.come_s if until is None else min(self.come_s, until / PS_PER_S)

    def of(
        self, table: Mapping[str, Any], *columns: str
    ) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Yield number of the flow, number of its connection, and columns of its rows."""
        for flow in self._recording.flows:
            rows = np.flatnonzero(table["flow"] == flow)
            for number, its in self._by_connection(flow, table["connection"][rows], rows):
                yield flow, number, {name: _taken(table[name], its) for name in columns}

    def _by_connection(
        self, flow: int, connections: np.ndarray, rows: np.ndarray
    ) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the rows of a flow by connection; a flow may have one or thousands."""
        if not rows.size:
            return
        if not connections.any():
            yield 0, rows
            return
        numbers = np.flatnonzero(np.bincount(connections.astype(np.int64)))
        if numbers.size > _MOST_CONNECTIONS:
            self._shortened(flow, numbers.size)
        for number in numbers[:_MOST_CONNECTIONS]:
            yield int(number), rows[connections == number]

    def _shortened(self, flow: int, count: int) -> None:
        name = self._recording.facts.flow_names[flow]
        note = f"{_MOST_CONNECTIONS} of {count} connections of {name} are drawn"
        if note not in self.notes:
            self.notes.append(note)


def _taken(values: Any, rows: np.ndarray) -> Any:
    if isinstance(values, list):
        return [values[row] for row in rows]
    return values.take(rows)


def _cwnd(table: Mapping[str, Any], recording: Recording, rows: _Rows) -> Panel:
    curves = []
    names = {"cwnd": "cwnd_bytes", "flight size": "flight_size_bytes"}
    for flow, connection, its in rows.of(
        table, "time_s", "cwnd_bytes", "ssthresh_bytes", "flight_size_bytes"
    ):
        times, ssthresh = its["time_s"], its["ssthresh_bytes"]
        # A row is a change: data in flight at the last one mean that the flow continues.
        until = rows.until_s if its["flight_size_bytes"][-1] else float(times[-1])
        for name, column in names.items():
            curves.append(Curve(name, flow, connection, times, its[column], True, until))
        # It has few distinct values in thousands of rows, and none before it is set.
        changes = np.flatnonzero(np.diff(ssthresh, prepend=ssthresh[:1] + 1))
        changes = changes[ssthresh[changes] < _NO_THRESHOLD]
        curves.append(
            Curve("ssthresh", flow, connection, times[changes], ssthresh[changes], True, until)
        )
    return Panel("cwnd", "Congestion window", "bytes", curves, {})


def _rtt(table: Mapping[str, Any], recording: Recording, rows: _Rows) -> Panel:
    curves = []
    names = {"rtt_s": "RTT", "srtt_s": "smoothed RTT"}
    for flow, connection, its in rows.of(table, "time_s", *names):
        for column, name in names.items():
            curves.append(Curve(name, flow, connection, its["time_s"], its[column], step=False))
    return Panel("rtt", "Round-trip time", "s", curves, {})


def _queue(table: Mapping[str, Any], recording: Recording, rows: _Rows) -> Panel:
    its = np.flatnonzero(table["link"] == recording.link)
    x, y = table["time_s"][its], table["max_length"][its]
    limits = {} if recording.limit is None else {"queue limit": recording.limit}
    curves = [
        Curve("queue", None, 0, x, y, True, _end_of_bins(x, recording.scenario.probes.queue, rows))
    ]
    return Panel("queue", "Queue", recording.queue_unit, curves, limits)


def _goodput(table: Mapping[str, Any], recording: Recording, rows: _Rows) -> Panel | None:
    width = recording.scenario.probes.goodput
    if width is None:
        return None
    together = _together(recording, width)
    wide = width * together
    curves = []
    for flow in recording.flows:
        its = np.flatnonzero(table["flow"] == flow)
        if rows.come_s < recording.duration_s:
            its = its[: its.size - its.size % together]
        firsts = np.arange(0, its.size, together)
        x = table["time_s"][its[firsts]]
        bins = np.minimum(its.size - firsts, together)
        delivered = np.add.reduceat(table["delivered_bytes"][its], firsts) if its.size else x
        rates = delivered * (8e12 / width) / bins
        curves.append(Curve("goodput", flow, 0, x, rates, True, _end_of_bins(x, wide, rows)))
    capacity = recording.facts.payload_capacity_bit_s
    limits = {"capacity": capacity} if np.isfinite(capacity) else {}
    label = f"Goodput over {show(wide, TIME)}"
    return Panel("goodput", label, "bit/s", curves, limits)


def _together(recording: Recording, width: int) -> int:
    """Return the number of bins of goodput, `width` ps wide, that are drawn as one."""
    begin, end = recording.window
    most = max(1, int((end - begin) * PS_PER_S / width / _GOODPUT_BINS))
    power = 10 ** (len(str(most)) - 1)
    return max(power * step for step in (1, 2, 5) if power * step <= most)


def _end_of_bins(begins: np.ndarray, width: int | None, rows: _Rows) -> float | None:
    """Return the end of the last bin, s; bins are `width` ps wide, the last may be shorter."""
    return min(float(begins[-1]) + (width or 0) / PS_PER_S, rows.come_s) if begins.size else None


def _series(
    curves: list[Curve], recording: Recording, arrays: dict[str, np.ndarray | Words]
) -> Iterator[dict[str, Any]]:
    """Yield the curves of a panel for a head, and add their points to ``arrays``."""
    for curve in curves:
        kept = curve.points_to_draw(*recording.window, recording.wanted.width)
        name = f"c{len(arrays)}"
        arrays[f"{name}x"] = _times(curve.x[kept], recording)
        arrays[f"{name}y"] = curve.y[kept].astype(np.float32)
        yield {
            "id": name,
            "name": curve.name,
            "flow": curve.flow,
            "connection": curve.connection,
            "step": curve.step,
            "until": curve.until,
            "x": f"{name}x",
            "y": f"{name}y",
        }


def _times(times: np.ndarray, recording: Recording) -> np.ndarray:
    """Return times as float64 if float32 cannot separate the pixels of a narrow window."""
    return times.astype(np.float32 if recording.window[0] == 0 else np.float64)


def _strips(
    tables: Tables,
    recording: Recording,
    rows: _Rows,
    ends: Mapping[tuple[int | None, int], float],
    arrays: dict[str, np.ndarray | Words],
) -> Iterator[dict[str, Any]]:
    """Yield the changes of each connection's states, until its curves end."""
    table = tables.get("states")
    if "states" not in recording.wanted.show or not table:
        return
    for flow, connection, its in rows.of(table, "time_s", "state"):
        words = coded(its["state"])
        changes = np.flatnonzero(np.diff(words.numbers.astype(np.int64), prepend=-1))
        name = f"s{len(arrays)}"
        arrays[f"{name}x"] = _times(its["time_s"][changes], recording)
        arrays[f"{name}state"] = Words(words.numbers[changes], words.words)
        yield {
            "flow": flow,
            "connection": connection,
            "until": max(ends.get((flow, connection), rows.until_s), float(its["time_s"][-1])),
            "x": f"{name}x",
            "state": f"{name}state",
        }


def _marks(
    tables: Tables, recording: Recording, rows: _Rows, arrays: dict[str, np.ndarray | Words]
) -> Iterator[dict[str, Any]]:
    """Yield the times of time-outs, fast retransmits, drops and marks."""
    yield from _fates(tables, recording, arrays)
    table = tables.get("states")
    if "states" not in recording.wanted.show or not table:
        return
    for flow, _, its in rows.of(table, "time_s", "timeouts", "fast_retransmits"):
        for column, kind in (("timeouts", "timeout"), ("fast_retransmits", "fast retransmit")):
            counts = its[column].astype(np.int64)
            times = its["time_s"][np.flatnonzero(np.diff(counts, prepend=0) > 0)]
            if times.size:
                name = f"m{len(arrays)}"
                arrays[name] = _times(times, recording)
                yield {"kind": kind, "flow": flow, "x": name}


def _fates(
    tables: Tables, recording: Recording, arrays: dict[str, np.ndarray | Words]
) -> Iterator[dict[str, Any]]:
    """Yield the times when packets of the drawn flows were lost or marked at the link."""
    table = tables.get("packets")
    if "drops" not in recording.wanted.show or not table:
        return
    is_lost = np.array([word is not None for word in table["lost"]], bool)
    for kind, are in (("drop", is_lost), ("mark", table["marked"] > 0)):
        for flow in recording.flows:
            times = table["offered_s"][are & (table["flow"] == flow)]
            if times.size:
                name = f"m{len(arrays)}"
                arrays[name] = _times(times, recording)
                yield {"kind": kind, "flow": flow, "x": name}


def coded(words: list[str | None]) -> Words:
    """Return a column of words as numbers; none becomes an empty word."""
    known: dict[str | None, int] = {}
    numbers = [known.setdefault(word, len(known)) for word in words]
    return Words(np.array(numbers, np.uint16), [word or _NO_WORD for word in known])
