"""The bisection, given verdicts: what it finds, how little it asks, what it notices."""

from math import ceil, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.sizing.search import CHECKS_ABOVE, CHECKS_BELOW, SCANNED, search
from ackclock.sizing.verdicts import Verdict

HOLDS, FAILS, UNDECIDED = Verdict.HOLDS, Verdict.FAILS, Verdict.UNDECIDED
CHECKS = CHECKS_ABOVE + CHECKS_BELOW


class Asked:
    """A judge that refuses to be asked twice."""

    def __init__(self, verdicts):
        self.verdicts = verdicts
        self.levels = []

    def __call__(self, level):
        assert level not in self.levels
        self.levels.append(level)
        return self.verdicts[level]


def found(verdicts):
    judge = Asked(verdicts)
    return search(len(verdicts) - 1, judge), judge


@given(levels=st.integers(2, 400), data=st.data())
def test_one_place_where_failing_ends(levels, data):
    first = data.draw(st.integers(1, levels - 1))
    bracket, judge = found([FAILS] * first + [HOLDS] * (levels - first))
    assert (bracket.fails, bracket.holds) == (first - 1, first)
    assert bracket.onward == first
    assert not bracket.above(FAILS)
    assert len(judge.levels) <= 2 + ceil(log2(levels - 1)) + CHECKS


@given(levels=st.integers(3, 300), data=st.data())
def test_undecided_levels_between(levels, data):
    first = data.draw(st.integers(1, levels - 2))
    end = data.draw(st.integers(first + 1, levels - 1))
    verdicts = [FAILS] * first + [UNDECIDED] * (end - first) + [HOLDS] * (levels - end)
    bracket, judge = found(verdicts)
    assert (bracket.fails, bracket.holds, bracket.onward) == (first - 1, end, end)
    assert len(judge.levels) <= 2 + 2 * ceil(log2(levels - 1)) + CHECKS


@given(st.lists(st.sampled_from(list(Verdict)), min_size=2, max_size=60))
def test_whatever_the_verdicts_are(verdicts):
    bracket, judge = found(verdicts)
    assert bracket.verdicts == {level: verdicts[level] for level in judge.levels}
    assert {0, len(verdicts) - 1} <= set(judge.levels)
    holding = [level for level in judge.levels if verdicts[level] is HOLDS]
    assert bracket.holds == min(holding, default=None)
    if bracket.holds:
        assert bracket.holds - 1 in judge.levels
    if bracket.fails is not None:
        assert verdicts[bracket.fails] is FAILS
        if bracket.holds is not None:
            assert bracket.fails < bracket.holds
            assert bracket.fails + 1 in judge.levels
    if bracket.onward is not None:
        onward = [verdicts[level] for level in judge.levels if level >= bracket.onward]
        assert set(onward) == {HOLDS}


def test_the_smallest_holds_already():
    bracket, judge = found([HOLDS] * 100)
    assert (bracket.fails, bracket.holds, bracket.onward) == (None, 0, 0)
    assert len(judge.levels) == 2 + CHECKS_ABOVE


def test_none_holds():
    bracket, judge = found([FAILS] * 100)
    assert (bracket.fails, bracket.holds, bracket.onward) == (99, None, None)
    assert len(judge.levels) == 2 + SCANNED


def test_a_failure_above_the_answer_is_noticed():
    verdicts = [FAILS] * 20 + [HOLDS] * 30 + [FAILS] * 20 + [HOLDS] * 30
    bracket, _ = found(verdicts)
    assert bracket.holds in (20, 70)
    if bracket.holds == 20:
        assert bracket.above(FAILS)
        assert bracket.onward >= 70


def test_one_that_holds_below_becomes_the_answer():
    # Bisection goes up from 50; the check in the middle below finds an earlier place.
    verdicts = [FAILS] * 15 + [HOLDS] * 15 + [FAILS] * 40 + [HOLDS] * 31
    bracket, _ = found(verdicts)
    assert (bracket.fails, bracket.holds) == (14, 15)
    assert bracket.above(FAILS)
    assert bracket.onward >= 70


@pytest.mark.parametrize("place", [25, 50, 75])
def test_an_island_is_found_though_the_largest_fails(place):
    verdicts = [FAILS] * 101
    verdicts[place - 5 : place + 6] = [HOLDS] * 11
    bracket, _ = found(verdicts)
    assert (bracket.fails, bracket.holds) == (place - 6, place - 5)
    assert bracket.onward is None
    assert 100 in bracket.above(FAILS)
