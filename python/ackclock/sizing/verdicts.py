"""Decide whether a mean reaches a target, after as few replications as possible.

A search computes the interval of a mean several times, and for many buffers. Each judgement may be
wrong. So the intervals are wide enough that all of them, for every buffer that the search may probe
and at every judgement, contain their means with the requested confidence: the error probability is
divided equally among them (Bonferroni). The method makes no assumption about the dependence between
buffers, which share their random numbers, or about the set of probed buffers.

Student's interval is wrong if most replications have the same value, such as a share of 100 %. The
few other values are not enough to estimate the spread, and without them the interval has width 0.
Clopper and Pearson give an upper bound of the share of all runs with another value, at the
confidence of one interval. There is no verdict before the last judgement while fewer than
``FIRST_LOOK`` other values were observed and this bound exceeds ``MOST_OTHER``. The exception: even
the worst possible values of the metric could not move the mean to the other side of the target.

Source: R. G. Miller, Simultaneous Statistical Inference (2nd ed., 1981), chapter 1, for the shares;
R. Jain, The Art of Computer Systems Performance Analysis (1991), chapter 13, for the interval;
C. J. Clopper, E. S. Pearson, The Use of Confidence or Fiducial Limits (Biometrika 26, 1934).
Deviation: each step adds half the present number of replications, not one, to make fewer
judgements.

| parameter | unit | meaning |
|---|---|---|
| confidence | 1 | probability that all intervals of the search contain their means |
| maximum | replications | largest number per buffer; if it does not decide, it is undecided |
| ``FIRST_LOOK`` | replications | smallest number per buffer |
| ``MOST_OTHER`` | 1 | accepted share of runs whose value differs from the most frequent one |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil, isfinite, nan
from typing import NamedTuple

from scipy.special import betaincinv

from ackclock.sizing.target import AT_LEAST, Target
from ackclock.stats import Interval, mean_interval

FIRST_LOOK = 5
MOST_OTHER = 0.5
_GROWTH = 1.5
_SHORT = 1.2
"""A last step smaller than this is joined with the step before."""


class Verdict(Enum):
    """The verdict on a buffer."""

    FAILS = "fails"
    HOLDS = "holds"
    UNDECIDED = "undecided"


class Judgement(NamedTuple):
    """The result of a judgement.

    Attributes:
        verdict: none if more replications are needed.
        interval: mean and ends in the unit of the metric; the ends are equal for equal values.
        others: upper bound of the share of runs whose value differs from the most frequent one; 0
            if no value occurs in most runs.
    """

    verdict: Verdict | None
    interval: Interval
    others: float = 0.0


def looks(maximum: int) -> tuple[int, ...]:
    """Return the ascending numbers of replications of the judgements; the last is the maximum."""
    found = [min(FIRST_LOOK, maximum)]
    while found[-1] < maximum:
        more = ceil(found[-1] * _GROWTH)
        found.append(maximum if more * _SHORT > maximum else more)
    return tuple(found)


@dataclass(frozen=True)
class Rule:
    """The rule that decides on a buffer.

    Attributes:
        target: target of the search.
        confidence: probability that all intervals of the search contain their means.
        looks: numbers of replications at which a buffer is judged.
        levels: number of buffers that the search may probe.
    """

    target: Target
    confidence: float
    looks: tuple[int, ...]
    levels: int

    @property
    def confidence_of_each(self) -> float:
        """The confidence of the interval of one buffer at one judgement."""
        return 1 - (1 - self.confidence) / (self.levels * len(self.looks))

    def judge(self, values: Sequence[float], *, alike: bool = False) -> Judgement:
        """Judge the replications of a buffer.

        Equal values have no interval. If ``alike``, the scenario has nothing random, and the value
        is the mean.

        Args:
            values: values of the metric, one per replication, one of the numbers in ``looks``.
            alike: whether the runs have equal values of all metrics, not only of this one.
        """
        target, n = self.target, len(values)
        last = n >= self.looks[-1]
        if not all(map(isfinite, values)):
            return Judgement(Verdict.UNDECIDED if last else None, Interval(nan, nan, nan, n))
        constant = min(values) == max(values)
        interval = (
            Interval(values[0], values[0], values[0], n)
            if constant
            else mean_interval(values, self.confidence_of_each)
        )
        verdict = _side(target, interval)
        if alike and constant:
            return Judgement(verdict, interval)
        if target.at_bound and not all(map(target.reached_by, values)):
            return Judgement(Verdict.FAILS, interval)
        others = self._others(values)
        early = others <= MOST_OTHER and not (constant and target.at_bound)
        if constant and not early:
            early = _side(target, _worst(target, values[0], others)) is verdict
        if last:
            return Judgement(verdict or Verdict.UNDECIDED, interval, others)
        return Judgement(verdict if early else None, interval, others)

    def _others(self, values: Sequence[float]) -> float:
        """Return an upper bound of the share of runs with another value than the most frequent one.

        0 if no value occurs in most runs, or enough other values were observed for an interval.
        """
        n = len(values)
        ((_, most),) = Counter(values).most_common(1)
        seen = n - most
        if most <= n / 2 or seen >= FIRST_LOOK:
            return 0.0
        return float(betaincinv(seen + 1, n - seen, self.confidence_of_each))


def _worst(target: Target, value: float, others: float) -> Interval:
    """Return the bounds of the mean if a share ``others`` of the runs may have any value."""
    low, high = target.bounds
    lo, hi = value - others * (value - low), value + others * (high - value)
    return Interval(value, lo, hi, 1)


def _side(target: Target, interval: Interval) -> Verdict | None:
    """Return the verdict if the whole interval is on one side of the target; else none."""
    if target.sense == AT_LEAST:
        holds, fails = interval.lo >= target.value, interval.hi < target.value
    else:
        holds, fails = interval.hi <= target.value, interval.lo > target.value
    return Verdict.HOLDS if holds else Verdict.FAILS if fails else None
