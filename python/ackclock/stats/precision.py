"""How precise a mean over replications is, and how many more replications it needs.

Source: A. M. Law, W. D. Kelton, Simulation Modeling and Analysis (3rd ed., 2000), section 9.4.1.
"""

from __future__ import annotations

from math import ceil, inf, isnan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from ackclock.stats.intervals import mean_interval, two_sided_t

# Nobody runs more; beyond it, t no longer changes and one replication more is below rounding.
_MOST = 10**9


def relative_half_width(values: ArrayLike, confidence: float = 0.95) -> float:
    """Half the width of the Student t interval of a mean, as a share of the mean's size.

    Args:
        values: shape (n,), one value per replication, any unit.
        confidence: two-sided, for example 0.95.

    Returns:
        0.05 if the interval is the mean +- 5 %. 0 if the values do not vary, even if all are 0;
        infinite if they vary and their mean is 0; nan for fewer than two values or with a nan among
        them. A comparison of nan with a target is False, so that more is run.

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
    """How many more replications a mean likely needs for a target relative half-width.

    The smallest n, not below the present number, for which t[n - 1] s / sqrt(n) is at most the
    target times the mean's size, taking the present mean and deviation s for those of n values.

    Args:
        values: shape (n,), one value per replication so far, any unit.
        target: the relative half-width to reach, for example 0.05.
        confidence: two-sided, for example 0.95.

    Returns:
        0 if the target is met; None if it is not known (a nan among the values, or a mean so
        close to 0 that a billion replications are not enough). With fewer than two values: as many
        as make two, the least from which a deviation can be computed.

    It is an estimate: s of a few replications may be far off. Run that many, then ask again. That
    the number of runs depends on their results makes the final interval cover the mean slightly
    less often than it says; start with ten replications rather than three.

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
    # Here, because it is slow; scipy.stats.norm.ppf without the slower import of scipy.stats.
    from scipy.special import ndtri

    # In units of the target times the mean; t[n - 1] is above the normal quantile, hence a start.
    deviation = width * sqrt(sample.size) / two_sided_t(confidence, sample.size - 1) / target
    least = (float(ndtri((1 + confidence) / 2)) * deviation) ** 2
    if not least < _MOST:
        return None
    n = max(sample.size + 1, ceil(least))
    while two_sided_t(confidence, n - 1) * deviation > sqrt(n):
        n += 1
    return n - sample.size
