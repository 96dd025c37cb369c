"""Whether a mean reaches a target, told after as few replications as it takes.

A search looks at the interval of a mean several times, and at many buffers. Each look is a chance
to be wrong. The intervals are therefore so wide that all of them together, of every buffer that
the search may ever probe and at every look, contain their means with the confidence that was asked
for: the error is shared equally between them (Bonferroni). Nothing is assumed about how buffers
depend on each other, for they share their random numbers, nor about which of them are probed.

Source: R. G. Miller, Simultaneous Statistical Inference (2nd ed., 1981), chapter 1, for the shares;
R. Jain, The Art of Computer Systems Performance Analysis (1991), chapter 13, for the interval.
What is different: replications are added by half of those that there are, and not one by one, so
that there are few looks.

| parameter | unit | meaning |
|---|---|---|
| confidence | 1 | that all intervals of the search contain their means |
| maximum | replications | of a buffer; a mean that is not told from the target then is undecided |
| ``FIRST_LOOK`` | replications | of every buffer at least |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil, isfinite, nan
from typing import NamedTuple

from ackclock.sizing.target import AT_LEAST, Target
from ackclock.stats import Interval, mean_interval

FIRST_LOOK = 5
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
    """

    verdict: Verdict | None
    interval: Interval


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
        """What the replications of a buffer tell.

        Where the values do not vary there is no interval: if ``alike``, the scenario has no
        randomness and they are the mean; otherwise what varies may not have been seen yet, and the
        last look is awaited.

        Args:
            values: of the metric, one a replication, as many as a look has.
            alike: whether the runs gave the same in everything, not in this metric only.
        """
        target, last = self.target, len(values) >= self.looks[-1]
        if not all(map(isfinite, values)):
            interval = Interval(nan, nan, nan, len(values))
            return Judgement(Verdict.UNDECIDED if last else None, interval)
        constant = min(values) == max(values)
        if constant:
            interval = Interval(values[0], values[0], values[0], len(values))
        else:
            interval = mean_interval(values, self.confidence_of_each)
        if target.never and max(values) > 0:
            return Judgement(Verdict.FAILS, interval)
        if constant and not (last or alike):
            return Judgement(None, interval)
        verdict = _side(target, interval)
        return Judgement(Verdict.UNDECIDED if last and verdict is None else verdict, interval)


def _side(target: Target, interval: Interval) -> Verdict | None:
    """On which side of the target the whole interval is."""
    if target.sense == AT_LEAST:
        holds, fails = interval.lo >= target.value, interval.hi < target.value
    else:
        holds, fails = interval.hi <= target.value, interval.lo > target.value
    return Verdict.HOLDS if holds else Verdict.FAILS if fails else None
