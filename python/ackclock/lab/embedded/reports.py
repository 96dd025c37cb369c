"""The lab's components in an interactive report, and the data that they draw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from ackclock.campaign import Run
from ackclock.errors import InputError
from ackclock.lab import bundle
from ackclock.lab.campaigns import run_states
from ackclock.lab.campaigns.traces import trace
from ackclock.lab.embedded.charts import chart_frame
from ackclock.lab.frame import Words, frame, read
from ackclock.lab.runs.panels import coded
from ackclock.lab.runs.picture_request import PictureRequest
from ackclock.lab.settings import PORT
from ackclock.plots.chart import Chart
from ackclock.plots.quantities import point_text
from ackclock.results import Results

LAB = f"http://127.0.0.1:{PORT}/"
"""Address of ``ackclock lab`` on its default port."""
COLUMNS = 400
"""Columns of pixels for curves: fewer than in a live run, because a report stores all curves."""
MOST_ROWS = 20_000
"""Largest number of rows of a time-sequence diagram: 0.5 MB in a page."""
_SHOWN = ("cwnd", "rtt", "queue", "goodput", "states")
"""Tables with a panel."""
_NOT_IN_PANELS = ("acr", "transport")
"""Tables whose curves are only in the printed figure."""
_SEGMENTS = "segments"
_DATA = "data"
_NUMBERS = ("metrics", "flow_metrics", "distributions")
"""Parts of a run's frame that a report shows as tables."""


class ReportComponents:
    """Implements ``ackclock.report.interactive.Components``.

    Attributes:
        script: script that draws the panels.
        style: style sheet of the panels.
    """

    def __init__(self) -> None:
        """Read the bundle.

        Raises:
            InputError: the bundle is not built.
        """
        self.script = bundle.text("report.js")
        self.style = bundle.text("report.css")

    def chart(self, chart: Chart) -> bytes:
        """Return the data of a figure of means or of shares."""
        return chart_frame(chart)

    def run(self, results: Results, point: int, replication: int) -> bytes | None:
        """Return the data of a recorded run; none if the panels cannot show it."""
        try:
            return run_frames(results, point, replication)
        except InputError:
            # The printed figure is enough.
            return None


def run_frames(results: Results, point: int, replication: int) -> bytes:
    """Return the data of a recorded run: description, panels, time-sequence diagram.

    Raises:
        InputError: there is no such run, or it has no records for the panels.
    """
    results.records.check_run(point, replication)
    campaign = results.campaign
    runs = (each for each in campaign.runs if each.point == point)
    run = next(each for each in runs if each.replication == replication)
    for name in _NOT_IN_PANELS:
        if name in run.traces:
            raise InputError(
                f"[probes] {name} recorded data that the panels do not show;"
                " results.plot.traces() draws it"
            )
    show = tuple(name for name in _SHOWN if name in run.traces)
    if not show:
        raise InputError(results.records.nothing_over_time([point], replication))
    panels = _without_numbers(trace(campaign, run, PictureRequest(show=show, width=COLUMNS)))
    about = frame({"kind": "about", **_about(results, run)}, {})
    return b"".join([about, panels, *_diagram(results, run)])


def _about(results: Results, run: Run) -> dict[str, Any]:
    """Return the description of a run, and the state of the lab that repeats it."""
    where = point_text(run.levels)
    point = f"point {run.point}{f' ({where})' if where else ''}"
    told = {
        "name": f"point {run.point} of {results.campaign.folder.resolve().name}",
        "caption": f"{results.title}: {point}, replication {run.replication}, seed {run.seed}",
        "lab": LAB,
    }
    try:
        state = run_states.state(results.campaign, run.point, run.replication)
    except InputError:
        return {**told, "state": None, "note": None}
    note = state.pop("note")
    return {**told, "state": state, "note": note}


def _without_numbers(data: bytes) -> bytes:
    """Return the frame of a run with only the data of the panels."""
    ((head, arrays),) = read(data)
    named = {
        name
        for each in head.get("distributions", ())
        for series in each["series"]
        for name in (series["x"], series["y"])
    }
    kept = {name: values for name, values in arrays.items() if name not in named}
    return frame({key: head[key] for key in head if key not in _NUMBERS}, kept)


def _diagram(results: Results, run: Run) -> Iterator[bytes]:
    """Yield the time-sequence diagram of the first connection with recorded segments."""
    records = results.records
    if not records.has(_SEGMENTS, run.point, run.replication):
        return
    table = records.table(_SEGMENTS, run.point, run.replication)
    table = table[table["flow"] == table["flow"].iloc[0]] if len(table) else table
    if table.empty:
        return
    data = table[table["kind"] == _DATA]
    connection = int((data if len(data) else table)["connection"].iloc[0])
    connections = int(table["connection"].max()) + 1
    table = table[table["connection"] == connection]
    end_s = records.times(run.point).end_s
    until_s = end_s
    if len(table) > MOST_ROWS:
        until_s = float(table["time_s"].iloc[MOST_ROWS - 1])
        table = table.iloc[:MOST_ROWS]
    head = {
        "kind": "segments",
        "flow": str(table["flow"].iloc[0]),
        "connection": connection,
        "connections": connections,
        "window": [0.0, until_s],
        "smss_bytes": int((data["high"] - data["low"]).max()) if len(data) else 0,
        "duration_s": end_s,
        "note": None if until_s == end_s else _cut(until_s),
    }
    columns: dict[str, np.ndarray | Words] = {
        "time_s": table["time_s"].to_numpy(dtype=np.float64),
        "kind": _few(table["kind"]),
        "low": _whole(table["low"].to_numpy()),
        "high": _whole(table["high"].to_numpy()),
        "sent_again": table["sent_again"].to_numpy().astype(np.uint8),
        "lost": table["lost"].to_numpy().astype(np.uint8),
    }
    if "reason" in table:
        columns["reason"] = _few(table["reason"])
    yield frame(head, columns)


def _cut(until_s: float) -> str:
    return f"This page has the first {MOST_ROWS:,} events, until {until_s:.4g} s."


def _few(values: pd.Series) -> Words:
    """Return a column with few distinct words; a missing word becomes an empty one."""
    words = coded([each if isinstance(each, str) else None for each in values])
    return words._replace(numbers=words.numbers.astype(np.uint8))


def _whole(values: np.ndarray) -> np.ndarray:
    """Return whole numbers in the smallest integer type that can hold them."""
    fits = not values.size or values.max() < 2**32
    return values.astype(np.uint32 if fits else np.float64)
