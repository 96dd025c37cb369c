"""The smallest level that holds, by bisection, with checks of the assumptions of bisection.

Bisection finds the level where failing turns into holding, if there is a single one. A metric need
not be monotone in the buffer, so the widest gaps above and below the answer are probed afterwards:
a level that fails above it is reported, one that holds below it becomes the answer and the search
goes on below. A level may be undecided: then the largest that fails and the smallest that holds
have undecided ones between them, and both are searched for.

| parameter | unit | meaning |
|---|---|---|
| ``CHECKS_ABOVE`` | levels | probed above the answer |
| ``CHECKS_BELOW`` | levels | probed below it |
| ``SCANNED`` | levels | probed between the ends if the largest does not hold |
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from ackclock.sizing.verdicts import Verdict

CHECKS_ABOVE = 3
CHECKS_BELOW = 2
SCANNED = 3

Judge = Callable[[int], Verdict]


class Bracket(NamedTuple):
    """What a search has found; levels by number, from 0 on.

    Attributes:
        verdicts: of the levels that were probed.
        holds: the smallest that holds; none if none does.
        fails: the largest that fails, below that if there is one; none if there is none.
        onward: the smallest from which on all that were probed hold; none if the last does not.
    """

    verdicts: dict[int, Verdict]
    holds: int | None
    fails: int | None
    onward: int | None

    def above(self, verdict: Verdict) -> list[int]:
        """Levels above the answer with this verdict."""
        return [
            level
            for level, its in sorted(self.verdicts.items())
            if its is verdict and self.holds is not None and level > self.holds
        ]


def search(last: int, judge: Judge) -> Bracket:
    """Search for the smallest level that holds.

    Args:
        last: number of the largest level, at least 1.
        judge: returns the verdict on a level; called once for each that is probed.
    """
    its = _Search(judge)
    its.ask(0)
    its.ask(last)
    for _ in range(SCANNED):
        if its.holds() is None:
            its.ask_in_widest_gap(0, last)
    before = None
    while its.holds() is not None and its.bracket() != before:
        its.refine()
        before = its.bracket()
        for _ in range(CHECKS_BELOW):
            # A check may find another bracket, and that is to be made narrow first.
            if its.bracket() == before:
                its.ask_in_widest_gap(0, its.holds())
    answer = its.holds()
    if answer is not None:
        for _ in range(CHECKS_ABOVE):
            its.ask_in_widest_gap(answer, last)
    return Bracket(its.verdicts, answer, its.fails(), its.onward(last))


class _Search:
    """What is known so far."""

    def __init__(self, judge: Judge) -> None:
        self.verdicts: dict[int, Verdict] = {}
        self._judge = judge

    def ask(self, level: int) -> None:
        if level not in self.verdicts:
            self.verdicts[level] = self._judge(level)

    def bracket(self) -> tuple[int | None, int | None]:
        return self.fails(), self.holds()

    def holds(self) -> int | None:
        return min(self._with(Verdict.HOLDS), default=None)

    def fails(self) -> int | None:
        answer = self.holds()
        below = [level for level in self._with(Verdict.FAILS) if answer is None or level < answer]
        return max(below, default=None)

    def onward(self, last: int) -> int | None:
        """The smallest level from which on all that were probed hold."""
        found = None
        for level in sorted(self.verdicts, reverse=True):
            if self.verdicts[level] is not Verdict.HOLDS:
                break
            found = level
        return found

    def refine(self) -> None:
        """Bisect until the answer and what fails have no gap beside them."""
        while (gap := self._gap()) is not None:
            self.ask(sum(gap) // 2)

    def ask_in_widest_gap(self, first: int, last: int) -> None:
        """Probe in the middle between two neighbours in a range, if there is a level between."""
        known = [level for level in sorted(self.verdicts) if first <= level <= last]
        gaps = [(b - a, -a) for a, b in pairwise(known)]
        width, start = max(gaps, default=(0, 0))
        if width > 1:
            self.ask(-start + width // 2)

    def _gap(self) -> tuple[int, int] | None:
        """Below the smallest that holds; if there is none, above the largest that fails."""
        answer, fails = self.holds(), self.fails()
        below = max((level for level in self.verdicts if level < answer), default=answer)
        if answer - below > 1:
            return below, answer
        if fails is None:
            return None
        above = min(level for level in self.verdicts if level > fails)
        return (fails, above) if above - fails > 1 else None

    def _with(self, verdict: Verdict) -> list[int]:
        return [level for level, its in self.verdicts.items() if its is verdict]
