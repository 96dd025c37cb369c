"""The ratio of two means over pairs of values, and its confidence interval.

Source: E. C. Fieller, Some Problems in Interval Estimation, J. Royal Statistical Society B 16(2),
1954. For the true ratio r the differences y - r x of the pairs have mean 0; the interval contains
every r that the t test of these differences does not reject. Other than an interval of logarithms,
it allows negative values, and it belongs to the ratio of the arithmetic means in a table, not of
geometric means.
"""

from __future__ import annotations

from math import nan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from ackclock.stats.intervals import Interval, two_sided_t


def paired_values(first: ArrayLike, second: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays of floats; raise ``ValueError`` if their lengths differ."""
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if one.ndim != 1 or one.shape != other.shape:
        raise ValueError(
            f"pairs need two one-dimensional arrays of one length, not {one.shape} and "
            f"{other.shape}"
        )
    return one, other


def ratio_interval(
    numerators: ArrayLike, denominators: ArrayLike, confidence: float = 0.95
) -> Interval:
    """Return the ratio of the means of paired values and its interval, by Fieller's theorem.

    Args:
        numerators: shape (n,), one value per pair, any unit.
        denominators: shape (n,), the other value of each pair, any unit.
        confidence: level of the two-sided interval, for example 0.95.

    Returns:
        The ratio mean(numerators) / mean(denominators) as ``mean``. The interval is exact if the
        pairs are normal; it is not symmetric about the ratio. The ends are nan for fewer than two
        pairs. They are also nan if the mean of the denominators does not differ significantly from
        0, because no finite interval exists. All numbers are nan without pairs, if a value is nan,
        or if the mean of the denominators is 0.

    Raises:
        ValueError: the arrays are not one-dimensional or not of one length, or ``confidence`` is
            outside (0, 1).

    Source: Fieller 1954.
    """
    above, below = paired_values(numerators, denominators)
    n = above.size
    quantile = two_sided_t(confidence, n - 1)
    scale = float(below.mean()) if n else nan
    if not abs(scale) > 0:
        return Interval(nan, nan, nan, n)
    # In units of the denominators' mean. The quadratic equation of the two ends is solved for their
    # distances from the ratio: then all terms of the root are positive, and proportional pairs have
    # an interval of width 0.
    below = below / scale
    ratio = float(above.mean()) / scale
    if n < 2:
        return Interval(ratio, nan, nan, n)
    rest = above / scale - ratio * below
    (spread, mixed), (_, residual) = np.cov(below, rest)
    g = quantile**2 / n
    leading = 1 - g * spread
    if not leading > 0:
        return Interval(ratio, nan, nan, n)
    shift = -g * float(mixed)
    root = sqrt(g * float(residual) * leading + shift**2)
    return Interval(
        ratio, float(ratio + (shift - root) / leading), float(ratio + (shift + root) / leading), n
    )
