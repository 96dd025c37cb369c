"""Quantiles and their distribution-free confidence intervals.

For n independent values of a continuous distribution, the number of values below the quantile q is
binomial with n and q. So two order statistics enclose the quantile with a known probability.

Source: W. J. Conover, Practical Nonparametric Statistics (3rd ed., 1999), section 3.2; H. A. David,
H. N. Nagaraja, Order Statistics (3rd ed., 2003), section 7.1.
"""

from __future__ import annotations

from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ackclock.stats.intervals import check_confidence


class QuantileInterval(NamedTuple):
    """A quantile of ``n`` values and the ends of its interval, in the values' unit.

    ``coverage`` is the probability that the interval contains the distribution's quantile. It is at
    least the requested confidence, and more if the distribution is not continuous.
    """

    quantile: float
    lo: float
    hi: float
    n: int
    coverage: float


def percentile_of(ascending: np.ndarray, percent: int) -> float:
    """Return a percentile of a sample: the inverse distribution function, averaged where flat.

    At least ``percent`` % of the values are at most the percentile. The 50th is the usual median.

    Args:
        ascending: shape (n,), the values in ascending order.
        percent: which percentile, from 1 to 99.

    Returns:
        The percentile in the unit of the values; nan without values.
    """
    if not ascending.size:
        return nan
    below, part = divmod(percent * ascending.size, 100)
    if part:
        return float(ascending[below])
    return float((ascending[below - 1] + ascending[below]) / 2)


def trimmed_mean(values: np.ndarray, percent: int) -> float:
    """Return the mean without the largest ``percent`` % of the values (a number rounded down).

    Args:
        values: shape (n,), in any order.
        percent: share of the values to leave out, %, from 0 to 99.

    Returns:
        The percentile in the unit of the values; nan without values.
    """
    if not values.size:
        return nan
    return float(np.sort(values)[: values.size - percent * values.size // 100].mean())


def quantile_interval(values: ArrayLike, q: float, confidence: float = 0.95) -> QuantileInterval:
    """Return a quantile of independent values and its interval between two order statistics.

    With x_1 <= ... <= x_n the interval is [x_l, x_u]: l is the largest and u the smallest rank for
    which each tail, P(B < l) and P(B >= u) of a binomial B with n and q, is at most
    (1 - confidence) / 2.

    Args:
        values: shape (n,), independent values in any order and unit (for example one per
            replication; successive observations of one run are not independent).
        q: which quantile, between 0 and 1: 0.5 is the median, 0.95 the 95 % quantile.
        confidence: level of the two-sided interval, for example 0.95.

    The quantile of the sample is the inverse of its distribution function, averaged where the
    function is flat. For q = 0.5 it is the usual median. It always lies within the interval.

    If n is too small for one of the two order statistics, both ends and the coverage are nan: at
    95 % confidence, a median needs 6 values, and the 0.95 quantile 72. If any value is nan, the
    result is nan.

    Raises:
        ValueError: ``values`` is not one-dimensional, or ``q`` or ``confidence`` is outside (0, 1).

    Source: Conover 1999, section 3.2.
    """
    check_confidence(confidence)
    if not 0 < q < 1:
        raise ValueError(f"q must be between 0 and 1 (for example 0.95), not {q}")
    sample = np.asarray(values, dtype=float)
    if sample.ndim != 1:
        raise ValueError(f"values must be one-dimensional, not of shape {sample.shape}")
    sample = np.sort(sample)
    n = sample.size
    if n == 0 or np.isnan(sample[-1]):  # nan is sorted last
        return QuantileInterval(nan, nan, nan, n, nan)
    # Imported here, because it is slow; scipy.stats, with binom.cdf, is even slower.
    from scipy.special import bdtr

    quantile = float(np.quantile(sample, q, method="averaged_inverted_cdf"))
    below = bdtr(np.arange(n), n, q)  # P(B <= k) for k = 0..n-1
    tail = (1 - confidence) / 2
    lower = int(np.searchsorted(below, tail, side="right"))
    upper = int(np.searchsorted(below, 1 - tail, side="left")) + 1
    if lower < 1 or upper > n:
        return QuantileInterval(quantile, nan, nan, n, nan)
    coverage = float(below[upper - 1] - below[lower - 1])
    return QuantileInterval(
        quantile, float(sample[lower - 1]), float(sample[upper - 1]), n, coverage
    )
