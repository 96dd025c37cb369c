"""How equally flows share a link over time: the fairness index of windows, and convergence.

Sources: R. Jain, D. Chiu, W. Hawe, A Quantitative Measure of Fairness and Discrimination (1984),
for the index; M. Dong et al., PCC: Re-architecting Congestion Control for Consistent High
Performance, NSDI 2015, section 4.2, for the time of convergence: the least after which each flow is
within 25 % of its equal share in every second of the next five. Deviation: the equal share is of
what the flows get together, and not of the link, so that one which is not full can be shared
equally.
"""

from __future__ import annotations

import numpy as np


def windowed_fairness(delivered: np.ndarray, present: np.ndarray, width: int) -> np.ndarray:
    """The fairness index of what flows get in windows, one after the other.

    Args:
        delivered: shape (flows, bins), what each flow got in each bin.
        present: shape (flows, bins), whether it was there in the whole of the bin.
        width: of a window, bins; what is left at the end is no window.

    Returns:
        Shape (windows,): the index of the flows that were there in the whole window; nan where
        fewer than two were, or where they got nothing.
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
    """The first bin from which on each flow stays near an equal share for some windows.

    Args:
        delivered: shape (flows, bins), what each flow got in each bin, from that on in which the
            last one began.
        width: of a window, bins.
        tolerance: largest distance from the equal share of a window, as a part of it.
        hold: in how many windows, one after the other.

    Returns:
        Its number, from 0; none if there is none.
    """
    if delivered.shape[1] < hold * width:
        return None
    sums = np.cumsum(np.pad(delivered.astype(float), ((0, 0), (1, 0))), axis=1)
    # A window may begin with any bin.
    got = sums[:, width:] - sums[:, :-width]
    share = got.mean(axis=0)
    near = (np.abs(got - share) <= tolerance * share).all(axis=0) & (share > 0)
    starts = near.size - (hold - 1) * width
    stays = np.logical_and.reduce([near[at * width :][:starts] for at in range(hold)])
    return int(np.argmax(stays)) if stays.any() else None
