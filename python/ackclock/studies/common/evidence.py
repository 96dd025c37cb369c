"""Numbers with their intervals, as the evidence for a claim shows them."""

from __future__ import annotations

import numpy as np

from ackclock.stats import mean_interval
from ackclock.stats.intervals import Interval


def shown(interval: Interval, decimals: int = 1, unit: str = " %", *, signed: bool = False) -> str:
    """A number with its interval, if there is one: "14.3 % (12.0, 16.6)"."""
    sign = "+" if signed else ""
    text = f"{interval.mean:{sign}.{decimals}f}{unit}"
    if np.isfinite(interval.hi - interval.lo):
        text += f" ({interval.lo:{sign}.{decimals}f}, {interval.hi:{sign}.{decimals}f})"
    return text


def shown_mean(values: np.ndarray, decimals: int = 1, unit: str = " %") -> str:
    """A mean of replications with its interval."""
    return shown(mean_interval(values), decimals, unit)
