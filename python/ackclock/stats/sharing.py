"""Fairness of flows over time: the fairness index by window, and the time of convergence.

Sources: R. Jain, D. Chiu, W. Hawe, A Quantitative Measure of Fairness and Discrimination (1984),
for the index; M. Dong et al., PCC: Re-architecting Congestion Control for Consistent High
Performance, NSDI 2015, section 4.2, for the time of convergence: the earliest time after which each
flow is within 25 % of its equal share in each of the next five seconds. Deviation: the equal share
is relative to the total throughput of the flows, not to the capacity of the link, so that flows can
converge on a link that is not full.
"""

from __future__ import annotations

import numpy as np


def windowed_fairness(delivered: np.ndarray, present: np.ndarray, width: int) -> np.ndarray:
    """Return the fairness index of flows in consecutive windows.

    Args:
        delivered: shape (flows, bins), deliveries of each flow in each bin, any unit.
        present: shape (flows, bins), whether the flow is active during the whole bin.
        width: width of a window, bins; an incomplete window at the end is left out.

    Returns:
        Shape (windows,): the index of the flows that are active during the whole window; nan for
        fewer than two such flows, or without deliveries.
    """
    windows = delivered.shape[1] // width
    shape = (delivered.shape[0], windows, width)
    got = delivered[:, : windows * width].reshape(shape).sum(axis=2).astype(float)
    there = present[:, : windows * width].reshape(shape).all(axis=2)
    got[~there] = 0
    count, total, squares = there.sum(axis=0), got.sum(axis=0), np.square(got).sum(axis=0)
    known = (count >= 2) & (total > 0)
    return np.divide(total**2, count * squares, out=np.full(windows, np.nan), where=known)


def convergence(delivered: np.ndarray, width: int, tolerance: float, hold: int) -> int | None:
    """Return the first bin from which each flow stays near an equal share for some windows.

    Args:
        delivered: shape (flows, bins), deliveries of each flow in each bin, from the bin in which
            the last flow began.
        width: width of a window, bins.
        tolerance: largest deviation from the equal share of a window, as a fraction of this share.
        hold: number of consecutive windows.

    Returns:
        The number of the bin, from 0; none if the flows do not converge.
    """
    if delivered.shape[1] < hold * width:
        return None
    sums = np.cumsum(np.pad(delivered.astype(float), ((0, 0), (1, 0))), axis=1)
    # A window may begin in any bin.
    got = sums[:, width:] - sums[:, :-width]
    share = got.mean(axis=0)
    near = (np.abs(got - share) <= tolerance * share).all(axis=0) & (share > 0)
    starts = near.size - (hold - 1) * width
    stays = np.logical_and.reduce([near[at * width :][:starts] for at in range(hold)])
    return int(np.argmax(stays)) if stays.any() else None
