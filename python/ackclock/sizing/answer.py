"""The answer of a search for a buffer, with its evidence."""

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
    """A probed buffer.

    Attributes:
        level: size of the buffer.
        verdict: whether the target is reached.
        interval: interval of the metric's mean, in its unit, at the confidence of the search; nan
            if a run does not have the metric.
        others: upper bound of the share of runs whose value differs from the most frequent one; 0
            if no value occurs in most runs.
        alike: whether the runs have equal values of all metrics.
    """

    level: Level
    verdict: Verdict
    interval: Interval
    others: float = 0.0
    alike: bool = False


@dataclass(frozen=True)
class Sizing:
    """The result of a search for the smallest buffer.

    Attributes:
        target: target of the search.
        key: key of the buffer.
        status: ``FOUND``, ``SMALLEST``, ``NOT_REACHED`` or ``UNDECIDED``.
        holds: the smallest buffer that reaches the target; none if no buffer does.
        fails: the largest buffer below ``holds`` that misses the target.
        onward: the smallest buffer from which all larger probed buffers reach the target.
        probes: all probed buffers, sorted by size.
        column: column of the buffer's sizes in tables.
        others: levels of the other factors of the scenario.
        confidence: probability that all intervals contain their means.
        possible: number of buffers that the search could probe.
        runs: number of runs of the search.
        made: number of runs that this call has made.
        seconds: duration of the call, s.
        title: title of the scenario.
        seed: seed of the scenario.
        folder: folder of the runs.
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
        """Whether the runs of every buffer have equal values of all metrics."""
        return all(probe.alike for probe in self.probes)

    @property
    def source(self) -> str:
        """Return one line on the source of the answer: scenario, seed, runs."""
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
        """Return the probed buffers with a verdict."""
        return [probe for probe in self.probes if probe.verdict is verdict]

    def warnings(self) -> list[str]:
        """Return the warnings about the answer."""
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
        """Warn of two failing buffers of which the larger is further from the target.

        Bisection assumes the opposite.
        """
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
        """Return whether an interval is closer to the target than another, without overlap."""
        return one.lo > other.hi if self.target.sense == AT_LEAST else one.hi < other.lo

    def _of_the_undecided(self) -> list[str]:
        if self.holds is None:
            its = self.with_verdict(Verdict.UNDECIDED)
        else:
            # The bracket already shows the undecided buffers between its ends.
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
        """Warn that the spread may be unknown if the metric is constant but other metrics vary."""
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
        """Return a mean with half the width of its interval, in the unit of the target.

        If the interval of a share extends beyond 0 or 1, it is cut and shown with both ends.
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
