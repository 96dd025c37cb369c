"""Every kind of interval covers what it says, measured on random data whose truth is known.

An interval of 95 % must cover in 93 to 97 % of the cases; one that is conservative by construction
(it cannot hit 95 % exactly) must not do so less often. The seeds are fixed. The standard error of a
coverage over 2000 cases is 0.5 %.
"""

from math import log

import numpy as np
import pandas as pd
import pytest
from scipy.signal import lfilter

from ackclock.stats import (
    batch_means,
    compare_levels,
    mean_interval,
    more_replications,
    mser5,
    paired_comparison,
    quantile_interval,
    ratio_interval,
)

CASES = 2000


def coverage(intervals, truth):
    return np.mean([interval.lo <= truth <= interval.hi for interval in intervals])


def covers_95(share):
    return 0.93 <= share <= 0.97


def autoregressive(seed, cases, n, phi=0.5):
    """Shape (cases, n): stationary series x_i = phi x_{i-1} + e_i with mean 0."""
    noise = np.random.default_rng(seed).normal(size=(cases, n))
    noise[:, 0] /= np.sqrt(1 - phi**2)
    return lfilter([1], [1, -phi], noise, axis=1)


def common_random_numbers(seed, shape, own=0.5):
    """Normal values whose last axis, the replication, moves all others alike."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(shape[0], *[1] * (len(shape) - 2), shape[-1]))
    return common + own * rng.normal(size=shape)


@pytest.mark.parametrize("n", [3, 5, 10, 30])
def test_mean_of_normal_values(n):
    draws = np.random.default_rng(n).normal(7, 2, size=(CASES, n))
    assert covers_95(coverage([mean_interval(draw) for draw in draws], 7))


@pytest.mark.parametrize(("seed", "n"), [(1, 1000), (2, 4000)])
def test_batch_means_of_a_dependent_series(seed, n):
    series = autoregressive(seed, CASES, n)
    assert covers_95(coverage([batch_means(run).interval for run in series], 0))
    # What the batches are for: taken as independent, the same values cover far less often.
    assert coverage([mean_interval(run) for run in series[:500]], 0) < 0.8


def test_batch_means_after_the_warm_up_is_cut():
    series = autoregressive(1, 1000, 3000) + 20 * np.exp(-np.arange(3000) / 30)
    cut = [run[drop:] for run in series if (drop := mser5(run)) is not None]
    assert len(cut) >= 0.99 * len(series)
    assert covers_95(coverage([batch_means(run).interval for run in cut], 0))


@pytest.mark.parametrize(("n", "q"), [(10, 0.5), (20, 0.5), (100, 0.9), (200, 0.95), (30, 0.25)])
def test_quantile_of_a_skewed_distribution(n, q):
    draws = np.random.default_rng(n).exponential(size=(CASES, n))
    intervals = [quantile_interval(draw, q) for draw in draws]
    share = coverage(intervals, -log(1 - q))
    assert share >= 0.93
    assert share == pytest.approx(intervals[0].coverage, abs=0.015)


def test_quantile_of_a_discrete_distribution():
    draws = np.random.default_rng(3).poisson(3, size=(CASES, 25)).astype(float)
    assert coverage([quantile_interval(draw, 0.5) for draw in draws], 3) >= 0.95


@pytest.mark.parametrize("n", [5, 20])
def test_paired_difference(n):
    draws = common_random_numbers(n, (CASES, 2, n)) + np.array([[1.5], [0.0]])
    results = [paired_comparison(*draw) for draw in draws]
    assert covers_95(coverage(results, 1.5))
    # What the pairing is for: the interval of independent runs would be about three times wider.
    width = np.mean([result.hi - result.lo for result in results])
    alone = [mean_interval(draw[0]) for draw in draws]
    assert width < 0.65 * np.sqrt(2) * np.mean([each.hi - each.lo for each in alone])


@pytest.mark.parametrize("n", [5, 20])
def test_paired_ratio(n):
    draws = common_random_numbers(n + 1, (CASES, 2, n)) + np.array([[12.0], [10.0]])
    assert covers_95(coverage([ratio_interval(*draw) for draw in draws], 1.2))


def test_test_of_no_difference_rejects_as_often_as_it_says():
    draws = common_random_numbers(4, (CASES, 2, 6))
    p = np.array([paired_comparison(*draw).p for draw in draws])
    for level in (0.05, 0.2, 0.5):
        assert np.mean(p <= level) == pytest.approx(level, abs=0.03)


def test_simultaneous_intervals_cover_all_differences_together():
    # Five levels with true means 0, 1, 2, 3, 4: four comparisons a table.
    cases, levels, runs = 600, 5, 8
    draws = common_random_numbers(5, (cases, levels, runs), own=1.0)
    draws += np.arange(levels)[:, np.newaxis]
    level, run = (each.ravel() for each in np.indices((levels, runs)))
    together, alone = [], []
    for draw in draws:
        frame = pd.DataFrame({"level": level, "replication": run, "y": draw.ravel()})
        table = compare_levels(frame, "y", "level", 0)
        truth = table["level"]
        within = table["simultaneous_lo"].le(truth) & table["simultaneous_hi"].ge(truth)
        together.append(within.all())
        alone.append((table["lo"].le(truth) & table["hi"].ge(truth)).to_numpy())
    assert 0.93 <= np.mean(together) <= 0.98
    assert covers_95(np.mean(alone))
    # What the correction is for: the plain intervals rarely hold all at once.
    assert np.mean(np.all(alone, axis=1)) < 0.9


def test_mean_after_sequential_stopping():
    # 10 replications first, then as many as the target likely needs, until it is met.
    rng = np.random.default_rng(6)
    intervals = []
    for _ in range(CASES):
        values = rng.normal(1, 0.2, size=10)
        while more := more_replications(values, 0.05):
            values = np.concatenate([values, rng.normal(1, 0.2, size=more)])
        interval = mean_interval(values)
        assert interval.hi - interval.lo <= 0.1 * interval.mean * (1 + 1e-9)
        intervals.append(interval)
    # Stopping when the interval is narrow costs some coverage (see more_replications).
    assert 0.92 <= coverage(intervals, 1) <= 0.97
    assert np.mean([interval.mean for interval in intervals]) == pytest.approx(1, abs=0.002)
    # 64 would do if the deviation were known from the start.
    assert 64 <= np.mean([interval.n for interval in intervals]) <= 85
