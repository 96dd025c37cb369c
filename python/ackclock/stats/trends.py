"""Linear trends of a response over a numeric factor, with intervals from replications.

Each replication gives a slope, by least squares over the levels of the factor. The trend is the
mean of these slopes, with Student's t interval. If a replication has the same random numbers at
every level (common random numbers), their common effect on all levels does not change its slope.
As every replication has the same levels, the mean slope equals that of least squares through all
values. But the interval does not treat the values of one replication as independent, as the usual
interval of a regression does. It is also valid if the response is not linear: the trend is then
the slope of the best line through the means.

Sources: R. Jain, The Art of Computer Systems Performance Analysis (1991), section 14.2, for least
squares, and chapter 13 for the interval; J. N. S. Matthews et al., Analysis of Serial Measurements
in Medical Research, British Medical Journal 300, 1990, for a slope as the summary of each subject.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ackclock.stats.factorial_design import column_problems, finite_numbers, rows_text
from ackclock.stats.intervals import check_confidence, mean_interval

_RESULT = ("slope", "lo", "hi", "n", "left_out")
_FEWEST_LEVELS = 2


class Trend(NamedTuple):
    """A slope, in the response's unit per unit of the factor.

    Attributes:
        slope: mean over the replications.
        lo: lower end of its interval.
        hi: upper end.
        n: number of replications.
    """

    slope: float
    lo: float
    hi: float
    n: int

    @property
    def is_flat(self) -> bool:
        """Return whether the interval includes 0; False without an interval."""
        return self.lo <= 0 <= self.hi


def linear_trend(levels: ArrayLike, values: ArrayLike, confidence: float = 0.95) -> Trend:
    """Return the slope of values over levels, with an interval.

    Args:
        levels: shape (k,), k >= 2, levels of the factor, any unit; not all equal.
        values: shape (n, k), one row per replication, any unit.
        confidence: level of the two-sided interval, for example 0.95.

    One replication has a slope but no interval: the ends are nan. Without replications, or if a
    value is nan, all numbers are nan. If all slopes are equal, the interval has width 0. If the
    values do not depend on the level, the slope is exactly 0.

    Raises:
        ValueError: the shapes do not fit, there are fewer than two different finite levels, or
            ``confidence`` is outside (0, 1).

    Source: Jain 1991, section 14.2 and chapter 13.
    """
    check_confidence(confidence)
    x, y = np.asarray(levels, dtype=float), np.asarray(values, dtype=float)
    if x.ndim != 1 or y.ndim != 2 or y.shape[1] != x.size:
        raise ValueError(
            "a trend needs levels of shape (k,) and values of shape (replications, k), not "
            f"{x.shape} and {y.shape}"
        )
    if not np.isfinite(x).all() or np.unique(x).size < _FEWEST_LEVELS:
        raise ValueError(f"a trend needs two different finite levels, not {x.tolist()}")
    if not len(y):
        return Trend(np.nan, np.nan, np.nan, 0)
    deviations = x - x.mean()
    # Origins are the first value of each replication and the first slope, so that constant values
    # have a slope of exactly 0 and equal slopes an interval of width 0, without rounding errors.
    slopes = (y - y[:, :1]) @ deviations / (deviations @ deviations)
    interval = mean_interval(slopes - slopes[0], confidence)
    return Trend(*(float(slopes[0] + end) for end in interval[:3]), interval.n)


def grouped_trends(
    frame: pd.DataFrame,
    by: Sequence[str],
    factor: str,
    metric: str,
    *,
    replication: str = "replication",
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return ``linear_trend`` of a column over a factor for every group of a frame.

    Args:
        frame: one row per run.
        by: names of the columns of the other factors; none for a single group.
        factor: name of the column with the numeric levels.
        metric: name of the numeric column, in any unit.
        replication: name of the column that identifies runs with the same random numbers.
        confidence: level of each interval, two-sided, for example 0.95.

    Returns:
        One row per group, in order of first appearance: the columns of ``by``; slope, lo, hi, in
        the unit of the metric per unit of the factor; n, number of replications; left_out, number
        of replications without a finite value at some level of the group.

    Raises:
        ValueError: with all problems: a column is unknown, named twice or has a name that the
            result uses; a level is not a finite number; a run has no replication or occurs twice;
            a group has a single level; ``confidence`` is outside (0, 1).
    """
    check_confidence(confidence)
    by = list(by)
    if problems := _problems(frame, by, factor, metric, replication):
        raise ValueError("\n".join(problems))
    values = pd.DataFrame(
        {
            "group": _groups(frame, by),
            "level": frame[factor].astype(float).to_numpy(),
            "replication": pd.factorize(frame[replication])[0],
            "value": finite_numbers(frame[metric]).to_numpy(),
        }
    )
    rows = []
    for _, group in values.groupby("group"):
        table = group.pivot(index="replication", columns="level", values="value")
        whole = table.dropna()
        trend = linear_trend(table.columns, whole, confidence)
        rows.append((*trend, len(table) - len(whole)))
    first = np.unique(values["group"], return_index=True)[1]
    result = frame[by].iloc[first].reset_index(drop=True)
    return pd.concat([result, pd.DataFrame(rows, columns=list(_RESULT))], axis=1)


def _groups(frame: pd.DataFrame, by: list[str]) -> np.ndarray:
    """Return the number of each row's group, in order of first appearance."""
    if not by:
        return np.zeros(len(frame), dtype=int)
    return frame.groupby(by, sort=False, dropna=False, observed=True).ngroup().to_numpy()


def _problems(
    frame: pd.DataFrame, by: list[str], factor: str, metric: str, replication: str
) -> list[str]:
    if problems := column_problems(frame, [metric, factor, *by, replication], _RESULT, by):
        return problems
    if not pd.api.types.is_numeric_dtype(frame[factor]):
        return [f"{factor!r} has levels that are not numbers: there is no slope over them"]
    if (wrong := ~np.isfinite(frame[factor].astype(float))).any():
        problems.append(f"{factor!r} is not a finite number in {rows_text(frame.index[wrong])}")
    if (blank := frame[replication].isna()).any():
        problems.append(f"{replication!r} is missing in {rows_text(frame.index[blank])}")
    if (again := frame.duplicated([*by, factor, replication])).any():
        problems.append(
            f"more than one run of the same {', '.join([*by, factor, replication])}, for example "
            f"in {rows_text(frame.index[again])}: are all other factors named?"
        )
    return problems or _single_levels(frame, by, factor)


def _single_levels(frame: pd.DataFrame, by: list[str], factor: str) -> list[str]:
    levels = frame[factor].groupby(_groups(frame, by)).agg(["nunique", "first"])
    single = levels[levels["nunique"] < _FEWEST_LEVELS]
    if single.empty:
        return []
    where = frame[by].iloc[np.flatnonzero(_groups(frame, by) == single.index[0])[:1]]
    place = ", ".join(f"{name} = {where[name].iloc[0]}" for name in by)
    at = f" where {place}" if place else ""
    return [f"{factor!r} has a single level, {single['first'].iloc[0]:g}{at}: there is no slope"]
