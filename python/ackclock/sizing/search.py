"""Bisection for the smallest level that holds, with checks of the assumptions of bisection.

Bisection finds the level at which "fails" changes to "holds", if there is only one change. A metric
may not be monotone in the buffer, so the widest gaps above and below the answer are probed
afterwards. A failing level above the answer is reported. A level that holds below the answer
becomes the answer, and the search continues below it. A level may be undecided. Then undecided
levels lie between the largest that fails and the smallest that holds, and the search finds both.

| parameter | unit | meaning |
|---|---|---|
| ``CHECKS_ABOVE`` | levels | number of levels to probe above the answer |
| ``CHECKS_BELOW`` | levels | number of levels to probe below the answer |
| ``SCANNED`` | levels | number to probe between the ends if the largest level does not hold |
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
    """The result of a search; levels by number, from 0.

    Attributes:
        verdicts: verdicts of the probed levels.
        holds: the smallest level that holds; none if no level holds.
        fails: the largest level that fails, below ``holds`` if that exists; none without one.
        onward: the smallest level from which all larger probed levels hold; none if the last fails.
    """

    verdicts: dict[int, Verdict]
    holds: int | None
    fails: int | None
    onward: int | None

    def above(self, verdict: Verdict) -> list[int]:
        """Return the levels above the answer with this verdict."""
        return [
            level
            for level, its in sorted(self.verdicts.items())
            if its is verdict and self.holds is not None and level > self.holds
        ]


def search(last: int, judge: Judge) -> Bracket:
    """Search for the smallest level that holds.

    Args:
        last: number of the largest level, at least 1.
        judge: returns the verdict on a level; called once for each probed level.
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
            # A check may find another bracket, which must be narrowed first.
            if its.bracket() == before:
                its.ask_in_widest_gap(0, its.holds())
    answer = its.holds()
    if answer is not None:
        for _ in range(CHECKS_ABOVE):
            its.ask_in_widest_gap(answer, last)
    return Bracket(its.verdicts, answer, its.fails(), its.onward(last))


class _Search:
    """The state of a search."""

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
        """Return the smallest level from which all larger probed levels hold."""
        found = None
        for level in sorted(self.verdicts, reverse=True):
            if self.verdicts[level] is not Verdict.HOLDS:
                break
            found = level
        return found

    def refine(self) -> None:
        """Bisect until there is no gap beside the answer and the failing level."""
        while (gap := self._gap()) is not None:
            self.ask(sum(gap) // 2)

    def ask_in_widest_gap(self, first: int, last: int) -> None:
        """Probe the middle of the widest gap between probed levels in a range."""
        known = [level for level in sorted(self.verdicts) if first <= level <= last]
        gaps = [(b - a, -a) for a, b in pairwise(known)]
        width, start = max(gaps, default=(0, 0))
        if width > 1:
            self.ask(-start + width // 2)

    def _gap(self) -> tuple[int, int] | None:
        """Return the gap below the smallest level that holds, else above the largest that fails."""
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
