"""The answer as sentences, a table, JSON, CSV and a figure."""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from ackclock.campaign.files import write_bytes_whole
from ackclock.errors import InputError
from ackclock.plots.quantities import level_quantity, sentence
from ackclock.results.export import write_csv, write_figure
from ackclock.results.grids import Column, Grid, grid, interval_column
from ackclock.results.summaries import as_shown, is_share
from ackclock.sizing.answer import FOUND, NOT_REACHED, SMALLEST, Probe, Sizing
from ackclock.sizing.target import AT_LEAST
from ackclock.sizing.verdicts import Verdict

if TYPE_CHECKING:
    from ackclock.plots.sourced import SourcedFigure

FILE = "sizing"
_FORMATS = ("svg", "png")
WORDS = {Verdict.HOLDS: "reaches it", Verdict.FAILS: "does not", Verdict.UNDECIDED: "undecided"}


def answer_lines(its: Sizing) -> list[str]:
    """Return the answer as sentences."""
    target, lines = its.target, _found_lines(its)
    if target.at_bound:
        side = "less" if target.sense == AT_LEAST else "more"
        value = f"{target.value / target.scale:g} {target.unit}".rstrip()
        lines.append(f"One run with {side} than {value} is enough to miss it")
    if its.all_alike:
        lines.append(
            "Nothing in this scenario is random: the runs of each buffer are equal in every number,"
            " and there are no intervals"
        )
    return lines


def _found_lines(its: Sizing) -> list[str]:
    target = its.target
    if its.holds is None:
        return _lines_of_nothing(its)
    shown = its.shown(its.holds.interval)
    if its.status == SMALLEST:
        return [
            f"{target} is reached already with the smallest buffer, {its.holds.level.text}:"
            f" {shown}; lower --from to search below it"
        ]
    lines = [f"{its.holds.level.text} is the smallest buffer that reaches {target}: {shown}"]
    if its.fails is None:
        return [*lines, "Whether a smaller one reaches it is undecided"]
    lines.append(f"{its.fails.level.text} does not: {its.shown(its.fails.interval)}{_between(its)}")
    return lines


def _between(its: Sizing) -> str:
    """Return the sentence about the buffers between the ends of the bracket."""
    fails, holds = its.fails, its.holds
    assert fails is not None
    assert holds is not None
    inside = [
        probe
        for probe in its.probes
        if fails.level.number < probe.level.number < holds.level.number
    ]
    if not inside:
        return ""
    sizes = ", ".join(probe.level.text for probe in inside)
    return f"; between the two, undecided: {sizes}"


def _lines_of_nothing(its: Sizing) -> list[str]:
    best = _best(its)
    if its.status == NOT_REACHED:
        largest = its.probes[-1]
        lines = [
            f"{its.target} is not reached even with the largest buffer, {largest.level.text}:"
            f" {its.shown(largest.interval)}"
        ]
        if best is not largest:
            lines.append(f"The nearest is {best.level.text}: {its.shown(best.interval)}")
        return lines
    return [
        f"No buffer is known to reach {its.target}; the nearest is {best.level.text}:"
        f" {its.shown(best.interval)}"
    ]


def _best(its: Sizing) -> Probe:
    known = [probe for probe in its.probes if isfinite(probe.interval.mean)] or [its.probes[-1]]
    choose = max if its.target.sense == AT_LEAST else min
    return choose(known, key=lambda probe: probe.interval.mean)


def answer_table(its: Sizing) -> Grid:
    """Return a table with one row per probed buffer, ascending."""
    shown = as_shown(answer_frame(its), its.target.metric)
    table = shown[["mean", "lo", "hi"]] / its.target.scale
    name = sentence(its.target.name)
    columns = [
        Column("Buffer", [probe.level.text for probe in its.probes], key=True),
        interval_column("value", table, name, unit=its.target.unit),
        Column("Runs", [str(probe.interval.n) for probe in its.probes]),
        Column(str(its.target), [WORDS[probe.verdict] for probe in its.probes], numeric=False),
        Column("", [_role(its, probe) for probe in its.probes], numeric=False),
    ]
    return grid(its.title or its.key, columns, its.source)


def _role(its: Sizing, probe: Probe) -> str:
    if probe is its.holds:
        return "the smallest that does"
    return "the largest that does not" if probe is its.fails and its.holds else ""


