"""Results as JSON documents, which ``show`` and ``compare`` print with ``--json``.

Numbers are those of ``Results.summary`` and ``Results.compare``, in the metrics' units.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from ackclock.results.comparisons import comparison_table, flow_tables, levels_of
from ackclock.results.emulated import VERDICTS
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.means import metric_unit
from ackclock.results.notes import notes
from ackclock.results.over_time import sharing_means
from ackclock.results.rows import REPLICATION
from ackclock.results.side_by_side import RUNS, VERDICT, SideBySide

if TYPE_CHECKING:
    import pandas as pd

    from ackclock.results.results import Results

_ENDS = {"mean": "mean", "lo": "lo", "hi": "hi"}
_DIFFERENCE = {"mean": "difference", "lo": "difference_lo", "hi": "difference_hi"}
_PLAIN_DIFFERENCE = {"mean": "difference", "lo": "lo", "hi": "hi"}
"""Names in the tables of ``compare_levels``, where lo and hi belong to the difference."""
_RELATIVE = {"mean": "relative", "lo": "relative_lo", "hi": "relative_hi"}


def results_document(
    results: Results, metrics: Sequence[str] | None, confidence: float
) -> dict[str, Any]:
    """Return the document with the means of all points.

    Raises:
        InputError: a metric is unknown, or the confidence is outside (0, 1).
    """
    names = list(dict.fromkeys(metrics or results.shown_metrics))
    table = results.summary(names, confidence=confidence)
    verdicts = results.verdict_counts().to_dict("records")
    points = []
    for at, row in enumerate(_rows_by(table, "metric", names)):
        first = row[names[0]]
        point = {
            "levels": {name: first[name] for name in results.factors},
            "n": first["n"],
            "metrics": {name: _interval(its, _ENDS) for name, its in row.items()},
        }
        if verdicts:
            point["verdicts"] = {name: verdicts[at][name] for name in VERDICTS}
            point["late_p50_us"] = verdicts[at]["late_p50_us"]
        points.append(point)
    units = {name: _unit(results, name) for name in names}
    return {**_head(results, confidence), "units": units, "points": points}


def flows_document(
    results: Results, metrics: Sequence[str] | None, confidence: float
) -> dict[str, Any]:
    """Return the document with the means of each flow at all points.

    Raises:
        InputError: as ``flow_tables``.
    """
    by, tables = flow_tables(results, metrics, confidence)
    n = results.flows.groupby(by, sort=False)[REPLICATION].count().tolist()
    several = map(_rows, tables.values())
    rows = [dict(zip(tables, each, strict=True)) for each in zip(*several, strict=True)]
    flows = [
        {
            "levels": {name: first[name] for name in results.factors},
            "flow": first["flow"],
            "n": number,
            "metrics": {name: _interval(its, _ENDS) for name, its in row.items()},
        }
        for row, number in zip(rows, n, strict=True)
        for first in [next(iter(row.values()))]
    ]
    units = {name: FLOW_METRICS[name].unit for name in tables}
    return {**_head(results, confidence), "units": units, "flows": flows}


def sharing_document(
    results: Results, windows_s: Sequence[float], confidence: float
) -> dict[str, Any]:
    """Return the document with fairness over time at the recorded points.

    Raises:
        InputError: as ``Results.sharing``.
    """
    levels, tables = sharing_means(results, windows_s, confidence)
    means = {name: _rows(table) for name, table in tables.items()}
    points = [
        {
            "levels": its,
            "n": means["convergence_s"][at]["n"],
            "converged": means["convergence_s"][at]["converged"],
            **{name: _interval(rows[at], _ENDS) for name, rows in means.items()},
        }
        for at, its in enumerate(levels)
    ]
    return {**_head(results, confidence), "windows_s": windows_s, "points": points}


def comparison_document(
    results: Results,
    factor: str,
    baseline: Any,
    metrics: Sequence[str],
    *,
    pooled: bool,
    confidence: float,
) -> dict[str, Any]:
    """Return the document that compares the levels of a factor with a baseline.

    Raises:
        InputError: as ``Results.compare``.
    """
    comparisons, base = [], None
    for metric in metrics:
        table, base = comparison_table(
            results, factor, baseline, metric, pooled=pooled, confidence=confidence
        )
        levels = levels_of(table)
        rows = [
            {
                "levels": {name: row[name] for name in levels},
                "n": row["n"],
                **_interval(row, _ENDS),
                **_compared(row, _DIFFERENCE, "pairs"),
            }
            for row in _rows(table)
        ]
        comparisons.append({"metric": metric, "unit": _unit(results, metric), "rows": rows})
    head = {**_head(results, confidence), "by": factor, "baseline": base, "pooled": pooled}
    return {**head, "comparisons": comparisons}


def side_by_side_document(
    its: SideBySide, metrics: Sequence[str], *, pooled: bool, confidence: float
) -> dict[str, Any]:
    """Return the document that compares campaigns with the first one.

    Raises:
        InputError: as ``SideBySide.compare``.
    """
    first = its.several[0]
    points = first.campaign.design.points
    comparisons = []
    for metric in metrics:
        table = its.compare(metric, pooled=pooled, confidence=confidence)
        rows = [
            {
                **({} if pooled else {"levels": points[row["point"]].levels}),
                "runs": row[RUNS],
                "baseline_mean": row["baseline_mean"],
                "mean": row["mean"],
                **_compared(row, _PLAIN_DIFFERENCE, "n"),
                **({"verdict": row[VERDICT]} if row[VERDICT] else {}),
            }
            for row in _rows(table)
        ]
        comparisons.append({"metric": metric, "unit": _unit(first, metric), "rows": rows})
    places = [each.campaign.folder for each in its.several]
    head = {**_head(first, confidence), "by": RUNS, "baseline": its.names[0], "pooled": pooled}
    return {
        **head,
        "folders": dict(zip(its.names, places, strict=True)),
        "comparisons": comparisons,
    }


def _head(results: Results, confidence: float) -> dict[str, Any]:
    """Return the first keys of a document: the campaign and the confidence."""
    campaign = results.campaign
    return {
        "title": results.title,
        "description": results.description,
        "version": campaign.design.version,
        "folder": campaign.folder,
        "sets": campaign.design.sets,
        "seeds": sorted({point.seed for point in campaign.design.points}),
        "runs": {
            "made": len(campaign.runs),
            "failed": len(campaign.failures),
            "missing": campaign.missing,
        },
        "notes": notes(results),
        "factors": results.factors,
        "confidence": confidence,
    }


def _compared(row: dict[str, Any], difference: dict[str, str], pairs: str) -> dict[str, Any]:
    """Return the paired difference of a row; null for the baseline itself.

    A difference that does not vary has no test, as in the table.
    """
    if isnan(row[pairs]):
        return dict.fromkeys(("pairs", "difference", "relative", "p_holm"))
    return {
        "pairs": int(row[pairs]),
        "difference": _interval(row, difference),
        "relative": _interval(row, _RELATIVE),
        "p_holm": row["p_holm"] if row[difference["hi"]] > row[difference["lo"]] else None,
    }


def _interval(row: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {end: row[name] for end, name in names.items()}


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    return table.to_dict("records")


def _rows_by(
    table: pd.DataFrame, column: str, names: Sequence[str]
) -> list[dict[str, dict[str, Any]]]:
    """Group adjacent rows of the same point by the name in a column."""
    rows = _rows(table)
    several = [rows[at : at + len(names)] for at in range(0, len(rows), len(names))]
    return [{row[column]: row for row in each} for each in several]


def _unit(results: Results, metric: str) -> str:
    return results.unit_of(metric) or metric_unit(metric)
