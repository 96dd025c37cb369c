"""Verdicts on means: looks, the width of intervals, and how often a whole search is right."""

from itertools import pairwise
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm as normal_law

from ackclock.results.equal_replications import all_alike
from ackclock.sizing.search import search
from ackclock.sizing.target import read_target
from ackclock.sizing.verdicts import FIRST_LOOK, Rule, Verdict, looks
from ackclock.stats import mean_interval

AT_LEAST = read_target("efficiency >= 98 %")
AT_MOST = read_target("completion_s <= 2 s")
NEVER = read_target("drops <= 0")
LOOKS = looks(40)
LEVELS = 60
CASES = 250


def rule(target=AT_LEAST, confidence=0.95, levels=LEVELS):
    return Rule(target, confidence, LOOKS, levels)


@given(st.integers(2, 10**6))
def test_looks_end_at_the_maximum(maximum):
    found = looks(maximum)
    assert found[-1] == maximum
    assert found[0] == min(FIRST_LOOK, maximum)
    assert list(found) == sorted(set(found))
    assert all(after >= 1.2 * look for look, after in pairwise(found))


def test_the_usual_looks():
    assert looks(40) == (5, 8, 12, 18, 27, 40)
    # Of a larger maximum the first are the same, so that what was made is used.
    assert looks(100)[:5] == looks(40)[:5]


def test_the_error_is_shared_by_all_buffers_and_looks():
    values = [0.9, 0.92, 0.91, 0.9, 0.93]
    assert rule().confidence_of_each == pytest.approx(1 - 0.05 / (60 * 6))
    assert rule().judge(values).interval == mean_interval(values, rule().confidence_of_each)


@pytest.mark.parametrize(
    ("target", "mean", "verdict"),
    [
        (AT_LEAST, 0.99, Verdict.HOLDS),
        (AT_LEAST, 0.97, Verdict.FAILS),
        (AT_LEAST, 0.98, None),
        (AT_MOST, 1.9, Verdict.HOLDS),
        (AT_MOST, 2.1, Verdict.FAILS),
        (AT_MOST, 2.0, None),
    ],
)
def test_on_which_side_an_interval_is(target, mean, verdict):
    values = mean + 0.0001 * np.array([-2, -1, 0, 1, 2.0])
    assert rule(target).judge(values).verdict is verdict
    many = np.resize(values, 40)
    assert rule(target).judge(many).verdict is (verdict or Verdict.UNDECIDED)


def test_what_does_not_vary_is_known_when_most_runs_are():
    for n in (5, 8, 12):
        assert rule().judge([1.0] * n).verdict is None
        assert rule().judge([1.0] * n).others > 0.5
    known = rule().judge([1.0] * 18)
    assert known.verdict is Verdict.HOLDS
    # So many others are as likely not to be seen in 18 runs as one interval may be wrong.
    assert (1 - known.others) ** 18 == pytest.approx(0.05 / (LEVELS * len(LOOKS)))
    # A value that is the target holds, on both sides.
    assert rule().judge([0.98] * 18).verdict is Verdict.HOLDS
    assert rule(AT_MOST).judge([2.0] * 18).verdict is Verdict.HOLDS
    # A larger maximum takes no more runs.
    assert Rule(AT_LEAST, 0.95, looks(1000), LEVELS).judge([1.0] * 18).verdict is Verdict.HOLDS


def test_few_others_among_equals_tell_little_of_the_spread():
    # Student's interval of these is above the target; one run of 18 may be far off by chance.
    for n in (5, 8, 12):
        assert rule().judge([1.0] * (n - 1) + [0.9999]).verdict is None
    assert rule().judge([1.0] * 17 + [0.9999]).verdict is Verdict.HOLDS
    assert rule().judge([1.0] * 16 + [0.9999] * 2).verdict is None
    assert rule().judge([1.0] * 13 + [0.9999, 0.9998, 0.9997, 0.9996, 0.9995]).others == 0


def test_what_no_other_run_can_change_is_known_at_once():
    # Were all runs but those seen 1, the mean would still be too low; efficiency is no more than 1.
    assert rule().judge([0.5] * 5).verdict is Verdict.FAILS
    assert rule(read_target("efficiency >= 15 %")).judge([1.0] * 5).verdict is Verdict.HOLDS
    # A delay has no bound above, but one below.
    assert rule(AT_MOST).judge([20.0] * 5).verdict is Verdict.FAILS
    assert rule(AT_MOST).judge([0.1] * 12).verdict is None


@given(
    target=st.sampled_from(["efficiency >= 60 %", "efficiency <= 40 %", "completion_s <= 2 s"]),
    value=st.floats(0, 1),
    n=st.sampled_from(LOOKS),
)
def test_a_constant_is_judged_early_only_against_the_worst_others(target, value, n):
    its = rule(read_target(target))
    judged = its.judge([value] * n)
    if judged.verdict is None or judged.others <= 0.5 or n == LOOKS[-1]:
        return
    for other in (0.0, 1.0 if "efficiency" in target else 1e9):
        mean = (1 - judged.others) * value + judged.others * other
        side = Verdict.HOLDS if its.target.reached_by(mean) else Verdict.FAILS
        assert judged.verdict is side


def test_what_does_not_vary_in_anything_is_known_at_once():
    assert rule().judge([1.0] * 5, alike=True).verdict is Verdict.HOLDS
    assert rule().judge([0.5] * 5, alike=True).verdict is Verdict.FAILS


