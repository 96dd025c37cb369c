"""Numbers of replications, and decisions on them: beside textbook formulas."""

from itertools import product
from math import isnan, nan, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from ackclock.stats.intervals import mean_interval
from ackclock.studies.machinery.estimates import (
    Decision,
    Estimate,
    at_least,
    every,
    none_of,
    open_unless,
    share_above,
    significant,
    within,
)
from ackclock.studies.machinery.evidence import mean, shown
from made_up_numbers import CONSTANT_N, constant, estimate, samples

TRUTHS = (True, None, False)


# Intervals.


@given(samples(1), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_interval_of_a_mean_is_students(values, confidence):
    found = Estimate.of_mean(values[0]).interval(confidence)
    assert found == pytest.approx(mean_interval(values[0], confidence), rel=1e-9, abs=1e-9)


@given(samples(3), st.lists(st.floats(-5, 5), min_size=4, max_size=4))
def test_the_interval_of_a_linear_function_of_means_is_that_of_paired_values(values, weights):
    one, other, third = map(Estimate.of_mean, values)
    a, b, c, d = weights
    found = (a * one - other * b + third / 4 + c - (d - one)).interval()
    each = a * values[0] - values[1] * b + values[2] / 4 + c - (d - values[0])
    assert found == pytest.approx(mean_interval(each), rel=1e-9, abs=1e-8)


def test_a_ratio_has_the_interval_of_the_jackknife():
    x, y = np.array([1.0, 2.0, 3.0, 6.0]), np.array([2.0, 2.0, 5.0, 7.0])
    found = Estimate.of_mean(x) / Estimate.of_mean(y)
    others = np.array([11 / 14, 10 / 14, 9 / 11, 6 / 9])
    error = sqrt(3 / 4 * ((others - 12 / 16) ** 2).sum())
    assert found.mean == 12 / 16
    assert found.standard_error == pytest.approx(error)
    assert found.interval().hi == pytest.approx(0.75 + 3.182446305 * error)
    assert found.interval(0.9).lo == pytest.approx(0.75 - 2.353363435 * error)


@pytest.mark.parametrize(
    "function", [np.sqrt, np.log, np.abs, lambda its: its**2, lambda its: -its, lambda its: 1 / its]
)
def test_functions_of_a_mean_are_those_of_the_means_without_each_replication(function):
    values = np.array([2.0, 3.0, 7.0])
    found = function(Estimate.of_mean(values))
    assert found.values == pytest.approx(function(np.array([4.0, 5.0, 4.5, 2.5])))
    assert found.n == 3


def test_an_even_function_near_0_is_as_unsure_as_its_number():
    assert (abs(estimate(30.1, -30)) < 10).holds is None
    assert (abs(estimate(*[30.1, -30] * 15)) < 10).holds is None


def test_the_standard_error_of_a_smooth_function_is_about_that_of_its_slope():
    values = np.random.default_rng(3).normal(50, 2, size=40)
    its = Estimate.of_mean(values)
    assert np.log(its).standard_error == pytest.approx(its.standard_error / 50, rel=0.02)


def test_a_number_with_fewer_replications_makes_no_interval_narrower():
    few, many = np.array([1.0, 4.0, 2.0]), np.full(30, 5.0)
    both = Estimate.of_mean(few) + Estimate.of_mean(many)
    alone = Estimate.of_mean(few)
    assert (both.n, both.values.size) == (3, 31)
    assert both.mean == alone.mean + 5
    assert alone.standard_error <= both.standard_error < 1.3 * alone.standard_error
    assert both.interval().hi - both.mean >= alone.interval().hi - alone.mean
    assert (Estimate.of_mean(many) + Estimate.of_mean(few)).values == pytest.approx(both.values)


def test_the_means_of_the_first_replications_go_with_those_that_are_missing_elsewhere():
    few, many = np.array([1.0, 4.0]), np.array([3.0, 5.0, 10.0])
    both = Estimate.of_mean(many) - Estimate.of_mean(few)
    assert both.values == pytest.approx([6 - 2.5, 7.5 - 4, 6.5 - 1, 4 - 2.5])


def test_one_replication_has_a_number_and_no_interval():
    its = estimate(3) - 1
    assert its.interval()[0] == 2
    assert isnan(its.interval().lo)
    assert isnan(its.interval().hi)
    assert isnan(its.standard_error)
    assert shown(its, decimals=2, unit=" s") == "2.00 s"


def test_numbers_in_words():
    its = estimate(1, 2, 3)
    assert shown(its) == "2.0 % (-0.5, 4.5)"
    assert shown(its, 0.9, decimals=2, unit="", signed=True) == "+2.00 (+0.31, +3.69)"


def test_the_mean_of_numbers_has_equal_weights():
    numbers = [estimate(1, 2), estimate(4, 6), estimate(1, 4)]
    assert mean(numbers).values == pytest.approx(estimate(2, 4).values)
    drawn = [np.array([1, 2]), np.array([3, 6])]
    assert mean(drawn).tolist() == [2, 4]


# Comparisons.


@given(samples(2))
def test_a_comparison_is_decided_by_the_interval_of_the_paired_difference(values):
    difference = values[0] - values[1]
    assume(difference.std() > 1e-6)
    one, other = map(Estimate.of_mean, values)
    test = stats.ttest_rel(*values)
    interval = mean_interval(difference)
    assume(abs(test.pvalue - 0.05) > 1e-6)
    for found in (one > other, other < one, one >= other, one - other > 0):
        assert found.p == pytest.approx(test.pvalue, rel=1e-6, abs=1e-12)
        assert found.holds == (True if interval.lo > 0 else False if interval.hi < 0 else None)
        assert (found.holds is None) == (test.pvalue > 0.05)


@pytest.mark.parametrize("number", [3, 3.0, np.float64(3), np.int64(3)])
def test_numbers_and_estimates_are_compared_either_way(number):
    low, high = estimate(1, 1.1, 0.9), estimate(5, 5.1, 4.9)
    for found in (low < number, number > low, number >= low, high > number, number < high):
        assert found.holds is True
    for found in (low > number, number < low, number <= low, high <= number, number >= high):
        assert found.holds is False


def test_two_replications_decide_nothing_that_scatters_as_much_as_it_differs():
    found = estimate(1, 2) > 0
    assert found.holds is None
    assert found.p == pytest.approx(2 * stats.t.sf(3, 1))


def test_an_interval_of_a_true_difference_of_0_misses_it_in_one_of_20_cases():
    random = np.random.default_rng(5)
    runs = random.normal(size=(4000, 2, 6))
    found = [Estimate.of_mean(x) > Estimate.of_mean(y) for x, y in runs]
    decided = sum(its.holds is not None for its in found) / len(found)
    assert decided == pytest.approx(0.05, abs=0.01)
    assert sum(its.holds is True for its in found) / len(found) == pytest.approx(0.025, abs=0.008)


def test_an_interval_of_a_ratio_misses_it_in_about_one_of_20_cases():
    random = np.random.default_rng(6)
    runs = random.gamma(20, size=(4000, 2, 10))
    ratios = (Estimate.of_mean(x) / Estimate.of_mean(y) for x, y in runs)
    missed = sum(((its - 1) > 0).holds is not None for its in ratios) / len(runs)
    assert missed == pytest.approx(0.05, abs=0.015)


def test_one_replication_decides_no_comparison():
    for found in (estimate(3) > 1, estimate(3) <= estimate(4), estimate(3) >= estimate(1, 2, 3)):
        assert found.holds is None
        assert isnan(found.p)


def test_a_number_that_is_nan_decides_nothing():
    for found in (estimate(1, nan, 2) > 0, estimate(1, 2, 3) > nan):
        assert found.holds is None
        assert isnan(found.p)


# What is the same in every replication.


@pytest.mark.parametrize("n", range(2, 12))
def test_constant_values_are_decided_by_the_sign_test(n):
    expected_p = stats.binomtest(n, n, 0.5).pvalue
    for found, holds in (
        (constant(2, n) > 1, True),
        (constant(2, n) <= 1, False),
        (constant(2, n) < constant(3, n), True),
    ):
        assert found.p == pytest.approx(expected_p)
        assert found.holds == (holds if n >= CONSTANT_N else None)


def test_equal_constant_values_are_neither_larger_nor_smaller():
    two = constant(2)
    for found in (two >= 2, two <= 2, two >= two, two - 2 <= 0):
        assert found.holds is True
    for found in (two > 2, two < 2, two > two, two - 2 < 0):
        assert found.holds is False


def test_rounding_is_no_difference():
    noise = constant(0.1, 8) + 0.2
    assert noise.mean > 0.3
    for found in (noise >= 0.3, noise <= 0.3, noise - 0.2 <= 0.1, constant(0.3, 8) >= noise):
        assert found.holds is True
    for found in (noise > 0.3, noise < 0.3, constant(0.3, 8) < noise):
        assert found.holds is False


def test_rounding_that_is_not_the_same_in_every_replication_is_no_scatter():
    sums = estimate(0.1 + 0.2, 0.3, 0.1 + 0.2, 0.3, 0.1 + 0.2, 0.3)
    assert (sums <= 0.3).holds is True
    assert (sums > 0.3).holds is False
    assert (sums > 0.3).p == pytest.approx(2 / 64)


def test_a_small_difference_is_one():
    assert (constant(1 + 1e-9) > 1).holds is True
    assert (constant(1e-20) > 0).holds is True
    assert (constant(0) > 0).holds is False


# Kleene's logic.


def completions(truths):
    """What undecided statements may turn out to be."""
    return product(*([True, False] if its is None else [its] for its in truths))


def of_all(results):
    """What is the same in all cases, or undecided."""
    results = set(results)
    return results.pop() if len(results) == 1 else None


@pytest.mark.parametrize(("one", "other"), list(product(TRUTHS, repeat=2)))
def test_two_statements_are_connected_as_by_kleene(one, other):
    first, second = Decision(one, 0.01), Decision(other, 0.02)
    both, either = (first & second).holds, (first | second).holds
    assert both is of_all(all(its) for its in completions((one, other)))
    assert either is of_all(any(its) for its in completions((one, other)))
    assert (~first).holds is of_all(not its for (its,) in completions((one,)))
    assert (~first).p == 0.01
    assert (~(first & second)).holds is (~first | ~second).holds


@given(st.lists(st.sampled_from(TRUTHS), min_size=1, max_size=6), st.integers(0, 7))
def test_so_many_hold_if_they_do_whatever_turns_out(truths, count):
    decisions = [Decision(its, 0.01) for its in truths]
    assert at_least(count, decisions).holds is of_all(
        sum(its) >= count for its in completions(truths)
    )
    assert every(decisions).holds is of_all(all(its) for its in completions(truths))
    assert at_least(count, iter(decisions)) == at_least(count, decisions)


@pytest.mark.parametrize(
    ("decisions", "count", "expected"),
    [
        # All must hold: the one that is least sure.
        ([(True, 0.01), (True, 0.03)], None, (True, 0.03)),
        # One that fails is enough: the one that is most sure.
        ([(False, 0.01), (False, 0.03), (True, 0.04), (None, 0.5)], None, (False, 0.01)),
        # What leaves it open.
        ([(None, 0.2), (None, 0.5), (True, 0.01)], None, (None, 0.5)),
        # Two are enough: the second that is most sure.
        ([(True, 0.03), (True, 0.01), (True, 0.02), (False, 0.04)], 2, (True, 0.02)),
        # Two that fail leave less than two.
        ([(False, 0.03), (False, 0.01), (False, 0.02), (True, 0.04)], 3, (False, 0.02)),
        # What holds without a comparison is sure, wherever it stands.
        ([(True, nan), (True, 0.03)], 1, (True, nan)),
        ([(True, 0.03), (True, nan)], 1, (True, nan)),
        ([(True, 0.03), (True, nan), (True, 0.01)], 2, (True, 0.01)),
        ([(True, 0.01), (True, 0.03), (True, nan)], 3, (True, 0.03)),
    ],
)
def test_p_is_that_of_the_comparison_that_is_least_sure(decisions, count, expected):
    found = at_least(count, [Decision(*its) for its in decisions])
    assert (found.holds, found.p) == pytest.approx(expected, nan_ok=True)


def test_one_of_two_statements_has_the_p_of_the_surer_one():
    assert (Decision(True, 0.01) | Decision(True, 0.03)).p == 0.01
    assert (Decision(False, 0.01) | Decision(False, 0.03)).p == 0.03


def test_tables_of_single_runs_are_counted_one_by_one():
    flags = [np.array([True, True, False]), np.array([True, False, False])]
    assert every(flags).tolist() == [True, False, False]
    assert at_least(1, flags).tolist() == [True, True, False]
    assert at_least(0, flags).tolist() == [True] * 3


def test_verdicts_in_words():
    assert [Decision(its).text for its in TRUTHS] == ["true", "undecided", "false"]


def test_what_is_significant_is_true_and_decided():
    sure = Decision(True, 0.01)
    assert significant(sure) is sure
    assert [significant(Decision(its)).holds for its in (None, False)] == [False, False]
    flags = np.array([True, False])
    assert significant(flags) is flags


def test_what_holds_counts_only_if_numbers_are_sharp_enough():
    for sharp, holds in product(TRUTHS, repeat=2):
        found = open_unless(Decision(sharp), Decision(holds, 0.03)).holds
        assert found is (None if holds and not sharp else holds)
    flags = np.array([True, False])
    assert open_unless(np.array([False, False]), flags) is flags


# Equivalence.


@given(samples(1), st.floats(0.01, 500))
def test_a_difference_is_none_by_two_one_sided_tests(values, resolution):
    its = values[0]
    assume(its.std() > 1e-6)
    lower = stats.ttest_1samp(its, -resolution, alternative="greater").pvalue
    upper = stats.ttest_1samp(its, resolution, alternative="less").pvalue
    p = max(lower, upper)
    assume(abs(p - 0.05) > 1e-6)
    found = within(Estimate.of_mean(its), resolution)
    assert (found.holds is True) == (p < 0.05)
    interval = mean_interval(its, 0.9)
    assert (found.holds is False) == (interval.lo > resolution or interval.hi < -resolution)


@pytest.mark.parametrize(
    ("values", "holds"),
    [
        ((0.9, 1.1, 1.0, 1.0), True),
        ((-0.9, -1.1, -1.0, -1.0), True),
        ((1.9, 2.1, 2.0, 2.0), None),
        ((-5, 5, 0, 0), None),
        ((0.5, 3.3, 1.9, 1.9), None),
        ((2.9, 3.1, 3.0, 3.0), False),
        ((-2.9, -3.1, -3.0, -3.0), False),
    ],
)
def test_a_difference_lies_within_a_resolution_outside_or_neither(values, holds):
    found = within(estimate(*values), 2)
    assert found.holds is holds
    # Sure if the distance from the resolution is many standard errors.
    its = np.array(values)
    t = (2 - abs(its.mean())) / (its.std(ddof=1) / 2)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(t), 3))


