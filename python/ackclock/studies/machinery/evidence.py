"""What the tests of claims look at: the runs, point by point; and numbers as they show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ackclock.plurals import listed
from ackclock.stats import FactorialAnalysis, mean_interval
from ackclock.stats.intervals import Interval
from ackclock.studies.machinery.analysis import EFFECT_CONFIDENCE
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Runs, points_of
from ackclock.studies.machinery.values import Values

INTERVALS = "intervals"
"""What a claim needs that is decided by intervals of means over replications."""
_FEWEST_FOR_INTERVALS = 2
NO_INTERVALS = "one replication has no intervals; --replications 30 gives them"


class RunsEvidence:
    """The runs of a study as a claim sees them: values by replication.

    Args:
        made: the runs.
    """

    def __init__(self, made: Runs) -> None:
        self.made = made
        self._values = {name: Values(its.runs, its.part.point) for name, its in made.parts.items()}

    def missing(self, needs: Iterable[str]) -> str:
        """What is not there of what a claim needs, in words.

        Args:
            needs: names of parts; ``INTERVALS`` if one replication is not enough.
        """
        needs = tuple(needs)
        parts = [need for need in needs if need != INTERVALS]
        if absent := [part for part in parts if part not in self._values]:
            return f"not run: {listed(absent)}"
        if incomplete := [part for part in parts if self.lacks_points(part)]:
            return f"not all points were run of: {listed(incomplete)}"
        fewest = min((self._values[part].fewest for part in parts), default=0)
        if INTERVALS in needs and fewest < _FEWEST_FOR_INTERVALS:
            return NO_INTERVALS
        broken = [part for part in parts if self._is_broken(part)]
        return f"no analysis of {listed(broken)}" if broken else ""

    def lacks_points(self, part: str) -> bool:
        """Whether points of a part were left out by options that choose levels."""
        its = self.made.parts[part]
        everything = points_of(its.part, its.scenario, Request(self.made.request.study))
        return not set(everything) <= self._values[part].points

    def _is_broken(self, part: str) -> bool:
        """Whether some analysis of a part is missing, because a metric is nan."""
        its = self.made.parts[part]
        analysed = its.part.analysed
        if analysed is None:
            return False
        levels = {getattr(point, analysed.by) for point in self.points(part)}
        return len(its.analyses) < len(levels) * len(analysed.metrics)

    def points(self, part: str) -> list[Any]:
        """The points of a part that were run."""
        return list(self._values[part].points)

    def values(self, part: str, metric: str, point: Any) -> np.ndarray:
        """A metric at a point, shape (replications,), in their order."""
        return self._values[part].of(metric, point)

    def mean(self, part: str, metric: str, point: Any) -> float:
        """Its mean."""
        return float(self.values(part, metric, point).mean())

    def interval(self, part: str, metric: str, point: Any) -> Interval:
        """Its mean with its 90 % interval."""
        return mean_interval(self.values(part, metric, point), EFFECT_CONFIDENCE)

    def together(self, part: str, metric: str, points: Sequence[Any]) -> np.ndarray:
        """The mean of a metric over some points, by replication.

        Where a point has fewer replications than others, those that all points have: a replication
        has the same seed everywhere.
        """
        values = [self.values(part, metric, point) for point in points]
        fewest = min(map(len, values))
        return np.mean([each[:fewest] for each in values], axis=0)

    def analysis(self, part: str, level: str, metric: str) -> FactorialAnalysis:
        """The analysis of a metric at a level of ``Analysed.by``."""
        return self.made.parts[part].analyses[level, metric]


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
