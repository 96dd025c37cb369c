"""The number of replications of a point: fixed, or as many as its means need.

Sequential stopping after A. M. Law, W. D. Kelton, Simulation Modeling and Analysis (3rd ed., 2000),
section 9.4.1: replicate until half the width of the interval is a given share of the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

Values = tuple[float, ...]
"""The metrics of one replication, by name."""

# Each test of the intervals may stop too early, so a step is at least this share of the
# replications so far. The estimate of the missing number is rough, so a step at most doubles the
# number of replications.
_SMALLEST_STEP = 0.1


@dataclass(frozen=True)
class Replications:
    """The rule for the number of replications of a point.

    Attributes:
        minimum: replications that every point gets; all of them if it is also the maximum.
        maximum: replications that no point exceeds.
        target: relative half-width to reach, for example 0.05.
        metrics: columns of the rows whose means must reach the target.
        confidence: level of the two-sided intervals, for example 0.95.
    """

    minimum: int
    maximum: int
    target: float = 0.0
    metrics: tuple[str, ...] = ()
    confidence: float = 0.95

    @property
    def fixed(self) -> bool:
        """Whether the number is fixed, and so does not depend on results."""
        return self.minimum == self.maximum

    def needed(self, ended: Sequence[Values | None]) -> int:
        """Return the number of replications that a point needs, as far as it is known.

        Args:
            ended: metrics of replications 0, 1, ... without a gap; ``None`` for a failed one.
                There may be more than the point needs.

        Returns:
            At most ``len(ended)`` if the point is complete. The number depends only on the first
            results in their order, not on the time of the call.
        """
        n = self.minimum
        while n < self.maximum and n <= len(ended) and not self.reached(ended[:n]):
            n = min(n + self._step(ended[:n]), self.maximum)
        return n

    def reached(self, ended: Sequence[Values | None]) -> bool:
        """Return whether the mean of every metric reaches the target."""
        return all(width <= self.target for width in self.half_widths(ended).values())

    def half_widths(self, ended: Sequence[Values | None]) -> dict[str, float]:
        """Return the relative half-width of each metric's mean; nan without an interval."""
        from ackclock.stats.precision import relative_half_width

        samples = self._samples(ended)
        return {
            metric: relative_half_width(sample, self.confidence)
            for metric, sample in samples.items()
        }

    def _step(self, ended: Sequence[Values | None]) -> int:
        from ackclock.stats.precision import more_replications

        samples = self._samples(ended)
        estimates = [
            more_replications(sample, self.target, self.confidence) for sample in samples.values()
        ]
        most = max((len(ended) if more is None else more for more in estimates), default=0)
        return min(max(most, ceil(len(ended) * _SMALLEST_STEP)), len(ended))

    def _samples(self, ended: Sequence[Values | None]) -> dict[str, list[float]]:
        made = [values for values in ended if values is not None]
        return {metric: [each[i] for each in made] for i, metric in enumerate(self.metrics)}
