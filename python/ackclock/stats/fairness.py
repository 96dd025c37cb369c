"""Fairness and efficiency of flows that share a link: max-min shares and Jain's index.

Sources: R. Jain, D. Chiu, W. Hawe, A Quantitative Measure of Fairness and Discrimination (1984),
for the index; ATM Forum 98-0876, section 6, for its use with max-min shares of the load that each
server scheduled. Deviation: a flow with an expected rate of 0 is left out of the index, to avoid a
division by 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def _non_negative(name: str, values: ArrayLike, *, allow_infinite: bool = False) -> np.ndarray:
    array = np.asarray(values, dtype=float)
    if np.isnan(array).any() or (array < 0).any():
        raise ValueError(f"{name} must be 0 or more, without nan")
    if not allow_infinite and np.isinf(array).any():
        raise ValueError(f"{name} must be finite")
    return array


def max_min_shares(demands: ArrayLike, capacity: float) -> np.ndarray:
    """Return the max-min fair allocation of a capacity.

    A flow that demands less than an equal share gets its demand. The capacity that remains is
    divided equally among the others. This repeats until each remaining flow demands at least an
    equal share, and gets exactly this share.

    Args:
        demands: shape (n,), a rate per flow; ``inf`` for a flow without a limit.
        capacity: the rate to share, in the same unit.

    Returns:
        Shape (n,), in the order and unit of ``demands``. Takes O(n log n).

    Raises:
        ValueError: a rate is negative or nan, the capacity is infinite, or the shape is wrong.

    Source: ATM Forum 98-0876, section 6 (the e_i of its fairness index).
    """
    wanted = _non_negative("demands", demands, allow_infinite=True)
    total = float(_non_negative("capacity", capacity))
    if wanted.ndim != 1:
        raise ValueError(f"demands must be one-dimensional, not of shape {wanted.shape}")
    ascending = np.sort(wanted)
    granted = np.concatenate(([0.0], np.cumsum(ascending[:-1])))
    equal_share = (total - granted) / np.arange(wanted.size, 0, -1)
    unsatisfied = ascending > equal_share
    if not unsatisfied.any():
        return wanted.copy()
    # The first flow that demands more than an equal share of the remainder ends the iteration:
    # all later flows demand at least as much. Never below 0, because of rounding errors.
    share = max(equal_share[np.argmax(unsatisfied)], 0.0)
    return np.minimum(wanted, share)


def fairness_index(throughputs: ArrayLike, expected: ArrayLike) -> float:
    """Return Jain's index (sum r)^2 / (n sum r^2) of the ratios r_i = throughput / expected.

    The index is 1 if every flow gets the same multiple of its expected rate. It is k/n if k of n
    flows have equal ratios and the others get nothing.

    Args:
        throughputs: shape (n,), the rate of each flow.
        expected: shape (n,) or one number for all, the expected rate of each flow (for example from
            ``max_min_shares``), in the same unit.

    A flow with an expected rate of 0 (without a scheduled load) has no ratio; it is left out, and
    n counts the other flows. The index is nan if all expected rates are 0, or if all flows with an
    expected rate above 0 have a throughput of 0.

    Raises:
        ValueError: a rate is negative, nan or infinite, or the shapes differ.

    Source: Jain, Chiu, Hawe 1984; ATM Forum 98-0876, section 6.
    """
    rates = _non_negative("throughputs", throughputs)
    due = _non_negative("expected", expected)
    if rates.ndim != 1 or due.shape not in ((), rates.shape):
        raise ValueError(
            f"throughputs and expected must be one-dimensional and of one length, "
            f"not {rates.shape} and {due.shape}"
        )
    due = np.broadcast_to(due, rates.shape)
    ratios = rates[due > 0] / due[due > 0]
    if ratios.size == 0 or ratios.max() == 0:
        return float("nan")
    ratios = ratios / ratios.max()  # the index has no scale; squares of tiny ratios would vanish
    return float(ratios.sum() ** 2 / (ratios.size * np.square(ratios).sum()))


def efficiency(throughputs: ArrayLike, capacity: float) -> float:
    """Return the sum of all throughputs as a share of the link's capacity.

    Args:
        throughputs: shape (n,), the rate of each flow.
        capacity: the largest total in the same unit and at the same layer (for TCP throughput:
            the link rate without all headers and padding).

    Raises:
        ValueError: a throughput is negative, nan or infinite; the capacity is not above 0.

    Source: ATM Forum 98-0876, section 6 (E = sum x_i / C).
    """
    if not float(_non_negative("capacity", capacity)) > 0:
        raise ValueError("capacity must be above 0")
    return float(_non_negative("throughputs", throughputs).sum() / capacity)
