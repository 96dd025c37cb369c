"""Means over replications with their intervals, at points or over factors that are averaged out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ackclock.plots.quantities import within
from ackclock.results.means import is_share as is_share
from ackclock.results.means import metric_unit, most_of
from ackclock.results.rows import REPLICATION
from ackclock.stats import grouped_intervals

ENDS = ("mean", "lo", "hi")


def summarise(
    frame: pd.DataFrame,
    points: Sequence[int],
    factors: Sequence[str],
    metrics: Sequence[str],
    confidence: float,
) -> pd.DataFrame:
    """A row a point and metric.

    Args:
        frame: a row a run.
        points: number of the point of each run.
        factors: columns of the factors.
        metrics: columns to average.
        confidence: of the intervals.

    Returns:
        Columns: factors, metric, unit, mean, lo, hi, n; all metrics of a point together.
    """
    by_point = frame[list(metrics)].assign(point=np.asarray(points))
    levels = frame[list(factors)][~by_point["point"].duplicated()].reset_index(drop=True)
    parts = []
    for metric in metrics:
        table = intervals(by_point, ["point"], metric, confidence)
        parts.append(
            levels.assign(
                metric=metric, unit=metric_unit(metric), **table[[*ENDS, "n"]].to_dict("series")
            )
        )
    long = pd.concat(parts, ignore_index=True) if parts else levels
    order = np.arange(len(long)).reshape(len(parts), -1).T.ravel()
    return long.iloc[order].reset_index(drop=True)


def widened(long: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """A row a point: factors, n, and of each metric its mean, ``_lo`` and ``_hi``."""
    metrics = list(long["metric"].unique())
    first = long[long["metric"] == metrics[0]].reset_index(drop=True)
    columns = {name: first[name] for name in (*factors, "n")}
    for metric in metrics:
        rows = long[long["metric"] == metric].reset_index(drop=True)
        columns[metric] = rows["mean"]
        columns[f"{metric}_lo"], columns[f"{metric}_hi"] = rows["lo"], rows["hi"]
    return pd.DataFrame(columns)


def averages(
    frame: pd.DataFrame, keep: Sequence[str], metric: str, confidence: float
) -> pd.DataFrame:
    """Means with intervals by some of the factors, over all combinations of the others.

    Each replication is averaged over the combinations first: what they have in common is then
    counted once. A replication that is missing in one of them is left out.

    Args:
        frame: a row a run.
        keep: columns of the factors by which means are grouped; none for a single mean.
        metric: column to average.
        confidence: of the intervals.

    Returns:
        Columns: keep, mean, lo, hi, n.
    """
    by = [*keep, REPLICATION]
    groups = frame.groupby(by, sort=False, dropna=False, observed=True)[metric]
    size = groups.size()
    # pandas leaves nan out of a mean; a mean over fewer combinations would be of something else.
    means = groups.mean().where(groups.count() == size).reset_index()
    means = means.assign(combinations=size.to_numpy(), all=0)
    outer = [*keep] or ["all"]
    most = means.groupby(outer, sort=False, dropna=False)["combinations"].transform("max")
    whole = means[means["combinations"] == most]
    return intervals(whole, outer, metric, confidence)


def intervals(
    frame: pd.DataFrame, by: Sequence[str], metric: str, confidence: float
) -> pd.DataFrame:
    """Means with their intervals; see ``ackclock.stats.grouped_intervals`` and ``as_shown``."""
    return as_shown(grouped_intervals(frame, by, metric, confidence), metric)


def as_shown(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Intervals as people see them: no metric is below 0, and no share above 1.

    Student's t interval of a few shares near 1 goes on beyond 1, where no share can be; that of a
    few time-outs goes on below 0. In frames, tables, pictures and exports it ends there.

    Args:
        table: columns mean, lo and hi, in the metric's unit.
        metric: whose intervals they are; those of a study stay as they are.
    """
    most = most_of(metric)
    return table if most is None else within(table, most=most)
