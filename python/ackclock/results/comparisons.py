"""Comparisons of the levels of a factor, and means of single flows, as tables of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from ackclock.errors import InputError
from ackclock.plots.quantities import level_texts, quantity
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.grids import (
    Grid,
    grid,
    interval_column,
    level_column,
    p_column,
    percent_column,
)
from ackclock.results.names import known
from ackclock.results.rows import REPLICATION
from ackclock.results.summaries import averages, intervals

if TYPE_CHECKING:
    from ackclock.results.results import Results

_OF_DIFFERENCES = {
    "difference": "difference",
    "lo": "difference_lo",
    "hi": "difference_hi",
    "relative": "relative",
    "relative_lo": "relative_lo",
    "relative_hi": "relative_hi",
    "p_holm": "p_holm",
    "n": "pairs",
}
"""Columns of ``Results.compare``, renamed where a column of the means has the same name."""
_FLOW_METRICS = (
    "goodput_bit_s",
    "segments_retransmitted",
    "timeouts",
    "rtt_s",
    "completion_s",
    "page_delay_s",
    "file_delay_s",
)
_FOREGROUND_METRICS = ("loss_event_rate", "loss_rate", "rtt_s", "first_rto_s")
"""More metrics that are shown for foreground flows: the inputs of throughput models."""


def comparison_grid(
    results: Results, factor: str, baseline: Any, metric: str, *, pooled: bool, confidence: float
) -> Grid:
    """``Results.compare`` as a table of texts.

    Raises:
        InputError: as ``Results.compare``.
    """
    both, base = comparison_table(
        results, factor, baseline, metric, pooled=pooled, confidence=confidence
    )
    unit = results.unit_of(metric)
    columns = [level_column(column, both[column].tolist()) for column in levels_of(both)]
    columns += [
        interval_column(metric, both, unit=unit),
        interval_column(
            metric,
            ends_of(both, "difference"),
            "Difference",
            sign="+",
            beside=both["mean"],
            unit=unit,
        ),
        percent_column("Difference", ends_of(both, "relative")),
        p_column(ends_of(both, "difference").assign(p_holm=both["p_holm"])),
    ]
    name, against = quantity(metric).name, level_texts(factor, [base])[0]
    shown = pd.concat([both, ends_of(both, "difference")])
    foot = results.source(confidence, _pairs(both), shown) + " · paired differences"
    return grid(f"{results.title}: {name} against {against}", columns, foot)


def comparison_table(
    results: Results, factor: str, baseline: Any, metric: str, *, pooled: bool, confidence: float
) -> tuple[pd.DataFrame, Any]:
    """The means of all levels of a factor, and their differences from the baseline.

    Returns:
        A table and the baseline's level. Columns of the table: the factors, mean, lo, hi, n,
        difference, difference_lo ..., p_holm, pairs. The rows of the baseline come first; their
        columns from difference on are nan.

    Raises:
        InputError: as ``Results.compare``.
    """
    table = results.compare(factor, baseline, metric, pooled=pooled, confidence=confidence)
    others = [] if pooled else [name for name in results.factors if name != factor]
    levels, base = [*others, factor], table["baseline"].iloc[0]
    means = _baseline_first(averages(results.metrics, levels, metric, confidence), factor, base)
    differences = table[[*levels, *_OF_DIFFERENCES]].rename(columns=_OF_DIFFERENCES)
    return means.merge(differences, "left"), base


def _pairs(table: pd.DataFrame) -> list[int]:
    """Return the number of pairs of each difference."""
    return table["pairs"].dropna().astype(int).tolist()


def levels_of(table: pd.DataFrame) -> list[str]:
    """Return the columns of factors, which come before the means."""
    return list(table.columns[: table.columns.get_loc("mean")])


def _baseline_first(means: pd.DataFrame, factor: str, base: Any) -> pd.DataFrame:
    """Sort the rows of the baseline first; the other rows keep the order of the sweep."""
    others = [name for name in levels_of(means) if name != factor]
    at = means.groupby(others, sort=False).ngroup() if others else 0
    ordered = means.assign(at=at, compared=means[factor] != base)
    return ordered.sort_values(["at", "compared"], kind="stable", ignore_index=True)


def flow_grid(results: Results, metrics: Sequence[str] | None, confidence: float) -> Grid:
    """Means of each flow over the replications of each point, with intervals.

    Raises:
        InputError: as ``flow_tables``.
    """
    by, tables = flow_tables(results, metrics, confidence)
    first = next(iter(tables.values()))
    columns = [level_column(name, first[name].tolist()) for name in by]
    columns += [interval_column(name, table) for name, table in tables.items()]
    n = results.flows.groupby(by, sort=False)[REPLICATION].count().tolist()
    foot = results.source(confidence, n, pd.concat(tables.values()))
    return grid(results.title, columns, foot)


def flow_tables(
    results: Results, metrics: Sequence[str] | None, confidence: float
) -> tuple[list[str], dict[str, pd.DataFrame]]:
    """Return the columns that name a flow at a point, and one table per metric with their rows.

    Raises:
        InputError: a metric is not one of flows, single flows are not kept, or there is none.
    """
    metrics = [known(name, list(FLOW_METRICS), "a metric of flows") for name in metrics or ()]
    flows = results.flows
    if flows.empty:
        raise InputError("there is no flow, but sources of cells only; show the metrics without it")
    by = [*results.factors, "flow"]
    usual = _FLOW_METRICS
    if flows["loss_events"].notna().any():
        usual = (*(each for each in usual if each not in _FOREGROUND_METRICS), *_FOREGROUND_METRICS)
    return by, {
        name: intervals(flows, by, name, confidence)
        for name in metrics or usual
        if metrics or flows[name].notna().any()
    }


def ends_of(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return a column and the ends of its intervals as mean, lo and hi."""
    ends = {"mean": table[name], "lo": table[f"{name}_lo"], "hi": table[f"{name}_hi"]}
    return pd.DataFrame(ends)
