"""Confidence intervals of means over independent replications.

Source: R. Jain, The Art of Computer Systems Performance Analysis (1991), chapter 13:
mean +- t[1 - alpha/2; n - 1] * s / sqrt(n), with s the sample standard deviation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import pandas as pd


class Interval(NamedTuple):
    """A mean of ``n`` values and the ends of its confidence interval, in the values' unit."""

    mean: float
    lo: float
    hi: float
    n: int


def check_confidence(confidence: float) -> None:
    """Raise ``ValueError`` unless ``0 < confidence < 1`` (0.95, not 95)."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1 (for example 0.95), not {confidence}")


def two_sided_t(confidence: float, degrees_of_freedom: ArrayLike) -> float | np.ndarray:
    """Return the quantile t[(1 + confidence) / 2; degrees_of_freedom]; nan for 0 degrees."""
    check_confidence(confidence)
    freedom = np.asarray(degrees_of_freedom, dtype=float)
    if not (freedom > 0).any():
        return np.full(freedom.shape, np.nan) if freedom.ndim else np.nan
    # Imported here, because one replication does not need it; scipy.stats, with t.ppf, is slower.
    from scipy.special import stdtrit

    quantile = stdtrit(np.where(freedom > 0, freedom, np.nan), (1 + confidence) / 2)
    return quantile if freedom.ndim else float(quantile)


def mean_interval(values: ArrayLike, confidence: float = 0.95) -> Interval:
    """Return the mean of independent values and its Student's t interval.

    Args:
        values: shape (n,), one value per replication, any unit.
        confidence: level of the two-sided interval, for example 0.95.

    One value has a mean but no interval: ``lo`` and ``hi`` are nan. Without values all numbers are
    nan and n is 0. If any value is nan, the result is nan: the caller decides whether to leave out
    a replication.

    Raises:
        ValueError: ``values`` is not one-dimensional, or ``confidence`` is outside (0, 1).

    Source: Jain 1991, chapter 13.
    """
    sample = np.asarray(values, dtype=float)
    if sample.ndim != 1:
        raise ValueError(f"values must be one-dimensional, not of shape {sample.shape}")
    n = sample.size
    quantile = two_sided_t(confidence, n - 1)
    if n == 0:
        return Interval(np.nan, np.nan, np.nan, 0)
    mean = float(sample.mean())
    if n == 1:
        return Interval(mean, np.nan, np.nan, 1)
    half_width = quantile * float(sample.std(ddof=1)) / np.sqrt(n)
    return Interval(mean, float(mean - half_width), float(mean + half_width), n)


def grouped_intervals(
    frame: pd.DataFrame, by: Sequence[str], column: str, confidence: float = 0.95
) -> pd.DataFrame:
    """Return ``mean_interval`` of one column for every group of a frame, vectorised.

    Args:
        frame: one row per replication.
        by: names of the grouping columns; groups keep their order of first appearance.
        column: name of the numeric column to average.
        confidence: level of the two-sided interval, for example 0.95.

    Returns:
        One row per group: the columns of ``by``, then mean, lo, hi (unit of ``column``) and n.

    Raises:
        KeyError: a column is missing. ValueError: ``confidence`` is outside (0, 1).
    """
    groups = frame.groupby(list(by), sort=False, dropna=False, observed=True)[column]
    n = groups.size().to_numpy()
    # pandas skips nan in a group's statistics, but mean_interval does not; both must agree.
    whole = groups.count().to_numpy() == n
    mean = np.where(whole, groups.mean().to_numpy(dtype=float), np.nan)
    deviation = np.where(whole, groups.std(ddof=1).to_numpy(dtype=float), np.nan)
    half_width = two_sided_t(confidence, n - 1) * deviation / np.sqrt(n)
    table = groups.size().index.to_frame(index=False)
    return table.assign(mean=mean, lo=mean - half_width, hi=mean + half_width, n=n)


class Intervals(NamedTuple):
    """As ``Interval``, for several groups: arrays with one element per group."""

    mean: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    n: np.ndarray


def intervals_in_order(values: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Intervals:
    """Return ``grouped_intervals`` for arrays whose groups are contiguous, without a frame.

    Args:
        values: all values of the first group, then those of the second ...; any unit.
        n: number of values of each group, at least 1; shape (groups,).
        confidence: level of the two-sided interval, for example 0.95.

    Raises:
        ValueError: ``confidence`` is outside (0, 1).
    """
    check_confidence(confidence)
    sample, sizes = np.asarray(values, dtype=float), np.asarray(n)
    if not sizes.size:
        return Intervals(*np.empty((3, 0)), sizes)
    first = np.cumsum(sizes) - sizes
    # Values that are infinite, or too large to be squared, have no finite deviation.
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        mean = np.add.reduceat(sample, first) / sizes
        deviation = np.sqrt(_squares(sample, first, sizes) / (sizes - 1))
    half_width = two_sided_t(confidence, sizes - 1) * deviation / np.sqrt(sizes)
    return Intervals(mean, mean - half_width, mean + half_width, sizes)


def _squares(values: np.ndarray, first: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return the sum of squared deviations of each group, by Welford's recursion (1962)."""
    mean, squares = np.zeros(n.size), np.zeros(n.size)
    for turn in range(n.max()):
        group = np.flatnonzero(n > turn)
        value, before = values[first[group] + turn], mean[group]
        mean[group] = before + (value - before) / (turn + 1)
        squares[group] += (value - mean[group]) * (value - before)
    return squares
