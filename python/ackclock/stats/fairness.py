"""How well flows share a link: max-min fair shares, the fairness index and efficiency.

Sources: R. Jain, D. Chiu, W. Hawe, A Quantitative Measure of Fairness and Discrimination (1984),
for the index; ATM Forum 98-0876, section 6, for its use with max-min shares of what each server
scheduled. Deviation: a flow that is due nothing is left out of the index instead of dividing by 0.
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
    """The max-min fair allocation of a capacity.

    A flow that demands less than an equal share gets its demand; what it leaves is divided again
    among the others, until every remaining flow demands at least an equal share and gets just that.

    Args:
        demands: shape (n,), a rate per flow; ``inf`` is a flow that takes whatever it gets.
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
    # The first flow that asks for more than an equal share of what is left ends the iteration:
    # all after it ask for at least as much. Never below 0: the subtraction may round past it.
    share = max(equal_share[np.argmax(unsatisfied)], 0.0)
    return np.minimum(wanted, share)


def fairness_index(throughputs: ArrayLike, expected: ArrayLike) -> float:
    """Jain's fairness index of the ratios r_i = throughput / expected: (sum r)^2 / (n sum r^2).

    1 when every flow gets the same multiple of what it is due; k/n when k of n flows share alike
    and the others get nothing.

    Args:
        throughputs: shape (n,), the rate of each flow.
        expected: shape (n,) or one number for all, the rate it is due (for example its
            ``max_min_shares``), in the same unit.

    A flow that is due 0 (it scheduled nothing) has no ratio and is left out; n counts the rest.
    nan when no flow is due anything, or when no flow that is due something got anything.

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
    """The sum of all throughputs as a share of the largest throughput that the link can carry.

    Args:
        throughputs: shape (n,), the rate of each flow.
        capacity: the largest total in the same unit and at the same layer (for TCP throughput:
            what remains of the link rate after all headers and padding).

    Raises:
        ValueError: a throughput is negative, nan or infinite; the capacity is not above 0.

    Source: ATM Forum 98-0876, section 6 (E = sum x_i / C).
    """
    if not float(_non_negative("capacity", capacity)) > 0:
        raise ValueError("capacity must be above 0")
    return float(_non_negative("throughputs", throughputs).sum() / capacity)
