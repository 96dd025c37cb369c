"""The results that a claim of this study may use.

A claim that names no level of a factor is about the mean over the levels that were run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ackclock.stats import Effect, FactorialAnalysis, mean_interval
from ackclock.stats.intervals import Interval
from ackclock.studies.common.values import Values
from ackclock.studies.osu_tasks.analysis import EFFECT_CONFIDENCE, Analyses
from ackclock.studies.osu_tasks.parts import PARTS

INTERVALS = "intervals"
"""A claim that needs it is decided by intervals of means over replications."""
_FEWEST_FOR_INTERVALS = 2


class Study:
    """The runs as a claim sees them.

    Args:
        runs: of each part that was run, see ``runs.run_all``.
        found: the analyses of each part.
    """

    def __init__(self, runs: Mapping[str, pd.DataFrame], found: Mapping[str, Analyses]) -> None:
        self._values = {name: Values(each, PARTS[name].point) for name, each in runs.items()}
        self._analyses = found

    def missing(self, needs: Iterable[str]) -> str:
        """What is not there of what a claim needs, in words.

        Args:
            needs: names of parts; ``INTERVALS`` if one replication is not enough.
        """
        needs = tuple(needs)
        parts = [need for need in needs if need != INTERVALS]
        absent = [part for part in parts if part not in self._values]
        if absent:
            return f"not run: {', '.join(absent)}"
        fewest = min((self._values[part].fewest for part in parts), default=0)
        if INTERVALS in needs and fewest < _FEWEST_FOR_INTERVALS:
            return "one replication has no intervals; --replications 30 gives them"
        broken = [part for part in parts if self._is_broken(part)]
        return f"no analysis of {', '.join(broken)}" if broken else ""

    def _is_broken(self, part: str) -> bool:
        """Whether some analysis of a part is missing, because a metric is nan."""
        its = PARTS[part].analysed
        if its is None:
            return False
        levels = {getattr(point, its.by) for point in self.points(part)}
        return len(self._analyses[part]) < len(levels) * len(its.metrics)

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
        return self._analyses[part][level, metric]


def above(high: Interval | Effect, low: Interval | Effect) -> bool:
    """Whether one is larger and the intervals do not overlap."""
    return high.lo > low.hi


def similar(one: Interval | Effect, other: Interval | Effect) -> bool:
    """Whether the intervals overlap."""
    return one.lo <= other.hi and other.lo <= one.hi


def shares_of(analysis: FactorialAnalysis) -> dict[str, float]:
    """Percent of the variation that each factor and each pair explains, largest first."""
    table = analysis.allocation
    explained = table[
        table["component"].map(lambda name: set(name.split(":")) <= set(analysis.factors))
    ]
    shares = dict(zip(explained["component"], map(float, explained["percent"]), strict=True))
    return dict(sorted(shares.items(), key=lambda share: -share[1]))


def effects_text(effects: Mapping[str, Effect]) -> str:
    """Effects with their intervals in words."""
    return "; ".join(
        f"{name} {e.effect:+.4f} ({e.lo:+.4f}, {e.hi:+.4f})" for name, e in effects.items()
    )


def intervals_text(intervals: Mapping[str, Interval], decimals: int = 4) -> str:
    """Means with their intervals in words."""
    return "; ".join(
        f"{name} {i.mean:.{decimals}f} ({i.lo:.{decimals}f}, {i.hi:.{decimals}f})"
        for name, i in intervals.items()
    )


def numbers_text(numbers: Mapping[str, float], decimals: int = 4) -> str:
    """Named numbers in words."""
    return "; ".join(f"{name} {number:.{decimals}f}" for name, number in numbers.items())
