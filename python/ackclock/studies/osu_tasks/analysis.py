"""Runs of a part become tables: means with intervals, and the analysis of their variation."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ackclock.stats import FactorialAnalysis, analyse, grouped_intervals
from ackclock.studies.osu_tasks.part import Part

CONFIDENCE = 0.95
"""Of the intervals of means over replications."""
EFFECT_CONFIDENCE = 0.90
"""Of the intervals of main effects, as in the papers of this group."""

Analyses = Mapping[tuple[str, str], FactorialAnalysis]
"""The analysis of variation of each level of ``Analysed.by`` and metric."""


def results_table(part: Part, runs: pd.DataFrame) -> pd.DataFrame:
    """Means over the replications of each point of a part, with 95 % intervals.

    Args:
        part: which.
        runs: a row a run: columns of its points, and its metrics.

    Returns:
        Columns of its points, n; for each metric of the part its mean and, with the endings _lo
        and _hi, the ends of its interval (nan if n is 1). Points in the order of ``runs``.
    """
    columns = part.columns
    intervals = {name: grouped_intervals(runs, columns, name, CONFIDENCE) for name in part.metrics}
    described: Mapping[str, pd.Series] = {
        f"{name}{end}": table[column]
        for name, table in intervals.items()
        for end, column in (("", "mean"), ("_lo", "lo"), ("_hi", "hi"))
    }
    first = intervals[part.metrics[0]]
    return pd.concat([first[[*columns, "n"]], pd.DataFrame(described)], axis=1)


def analyses(part: Part, results: pd.DataFrame) -> Analyses:
    """The analysis of variation of the means: one value a point, 90 % intervals.

    Means and not runs, as points with many sources may have fewer replications. A factor of which
    a level of ``Analysed.by`` has one level only is no factor there.

    Args:
        part: which.
        results: see ``results_table``. Where a metric is nan somewhere, it is left out.
    """
    its = part.analysed
    if its is None:
        return {}
    return {
        (level, metric): analyse(rows, metric, factors, EFFECT_CONFIDENCE)
        for level, rows in results.groupby(its.by, sort=False)
        for factors in [[name for name in its.factors if rows[name].nunique() > 1]]
        for metric in its.metrics
        if rows[metric].notna().all()
    }


def allocation_table(part: Part, found: Analyses) -> pd.DataFrame:
    """What each factor and each pair of factors explains.

    Returns:
        Columns of ``Analysed.by``, metric, component (a factor, or two as "a:b"; "error"),
        sum_of_squares, degrees_of_freedom, percent (of the total variation).
    """
    return _together(part, {key: each.allocation for key, each in found.items()})


def effects_table(part: Part, found: Analyses) -> pd.DataFrame:
    """The main effects with their 90 % intervals.

    Returns:
        Columns of ``Analysed.by``, metric, factor, level, effect, lo, hi.
    """
    return _together(part, {key: each.effects for key, each in found.items()})


def _together(part: Part, tables: Mapping[tuple[str, str], pd.DataFrame]) -> pd.DataFrame:
    if part.analysed is None or not tables:
        return pd.DataFrame()
    frames = []
    for (level, metric), table in tables.items():
        frame = table.copy()
        frame.insert(0, part.analysed.by, level)
        frame.insert(1, "metric", metric)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)
