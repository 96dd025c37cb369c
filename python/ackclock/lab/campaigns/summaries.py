"""Means of campaigns with their intervals, with the names and units of ``ackclock show``."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import isfinite
from typing import Any

import pandas as pd

from ackclock.plots.quantities import level_texts, quantity, sentence
from ackclock.results import Results
from ackclock.results.emulated import banner
from ackclock.results.grids import MISSING, interval_column, verdict_columns
from ackclock.results.names import known
from ackclock.results.notes import notes
from ackclock.results.results import CONFIDENCE
from ackclock.results.summaries import averages, metric_unit

ENDS = ("mean", "lo", "hi")


def metric_of(results: Results, name: str) -> dict[str, str]:
    """Return a metric's name, readable name and unit."""
    label = sentence(quantity(name).name)
    return {"name": name, "label": label, "unit": results.unit_of(name) or metric_unit(name)}


def number(value: Any) -> float | None:
    """Return a number for JSON; none for nan and infinite values."""
    return float(value) if isfinite(value) else None


def described(
    name: str,
    table: pd.DataFrame,
    unit: str = "",
    *,
    sign: str = "",
    beside: Sequence[float] | None = None,
) -> list[dict[str, Any]]:
    """Return means with their intervals, as numbers and as text with a unit.

    Args:
        name: name of the metric.
        table: columns mean, lo, hi and perhaps n, in the unit of the metric; one row per interval.
        unit: unit of the metric, if the name does not contain it.
        sign: "+" to show the sign of positive numbers too.
        beside: values that choose the multiple of the unit (k, M, G); by default the means.
    """
    column = interval_column(name, table, sign=sign, beside=beside, unit=unit)
    shown = quantity(name, table["mean"] if beside is None else beside, unit).unit
    return [
        {
            **{end: number(row[end]) for end in ENDS},
            **({"n": int(row["n"])} if "n" in row else {}),
            "text": text if text == MISSING else f"{text} {shown}".rstrip(),
        }
        for row, text in zip(table.to_dict("records"), column.texts, strict=True)
    ]


def summary(
    results: Results, metrics: Sequence[str] = (), by: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the means of all points, or by some factors and averaged over the others.

    Args:
        results: results of a campaign.
        metrics: names of metrics; by default those that the scenario shows.
        by: columns of factors; by default all, so that each row is a point.

    Raises:
        InputError: a name is unknown.
    """
    names = list(dict.fromkeys(known(each, results.measured, "a metric") for each in metrics))
    names = names or list(results.shown_metrics)
    kept = [known(each, results.factors, "a factor") for each in by] or list(results.factors)
    tables = {name: _means(results, name, kept, whole=not by) for name in names}
    cells = {name: described(name, table, results.unit_of(name)) for name, table in tables.items()}
    first = tables[names[0]]
    levels = [level_texts(name, first[name].tolist()) for name in kept]
    points = _points(results, first, kept)
    rows = [
        {
            "levels": [column[at] for column in levels],
            "point": points[at],
            "values": {name: its[at] for name, its in cells.items()},
        }
        for at in range(len(first))
    ]
    if not by:
        for column in verdict_columns(results.verdicts, _point_numbers(results))[:1]:
            for row, text in zip(rows, column.texts, strict=True):
                row["verdict"] = text
    return {
        "title": results.title,
        "description": results.description,
        "factors": [{"name": name, "label": sentence(quantity(name).name)} for name in kept],
        "metrics": [metric_of(results, name) for name in names],
        "all_metrics": [metric_of(results, name) for name in results.measured],
        "rows": rows,
        "source": results.source(),
        "notes": notes_of(results),
    }


def notes_of(results: Results) -> list[str]:
    """Return notes on the numbers."""
    its = banner(results.campaign.runs)
    said = (
        [] if its is None else [its.headline, *its.meanings, f"Here {its.lateness}.", *its.reasons]
    )
    return [*said, *notes(results)]


def _point_numbers(results: Results) -> list[int]:
    """Return the number of the point of each run."""
    return [run.point for run in results.campaign.runs]


def _means(results: Results, metric: str, kept: Sequence[str], *, whole: bool) -> pd.DataFrame:
    """Columns: factors, mean, lo, hi, n."""
    if whole:
        return results.summary([metric])
    return averages(results.metrics, kept, metric, CONFIDENCE)


def _points(results: Results, table: pd.DataFrame, kept: Sequence[str]) -> list[int | None]:
    """Return the number of the point of each row; none for a row over several points."""
    found: dict[tuple[Hashable, ...], set[int]] = {}
    for point in dict.fromkeys(_point_numbers(results)):
        levels: Mapping[str, Any] = results.campaign.design.points[point].levels
        found.setdefault(tuple(levels.get(name) for name in kept), set()).add(point)
    rows = table[list(kept)].itertuples(index=False, name=None) if kept else [()] * len(table)
    several = [found.get(tuple(row), set()) for row in rows]
    return [next(iter(each)) if len(each) == 1 else None for each in several]
