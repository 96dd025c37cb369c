"""The end of the warm-up of a long run: the truncation rule MSER-5.

Of all points at which a run can be cut, MSER selects the one after which the mean is most precise:
it minimises the squared standard error, computed as for independent values. This balances a biased
beginning (which increases the variance) against an unnecessary cut (which loses values).

Sources: K. P. White, An Effective Truncation Heuristic for Bias Reduction in Simulation Output,
Simulation 69(6), 1997, for the rule; K. P. White, M. J. Cobb, S. C. Spratt, A Comparison of Five
Steady-State Truncation Heuristics for Simulation, Winter Simulation Conference 2000, for its use on
means of 5 values and the rejection of a cut in the second half; K. Hoad, S. Robinson, R. Davies,
Automating Warm-up Length Estimation, J. Operational Research Society 61, 2010, for the exclusion of
the last points, where a few values that are close by chance seem to be a steady state.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

_BATCH = 5
_LEFT = 5  # fewest remaining batches: fewer seem steady by chance
_FEWEST_BATCHES = 2 * _LEFT  # so that every point of the first half is a candidate


def mser5(values: ArrayLike) -> int | None:
    """Return the number of observations to drop from the beginning of a series, by MSER-5.

    The series is cut into b = n // 5 batches of 5 with means z; the number of batches to drop is
    the smallest d that minimises sum((z_j - mean(z_d..z_{b-1}))^2, j = d..b-1) / (b - d)^2. All d
    that leave at least 5 batches are candidates, but the result is accepted only if d <= b / 2.

    Args:
        values: shape (n,), equally spaced observations of one run in the order of time (or their
            average over replications, which shows the warm-up more clearly), any unit.

    Returns:
        A multiple of 5, at most n / 2; or None if no point is acceptable: the series is shorter
        than 50, or the best point is in its second half. Then the run is too short for its
        warm-up, and its mean is not reliable.

    The remaining bias is small relative to the deviation of a batch mean. But if the warm-up fades
    slowly, the interval of a very long run may be narrower than the remaining bias.

    Raises:
        ValueError: ``values`` is not one-dimensional or not finite.

    Source: White 1997; White, Cobb, Spratt 2000.
    """
    series = np.asarray(values, dtype=float)
    if series.ndim != 1:
        raise ValueError(f"values must be one-dimensional, not of shape {series.shape}")
    if not np.isfinite(series).all():
        raise ValueError(
            "values must be finite: a run with gaps has no equally spaced observations"
        )
    batches = series.size // _BATCH
    if batches < _FEWEST_BATCHES:
        return None
    means = series[: batches * _BATCH].reshape(batches, _BATCH).mean(axis=1)
    drop = int(np.argmin(_squared_errors(means)[: batches - _LEFT + 1]))
    return drop * _BATCH if 2 * drop <= batches else None


def _squared_errors(means: np.ndarray) -> np.ndarray:
    """Return the statistic of MSER for every number of dropped leading batches."""
    # Sums run backwards from the end, so a large transient adds no rounding error to later values.
    # With the last mean as origin, a constant tail has exactly 0.
    tail = (means - means[-1])[::-1]
    left = np.arange(1, tail.size + 1)
    squares = np.cumsum(np.square(tail)) - np.square(np.cumsum(tail)) / left
    return (np.maximum(squares, 0) / np.square(left))[::-1]
