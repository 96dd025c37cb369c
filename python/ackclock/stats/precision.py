"""The precision of a mean over replications, and the number of replications it still needs.

Source: A. M. Law, W. D. Kelton, Simulation Modeling and Analysis (3rd ed., 2000), section 9.4.1.
"""

from __future__ import annotations

from math import ceil, inf, isnan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from ackclock.stats.intervals import mean_interval, two_sided_t

# Larger numbers are not practical; beyond it, t and the half-width no longer change noticeably.
_MOST = 10**9


def relative_half_width(values: ArrayLike, confidence: float = 0.95) -> float:
    """Return half the width of Student's t interval of a mean, relative to the mean.

    Args:
        values: shape (n,), one value per replication, any unit.
        confidence: level of the two-sided interval, for example 0.95.

    Returns:
        0.05 if the interval is the mean +- 5 %. 0 if the values do not vary, even if all are 0.
        Infinite if they vary and their mean is 0. nan for fewer than two values or if a value is
        nan; because nan <= target is False, the caller then makes more runs.

    Raises:
        ValueError: ``values`` is not one-dimensional, or ``confidence`` is outside (0, 1).

    Source: Law, Kelton 2000, section 9.4.1, without their correction: they compare with
    target / (1 + target), which bounds the error relative to the true mean instead of the estimate.
    """
    mean, lo, hi, _ = mean_interval(values, confidence)
    if isnan(lo) or lo == hi:
        return hi - lo
    return (hi - lo) / 2 / abs(mean) if mean else inf


def more_replications(values: ArrayLike, target: float, confidence: float = 0.95) -> int | None:
    """Estimate how many more replications a mean needs for a target relative half-width.

    The estimate is n minus the present number. n is the smallest number, at least the present one,
    for which t[n - 1] s / sqrt(n) is at most the target times the mean's absolute value, with the
    present mean and deviation s.

    Args:
        values: shape (n,), one value per replication so far, any unit.
        target: the relative half-width to reach, for example 0.05.
        confidence: level of the two-sided interval, for example 0.95.

    Returns:
        0 if the target is met; None if the number is unknown (a value is nan, or the mean is so
        close to 0 that a billion replications are not enough). With fewer than two values: the
        number that is missing to two, the fewest values that have a deviation.

    The deviation s of a few replications is only a rough estimate. Make the runs, then call this
    again. Because the number of runs depends on their results, the final interval contains the
    mean slightly less often than its confidence; start with ten replications instead of three.

    Raises:
        ValueError: ``target`` is not above 0, ``values`` is not one-dimensional, or ``confidence``
            is outside (0, 1).

    Source: Law, Kelton 2000, section 9.4.1 (without their correction, as in
    ``relative_half_width``).
    """
    if not 0 < target < inf:
        raise ValueError(f"target must be above 0 (for example 0.05), not {target}")
    width = relative_half_width(values, confidence)
    sample = np.asarray(values, dtype=float)
    if sample.size < 2:
        return 2 - sample.size
    if width <= target:
        return 0
    if not width < inf:
        return None
    # Imported here, because it is slow; scipy.stats, with norm.ppf, is even slower.
    from scipy.special import ndtri

    # In units of the target times the mean. t[n - 1] exceeds the normal quantile, which gives a
    # lower bound of n to start from.
    deviation = width * sqrt(sample.size) / two_sided_t(confidence, sample.size - 1) / target
    least = (float(ndtri((1 + confidence) / 2)) * deviation) ** 2
    if not least < _MOST:
        return None
    n = max(sample.size + 1, ceil(least))
    while two_sided_t(confidence, n - 1) * deviation > sqrt(n):
        n += 1
    return n - sample.size
