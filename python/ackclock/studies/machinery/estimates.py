"""Numbers that follow from replications, and decisions on them that can stay open.

A claim is decided on differences of numbers: efficiencies, effects, shares of a variation. Such a
number follows from the means over the replications by any function. Its interval comes from the
jackknife: the same function of the means of all replications but one, for each of them. For a
linear function this is Student's t interval of the mean, exactly.

A comparison of two numbers is true or false if the 95 % interval of their difference excludes 0,
and undecided otherwise. So a claim cannot hold because there were few replications.

Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 11
(jackknife); S. C. Kleene, Introduction to Metamathematics (1952), section 64 (three-valued logic);
R. L. Berger and J. C. Hsu, Statistical Science 11(4), 1996 (intersection-union tests).

Deviations: the degrees of freedom of a function that is not linear are taken as n - 1, too. Its
standard error is around the number itself and not around the mean of the numbers without a
replication, which hides the error of an even function near 0, such as an absolute value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ackclock.stats.intervals import Interval, two_sided_t

CONFIDENCE = 0.95
"""Of the intervals that decide comparisons."""
EQUIVALENCE_CONFIDENCE = 0.90
"""Of the interval that must lie within a resolution: two one-sided tests at 5 %."""


@dataclass(frozen=True)
class Decision:
    """Whether a statement holds.

    Attributes:
        holds: none if the replications do not decide it.
        p: two-sided p-value of the comparison that is least sure: of the parts that decide
            ``holds``, or that leave it open. nan where no comparison was made.
    """

    holds: bool | None
    p: float = nan

    def __and__(self, other: Decision) -> Decision:
        return every([self, other])

    def __or__(self, other: Decision) -> Decision:
        return ~every([~self, ~other])

    def __invert__(self) -> Decision:
        return Decision(None if self.holds is None else not self.holds, self.p)

    @property
    def text(self) -> str:
        """Return true, false or undecided, as a word."""
        return "undecided" if self.holds is None else str(self.holds).lower()


class Estimate(NDArrayOperatorsMixin):
    """A number that follows from the replications.

    Args:
        values: shape (1 + n,): the number from the means over all n replications, then from those
            over all but the first, all but the second, and so on. Shape (1,) if n is 1.
        n: number of replications behind it; the smallest where they differ.

    Arithmetic, with numpy's functions too, gives estimates; comparisons give decisions. Numbers
    with the same replication have the same random traffic, so their differences are paired. Where
    one number has fewer replications than another, leaving out one that it does not have changes
    nothing in it.
    """

    def __init__(self, values: np.ndarray, n: int) -> None:
        self.values = values
        self.n = n

    @classmethod
    def of_mean(cls, by_replication: np.ndarray) -> Estimate:
        """The mean of values, shape (n,), in the order of the replications."""
        n, mean = by_replication.size, by_replication.mean()
        others = mean + (mean - by_replication) / (n - 1) if n > 1 else []
        return cls(np.concatenate([[mean], others]), n)

    @property
    def mean(self) -> float:
        """The number itself."""
        return float(self.values[0])

    @property
    def standard_error(self) -> float:
        """Its standard error; nan with one replication."""
        if self.n < 2:
            return nan
        others = self.values[1:]
        return float(sqrt((1 - 1 / others.size) * np.square(others - self.values[0]).sum()))

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Its two-sided interval; the ends are nan with one replication."""
        half = float(two_sided_t(confidence, self.n - 1)) * self.standard_error
        return Interval(self.mean, self.mean - half, self.mean + half, self.n)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if ufunc in _IS_UPWARD:
            return _compared(ufunc, *inputs)
        if method != "__call__":
            return NotImplemented
        its = [each for each in inputs if isinstance(each, Estimate)]
        length = max(each.values.size for each in its)
        plain = [each.padded(length) if isinstance(each, Estimate) else each for each in inputs]
        return Estimate(ufunc(*plain, **options), min(each.n for each in its))

    def padded(self, length: int) -> np.ndarray:
        """Its values, as if there were ``length - 1`` replications, of which it lacks some."""
        more = length - self.values.size
        return np.concatenate([self.values, np.full(more, self.values[0])]) if more else self.values


_IS_UPWARD = {np.greater: True, np.greater_equal: True, np.less: False, np.less_equal: False}
"""Comparisons, and whether the first number is to be the larger one."""
_ROUNDING = 1e-12
"""Share of two numbers below which their difference is one of rounding."""


