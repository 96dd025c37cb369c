"""The peak window W of the NewReno model, and q from the overall loss rate.

Source: N. Parvez, A. Mahanti, C. Williamson, An Analytic Throughput Model for TCP NewReno (003),
Eq. 7, 13, 14, 30. Eq. 14 is printed with a fraction bar that text extraction loses: the denominator
of the whole numerator is p (3 + 4q). Eq. 14 follows from Eq. 7 = Eq. 13 in three steps that the
paper does not state: δ = W²q/(1+Wq) is replaced by W/2, the q² terms of Eq. 13 are dropped, and so
are the p²q and p²q² terms under the root. ``window_exact`` solves Eq. 7 = Eq. 13 without these
steps, a cubic in W.

Parameters: p loss event rate (1), q segment loss rate within a loss event (1).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ackclock.models.inputs import DomainError, checked

_MOST_STEPS = 200


class InEvent(NamedTuple):
    """Losses within a loss event, in the broadcast shape of the inputs.

    Attributes:
        q: segment loss rate within a loss event.
        window_segments: W of Eq. 14 at the overall loss rate, from which q was computed.
    """

    q: np.ndarray
    window_segments: np.ndarray


def window_eq14(p: ArrayLike, q: ArrayLike | None = None) -> np.ndarray:
    """Return W of Eq. 14 as printed, segments.

    Args:
        p: loss event rate, from 1e-12 on and below 1.
        q: segment loss rate within a loss event, 0 to 1; p by default.

    Raises:
        DomainError: a value is outside its domain.
    """
    given = checked(p=p, q=q)
    p, q = given["p"], given["q"]
    return (10 * p * q - 5 * p + np.sqrt(p * (24 + 32 * q + 49 * p))) / (p * (3 + 4 * q))


def window_exact(p: ArrayLike, q: ArrayLike | None = None) -> np.ndarray:
    """Return the positive root W of Eq. 7 = Eq. 13, segments.

    The difference Eq. 13 - Eq. 7 rises with W, so there is exactly one root. Newton's method starts
    at the root for q = 0, and stays between bounds that become narrower.

    The arguments are those of ``window_eq14``.

    Raises:
        DomainError: a value is outside its domain.
    """
    given = checked(p=p, q=q)
    p, q = np.broadcast_arrays(given["p"], given["q"])
    square = 3 / 8 + q / 2 - q**2 / 2
    linear = 7 / 4 - 5 * q / 2 + 3 * q**2 / 2
    constant = (1 - q) ** 2 + 1 / p
    low = np.zeros_like(p)
    # The fraction in Eq. 7 is below W: with W instead of the fraction the root is larger.
    high = ((1 - linear) + np.sqrt((linear - 1) ** 2 + 4 * square * constant)) / (2 * square)
    window = (-linear + np.sqrt(linear**2 + 4 * square * constant)) / (2 * square)
    for _ in range(_MOST_STEPS):
        lost = 1 + window * q
        excess = square * window**2 + linear * window - constant - window**2 * q / lost
        slope = 2 * square * window + linear - window * q * (1 + lost) / lost**2
        low, high = np.where(excess < 0, window, low), np.where(excess > 0, window, high)
        following = window - excess / slope
        following = np.where((low < following) & (following < high), following, (low + high) / 2)
        following = np.where(excess == 0, window, following)
        if np.all(np.abs(following - window) <= 4 * np.spacing(window)):
            break
        window = following
    return following


def eq14_error(p: ArrayLike, q: ArrayLike | None = None) -> np.ndarray:
    """Return the relative error of Eq. 14: W(Eq. 14) / W(exact) - 1.

    The arguments are those of ``window_eq14``.

    Raises:
        DomainError: a value is outside its domain.
    """
    return window_eq14(p, q) / window_exact(p, q) - 1


def q_from_loss_rate(p: ArrayLike, loss_rate: ArrayLike, *, clip: bool = False) -> InEvent:
    """Return the segment loss rate within a loss event, from the overall loss rate: Eq. 30.

    q = (loss_rate / p - 1) / (W - 1), with W from Eq. 14 at q = loss_rate. The paper does not
    define whether the model then uses W at q (``newreno(p, rtt_s, q=found.q)``) or this W
    (``window=found.window_segments``).

    Args:
        p: loss event rate, from 1e-12 on and below 1.
        loss_rate: segments lost over segments sent, 0 to 1.
        clip: whether to limit q to 0 to 1 if the equation has no solution in this range.

    Raises:
        DomainError: a value is outside its domain; without ``clip``, also if a loss event loses
            less than one segment or more than W segments.
    """
    given = checked(p=p, q=loss_rate)
    p, rate = np.broadcast_arrays(given["p"], given["q"])
    window, losses = window_eq14(p, rate), rate / p
    q = (losses - 1) / (window - 1)
    wrong = (q < 0) | (q > 1)
    if wrong.any() and not clip:
        at = np.argmax(wrong)
        raise DomainError(
            {
                "loss_rate": f"{rate.flat[at]:g}: {losses.flat[at]:.4g} losses in a loss event;"
                f" must be from 1 to W = {window.flat[at]:.4g}"
            }
        )
    return InEvent(np.clip(q, 0, 1), window)
