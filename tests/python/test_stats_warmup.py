"""The end of the warm-up by MSER-5."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from ackclock.stats import mser5

# A machine may be busy: a slow example is no failure.
unhurried = settings(deadline=None)


def exact_errors(values):
    """The statistic of the definition, for every number of batches dropped, without rounding."""
    batches = len(values) // 5
    means = [Fraction(sum(values[5 * j : 5 * j + 5]), 5) for j in range(batches)]
    errors = []
    for d in range(batches - 4):
        rest = means[d:]
        mean = sum(rest) / len(rest)
        errors.append(sum((z - mean) ** 2 for z in rest) / len(rest) ** 2)
    return errors


def autoregressive(rng, runs, n, phi=0.5):
    """Shape (runs, n): stationary series x_i = phi x_{i-1} + e_i with mean 0."""
    series = rng.normal(size=(runs, n))
    series[:, 0] /= np.sqrt(1 - phi**2)
    for i in range(1, n):
        series[:, i] += phi * series[:, i - 1]
    return series


def test_drops_a_beginning_that_differs():
    steady = np.tile([1.0, -1.0], 100)
    assert mser5(np.concatenate([np.full(40, 100.0), steady])) == 40


def test_drops_whole_batches():
    steady = np.tile([1.0, -1.0, 0.0, 0.0, 0.0], 40)
    assert mser5(np.concatenate([[100.0], steady])) == 5


def test_keeps_everything_that_is_steady():
    assert mser5(np.tile([3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3], 20)) == 0
    assert mser5(np.full(200, 0.1)) == 0


def test_ends_where_nothing_varies_any_more():
    assert mser5([*range(60), *[7.1] * 140]) == 60


@unhurried
@given(st.lists(st.integers(-20, 20), min_size=50, max_size=120))
def test_is_the_minimum_of_the_definition(values):
    errors = exact_errors(values)
    half = len(values) // 5 // 2
    dropped = mser5(values)
    if dropped is None:
        assert min(errors[: half + 1]) >= min(errors) * Fraction(1 - 1e-9)
    else:
        assert dropped % 5 == 0
        assert dropped // 5 <= half
        assert errors[dropped // 5] <= min(errors) * Fraction(1 + 1e-9)


@unhurried
@given(
    st.integers(0, 2**32 - 1),
    st.integers(50, 300),
    st.floats(-1e3, 1e3),
    st.floats(0.01, 100),
    st.booleans(),
)
def test_has_no_scale_and_no_origin(seed, n, shift, scale, negative):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=n) + 20 * rng.random() * np.exp(-np.arange(n) / 20)
    assert mser5(values * (-scale if negative else scale) + shift) == mser5(values)


@unhurried
@given(st.integers(0, 2**32 - 1), st.lists(st.floats(-1e6, 1e6), max_size=4))
def test_what_fills_no_batch_does_not_matter(seed, rest):
    values = np.random.default_rng(seed).normal(size=100)
    assert mser5([*values, *rest]) == mser5(values)


def test_a_large_offset_costs_no_digits():
    rng = np.random.default_rng(4)
    values = np.round(rng.normal(size=500) + 30 * np.exp(-np.arange(500) / 15), 2)
    assert mser5(values) == mser5(values + 1e9) > 0


def test_tells_that_a_run_is_too_short_for_its_warm_up():
    assert mser5(np.arange(200.0)) is None
    # Steady only after three quarters: no point of the first half will do.
    rng = np.random.default_rng(5)
    step = np.concatenate([np.full(300, 50.0), np.zeros(100)]) + rng.normal(size=400)
    assert mser5(step) is None


@pytest.mark.parametrize("n", [0, 1, 49])
def test_tells_that_a_series_is_too_short_to_tell(n):
    assert mser5(np.zeros(n)) is None
    assert mser5(np.zeros(50)) == 0


def test_does_not_take_a_few_close_values_at_the_end_for_a_steady_state():
    values = np.repeat(np.tile([1.0, -1.0], 20), 5)
    values[-20:] = 0.5
    assert mser5(values) == 0


def test_removes_the_bias_of_an_exponential_warm_up():
    # Known truth: mean 0. The warm-up 20 exp(-i / 50) moves the mean of 2000 values by 0.5.
    series = autoregressive(np.random.default_rng(1), 300, 2000)
    biased = series + 20 * np.exp(-np.arange(2000) / 50)
    cut = [(run, drop) for run in biased if (drop := mser5(run)) is not None]
    assert len(cut) >= 295
    assert biased.mean() == pytest.approx(0.5, abs=0.01)
    assert np.mean([run[drop:].mean() for run, drop in cut]) == pytest.approx(0, abs=0.03)
    # After 160 values the bias is down to the deviation of a batch of 5.
    assert np.median([drop for _, drop in cut]) == pytest.approx(160, abs=20)


def test_wastes_little_of_a_steady_series():
    series = autoregressive(np.random.default_rng(2), 300, 1000)
    dropped = [mser5(run) for run in series]
    assert np.mean([drop is None for drop in dropped]) < 0.02
    assert np.mean([drop for drop in dropped if drop is not None]) < 20


def test_a_warm_up_as_long_as_the_run_is_never_accepted():
    series = autoregressive(np.random.default_rng(3), 100, 1000)
    assert all(mser5(run) is None for run in series + 20 * np.exp(-np.arange(1000) / 1000))


def test_leaves_the_values_alone():
    values = np.arange(100.0)
    mser5(values)
    assert_allclose(values, np.arange(100.0))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1.0, 2.0]], "one-dimensional"),
        ([np.nan, *[1.0] * 60], "finite"),
        ([np.inf, *[1.0] * 60], "finite"),
    ],
)
def test_refuses_what_is_no_series(values, message):
    with pytest.raises(ValueError, match=message):
        mser5(values)