def _compared(comparison: np.ufunc, one: Any, other: Any) -> Decision:
    difference: Estimate = one - other
    error, mean = difference.standard_error, difference.mean
    if isnan(error) or isnan(mean):
        return Decision(None)
    rounding = _ROUNDING * max(_size(one), _size(other))
    if error <= rounding:
        return _always(bool(comparison(0 if abs(mean) <= rounding else mean, 0)), difference.n)
    p = _two_sided_p(mean / error, difference.n - 1)
    return Decision((mean > 0) == _IS_UPWARD[comparison] if p < 1 - CONFIDENCE else None, p)


def _always(holds: bool, n: int) -> Decision:
    """Every replication gave the same. How sure that is, the sign test says."""
    p = 2 * 0.5**n
    return Decision(holds if p < 1 - CONFIDENCE else None, p)


def _size(number: Any) -> float:
    return abs(number.mean if isinstance(number, Estimate) else float(number))


def _two_sided_p(t: float, degrees_of_freedom: int) -> float:
    from scipy.special import stdtr

    return float(2 * stdtr(degrees_of_freedom, -abs(t)))


def within(difference: Any, resolution: float) -> Any:
    """Whether a difference is none at a resolution: its 90 % interval lies within it.

    False if the interval lies outside, undecided if it is partly within. In tables of single runs,
    the differences themselves are compared.
    """
    if not isinstance(difference, Estimate):
        return np.abs(difference) <= resolution
    interval = difference.interval(EQUIVALENCE_CONFIDENCE)
    if isnan(interval.lo):
        return Decision(None)
    distance = resolution - abs(interval.mean)
    error, rounding = difference.standard_error, _ROUNDING * max(resolution, abs(interval.mean))
    if error <= rounding:
        return _always(distance >= -rounding, difference.n)
    p = _two_sided_p(distance / error, difference.n - 1)
    if -resolution <= interval.lo and interval.hi <= resolution:
        return Decision(True, p)
    outside = interval.lo > resolution or interval.hi < -resolution
    return Decision(False if outside else None, p)


def significant(decision: Any) -> Any:
    """Whether a comparison is true and decided; in a table of single runs, whether it is true."""
    if isinstance(decision, Decision) and decision.holds is not True:
        return Decision(False)
    return decision


def open_unless(sharp: Any, decision: Any) -> Any:
    """A decision that counts only if the numbers are sharp enough; by itself where it is false.

    In a table of single runs, as in a paper, it counts in any case. A decision that does not count
    has no p-value: that of the comparison would say that it is sure.
    """
    if isinstance(decision, Decision) and decision.holds and not sharp.holds:
        return Decision(None)
    return decision


def every(decisions: Iterable[Any]) -> Any:
    """Whether all hold. Of decisions; or, table by table, of arrays of truth values."""
    return at_least(None, decisions)


def at_least(count: int | None, decisions: Iterable[Any]) -> Any:
    """Whether so many hold; all if none. Of decisions; or, table by table, of arrays."""
    found = list(decisions)
    needed = len(found) if count is None else count
    if not isinstance(found[0], Decision):
        return np.sum(found, axis=0) >= needed
    true, open_, false = (
        [each for each in found if each.holds is its] for its in (True, None, False)
    )
    if len(true) >= needed:
        return Decision(True, _largest(_surest(true, needed)))
    if len(true) + len(open_) < needed:
        return Decision(False, _largest(_surest(false, len(found) - needed + 1)))
    return Decision(None, _largest(each.p for each in open_))


def _surest(decisions: Iterable[Decision], count: int) -> list[float]:
    """The p-values of those that are most sure; without a comparison nothing is unsure."""
    return sorted((each.p for each in decisions), key=lambda p: -1 if isnan(p) else p)[:count]


def _largest(numbers: Iterable[float]) -> float:
    return max((each for each in numbers if not isnan(each)), default=nan)


def share_above(flags: np.ndarray, share: float) -> Decision:
    """Whether more than a share of all possible runs has a property, by the runs that were made.

    Args:
        flags: which of the runs have it.
        share: from 0 to 1.

    True or false if the exact 95 % interval of the share (Clopper and Pearson 1934) excludes it.
    """
    from scipy.special import bdtr, bdtrc

    count, n = int(np.count_nonzero(flags)), flags.size
    so_few, so_many = float(bdtr(count, n, share)), float(bdtrc(count - 1, n, share))
    p = min(1.0, 2 * min(so_few, so_many))
    return Decision(so_many < so_few if p < 1 - CONFIDENCE else None, p)


def none_of(flags: np.ndarray, share: float) -> Decision:
    """Whether something happens in no run: false once it does.

    Args:
        flags: in which runs it happens.
        share: of all possible runs in which it may happen at most; below it, the runs that were
            made decide.
    """
    if flags.any():
        return Decision(False, 0.0)
    return share_above(~flags, 1 - share)
