"""The ratio of two means and its interval."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats as scipy_stats

from ackclock.stats import mean_interval, ratio_interval

# A machine may be busy: a slow example is no failure.
unhurried = settings(deadline=None)
seeds = st.integers(0, 2**32 - 1)


def pairs(seed, n=8, below=10.0, above=12.0, noise=1.0):
    common, own = np.random.default_rng(seed).normal(size=(2, n)) * noise
    return above + common + own, below + common


@unhurried
@given(seeds, st.integers(2, 12), st.sampled_from([0.5, 0.9, 0.95]))
def test_holds_every_ratio_that_a_paired_t_test_does_not_reject(seed, n, confidence):
    # Fieller's definition: at the ends, the test of mean(above - ratio below) = 0 just rejects.
    above, below = pairs(seed, n)
    interval = ratio_interval(above, below, confidence)
    assume(not np.isnan(interval.lo))
    for end in interval[1:3]:
        p = scipy_stats.ttest_1samp(above - end * below, 0).pvalue
        assert p == pytest.approx(1 - confidence, abs=1e-6)
    assert interval.lo <= interval.mean <= interval.hi
    assert interval.mean == pytest.approx(above.mean() / below.mean())


def test_the_formula_of_the_theorem():
    # Fieller 1954 in the usual notation: a, b, their variances and covariance, and g.
    above, below = pairs(3)
    a, b, n = above.mean(), below.mean(), above.size
    (v11, v12), (_, v22) = np.cov(above, below) / n
    t = scipy_stats.t.ppf(0.975, n - 1)
    g = t**2 * v22 / b**2
    root = t / b * np.sqrt(v11 - 2 * a / b * v12 + (a / b) ** 2 * v22 - g * (v11 - v12**2 / v22))
    ends = [(a / b - g * v12 / v22 + sign * root) / (1 - g) for sign in (-1, 1)]
    assert_allclose(ratio_interval(above, below), [a / b, *ends, n])


def test_an_exact_denominator_leaves_the_interval_of_a_mean():
    above = [1.0, 4.0, 2.0, 8.0]
    expected = np.array(mean_interval(above)[:3]) / 5
    assert_allclose(ratio_interval(above, [5.0] * 4)[:3], expected)


def test_proportional_pairs_have_no_width():
    below = np.array([1.0, 2.0, 4.0, 3.0])
    assert_allclose(ratio_interval(1.5 * below, below), [1.5, 1.5, 1.5, 4])


@unhurried
@given(seeds, st.floats(0.01, 100), st.floats(0.01, 100), st.booleans())
def test_follows_both_scales(seed, scale_above, scale_below, negative):
    above, below = pairs(seed)
    sign = -1 if negative else 1
    plain = np.array(ratio_interval(above, below)[:3])
    moved = ratio_interval(above * scale_above * sign, below * scale_below)[:3]
    expected = plain * scale_above * sign / scale_below
    assert_allclose(moved, expected if not negative else expected[[0, 2, 1]], rtol=1e-6)


@unhurried
@given(seeds)
def test_the_inverse_ratio_has_the_inverse_interval(seed):
    above, below = pairs(seed)
    plain, inverse = ratio_interval(above, below), ratio_interval(below, above)
    assert_allclose(inverse[:3], [1 / plain.mean, 1 / plain.hi, 1 / plain.lo])


@unhurried
@given(seeds, st.permutations(range(8)))
def test_does_not_depend_on_the_order_of_the_pairs(seed, order):
    above, below = pairs(seed)
    assert_allclose(ratio_interval(above[order], below[order]), ratio_interval(above, below))


def test_no_finite_interval_where_the_denominator_may_be_0():
    above, below = [1.0, 2.0, 3.0], [-1.0, 1.0, 0.5]
    assert mean_interval(below).lo < 0 < mean_interval(below).hi
    interval = ratio_interval(above, below)
    assert interval.mean == pytest.approx(12)
    assert np.isnan(interval[1:3]).all()


def test_what_cannot_be_told_is_nan():
    assert np.isnan(ratio_interval([], [])[:3]).all()
    assert np.isnan(ratio_interval([1.0, 2.0], [-1.0, 1.0])[:3]).all()
    assert np.isnan(ratio_interval([1.0, np.nan], [1.0, 1.0])[:3]).all()
    assert np.isnan(ratio_interval([1.0, 1.0], [1.0, np.nan])[:3]).all()
    one = ratio_interval([3.0], [2.0])
    assert (one.mean, one.n) == (1.5, 1)
    assert np.isnan(one[1:3]).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, 2.0], [1.0]), "one length"),
        (([[1.0]], [[1.0]]), "one-dimensional"),
        (([1.0], [1.0], 95), "between 0 and 1"),
    ],
)
def test_refuses_what_is_no_pair(arguments, message):
    with pytest.raises(ValueError, match=message):
        ratio_interval(*arguments)
