"""The numbers of a complete run: metrics, metrics of flows, and distributions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ackclock.lab.frame import Words
from ackclock.lab.runs.recording import Recording
from ackclock.plots.histograms import Histogram
from ackclock.plots.quantities import quantity, sentence
from ackclock.results.completions import completions_of
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.metrics import METRICS, measure
from ackclock.scenario.compile.facts import kept_flows

Columns = Mapping[str, Mapping[str, Any]]
_MOST_OF_FOUR = 9999.5
_OF_QUEUES = "packets or cells"
_COUNTED = ("segments", "packets", "cells")
"""Units of counts."""
_MOST_STEPS = 500
"""Largest number of steps of a distribution; more are less than a pixel apart."""


class Numbers(NamedTuple):
    """The numbers in the last frame of a run.

    Attributes:
        head: "metrics", "flow_metrics" and "distributions", as JSON.
        arrays: arrays that the head names.
    """

    head: dict[str, Any]
    arrays: dict[str, np.ndarray | Words]


def numbers(
    columns: Columns, recording: Recording, row: Mapping[str, Any] | None = None
) -> Numbers:
    """Return the numbers of a complete run; those that its scenario shows are first.

    Args:
        columns: tables in the form of the core, possibly not all.
        recording: description of the run.
        row: row of the run; by default it is computed now.
    """
    row = measure(columns, recording.facts) if row is None else row
    measured = [name for name in METRICS if name in row]
    first = [name for name in recording.scenario.metrics if name in measured]
    names = [*first, *(name for name in measured if name not in first)]
    arrays: dict[str, np.ndarray | Words] = {}
    head = {
        "metrics": [
            {**metric(name, _unit(name, recording), row[name]), "shown": name in first}
            for name in names
        ],
        "flow_metrics": list(_of_flows(row, recording)),
        "distributions": list(_distributions(columns, recording, arrays)),
    }
    return Numbers(head, arrays)


def _unit(name: str, recording: Recording) -> str:
    """Return the unit of a metric; the unit of a queue depends on the network."""
    unit = METRICS[name].unit
    return recording.queue_unit if unit == _OF_QUEUES else unit


def _of_flows(row: Mapping[str, Any], recording: Recording) -> Iterator[dict[str, Any]]:
    its = row.get("flows")
    if its is None:
        return
    kept = kept_flows(recording.facts.foreground, len(recording.facts.flow_names))
    for at, flow in enumerate(kept):
        if flow in recording.flows:
            values = [
                metric(name, FLOW_METRICS[name].unit, its[name][at])
                for name in FLOW_METRICS
                if name in its
            ]
            yield {"flow": flow, "values": values}


def metric(name: str, unit: str, value: Any) -> dict[str, Any]:
    """Return a number in readable form."""
    value = None if value is None or math.isnan(value) else value
    its = {"name": name, "label": _label(name), "unit": unit}
    if value is None:
        return {**its, "value": None, "text": ""}
    if math.isinf(value):
        return {**its, "value": None, "text": "unlimited"}
    scale, shown = _reading(name, unit, math.floor(math.log10(abs(value))) if value else None)
    if shown in _COUNTED and value == 1:
        shown = shown.removesuffix("s")
    return {**its, "value": value, "text": f"{_digits(value / scale)} {shown}".rstrip()}


def _digits(number: float) -> str:
    """Return a number with four digits, or with all digits before the point."""
    is_long = abs(number) >= _MOST_OF_FOUR or float(number).is_integer()
    return f"{number:,.0f}" if is_long else f"{number:.4g}"


@cache
def _reading(name: str, unit: str, exponent: int | None) -> tuple[float, str]:
    """Return scale and unit to show a value; multiples of units are powers of ten."""
    value = 0.0 if exponent is None else 1.0001 * 10.0**exponent
    shown = quantity(name, (value,), "" if unit == "1" else unit)
    return shown.scale, shown.unit


@cache
def _label(name: str) -> str:
    return sentence(quantity(name).name)


def _distributions(
    columns: Columns, recording: Recording, arrays: dict[str, np.ndarray | Words]
) -> Iterator[dict[str, Any]]:
    made = []
    if "delays" in recording.wanted.show:
        made += [
            ("queue_delay", "Time in the queue", _bins(columns, "queue", recording)),
            ("rtt", "Round-trip times", _bins(columns, "rtt", recording)),
        ]
    if "completions" in recording.wanted.show:
        made.append(("completion", "Completion times", _completions(columns, recording)))
    for name, title, histograms in made:
        series = []
        for (called, flow), histogram in histograms:
            at = f"d{len(arrays)}"
            x, y = _steps(histogram)
            arrays[f"{at}x"], arrays[f"{at}y"] = x, y
            series.append({"name": called, "flow": flow, "x": f"{at}x", "y": f"{at}y"})
        if series:
            yield {"id": name, "title": title, "unit": "s", "series": series}


_Series = Iterator[tuple[tuple[str, int | None], Histogram]]


def _bins(columns: Columns, what: str, recording: Recording) -> _Series:
    """Return the delays of all packets at the bottleneck, and of each drawn flow."""
    names = recording.facts.flow_names
    if what == "queue" and columns.get("queue_delay_bins"):
        its = columns["queue_delay_bins"]
        rows = np.flatnonzero(its["link"] == recording.facts.bottleneck_link)
        if rows.size:
            yield ("all packets", None), _histogram(its, rows)
    table = columns.get("flow_queue_delay_bins" if what == "queue" else "rtt_bins")
    if not table:
        return
    for flow in recording.flows:
        of_flow = table["flow"] == flow
        if "link" in table:
            of_flow &= table["link"] == recording.facts.bottleneck_link
        rows = np.flatnonzero(of_flow)
        if rows.size:
            yield (names[flow], flow), _histogram(table, rows)


def _histogram(table: Mapping[str, Any], rows: np.ndarray) -> Histogram:
    rows = rows[np.argsort(table["until_s"][rows], kind="stable")]
    return Histogram(table["until_s"][rows], table["count"][rows].astype(np.int64))


def _completions(columns: Columns, recording: Recording) -> _Series:
    """Return the completion times of all transfers, and of each drawn flow."""
    its = completions_of(columns, recording.facts)
    if its.time_s.size:
        yield ("all transfers", None), Histogram.of(its.time_s)
    for flow in recording.flows:
        times = its.time_s[its.flow == flow]
        if times.size > 1:
            yield (recording.facts.flow_names[flow], flow), Histogram.of(times)


def _steps(histogram: Histogram) -> tuple[np.ndarray, np.ndarray]:
    """Return values and the shares up to each, with only as many steps as are visible."""
    shares = histogram.shares()
    kept = np.arange(shares.size)
    if kept.size > _MOST_STEPS:
        kept = np.unique(np.linspace(0, kept.size - 1, _MOST_STEPS).round().astype(np.int64))
    return histogram.values[kept].astype(np.float32), shares[kept].astype(np.float32)
