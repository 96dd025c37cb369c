"""Quantiles and their distribution-free intervals."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats as scipy_stats

from ackclock.stats import quantile_interval
from ackclock.stats.quantiles import percentile_of, trimmed_mean

# A machine may be busy: a slow example is no failure.
unhurried = settings(deadline=None)
finite = st.floats(-1e6, 1e6)
samples = st.lists(finite, min_size=1, max_size=60)


def exactly_below(k, n, q):
    """P(B <= k) of a binomial with n and q, without rounding."""
    return sum(comb(n, i) * q**i * (1 - q) ** (n - i) for i in range(k + 1))


@pytest.mark.parametrize(
    ("n", "lower", "upper", "percent"),
    [
        (6, 1, 6, 96.9),
        (9, 2, 8, 96.1),
        (10, 2, 9, 97.9),
        (12, 3, 10, 96.1),
        (15, 4, 12, 96.5),
        (17, 5, 13, 95.1),
        (18, 5, 14, 96.9),
        (19, 5, 15, 98.1),
        (20, 6, 15, 95.9),
    ],
)
def test_published_ranks_for_the_median(n, lower, upper, percent):
    # The usual table of intervals for the median: for every n the narrowest with 95 % or more.
    interval = quantile_interval(np.random.default_rng(n).permutation(n) + 1.0, 0.5)
    assert (interval.lo, interval.hi) == (lower, upper)
    assert 100 * interval.coverage == pytest.approx(percent, abs=0.05)


def test_ten_values_cover_the_median_with_1002_of_1024():
    assert quantile_interval(range(10), 0.5).coverage == pytest.approx(1002 / 1024)


def test_textbook_interval_of_a_median():
    # Snedecor, Cochran, Statistical Methods (8th ed., 1989), as worked by the R package statpsych.
    values = [30.2, 20.4, 15.1, 10.2, 10.5, 60.8, 20.8, 25.0, 20.7, 30.9, 10.8, 5.1, 50.9, 40.0]
    interval = quantile_interval([*values, 20.9, 10.8, 0, 20.5, 50.8], 0.5)
    assert interval[:3] == (20.7, 10.8, 30.9)


@unhurried
@given(st.integers(1, 60), st.integers(1, 99), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_ranks_are_the_narrowest_with_that_much_in_neither_tail(n, percent, confidence):
    q, tail = Fraction(percent, 100), (1 - confidence) / 2
    interval = quantile_interval(np.arange(1.0, n + 1), percent / 100, confidence)
    lower = max((k for k in range(1, n + 1) if exactly_below(k - 1, n, q) <= tail), default=0)
    upper = min((k for k in range(1, n + 1) if 1 - exactly_below(k - 1, n, q) <= tail), default=0)
    if lower and upper:
        assert (interval.lo, interval.hi) == (lower, upper)
        exact = exactly_below(upper - 1, n, q) - exactly_below(lower - 1, n, q)
        assert interval.coverage == pytest.approx(float(exact), abs=1e-12)
        assert exact >= confidence - 1e-12
    else:
        assert np.isnan([interval.lo, interval.hi, interval.coverage]).all()


@unhurried
@given(st.lists(finite, min_size=1, max_size=60, unique=True), st.floats(0.02, 0.98))
def test_agrees_with_scipy(values, q):
    ours = quantile_interval(values, q)
    theirs = scipy_stats.quantile_test(values, q=0, p=q).confidence_interval(0.95)
    expected = (theirs.low, theirs.high)
    assert_allclose(ours[1:3], expected if not np.isnan(expected).any() else (np.nan, np.nan))


def test_a_tail_may_be_just_as_large_as_allowed():
    # P(B <= 0) = P(B >= 2) = 1 / 4 for two values and their median.
    assert quantile_interval([1.0, 2.0], 0.5, 0.5) == (1.5, 1, 2, 2, 0.5)


def test_the_quantile_inverts_the_distribution_function_of_the_sample():
    values = range(1, 11)
    assert quantile_interval(values, 0.25).quantile == 3
    assert quantile_interval(values, 0.2).quantile == 2.5


@unhurried
@given(samples)
def test_the_median_is_the_usual_one(values):
    assert quantile_interval(values, 0.5).quantile == pytest.approx(np.median(values))


@unhurried
@given(samples, st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_the_quantile_lies_within_its_interval(values, q, confidence):
    quantile, lo, hi, n, _ = quantile_interval(values, q, confidence)
    assert n == len(values)
    assert np.isnan(lo) or lo <= quantile <= hi


@unhurried
@given(samples, st.floats(-100, 100), st.floats(0.01, 100), st.randoms(use_true_random=False))
def test_follows_shift_and_scale_and_no_order(values, shift, scale, random):
    plain = quantile_interval(values, 0.3, 0.8)
    shuffled = random.sample(values, len(values))
    moved = quantile_interval(np.array(shuffled) * scale + shift, 0.3, 0.8)
    assert_allclose(moved[:3], np.array(plain[:3]) * scale + shift, rtol=1e-9, atol=1e-6)
    assert moved[3:] == plain[3:] or np.isnan(plain.coverage)


@unhurried
@given(st.lists(finite, min_size=20, max_size=60), st.integers(1, 9))
def test_turns_with_the_sign(values, tenth):
    plain = quantile_interval(values, tenth / 10, 0.8)
    turned = quantile_interval(-np.array(values), 1 - tenth / 10, 0.8)
    assert_allclose([-turned.hi, -turned.lo], [plain.lo, plain.hi])


@pytest.mark.parametrize(("q", "enough"), [(0.5, 6), (0.95, 72), (0.9, 36)])
def test_too_few_values_have_no_interval(q, enough):
    assert not np.isnan(quantile_interval(range(enough), q).hi)
    short = quantile_interval(range(enough - 1), q)
    assert np.isnan([short.lo, short.hi, short.coverage]).all()
    assert not np.isnan(short.quantile)


def test_no_value_has_nothing_and_nan_is_not_left_out():
    empty, spoilt = quantile_interval([], 0.5), quantile_interval([*range(30), np.nan], 0.5)
    assert (empty.n, spoilt.n) == (0, 31)
    assert np.isnan([*empty[:3], *spoilt[:3], empty.coverage, spoilt.coverage]).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0, 2.0]], 0.5), "one-dimensional"),
        (([1.0], 0), "q must be between"),
        (([1.0], 95), "q must be between"),
        (([1.0], 0.5, 95), "confidence must be between"),
    ],
)
def test_refuses_what_is_no_quantile(arguments, message):
    with pytest.raises(ValueError, match=message):
        quantile_interval(*arguments)


def test_percentiles_by_hand():
    values = np.arange(1.0, 201.0)
    # 198 of 200 are 99 %: the value with which they are reached, and the next one, averaged.
    assert percentile_of(values, 99) == 198.5
    assert percentile_of(values, 50) == 100.5
    assert percentile_of(values[:199], 50) == 100
    # Of a few the 99th percentile is the largest.
    assert percentile_of(values[:3], 99) == 3
    assert np.isnan(percentile_of(values[:0], 99))


@given(samples, st.integers(1, 99))
def test_a_percentile_is_the_inverse_of_the_distribution(values, percent):
    ascending = np.sort(values)
    expected = np.quantile(ascending, percent / 100, method="inverted_cdf")
    found = percentile_of(ascending, percent)
    assert found >= expected or found == pytest.approx(expected)
    assert np.mean(ascending <= found) >= percent / 100 - 1e-12


def test_a_trimmed_mean_leaves_out_the_largest():
    assert trimmed_mean(np.array([100.0, 1.0, 2.0, 3.0]), 25) == 2
    # Three quarters of a value are none.
    assert trimmed_mean(np.array([100.0, 1.0, 1.0]), 25) == 34
    assert trimmed_mean(np.array([5.0, 1.0]), 0) == 3
    assert np.isnan(trimmed_mean(np.array([]), 5))
