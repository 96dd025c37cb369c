"""Whether a mean reaches a target, decided after as few replications as possible.

A search computes the interval of a mean several times, and for many buffers. Each judgement may be
wrong. Therefore the intervals are so wide that all of them, for every buffer that the search may
probe and at every judgement, contain their means with the requested confidence: the error is
divided equally among them (Bonferroni). The method assumes nothing about the dependence between
buffers, which share their random numbers, nor about which of them are probed.

Student's interval is wrong where most replications have the same value, such as a share of 100 %:
the few others show little of the spread, and without them it has no width. With the confidence of
one interval at most a known share of all runs has another value (Clopper and Pearson). As long as
fewer than ``FIRST_LOOK`` others were seen and this share exceeds ``MOST_OTHER``, there is no
verdict before the last look, unless even the worst values that the metric can have could not move
the mean to the other side.

Source: R. G. Miller, Simultaneous Statistical Inference (2nd ed., 1981), chapter 1, for the shares;
R. Jain, The Art of Computer Systems Performance Analysis (1991), chapter 13, for the interval;
C. J. Clopper, E. S. Pearson, The Use of Confidence or Fiducial Limits (Biometrika 26, 1934).
Deviation: each step adds half as many replications as there are, and not one, so that there are few
judgements.

| parameter | unit | meaning |
|---|---|---|
| confidence | 1 | that all intervals of the search contain their means |
| maximum | replications | most of a buffer; undecided if the interval then contains the target |
| ``FIRST_LOOK`` | replications | least of every buffer |
| ``MOST_OTHER`` | 1 | share of all runs that may have another value than most have so far |
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
"""A last step of less than this is made together with the one before."""


class Verdict(Enum):
    """What is known of a buffer."""

    FAILS = "fails"
    HOLDS = "holds"
    UNDECIDED = "undecided"


class Judgement(NamedTuple):
    """What a look has shown.

    Attributes:
        verdict: none if more replications are needed.
        interval: mean and ends in the unit of the metric; the ends are equal if nothing varies.
        others: the largest share of all runs that may have another value than most have; 0 where
            no value is that of most.
    """

    verdict: Verdict | None
    interval: Interval
    others: float = 0.0


def looks(maximum: int) -> tuple[int, ...]:
    """Numbers of replications at which a buffer is judged, ascending, the last the maximum."""
    found = [min(FIRST_LOOK, maximum)]
    while found[-1] < maximum:
        more = ceil(found[-1] * _GROWTH)
        found.append(maximum if more * _SHORT > maximum else more)
    return tuple(found)


@dataclass(frozen=True)
class Rule:
    """How a buffer is judged.

    Attributes:
        target: what is to be reached.
        confidence: that all intervals of the search together contain their means.
        looks: replications at which a buffer is judged.
        levels: buffers that the search may probe.
    """

    target: Target
    confidence: float
    looks: tuple[int, ...]
    levels: int

    @property
    def confidence_of_each(self) -> float:
        """Of the interval of one buffer at one look."""
        return 1 - (1 - self.confidence) / (self.levels * len(self.looks))

    def judge(self, values: Sequence[float], *, alike: bool = False) -> Judgement:
        """What the replications of a buffer show.

        Where the values do not vary there is no interval. If ``alike``, nothing in the scenario is
        random, and they are the mean.

        Args:
            values: of the metric, one a replication, as many as a look has.
            alike: whether the runs gave the same in everything, not in this metric only.
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
        """The largest share of all runs that may have another value than most of these have.

        0 where no value is that of most, or enough others were seen for an interval.
        """
        n = len(values)
        ((_, most),) = Counter(values).most_common(1)
        seen = n - most
        if most <= n / 2 or seen >= FIRST_LOOK:
            return 0.0
        return float(betaincinv(seen + 1, n - seen, self.confidence_of_each))


def _worst(target: Target, value: float, others: float) -> Interval:
    """Between which the mean lies if so many of all runs may have any other value."""
    low, high = target.bounds
    lo, hi = value - others * (value - low), value + others * (high - value)
    return Interval(value, lo, hi, 1)


def _side(target: Target, interval: Interval) -> Verdict | None:
    """On which side of the target the whole interval is."""
    if target.sense == AT_LEAST:
        holds, fails = interval.lo >= target.value, interval.hi < target.value
    else:
        holds, fails = interval.hi <= target.value, interval.lo > target.value
    return Verdict.HOLDS if holds else Verdict.FAILS if fails else None
