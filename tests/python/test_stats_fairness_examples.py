"""The fairness index in published examples and over replications."""

import numpy as np
import pytest

from ackclock.stats import fairness_index, mean_interval


@pytest.mark.parametrize(
    ("throughputs", "index"),
    [([50, 30, 50], 0.77), ([50, 40, 50], 0.79), ([50, 20, 50], 0.71)],
)
def test_published_examples(throughputs, index):
    # Jain, Durresi, Babic, Throughput Fairness Index: An Explanation, ATM Forum 99-0045, 1999:
    # throughputs in Mbit/s where 50, 10 and 10 are fair.
    assert fairness_index(throughputs, [50, 10, 10]) == pytest.approx(index, abs=0.005)


def test_index_over_replications_has_an_interval():
    # Exponential goodputs: E[index] = E[(sum x)^2 / (n sum x^2)], here by a far larger sample.
    rng = np.random.default_rng(1)
    truth = np.mean([fairness_index(goodputs, 1) for goodputs in rng.exponential(size=(20000, 8))])
    covered = 0
    for _ in range(500):
        indexes = [fairness_index(goodputs, 1) for goodputs in rng.exponential(size=(10, 8))]
        interval = mean_interval(indexes)
        covered += interval.lo <= truth <= interval.hi
    assert 0.93 <= covered / 500 <= 0.97
