"""Slopes over a numeric factor, with intervals from replications."""

from math import isnan, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats as scipy_stats

from ackclock.stats import Trend, grouped_trends, linear_trend, mean_interval

# A machine may be busy: a slow example is no failure.
unhurried = settings(deadline=None)
seeds = st.integers(0, 2**32 - 1)
T_1, T_2 = 12.706204736174698, 4.302652729911275  # Student's t, 97.5 %, 1 and 2 degrees of freedom
WINDOWS = [1, 2, 3, 4]


def draws(seed, n=5, k=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 1)) + 0.3 * np.arange(k) + 0.2 * rng.normal(size=(n, k))


def frame_of(values, levels=WINDOWS, **others):
    replication, level = (each.ravel() for each in np.indices(np.shape(values)))
    columns = {"iw": np.array(levels)[level], "replication": replication, "y": np.ravel(values)}
    return pd.DataFrame({**dict.fromkeys(others), **columns}).assign(**others)


def test_by_hand():
    # Deviations of 1, 2, 3, 4 from 2.5 are -1.5, -0.5, 0.5, 1.5; their squares add up to 5.
    # 1, 2, 2, 5: (-1.5 - 1 + 1 + 7.5) / 5 = 1.2
    # 3, 3, 3, 3: 0
    # 9, 9, 12, 10: (-13.5 - 4.5 + 6 + 15) / 5 = 0.6
    trend = linear_trend(WINDOWS, [[1, 2, 2, 5], [3, 3, 3, 3], [9, 9, 12, 10]])
    half = T_2 * 0.6 / sqrt(3)
    assert_allclose(trend, [0.6, 0.6 - half, 0.6 + half, 3])
    assert trend.is_flat
    assert not linear_trend(WINDOWS, [[1, 2, 3, 4.1], [1, 2, 3, 4]]).is_flat


@unhurried
@given(seeds, st.integers(2, 8), st.integers(2, 6), st.sampled_from([0.5, 0.9, 0.95]))
def test_is_the_mean_of_the_slopes_and_the_slope_through_all(seed, n, k, confidence):
    values = draws(seed, n, k)
    levels = np.cumsum(np.random.default_rng(seed).uniform(0.1, 2, size=k))
    trend = linear_trend(levels, values, confidence)
    slopes = [scipy_stats.linregress(levels, row).slope for row in values]
    assert_allclose(trend, mean_interval(slopes, confidence), rtol=1e-9, atol=1e-12)
    together = scipy_stats.linregress(np.tile(levels, n), values.ravel())
    assert trend.slope == pytest.approx(together.slope)


@unhurried
@given(seeds, st.floats(-1e3, 1e3), st.floats(0.01, 100), st.floats(0.01, 100))
def test_follows_both_scales_and_no_origin(seed, origin, of_levels, of_values):
    values = draws(seed)
    plain = np.array(linear_trend(WINDOWS, values)[:3])
    levels = origin + of_levels * np.array(WINDOWS)
    moved = linear_trend(levels, origin + of_values * values)
    assert_allclose(moved[:3], plain * of_values / of_levels, rtol=1e-6, atol=1e-6)


@unhurried
@given(seeds, st.permutations(range(5)), st.permutations(range(4)))
def test_depends_on_no_order(seed, replications, levels):
    values = draws(seed)
    moved = linear_trend(np.array(WINDOWS)[levels], values[replications][:, levels])
    assert_allclose(moved, linear_trend(WINDOWS, values))


@unhurried
@given(seeds, st.lists(st.floats(-1e3, 1e3), min_size=5, max_size=5))
def test_what_moves_a_replication_at_all_levels_does_not_count(seed, common):
    values = draws(seed)
    moved = linear_trend(WINDOWS, values + np.array(common)[:, np.newaxis])
    assert_allclose(moved, linear_trend(WINDOWS, values), rtol=1e-6, atol=1e-9)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=6), st.floats(-1e6, 1e6))
def test_no_rounding_error_is_a_trend(constants, step):
    """What does not depend on the level has a slope of exactly 0, alike ones have no width."""
    flat = linear_trend([1, 2, 3, 7], [[value] * 4 for value in constants])
    assert flat == Trend(0, 0, 0, len(constants))
    assert flat.is_flat
    alike = linear_trend([1, 2, 3, 7], [[0.1, step, 2 * step, 0.3]] * 7)
    assert alike.slope == alike.lo == alike.hi


def test_what_cannot_be_told_is_nan():
    one = linear_trend(WINDOWS, [[1, 2, 3, 4]])
    assert (one.slope, one.n) == (1, 1)
    assert isnan(one.lo)
    assert isnan(one.hi)
    assert not one.is_flat
    assert np.isnan(linear_trend(WINDOWS, np.empty((0, 4)))[:3]).all()
    assert np.isnan(linear_trend([1, 2], [[1, 2], [1, np.nan]])[:3]).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], [1, 2]), "shape"),
        (([[1, 2]], [[1, 2]]), "shape"),
        (([1, 2, 3], [[1, 2]]), "shape"),
        (([1, 1], [[1, 2]]), "two different finite levels"),
        (([1], [[1]]), "two different finite levels"),
        (([1, np.nan], [[1, 2]]), "two different finite levels"),
        (([1, 2], [[1, 2]], 95), "between 0 and 1"),
    ],
)
def test_refuses_what_has_no_slope(arguments, message):
    with pytest.raises(ValueError, match=message):
        linear_trend(*arguments)


