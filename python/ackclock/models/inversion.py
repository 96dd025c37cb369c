"""The loss event rate for a given throughput.

A throughput falls as p rises, but not everywhere for every formula. PFTK's full model rises where
its branches change, or if RTO is far below R. With a window limit, many p give the same
throughput. So the formula is first evaluated on a grid; the result is the largest p that still
gives the throughput. Bisection then refines the result. It needs no root, so it also finds the end
of a plateau.
"""

from __future__ import annotations

from math import exp, log
from typing import Any, NamedTuple

import numpy as np

from ackclock.models.inputs import DomainError
from ackclock.models.registry import MODELS, SMALLEST_P, Model

_GRID = 4000
_HALVINGS = 60
_LARGEST_P = 1 - 1e-9


class Inverse(NamedTuple):
    """The loss event rate for a throughput.

    Attributes:
        p: loss event rate; any larger rate gives a lower throughput.
        unique: whether no other loss event rate gives this throughput.
        prediction: result of the formula for p.
    """

    p: float
    unique: bool
    prediction: Any


def inverse(model: str | Model, throughput_bit_s: float, rtt_s: float, **keywords: Any) -> Inverse:
    """Return the largest loss event rate with which a connection has this throughput.

    Args:
        model: a formula, or its name in ``MODELS``.
        throughput_bit_s: throughput of data, bit/s.
        rtt_s: average round-trip time, s.
        keywords: other parameters of the formula, each a single number; q is p by default.

    Raises:
        DomainError: a value is outside its domain, or no loss gives this throughput; the message
            has the largest and the smallest throughput of the formula.
    """
    formula = MODELS[model] if isinstance(model, str) else model
    if not 0 < throughput_bit_s < np.inf:
        raise DomainError(
            {"throughput_bit_s": f"{throughput_bit_s:g}: must be above 0, for example 1e6"}
        )

    grid = np.linspace(log(SMALLEST_P), log(_LARGEST_P), _GRID)
    # Rounding may make the exponential of the first value smaller than the smallest p.
    given = formula(np.maximum(np.exp(grid), SMALLEST_P), rtt_s, **keywords).throughput_bit_s
    enough = np.flatnonzero(given >= throughput_bit_s)
    if not enough.size or enough[-1] == given.size - 1:
        raise DomainError(
            {
                "throughput_bit_s": f"{throughput_bit_s:g}: on this path {formula.name} gives "
                f"{given.min():.6g} to {given.max():.6g} bit/s"
            }
        )
    at = int(enough[-1])
    low, high = grid[at], grid[at + 1]
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        gives = formula(exp(middle), rtt_s, **keywords).throughput_bit_s
        low, high = (middle, high) if gives >= throughput_bit_s else (low, middle)
    # Only as far as the grid can show.
    unique = bool(np.all(given[:at] > throughput_bit_s))
    p = max(exp(low), SMALLEST_P)
    return Inverse(p, unique, formula(p, rtt_s, **keywords))
