"""The interval of a steady-state mean by batch means."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from ackclock.stats import batch_means, mean_interval

# A machine may be busy: a slow example is no failure.
unhurried = settings(deadline=None)
series = st.lists(st.floats(-1e3, 1e3), min_size=20, max_size=60)


def test_hand_worked_interval():
    # Means 1, 2, 3 of three batches of two; the first value fills no batch.
    result = batch_means([99.0, 0, 2, 1, 3, 4, 2], batches=3)
    assert (result.batch_size, result.left_out) == (2, 1)
    assert result.interval.n == 3
    assert_allclose(result.interval[:3], [2, 2 - 2.48414, 2 + 2.48414], atol=1e-5)


@unhurried
@given(series, st.integers(3, 20))
def test_is_the_interval_of_the_means_of_batches(values, batches):
    result = batch_means(values, batches, 0.9)
    size = len(values) // batches
    kept = values[len(values) - size * batches :]
    means = [np.mean(kept[size * i : size * (i + 1)]) for i in range(batches)]
    assert_allclose(result.interval, mean_interval(means, 0.9), atol=1e-8)
    assert result.batch_size * batches + result.left_out == len(values)
    assert result.left_out < batches


@unhurried
@given(series, st.floats(-1e3, 1e3), st.floats(0.1, 10), st.booleans())
def test_follows_shift_and_scale(values, shift, size, negative):
    scale = -size if negative else size
    plain, moved = batch_means(values), batch_means(np.array(values) * scale + shift)
    ends = [plain.interval.lo * scale + shift, plain.interval.hi * scale + shift]
    assert_allclose(moved.interval[1:3], sorted(ends), rtol=1e-6, atol=1e-6)
    assert_allclose(moved.interval.mean, plain.interval.mean * scale + shift, atol=1e-6)


@unhurried
@given(st.integers(0, 2**32 - 1), st.floats(-1e3, 1e3), st.floats(0.1, 10))
def test_dependence_has_no_scale_and_no_direction(seed, shift, scale):
    values = np.random.default_rng(seed).normal(size=100)
    plain, moved = batch_means(values), batch_means(values[::-1] * scale + shift)
    assert moved.lag_1 == pytest.approx(plain.lag_1, abs=1e-6)
    assert moved.p_value == pytest.approx(plain.p_value, abs=1e-6)


def test_hand_worked_autocorrelation():
    # Deviations -2 -1 0 1 2: products 2 + 0 + 0 + 2 over squares 10.
    assert batch_means([1, 2, 3, 4, 5], batches=5).lag_1 == pytest.approx(0.4)


def test_hand_worked_test():
    # C = 1 - 4 / (2 * 10) = 0.8 with variance 3 / 24: z = 2.2627.
    assert batch_means([1, 2, 3, 4, 5], batches=5).p_value == pytest.approx(0.01183, abs=1e-5)


def test_the_statistic_has_no_bias():
    # Over all orders of any values, sum((y_i - y_{i+1})^2) is 2 sum((y_i - mean)^2) on average.
    from scipy.special import ndtri

    values = [1.0, 2.5, 4.0, 4.5, 9.0]
    statistics = [-ndtri(batch_means(order, 5).p_value) for order in permutations(values)]
    assert np.mean(statistics) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("batches", [8, 20, 40])
def test_the_test_rejects_independent_means_as_often_as_it_says(batches):
    draws = np.random.default_rng(batches).normal(size=(3000, batches))
    rejected = [not batch_means(run, batches).independent for run in draws]
    assert np.mean(rejected) == pytest.approx(0.05, abs=0.012)


def test_the_test_notices_batches_that_are_too_short():
    rng = np.random.default_rng(2)
    walk = np.cumsum(rng.normal(size=(200, 400)), axis=1)
    results = [batch_means(run) for run in walk]
    assert np.mean([result.independent for result in results]) < 0.05
    assert np.mean([result.lag_1 for result in results]) > 0.5


def test_alternating_means_are_not_taken_for_positive_dependence():
    result = batch_means(np.tile([1.0, -1.0], 10))
    assert result.lag_1 == pytest.approx(-0.95)
    assert result.independent


def test_a_constant_series_has_an_interval_without_width():
    result = batch_means(np.full(1003, 0.1))
    assert result.interval == (0.1, 0.1, 0.1, 20)
    assert np.isnan([result.lag_1, result.p_value]).all()
    assert result.independent is True


def test_fewer_values_than_batches_have_a_mean_and_no_interval():
    result = batch_means([1.0, 3.0])
    assert (result.interval.mean, result.interval.n) == (2, 0)
    assert np.isnan(result.interval[1:3]).all()
    assert (result.batch_size, result.left_out, result.independent) == (0, 0, False)


def test_no_value_has_nothing():
    assert np.isnan(batch_means([]).interval[:3]).all()


def test_nan_is_not_left_out():
    result = batch_means([*np.arange(30.0), np.nan], batches=5)
    assert np.isnan(result.interval[:3]).all()
    assert result.independent is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0, 2.0]],), "one-dimensional"),
        (([1.0, 2.0], 2), "3 or more"),
        (([1.0, 2.0], 20, 95), "between 0 and 1"),
    ],
)
def test_refuses_what_it_cannot_analyse(arguments, message):
    with pytest.raises(ValueError, match=message):
        batch_means(*arguments)
