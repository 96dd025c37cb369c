"""The interval of a steady-state mean from one long run: non-overlapping batch means.

Observations of one run depend on each other. An interval that treats them as independent is too
narrow. Means of batches that are long enough are nearly independent.

Sources: A. M. Law, W. D. Kelton, Simulation Modeling and Analysis (3rd ed., 2000), section 9.5.3,
for the method; B. Schmeiser, Batch Size Effects in the Analysis of Simulation Output, Operations
Research 30(3), 1982, for the number of batches, 10 to 30; J. von Neumann, Distribution of the Ratio
of the Mean Square Successive Difference to the Variance, Annals of Mathematical Statistics 12,
1941, for the test, in the form that C. Alexopoulos, A. F. Seila, Output Data Analysis (Handbook of
Simulation, 1998) use for batch means.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ackclock.stats.intervals import Interval, check_confidence, mean_interval

_FEWEST_BATCHES = 3  # with fewer, successive differences cannot show dependence
_SIGNIFICANCE = 0.05


class BatchMeans(NamedTuple):
    """The mean of a long run with its interval, and a test of independence of the batches.

    Attributes:
        interval: mean and ends in the values' unit; its n is the number of batches.
        batch_size: observations in a batch.
        left_out: number of observations before the first batch, which the mean leaves out.
        lag_1: autocorrelation of successive batch means; nan if they do not vary.
        p_value: p value of the von Neumann test against positive correlation; nan if the batch
            means do not vary.
        independent: whether the test does not reject independence at 5 %, or the batch means do
            not vary. If False, the interval is too narrow, and the run should be longer.
    """

    interval: Interval
    batch_size: int
    left_out: int
    lag_1: float
    p_value: float
    independent: bool


def batch_means(values: ArrayLike, batches: int = 20, confidence: float = 0.95) -> BatchMeans:
    """Return the mean of a long run in steady state and its Student's t interval.

    Args:
        values: shape (n,), equally spaced observations in the order of time, any unit, without the
            warm-up (see ``mser5``).
        batches: number of batches, each of n // batches observations. The remaining observations
            are left out at the beginning, next to the warm-up.
        confidence: level of the two-sided interval, for example 0.95.

    With fewer observations than batches there is a mean but no interval: its ends are nan, its n is
    0, and ``independent`` is False. A nan in a batch makes the result nan.

    With 20 batches the test finds only strong dependence (N. R. Adam and S. W. Klein, European J.
    Operational Research, 1989, recommend 100), so it cannot prove independence.

    Raises:
        ValueError: ``values`` is not one-dimensional, ``batches`` is below 3, or ``confidence`` is
            outside (0, 1).

    Source: Law, Kelton 2000, section 9.5.3.
    """
    check_confidence(confidence)
    series = np.asarray(values, dtype=float)
    if series.ndim != 1:
        raise ValueError(f"values must be one-dimensional, not of shape {series.shape}")
    if batches < _FEWEST_BATCHES:
        raise ValueError(f"batches must be {_FEWEST_BATCHES} or more (20 is usual), not {batches}")
    size = series.size // batches
    if size == 0:
        mean = float(series.mean()) if series.size else nan
        return BatchMeans(Interval(mean, nan, nan, 0), 0, 0, nan, nan, False)
    left_out = series.size - size * batches
    # One of the values is the origin, so that batch means of a constant series are exactly equal.
    origin = series[left_out]
    means = (series[left_out:] - origin).reshape(batches, size).mean(axis=1)
    mean, lo, hi, _ = mean_interval(means, confidence)
    interval = Interval(float(mean + origin), float(lo + origin), float(hi + origin), batches)
    lag_1, p_value = _dependence(means)
    constant = bool((means == means[0]).all())
    return BatchMeans(
        interval, size, left_out, lag_1, p_value, independent=constant or p_value >= _SIGNIFICANCE
    )


def _dependence(means: np.ndarray) -> tuple[float, float]:
    """Return the lag-1 autocorrelation, and the p value against positive correlation.

    The statistic C = 1 - sum((y_i - y_{i+1})^2) / (2 sum((y_i - mean)^2)) of k independent normal
    values has mean 0 and variance (k - 2) / (k^2 - 1), and is close to normal from k = 8 on.
    """
    k = means.size
    deviations = means - means.mean()
    squares = float(np.square(deviations).sum())
    if not squares > 0:
        return nan, nan
    # Imported here, because it is slow; scipy.stats, with norm.cdf, is even slower.
    from scipy.special import ndtr

    lag_1 = float((deviations[:-1] * deviations[1:]).sum()) / squares
    statistic = 1 - float(np.square(np.diff(means)).sum()) / (2 * squares)
    return lag_1, float(ndtr(-statistic / sqrt((k - 2) / (k * k - 1))))
