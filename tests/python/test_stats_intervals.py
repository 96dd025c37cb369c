"""Confidence intervals of means."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats as scipy_stats

from ackclock.stats import grouped_intervals, intervals_in_order, mean_interval

# A machine may be busy: a slow example is no failure.
unhurried = settings(deadline=None)
finite = st.floats(-1e6, 1e6)
samples = st.lists(finite, min_size=2, max_size=20)
confidences = st.floats(0.01, 0.999)


def test_hand_worked_interval():
    # Sample deviation 1, t[0.975; 2] = 4.3027: 2 +- 4.3027 / sqrt(3).
    interval = mean_interval([1, 2, 3])
    assert interval.mean == 2
    assert interval.n == 3
    assert_allclose([interval.lo, interval.hi], [2 - 2.48414, 2 + 2.48414], atol=1e-5)


@unhurried
@given(samples, confidences)
def test_agrees_with_the_t_distribution_of_scipy(values, confidence):
    interval = mean_interval(values, confidence)
    half_width = scipy_stats.t.ppf((1 + confidence) / 2, len(values) - 1) * scipy_stats.sem(values)
    assert_allclose(interval.mean, np.mean(values), atol=1e-9)
    assert_allclose(interval.hi - interval.mean, half_width, rtol=1e-6, atol=1e-8)
    assert_allclose(interval.mean - interval.lo, half_width, rtol=1e-6, atol=1e-8)


@unhurried
@given(samples, st.floats(-100, 100), st.floats(0.01, 100))
def test_follows_shift_and_scale(values, shift, scale):
    plain = mean_interval(values)
    moved = mean_interval(np.array(values) * scale + shift)
    expected = [plain.mean * scale + shift, plain.lo * scale + shift, plain.hi * scale + shift]
    assert_allclose(moved[:3], expected, rtol=1e-6, atol=1e-3)


def test_covers_the_mean_as_often_as_it_promises():
    draws = np.random.default_rng(1).normal(size=(4000, 5))
    covered = [low < 0 < high for _, low, high, _ in (mean_interval(row, 0.9) for row in draws)]
    assert np.mean(covered) == pytest.approx(0.9, abs=0.02)


def test_one_value_has_a_mean_and_no_interval():
    interval = mean_interval([7.5])
    assert (interval.mean, interval.n) == (7.5, 1)
    assert np.isnan([interval.lo, interval.hi]).all()


def test_no_value_has_nothing():
    interval = mean_interval([])
    assert interval.n == 0
    assert np.isnan(interval[:3]).all()


def test_nan_is_not_left_out():
    interval = mean_interval([1.0, 2.0, np.nan])
    assert interval.n == 3
    assert np.isnan(interval[:3]).all()


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.5, float("nan")])
def test_refuses_a_confidence_that_is_no_probability(confidence):
    with pytest.raises(ValueError, match="between 0 and 1"):
        mean_interval([1, 2], confidence)


def test_refuses_a_table():
    with pytest.raises(ValueError, match="one-dimensional"):
        mean_interval([[1, 2], [3, 4]])


@unhurried
@given(st.lists(st.tuples(st.sampled_from("zab"), finite), min_size=1))
def test_grouped_intervals_are_those_of_each_group(rows):
    frame = pd.DataFrame(rows, columns=["flavor", "goodput"])
    table = grouped_intervals(frame, ["flavor"], "goodput", 0.8)
    assert table["flavor"].tolist() == frame["flavor"].drop_duplicates().tolist()
    for row in table.itertuples():
        alone = mean_interval(frame.loc[frame["flavor"] == row.flavor, "goodput"], 0.8)
        assert row.n == alone.n
        assert_allclose([row.mean, row.lo, row.hi], alone[:3], rtol=1e-6, atol=1e-6)


@unhurried
@given(st.lists(st.lists(st.floats(-1e6, 1e6) | st.just(np.nan), min_size=1), min_size=1))
def test_intervals_of_groups_in_order_are_those_of_a_frame(groups):
    n = [len(each) for each in groups]
    values = np.concatenate(groups)
    frame = pd.DataFrame({"group": np.repeat(np.arange(len(n)), n), "v": values})
    table = grouped_intervals(frame, ["group"], "v", 0.9)
    its = intervals_in_order(values, n, 0.9)
    assert its.n.tolist() == n
    for name in ("mean", "lo", "hi"):
        assert_allclose(getattr(its, name), table[name], rtol=1e-9, atol=1e-6)


def test_no_groups_have_no_intervals():
    assert [each.size for each in intervals_in_order([], [])] == [0, 0, 0, 0]


def test_grouped_intervals_keep_nan_and_all_grouping_columns():
    frame = pd.DataFrame(
        {"a": ["y", "x", "x", "y"], "b": [2, 1, 1, 2], "v": [1.0, np.nan, 2.0, 3.0]}
    )
    table = grouped_intervals(frame, ["a", "b"], "v")
    assert table.columns.tolist() == ["a", "b", "mean", "lo", "hi", "n"]
    assert table[["a", "b", "n"]].values.tolist() == [["y", 2, 2], ["x", 1, 2]]
    assert table["mean"].iloc[0] == 2
    assert table.loc[1, ["mean", "lo", "hi"]].isna().all()


def test_grouped_intervals_refuse_a_confidence_that_is_no_probability():
    with pytest.raises(ValueError, match="between 0 and 1"):
        grouped_intervals(pd.DataFrame({"a": [1], "v": [1.0]}), ["a"], "v", 95)
