"""Values and how often each was seen: what distributions and boxes are drawn from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Histogram(NamedTuple):
    """Values with their counts: the bins of a histogram, or a sample.

    Attributes:
        values: shape (n,), ascending; of a bin, its largest value.
        counts: shape (n,), whole numbers above 0.
        is_sample: whether each value is one that was seen, and no bin.
    """

    values: np.ndarray
    counts: np.ndarray
    is_sample: bool = False

    @classmethod
    def of(cls, values: np.ndarray) -> Histogram:
        """A sample: each value counts once."""
        ascending = np.sort(np.asarray(values, dtype=float))
        return cls(ascending, np.ones(ascending.size, dtype=np.int64), is_sample=True)

    def scaled(self, scale: float) -> Histogram:
        """The same with values in another unit, of which each is ``scale``."""
        return self._replace(values=self.values / scale)

    @property
    def total(self) -> int:
        """How many values were seen."""
        return int(self.counts.sum())

    def shares(self) -> np.ndarray:
        """The share of all that is not larger than each value, shape (n,)."""
        return np.cumsum(self.counts) / max(self.total, 1)

    def percentile(self, percent: float) -> float:
        """The value that so many percent do not exceed; nan of nothing.

        Of a sample it is interpolated between neighbours, as ``numpy.percentile`` does. Of bins it
        is the largest value of the bin.
        """
        if not self.values.size:
            return np.nan
        if self.is_sample:
            return float(np.percentile(self.values, percent))
        below = np.cumsum(self.counts) < percent / 100 * self.total
        return float(self.values[min(int(below.sum()), self.values.size - 1)])
