"""The answer to a question about a buffer, with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import floor, isfinite, log10
from pathlib import Path
from typing import Any

from ackclock import __version__
from ackclock.results.means import is_share
from ackclock.sizing.levels import Level
from ackclock.sizing.target import AT_LEAST, Target
from ackclock.sizing.verdicts import Verdict
from ackclock.stats import Interval

FOUND = "found"
SMALLEST = "already reached with the smallest"
NOT_REACHED = "not reached"
UNDECIDED = "undecided"
_MOST_NAMED = 4
_DIGITS_OF_A_HALF_WIDTH = 2
_DIGITS = 6


@dataclass(frozen=True)
class Probe:
    """A buffer that was probed.

    Attributes:
        level: its size.
        verdict: whether the target is reached.
        interval: of the metric's mean, in its unit, as wide as the search needs it; nan if a run
            does not have the metric.
        others: the largest share of all runs that may have another value than most have; 0 where
            no value is that of most.
        alike: whether the runs gave the same in everything that is measured.
    """

    level: Level
    verdict: Verdict
    interval: Interval
    others: float = 0.0
    alike: bool = False


@dataclass(frozen=True)
class Sizing:
    """What a search for the smallest buffer has found.

    Attributes:
        target: what was to be reached.
        key: of the buffer.
        status: ``FOUND``, ``SMALLEST``, ``NOT_REACHED`` or ``UNDECIDED``.
        holds: the smallest buffer that reaches it; none if none does.
        fails: the largest that does not, below that.
        onward: the smallest from which on all that were probed reach it.
        probes: all, by size.
        column: of the buffer's sizes in tables.
        others: levels of the other factors of the scenario.
        confidence: that all intervals contain their means.
        possible: buffers that might have been probed.
        runs: that the answer rests on.
        made: of these, now.
        seconds: that the call took.
        title: of the scenario.
        seed: of the scenario.
        folder: in which the runs are.
    """

    target: Target
    key: str
    status: str
    holds: Probe | None
    fails: Probe | None
    onward: Probe | None
    probes: tuple[Probe, ...]
    column: str
    others: dict[str, Any]
    confidence: float
    possible: int
    runs: int
    made: int
    seconds: float
    title: str
    seed: int
    folder: Path

    @property
    def found(self) -> bool:
        """Whether a buffer reaches the target."""
        return self.holds is not None

    @property
    def all_alike(self) -> bool:
        """Whether the runs of every buffer are equal in every number."""
        return all(probe.alike for probe in self.probes)

    @property
    def source(self) -> str:
        """What the answer rests on, in one line."""
        others = ", ".join(f"{column} {level}" for column, level in self.others.items())
        counts = sorted({probe.interval.n for probe in self.probes})
        n = f"n = {counts[0]}" if len(counts) == 1 else f"n = {counts[0]} to {counts[-1]}"
        parts = [f"ackclock {__version__}", self.title, others, f"seed {self.seed}", n]
        if self.all_alike:
            parts.append("runs are equal: no intervals")
        else:
            parts.append(f"intervals hold together with {100 * self.confidence:g} %")
        return " · ".join(filter(None, parts))

    def with_verdict(self, verdict: Verdict) -> list[Probe]:
        """The probed buffers with a verdict."""
        return [probe for probe in self.probes if probe.verdict is verdict]

    def warnings(self) -> list[str]:
        """What to know before the answer is trusted."""
        return [
            *self._of_failures_above(),
            *self._of_falls_below(),
            *self._of_the_undecided(),
            *self._of_what_is_constant(),
        ]

    def _of_failures_above(self) -> list[str]:
        if self.holds is None:
            return []
        above = self._above(Verdict.FAILS)
        if not above:
            return []
        where = (
            f"from {self.onward.level.text} on all that were probed reach it"
            if self.onward
            else f"{self.probes[-1].level.text}, the largest, does not reach it"
        )
        return [
            f"not monotone in the buffer: {self.holds.level.text} reaches the target, and"
            f" {self._named(above)} above it does not; {where}"
        ]

    def _of_falls_below(self) -> list[str]:
        """Two buffers that fail, the larger further from the target: bisection was misled there."""
        if self.fails is None:
            return []
        below = [probe for probe in self.probes if probe.level.number <= self.fails.level.number]
        for smaller, larger in combinations(below, 2):
            if self._is_better(smaller.interval, larger.interval):
                remedy = f'a buffer below that may reach it: search with --to "{larger.level.text}"'
                if larger is self.probes[-1]:
                    remedy = "a buffer between those that were probed may reach it"
                return [
                    f"not monotone in the buffer: {self._named([smaller])} is nearer to the target"
                    f" than {self._named([larger])}; {remedy}"
                ]
        return []

    def _is_better(self, one: Interval, other: Interval) -> bool:
        """Whether an interval is nearer to what is wanted than another, without any overlap."""
        return one.lo > other.hi if self.target.sense == AT_LEAST else one.hi < other.lo

    def _of_the_undecided(self) -> list[str]:
        if self.holds is None:
            its = self.with_verdict(Verdict.UNDECIDED)
        else:
            # The bracket itself shows those between its ends.
            its = self._above(Verdict.UNDECIDED)
            its += [
                probe
                for probe in self.with_verdict(Verdict.UNDECIDED)
                if probe.level.number < self.holds.level.number
                and (self.fails is None or probe.level.number < self.fails.level.number)
            ]
        if not its:
            return []
        return [
            f"not clear of the target after the maximum of replications: {self._named(its)};"
            " raise --replications-max to decide it"
        ]

    def _of_what_is_constant(self) -> list[str]:
        """What may have been missed where the metric did not vary, and other things did."""
        its = self.holds
        if its is None or its.alike or its.interval.lo != its.interval.hi:
            return []
        far = "below" if self.target.sense == AT_LEAST else "above"
        return [
            f"all {its.interval.n} runs with {its.level.text} have the same {self.target.name},"
            f" {self.shown(its.interval)}. So few runs do not show rare values: up to"
            f" {100 * its.others:.2g} % of all runs may have another value. The answer holds"
            f" unless these are so far {far} the target that the mean misses it"
        ]

    def _above(self, verdict: Verdict) -> list[Probe]:
        assert self.holds is not None
        least = self.holds.level.number
        return [probe for probe in self.with_verdict(verdict) if probe.level.number > least]

    def _named(self, probes: list[Probe]) -> str:
        texts = [f"{probe.level.text} ({self.shown(probe.interval)})" for probe in probes]
        more = len(texts) - _MOST_NAMED
        return ", ".join(texts[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")

    def shown(self, interval: Interval) -> str:
        """A mean with half the width of its interval, in the unit of the target.

        The interval of a share that goes on beyond 0 or 1 is cut, and shown by its ends.
        """
        scale, unit = self.target.scale, self.target.unit
        mean, half = interval.mean / scale, (interval.hi - interval.lo) / 2 / scale
        if isfinite(half) and half > 0:
            decimals = max(0, _DIGITS_OF_A_HALF_WIDTH - 1 - floor(log10(half)))
            lo, hi = max(interval.lo, 0.0), max(min(interval.hi, 1.0), interval.mean)
            if is_share(self.target.metric) and (lo, hi) != (interval.lo, interval.hi):
                ends = f"({lo / scale:.{decimals}f} to {hi / scale:.{decimals}f})"
                return f"{mean:.{decimals}f} {ends} {unit}".rstrip()
            return f"{mean:.{decimals}f} ± {half:.{decimals}f} {unit}".rstrip()
        return f"{mean:.{_DIGITS}g} {unit}".rstrip()