def test_rows_that_are_alike():
    row = {"x": 1.0, "y": nan, "flows": {"z": [1, 2]}}
    assert all_alike([row, dict(row)])
    assert not all_alike([row, {**row, "flows": {"z": [1, 3]}}])
    assert not all_alike([row])


def test_never_is_missed_by_one_run_and_reached_only_at_the_end():
    assert rule(NEVER).judge([0, 0, 0, 0, 1]).verdict is Verdict.FAILS
    assert rule(NEVER).judge([0] * 27).verdict is None
    assert rule(NEVER).judge([0] * 40).verdict is Verdict.HOLDS


def test_a_share_of_all_is_missed_by_one_run_and_reached_only_at_the_end():
    always = read_target("utilisation >= 100 %")
    assert rule(always).judge([1, 1, 1, 1, 0.999]).verdict is Verdict.FAILS
    assert rule(always).judge([0.999] * 5).verdict is Verdict.FAILS
    assert rule(always).judge([1.0] * 27).verdict is None
    assert rule(always).judge([1.0] * 40).verdict is Verdict.HOLDS


@pytest.mark.parametrize("strange", [nan, inf])
def test_a_value_that_is_none_decides_nothing(strange):
    assert rule().judge([1.0] * 4 + [strange]).verdict is None
    assert rule().judge([1.0] * 39 + [strange]).verdict is Verdict.UNDECIDED


def normal(rng, shape):
    return rng.normal(size=shape)


def skewed(rng, shape):
    """Exponential, the long tail on the side that efficiencies have."""
    return 1 - rng.exponential(size=shape)


def searches(seed, its, noise):
    """Of each search: whether its bracket misses the truth, a verdict is wrong, and its runs.

    The mean rises by a tenth of a standard deviation a level and reaches the target between two
    levels, somewhere else in each search. Half of the variance is common to all levels.
    """
    rng = np.random.default_rng(seed)
    results = []
    for _ in range(CASES):
        truth = rng.uniform(5, LEVELS - 5)
        means = its.target.value + 0.001 * (np.arange(LEVELS) - truth)
        common, own = noise(rng, (1, LOOKS[-1])), noise(rng, (LEVELS, LOOKS[-1]))
        draws = means[:, np.newaxis] + 0.01 * (common + own) / np.sqrt(2)
        results.append(_searched(its, draws, truth))
    return np.array(results).T


def _searched(its, draws, truth, judge_values=Rule.judge):
    runs = 0

    def judge(level):
        nonlocal runs
        for n in its.looks:
            verdict = judge_values(its, draws[level, :n]).verdict
            if verdict is not None:
                runs += n
                return verdict

    found = search(LEVELS - 1, judge)
    wrong = {Verdict.HOLDS: lambda at: at < truth, Verdict.FAILS: lambda at: at > truth}
    mistakes = [
        at for at, verdict in found.verdicts.items() if verdict in wrong and wrong[verdict](at)
    ]
    # Where all that is near the truth is undecided there is no bracket, or half of one.
    missed = found.holds is not None and found.holds < truth
    missed |= found.fails is not None and found.fails > truth
    return missed, bool(mistakes), runs


@pytest.mark.parametrize("noise", [normal, skewed])
def test_a_whole_search_is_right_as_often_as_it_says(noise):
    missed, mistaken, _ = searches(1, rule(), noise)
    assert np.mean(missed) <= 0.05
    assert np.mean(mistaken) <= 0.05


def saturated_searches(its, bound, judge=Rule.judge):
    """As ``searches``, of a metric that no run has above a bound, where many runs are then alike.

    Args:
        its: the rule.
        bound: in standard deviations above the target.
        judge: instead of the rule's.
    """
    rng = np.random.default_rng(3)
    levels, results = np.arange(LEVELS), []
    for _ in range(CASES):
        places = 0.1 * (levels - rng.uniform(5, LEVELS - 5))
        # The mean of a normal value that is cut off at the bound.
        below = bound - places
        means = bound - normal_law.pdf(below) - below * normal_law.cdf(below)
        truth = np.searchsorted(means, 0) - 0.5
        common, own = normal(rng, (1, LOOKS[-1])), normal(rng, (LEVELS, LOOKS[-1]))
        draws = places[:, np.newaxis] + (common + own) / np.sqrt(2)
        scaled = its.target.value + 0.01 * np.minimum(draws, bound)
        results.append(_searched(its, scaled, truth, judge))
    return np.array(results).T


@pytest.mark.parametrize("bound", [0.1, 0.2, 0.5])
def test_a_search_of_what_saturates_is_right_as_often_as_it_says(bound):
    missed, mistaken, _ = saturated_searches(rule(), bound)
    assert np.mean(missed) <= 0.05
    assert np.mean(mistaken) <= 0.05


def test_what_waiting_for_most_runs_is_for():
    def at_once(its, values):
        return its.judge(values, alike=min(values) == max(values))

    _, mistaken, _ = saturated_searches(rule(), 0.2, at_once)
    assert np.mean(mistaken) > 0.1


def test_what_the_shares_are_for():
    # Each interval by itself of 95 %, at every look and buffer, as if it were the only one.
    naive = rule(confidence=1 - 0.05 * LEVELS * len(LOOKS))
    assert naive.confidence_of_each == pytest.approx(0.95)
    missed, mistaken, _ = searches(1, naive, normal)
    assert np.mean(missed) > 0.08
    assert np.mean(mistaken) > 0.1


def test_buffers_far_from_the_target_take_few_runs():
    _, _, runs = searches(1, rule(), normal)
    # A grid of all levels at the maximum takes 2400.
    assert np.mean(runs) < 600