def test_more_replications_never_undo_an_equivalence():
    random = np.random.default_rng(2).normal(1, 3, size=10_000)
    found = [within(Estimate.of_mean(random[:n]), 2).holds for n in (2, 5, 30, 100, 1000, 10_000)]
    assert found == [None, None, True, True, True, True]


def test_a_constant_difference_needs_the_replications_of_the_sign_test():
    assert [within(constant(1, n), 2).holds for n in range(1, 8)] == [None] * 5 + [True] * 2
    assert [within(constant(-3, n), 2).holds for n in range(1, 8)] == [None] * 5 + [False] * 2
    assert within(constant(1), 2).p == pytest.approx(2 / 64)


def test_a_difference_that_is_the_resolution_but_for_rounding_lies_within():
    noise = constant(0.1, 8) + 0.2
    assert noise.mean > 0.3
    assert within(noise, 0.3).holds is within(-noise, 0.3).holds is True
    assert within(constant(0.0), 0).holds is True


def test_one_replication_shows_no_equivalence():
    assert within(estimate(0), 2).holds is None


def test_in_tables_of_single_runs_differences_themselves_are_compared():
    assert within(np.array([1, -2, 2.5, -3]), 2).tolist() == [True, True, False, False]


# Shares of runs.


def flags(true, n):
    return np.arange(n) < true


@pytest.mark.parametrize("n", [1, 5, 60])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_share_of_runs_is_decided_by_the_exact_interval(n, share):
    for true in range(n + 1):
        found = share_above(flags(true, n), share)
        less, greater = (
            stats.binomtest(true, n, share, side).pvalue for side in ("less", "greater")
        )
        assert found.p == pytest.approx(min(1, 2 * less, 2 * greater))
        assert (found.holds is None) == (found.p >= 0.05)
        # Clopper and Pearson: quantiles of beta distributions.
        lo = stats.beta.ppf(0.025, true, n - true + 1) if true else 0
        hi = stats.beta.ppf(0.975, true + 1, n - true) if true < n else 1
        assert found.holds is (True if lo > share else False if hi < share else None)


def test_what_happens_in_no_run_needs_many_of_them():
    assert none_of(flags(1, 1000), 0.1) == Decision(False, 0.0)
    found = [none_of(flags(0, n), 0.1) for n in (1, 10, 30, 35, 36, 100)]
    assert [its.holds for its in found] == [None, None, None, None, True, True]
    assert found[2].p == pytest.approx(2 * 0.9**30)