def answer_frame(its: Sizing) -> pd.DataFrame:
    """Columns: the buffer's, buffer (as text), mean, lo, hi (metric's unit), n, verdict.

    One row per probed buffer, ascending.
    """
    return pd.DataFrame(
        {
            its.column: [float(probe.level.number) for probe in its.probes],
            "buffer": [probe.level.text for probe in its.probes],
            "metric": its.target.metric,
            "mean": [probe.interval.mean for probe in its.probes],
            "lo": [probe.interval.lo for probe in its.probes],
            "hi": [probe.interval.hi for probe in its.probes],
            "n": [probe.interval.n for probe in its.probes],
            "verdict": [probe.verdict.value for probe in its.probes],
        }
    )


def as_json(its: Sizing) -> dict[str, Any]:
    """Return the whole answer as JSON, in the metric's unit; unknown values are null."""
    target = its.target
    return {
        "status": its.status,
        "target": {"metric": target.metric, "sense": target.sense, "value": target.value},
        "key": its.key,
        "smallest_that_reaches": _probe_json(its.holds),
        "largest_that_does_not": _probe_json(its.fails),
        "reached_from_there_on": _probe_json(its.onward),
        "probes": [_probe_json(probe) for probe in its.probes],
        "other_factors": its.others,
        "confidence": its.confidence,
        "seed": its.seed,
        "runs": its.runs,
        "made": its.made,
        "warnings": its.warnings(),
        "folder": str(its.folder),
    }


def _probe_json(probe: Probe | None) -> dict[str, Any] | None:
    if probe is None:
        return None
    mean, lo, hi, n = probe.interval
    ends = {name: _finite(value) for name, value in (("mean", mean), ("lo", lo), ("hi", hi))}
    level = {"buffer": probe.level.text, "number": float(probe.level.number)}
    return {**level, "unit": probe.level.unit, **ends, "n": n, "verdict": probe.verdict.value}


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def figure(its: Sizing) -> SourcedFigure:
    """Draw the metric against the buffer, the target, and the bracket."""
    from ackclock.plots.target import Marks, target_reached

    target = its.target
    frame = answer_frame(its).rename(columns={its.column: "size"})
    sizes = level_quantity(its.column, frame["size"])
    frame["size"] /= sizes.scale
    frame[["mean", "lo", "hi"]] /= target.scale
    bracket = None
    if its.status == FOUND and its.fails is not None and its.holds is not None:
        ends = (its.fails.level.number, its.holds.level.number)
        bracket = (float(ends[0]) / sizes.scale, float(ends[1]) / sizes.scale)
    unit = f" ({target.unit})" if target.unit else ""
    shown = f"{target.value / target.scale:.6g} {target.unit}".rstrip()
    sense = "at least" if target.sense == AT_LEAST else "at most"
    return target_reached(
        frame,
        x_label=f"Buffer ({sizes.unit}, logarithmic)",
        y_label=f"{sentence(target.name)}{unit}",
        marks=Marks(target.value / target.scale, f"target: {sense} {shown}", bracket),
        title=_title(its),
        source=its.source,
        most=1 / target.scale if is_share(target.metric) else None,
    )


def _title(its: Sizing) -> str:
    shown = f"{its.target.name} {its.target.sense} {its.target.value / its.target.scale:.6g}"
    shown = f"{shown} {its.target.unit}".rstrip()
    if its.holds is None:
        return f"{sentence(shown)}: no buffer is known to reach it"
    most = "at most " if its.status == SMALLEST else ""
    return f"{sentence(shown)} takes {most}{its.holds.level.text}"


def write(its: Sizing) -> list[Path]:
    """Write the answer into its folder: sizing.json, .csv, .svg and .png.

    Raises:
        InputError: a file cannot be written.
    """
    place = its.folder / f"{FILE}.json"
    try:
        write_bytes_whole(place, f"{json.dumps(as_json(its), indent=2)}\n".encode())
    except OSError as error:
        raise InputError(
            f"{place}: cannot be written ({error.strerror or error}); name another folder with"
            " --out"
        ) from error
    table = write_csv(answer_frame(its), its.folder / f"{FILE}.csv", [its.column])
    drawn = figure(its)
    figures = [write_figure(drawn, its.folder / f"{FILE}.{ending}") for ending in _FORMATS]
    return [place, table, *figures]
