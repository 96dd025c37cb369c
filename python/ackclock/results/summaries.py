"""Means over replications with their intervals, by point or averaged over factors."""

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
    """Return means with intervals, one row per point and metric.

    Args:
        frame: one row per run.
        points: number of the point of each run.
        factors: columns of the factors.
        metrics: columns to average.
        confidence: level of the two-sided intervals, for example 0.95.

    Returns:
        Columns: factors, metric, unit, mean, lo, hi, n; the metrics of a point are adjacent rows.
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
    """Return one row per point: factors, n, and for each metric its mean, ``_lo`` and ``_hi``."""
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
    """Return means with intervals by some factors, over all combinations of the others.

    Each replication is averaged over the combinations first, because their values in a replication
    are not independent. A replication that is missing in a combination is left out.

    Args:
        frame: one row per run.
        keep: columns of the factors by which means are grouped; none for a single mean.
        metric: column to average.
        confidence: level of the two-sided intervals, for example 0.95.

    Returns:
        Columns: keep, mean, lo, hi, n.
    """
    by = [*keep, REPLICATION]
    groups = frame.groupby(by, sort=False, dropna=False, observed=True)[metric]
    size = groups.size()
    # pandas skips nan in a mean, but a mean over fewer combinations is not comparable.
    means = groups.mean().where(groups.count() == size).reset_index()
    means = means.assign(combinations=size.to_numpy(), all=0)
    outer = [*keep] or ["all"]
    most = means.groupby(outer, sort=False, dropna=False)["combinations"].transform("max")
    whole = means[means["combinations"] == most]
    return intervals(whole, outer, metric, confidence)


def intervals(
    frame: pd.DataFrame, by: Sequence[str], metric: str, confidence: float
) -> pd.DataFrame:
    """Return means with intervals; see ``ackclock.stats.grouped_intervals`` and ``as_shown``."""
    return as_shown(grouped_intervals(frame, by, metric, confidence), metric)


def as_shown(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Cut intervals to possible values: no metric is below 0, and no share is above 1.

    Student's t interval of a few shares near 1 can extend above 1; that of a few time-outs can
    extend below 0. Frames, tables, figures and exports show the cut intervals.

    Args:
        table: columns mean, lo and hi, in the metric's unit.
        metric: metric of the intervals; intervals of a study's own metrics do not change.
    """
    most = most_of(metric)
    return table if most is None else within(table, most=most)
