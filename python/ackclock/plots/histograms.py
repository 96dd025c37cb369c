"""Values with their counts, the input of distributions and boxes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Histogram(NamedTuple):
    """Values with their counts: the bins of a histogram, or a sample.

    Attributes:
        values: shape (n,), ascending values; for bins, the upper end of each bin.
        counts: shape (n,), counts, whole numbers above 0.
        is_sample: whether the values are observed values, not bins.
    """

    values: np.ndarray
    counts: np.ndarray
    is_sample: bool = False

    @classmethod
    def of(cls, values: np.ndarray) -> Histogram:
        """Create the histogram of a sample, in which each value counts once."""
        ascending = np.sort(np.asarray(values, dtype=float))
        return cls(ascending, np.ones(ascending.size, dtype=np.int64), is_sample=True)

    def scaled(self, scale: float) -> Histogram:
        """Return the histogram with all values divided by ``scale``."""
        return self._replace(values=self.values / scale)

    @property
    def total(self) -> int:
        """The number of observed values."""
        return int(self.counts.sum())

    def shares(self) -> np.ndarray:
        """Return the share of observed values up to each value, shape (n,)."""
        return np.cumsum(self.counts) / max(self.total, 1)

    def percentile(self, percent: float) -> float:
        """Return the percentile ``percent``; nan for an empty histogram.

        For a sample it is interpolated between neighbours, as ``numpy.percentile`` does. For bins
        it is the upper end of the bin.
        """
        if not self.values.size:
            return np.nan
        if self.is_sample:
            return float(np.percentile(self.values, percent))
        below = np.cumsum(self.counts) < percent / 100 * self.total
        return float(self.values[min(int(below.sum()), self.values.size - 1)])
