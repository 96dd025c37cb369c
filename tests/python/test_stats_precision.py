"""Relative half-widths and the replications that they need."""

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from ackclock.stats import mean_interval, more_replications, relative_half_width

# A machine may be busy: a slow example is no failure.
unhurried = settings(deadline=None)
samples = st.lists(st.floats(1, 1e3), min_size=2, max_size=20)

# Law, Kelton 2000, section 9.4.1: average delays in ten replications of the bank.
BANK = [1.53, 1.66, 1.24, 2.34, 2.00, 1.69, 2.69, 2.86, 1.70, 2.60]


def test_textbook_interval():
    # The 90 % interval printed there: 2.03 +- 0.32.
    interval = mean_interval(BANK, 0.9)
    assert [round(end, 2) for end in interval[:3]] == [2.03, 1.71, 2.35]
    assert relative_half_width(BANK, 0.9) == pytest.approx(0.32 / 2.03, abs=0.002)


def test_textbook_number_of_replications():
    # 27 for a relative error of 0.10, which they seek by a half-width of 0.10 / 1.10; 16 for an
    # absolute half-width of 0.25.
    assert 10 + more_replications(BANK, 0.10 / 1.10, 0.9) == 27
    assert 10 + more_replications(BANK, 0.25 / np.mean(BANK), 0.9) == 16


@unhurried
@given(samples, st.floats(0.001, 0.5), st.floats(0.5, 0.999))
def test_is_the_fewest_that_would_do(values, target, confidence):
    more = more_replications(values, target, confidence)
    deviation = np.std(values, ddof=1) / np.mean(values)

    def width(n):
        return scipy_stats.t.ppf((1 + confidence) / 2, n - 1) * deviation / sqrt(n)

    n = len(values)
    assert width(n + more) <= target * (1 + 1e-9)
    assert more == 0 or width(n + more - 1) > target * (1 - 1e-9)


@unhurried
@given(samples, st.floats(0.01, 100), st.randoms(use_true_random=False))
def test_has_no_scale_and_no_order(values, scale, random):
    assume(np.std(values) > 1e-6)
    other = -np.array(random.sample(values, len(values))) * scale
    assert relative_half_width(other) == pytest.approx(relative_half_width(values), rel=1e-6)


@unhurried
@given(samples, st.floats(0.01, 0.2))
def test_a_finer_target_needs_no_fewer(values, target):
    assert more_replications(values, target / 2) >= more_replications(values, target)


def test_values_that_do_not_vary_are_precise():
    for values in ([0.0, 0.0], [0.1] * 3, [5.0] * 7):
        assert relative_half_width(values) == pytest.approx(0, abs=1e-12)
        assert more_replications(values, 0.05) == 0


def test_a_mean_of_0_is_never_precise():
    assert relative_half_width([-1.0, 1.0]) == inf
    assert more_replications([-1.0, 1.0], 0.05) is None
    assert more_replications([-1.0, 1.0 + 1e-12], 0.05) is None


@pytest.mark.parametrize("values", [[], [3.0], [0.0]])
def test_fewer_than_two_values_have_no_precision(values):
    assert np.isnan(relative_half_width(values))
    assert len(values) + more_replications(values, 0.05) == 2


def test_nan_is_not_left_out():
    assert np.isnan(relative_half_width([1.0, 2.0, np.nan]))
    assert more_replications([1.0, 2.0, np.nan], 0.05) is None


def test_many_replications_are_found_at_once():
    # z^2 (s / (target mean))^2, for t is z here.
    values = [0.9, 1.0, 1.1]
    assert more_replications(values, 1e-5) == pytest.approx(3.841459e8, rel=1e-6)
    assert more_replications(values, 1e-6) is None


@pytest.mark.parametrize("target", [0, -0.05, float("nan"), inf])
def test_refuses_a_target_that_is_none(target):
    with pytest.raises(ValueError, match="target must be above 0"):
        more_replications([1.0, 2.0], target)


def test_refuses_what_mean_interval_refuses():
    with pytest.raises(ValueError, match="one-dimensional"):
        more_replications([[1.0, 2.0]], 0.05)
    with pytest.raises(ValueError, match="between 0 and 1"):
        relative_half_width([1.0, 2.0], 95)
