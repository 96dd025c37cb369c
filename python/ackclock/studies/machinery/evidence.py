"""What the tests of claims look at: the numbers of the runs; and how they show them.

The same test decides a claim in two ways. By the replications: numbers are estimates, comparisons
are decisions (see ``estimates``). And for each of many tables of single runs, by the procedure of a
paper that ran every cell once: numbers are arrays with a value for each table, comparisons are
arrays of truth values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ackclock.plurals import listed
from ackclock.studies.machinery.analysis import EFFECT_CONFIDENCE
from ackclock.studies.machinery.draws import Draws
from ackclock.studies.machinery.estimates import CONFIDENCE, Estimate
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Runs, points_of
from ackclock.studies.machinery.values import Values
from ackclock.studies.machinery.variation import Number, Variation


class RunsEvidence:
    """The runs of a study as a claim sees them.

    Args:
        made: the runs.
        draws: tables of single runs that are drawn from them; none for all replications together.
    """

    def __init__(self, made: Runs, draws: Draws | None = None) -> None:
        self.made = made
        self.draws = draws
        self._values = {name: Values(its.runs, its.part.point) for name, its in made.parts.items()}

    def missing(self, needs: Iterable[str]) -> str:
        """What is not there of what a claim needs, in words.

        Args:
            needs: names of parts.
        """
        needs = tuple(needs)
        if absent := [part for part in needs if part not in self._values]:
            return f"not run: {listed(absent)}"
        if incomplete := [part for part in needs if self.lacks_points(part)]:
            return f"not all points were run of: {listed(incomplete)}"
        broken = [part for part in needs if self._is_broken(part)]
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
        """A metric of each run at a point, shape (replications,), in their order."""
        return self._values[part].of(metric, point)

    def of_runs(self, part: str, point: Any, by_replication: np.ndarray) -> Number:
        """The number that follows from values at a point, shape (replications,)."""
        if self.draws:
            return self.draws.of(part, point, by_replication)
        return Estimate.of_mean(by_replication)

    def at(self, part: str, metric: str, point: Any) -> Number:
        """A metric at a point."""
        return self.of_runs(part, point, self.values(part, metric, point))

    def over(self, part: str, metric: str, points: Iterable[Any]) -> Number:
        """The mean of a metric over some points."""
        return mean([self.at(part, metric, point) for point in points])

    def variation(
        self,
        part: str,
        level: str,
        metric: str,
        where: Callable[[Any], bool] = lambda point: True,
    ) -> Variation:
        """The analysis of variation of a metric.

        Args:
            part: name of the part.
            level: level of ``Analysed.by``.
            metric: name of the metric.
            where: chooses the points; they must be a full factorial.
        """
        analysed = self.made.parts[part].part.analysed
        assert analysed is not None
        cells = {
            tuple(getattr(point, name) for name in analysed.factors): self.at(part, metric, point)
            for point in self.points(part)
            if getattr(point, analysed.by) == level and where(point)
        }
        return variation(cells, analysed.factors, self.draws is not None)


def mean(numbers: Sequence[Number]) -> Number:
    """The mean of numbers, with equal weights."""
    return sum(numbers[1:], start=numbers[0]) / len(numbers)


def variation(
    cells: Mapping[tuple[Any, ...], Number], factors: Sequence[str], drawn: bool
) -> Variation:
    """The analysis of variation of numbers; all that follows from it are numbers again."""
    if drawn:
        return Variation(cells, factors, EFFECT_CONFIDENCE, lambda values: values)
    fewest = min(each.n for each in cells.values())
    longest = max(each.values.size for each in cells.values())
    values = {key: each.padded(longest) for key, each in cells.items()}
    return Variation(values, factors, EFFECT_CONFIDENCE, lambda its: Estimate(its, fewest))


def shown_by(
    numbers: Mapping[Any, Estimate] | Iterable[tuple[Any, Estimate]],
    scale: float = 1,
    **how: Any,
) -> str:
    """Numbers with their names: "2 flows: 14.3 % (12.0, 16.6); 4 flows: 20.1 % (19.0, 21.2)".

    Args:
        numbers: by name, or pairs of name and number.
        scale: 100 for shares in per cent.
        **how: they are shown; see ``shown``.
    """
    pairs = numbers.items() if isinstance(numbers, Mapping) else numbers
    return "; ".join(f"{name}: {shown(scale * each, **how)}" for name, each in pairs)


def shown(
    number: Estimate,
    confidence: float = CONFIDENCE,
    *,
    decimals: int = 1,
    unit: str = " %",
    signed: bool = False,
) -> str:
    """A number with its interval, if there is one: "14.3 % (12.0, 16.6)"."""
    its, sign = number.interval(confidence), "+" if signed else ""
    text = f"{its.mean:{sign}.{decimals}f}{unit}"
    if np.isfinite(its.hi - its.lo):
        text += f" ({its.lo:{sign}.{decimals}f}, {its.hi:{sign}.{decimals}f})"
    return text
