"""Runs become tables: means with intervals, their analysis of variation, printed numbers beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from ackclock.stats import FactorialAnalysis, analyse, grouped_intervals
from ackclock.studies.machinery.study import Analysed

CONFIDENCE = 0.95
"""Of the intervals of means over replications."""
EFFECT_CONFIDENCE = 0.90
"""Of the intervals of main effects, as in the papers of Jain's group."""

Analyses = Mapping[tuple[str, str], FactorialAnalysis]
"""The analysis of variation of each level of ``Analysed.by`` and metric."""


def means_table(runs: pd.DataFrame, columns: Sequence[str], metrics: Sequence[str]) -> pd.DataFrame:
    """Means over the replications of each point, with 95 % intervals.

    Args:
        runs: a row a run: columns of its point, and its metrics.
        columns: that name a point.
        metrics: columns whose means are taken.

    Returns:
        The columns of the point, n; for each metric its mean and, with the endings _lo and _hi, the
        ends of its interval (nan if n is 1). Points in the order of ``runs``. A metric that some
        run does not have is nan. Empty without runs.
    """
    if runs.empty:
        return pd.DataFrame()
    names = list(columns)
    intervals = {metric: grouped_intervals(runs, names, metric, CONFIDENCE) for metric in metrics}
    means: Mapping[str, pd.Series] = {
        f"{metric}{end}": table[column]
        for metric, table in intervals.items()
        for end, column in (("", "mean"), ("_lo", "lo"), ("_hi", "hi"))
    }
    first = intervals[metrics[0]]
    return pd.concat([first[[*names, "n"]], pd.DataFrame(means)], axis=1)


def means_over(
    runs: pd.DataFrame, point: Sequence[str], by: Sequence[str], metrics: Sequence[str]
) -> pd.DataFrame:
    """Means over all points that share some levels, with 95 % intervals over the replications.

    Args:
        runs: a row a run.
        point: columns that name a point.
        by: those of them whose levels are kept apart.
        metrics: columns whose means are taken; where one is nan somewhere, the mean is nan.

    Returns:
        As ``means_table`` gives it; n counts the replications that every point has, since some may
        have fewer.
    """
    common = runs.groupby(list(point), sort=False)["replication"].nunique().min()
    same = runs[runs["replication"] < common]
    groups = same.groupby([*by, "replication"], sort=False)[list(metrics)]
    # pandas leaves nan out of a mean; a mean over fewer points would be of something else.
    each = groups.mean().where(groups.count().eq(groups.size(), axis=0))
    return means_table(each.reset_index(), by, metrics)


def comparison_table(
    results: pd.DataFrame, printed: pd.DataFrame, columns: Sequence[str]
) -> pd.DataFrame:
    """Printed numbers beside simulated ones.

    Args:
        results: see ``means_table``.
        printed: columns that name a point, metric, published; a row a number.
        columns: that name a point.

    Returns:
        The columns of ``printed``, then simulated, lo, hi (95 %), run_lo, run_hi (see
        ``one_run``), delta = simulated - published; in the order of ``printed``, those that were
        run.
    """
    if results.empty:
        return pd.DataFrame()
    long = []
    for metric in printed["metric"].unique():
        if metric in results:
            ends = {metric: "simulated", f"{metric}_lo": "lo", f"{metric}_hi": "hi"}
            its = results[[*columns, *ends, "n"]].rename(columns=ends)
            long.append(one_run(its).drop(columns="n").assign(metric=metric))
    both = printed.merge(pd.concat(long), on=[*columns, "metric"])
    return both.assign(delta=both["simulated"] - both["published"])


def one_run(means: pd.DataFrame) -> pd.DataFrame:
    """Means with the 95 % prediction intervals of one run more: where a paper's single run may lie.

    Source: G. J. Hahn and W. Q. Meeker, Statistical Intervals (1991), section 4.7: half the width
    of the interval of a mean of n, times sqrt(n + 1).

    Args:
        means: columns simulated, lo, hi, n.

    Returns:
        The same with the columns run_lo and run_hi; nan where n is 1.
    """
    half = (means["hi"] - means["lo"]) / 2 * (means["n"] + 1) ** 0.5
    return means.assign(run_lo=means["simulated"] - half, run_hi=means["simulated"] + half)


def analyses(results: pd.DataFrame, analysed: Analysed | None) -> Analyses:
    """The analysis of variation of the means: one value a point, 90 % intervals.

    Means and not runs, as some points may have fewer replications. A factor of which a level of
    ``Analysed.by`` has one level only is no factor there.

    Args:
        results: see ``means_table``. Where a metric is nan somewhere, it is left out.
        analysed: what is analysed, if anything is.
    """
    if analysed is None or results.empty:
        return {}
    return {
        (level, metric): analyse(rows, metric, factors, EFFECT_CONFIDENCE)
        for level, rows in results.groupby(analysed.by, sort=False)
        for factors in [[name for name in analysed.factors if rows[name].nunique() > 1]]
        for metric in analysed.metrics
        if rows[metric].notna().all()
    }


def allocation_table(found: Analyses, analysed: Analysed | None) -> pd.DataFrame:
    """What each factor and each pair of factors explains.

    Returns:
        Columns of ``Analysed.by``, metric, component (a factor, or two as "a:b"; "error"),
        sum_of_squares, degrees_of_freedom, percent (of the total variation).
    """
    return _together({key: each.allocation for key, each in found.items()}, analysed)


def effects_table(found: Analyses, analysed: Analysed | None) -> pd.DataFrame:
    """The main effects with their 90 % intervals.

    Returns:
        Columns of ``Analysed.by``, metric, factor, level, effect, lo, hi.
    """
    return _together({key: each.effects for key, each in found.items()}, analysed)


def _together(
    tables: Mapping[tuple[str, str], pd.DataFrame], analysed: Analysed | None
) -> pd.DataFrame:
    if analysed is None or not tables:
        return pd.DataFrame()
    frames = []
    for (level, metric), table in tables.items():
        frame = table.copy()
        frame.insert(0, analysed.by, level)
        frame.insert(1, "metric", metric)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)