def test_groups_by_hand():
    late = frame_of([[5, 5, 4, 1], [3, 3, 3, 3]], webs=16, ftps=1)
    early = frame_of([[1, 2, 3, 4], [1, 3, 5, 7], [0, 0, 0, np.nan]], webs=8, ftps=1)
    table = grouped_trends(pd.concat([late, early]), ["webs", "ftps"], "iw", "y")
    assert list(table) == ["webs", "ftps", "slope", "lo", "hi", "n", "left_out"]
    assert table["webs"].tolist() == [16, 8]
    # 5, 5, 4, 1: (-7.5 - 2.5 + 2 + 1.5) / 5 = -1.3
    assert_allclose(table["slope"], [-0.65, 1.5])
    assert_allclose(table["hi"] - table["slope"], [T_1 * 0.65, T_1 * 0.5])
    assert table["n"].tolist() == [2, 2]
    assert table["left_out"].tolist() == [0, 1]


@unhurried
@given(seeds)
def test_a_group_is_a_trend_by_itself(seed):
    values = {webs: draws(seed + webs) for webs in (8, 16, 32)}
    frame = pd.concat([frame_of(rows, webs=webs) for webs, rows in values.items()])
    table = grouped_trends(frame.sample(frac=1, random_state=seed), ["webs"], "iw", "y")
    for row in table.itertuples():
        alone = linear_trend(WINDOWS, values[row.webs])
        assert_allclose([row.slope, row.lo, row.hi, row.n], alone)


def test_a_group_has_levels_of_its_own():
    frame = pd.concat(
        [frame_of([[1, 2], [1, 2]], [1, 4], webs=8), frame_of([[1, 2], [1, 2]], [2, 3], webs=16)]
    )
    table = grouped_trends(frame, ["webs"], "iw", "y")
    assert_allclose(table["slope"], [1 / 3, 1])
    assert table["left_out"].tolist() == [0, 0]


def test_without_other_factors_there_is_one_group():
    table = grouped_trends(frame_of([[1, 2, 3, 4], [2, 3, 4, 5]]), [], "iw", "y")
    assert table.to_dict("records") == [{"slope": 1, "lo": 1, "hi": 1, "n": 2, "left_out": 0}]


def test_an_all_missing_level_leaves_nothing():
    values = np.array([[1, 2, 3, np.nan], [2, 3, 4, np.nan]])
    (row,) = grouped_trends(frame_of(values, webs=8), ["webs"], "iw", "y").to_dict("records")
    assert (row["n"], row["left_out"]) == (0, 2)
    assert isnan(row["slope"])


def test_every_problem_is_told():
    frame = frame_of([[1, 2, 3, 4]], webs=8)
    with pytest.raises(ValueError, match=r"no column 'z' among .*\nno column 'rtt' among"):
        grouped_trends(frame, ["rtt"], "iw", "z")
    with pytest.raises(ValueError, match="'iw' is named twice"):
        grouped_trends(frame, ["iw"], "iw", "y")
    with pytest.raises(ValueError, match="column 'n' of its own: rename"):
        grouped_trends(frame.assign(n=1), ["n"], "iw", "y")
    with pytest.raises(ValueError, match="levels that are not numbers"):
        grouped_trends(frame.assign(iw="one"), ["webs"], "iw", "y")
    with pytest.raises(ValueError, match="not a finite number in rows 1, 2"):
        grouped_trends(frame.assign(iw=[1, np.nan, np.inf, 4]), ["webs"], "iw", "y")
    with pytest.raises(ValueError, match="'replication' is missing in row 3"):
        grouped_trends(frame.assign(replication=[0, 0, 0, None]), ["webs"], "iw", "y")
    with pytest.raises(ValueError, match=r"more than one run .* row 1: are all"):
        grouped_trends(frame.assign(iw=[1, 1, 2, 3]), ["webs"], "iw", "y")
    with pytest.raises(ValueError, match="single level, 3 where webs = 8: there is no slope"):
        grouped_trends(frame.assign(iw=3, replication=range(4)), ["webs"], "iw", "y")
    with pytest.raises(ValueError, match="single level, 3: there is no slope"):
        grouped_trends(frame.assign(iw=3, replication=range(4)), [], "iw", "y")
    with pytest.raises(ValueError, match="between 0 and 1"):
        grouped_trends(frame, ["webs"], "iw", "y", confidence=95)


@pytest.mark.parametrize("n", [3, 10])
def test_the_interval_covers_what_it_says(n):
    """As in ``test_stats_coverage``: replications that move all levels alike, and noise."""
    rng = np.random.default_rng(n)
    common, noise = rng.normal(size=(2000, n, 1)), 0.5 * rng.normal(size=(2000, n, 4))
    values = 10 + common + noise + 0.3 * np.array(WINDOWS)
    trends = [linear_trend(WINDOWS, each) for each in values]
    assert 0.93 <= np.mean([trend.lo <= 0.3 <= trend.hi for trend in trends]) <= 0.97
    assert np.mean([trend.slope for trend in trends]) == pytest.approx(0.3, abs=0.01)


def test_the_pairing_is_not_for_nothing():
    """Taken as independent, values that a replication moves alike give far too wide intervals."""
    rng = np.random.default_rng(1)
    values = 2 * rng.normal(size=(500, 6, 1)) + 0.3 * rng.normal(size=(500, 6, 4))
    paired = np.mean([trend.hi - trend.lo for trend in (linear_trend(WINDOWS, v) for v in values)])
    levels = np.tile(WINDOWS, 6)
    errors = [scipy_stats.linregress(levels, each.ravel()).stderr for each in values]
    assert paired < 0.5 * 2 * scipy_stats.t.ppf(0.975, 22) * np.mean(errors)
