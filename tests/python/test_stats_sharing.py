"""Fairness of windows and convergence, against numbers worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.stats import convergence, fairness_index, windowed_fairness

THERE = np.ones((2, 7), dtype=bool)
# Two flows, bins of one; the second one comes late and is near an equal share from bin 4 on.
LATE = np.array([[9, 9, 8, 9, 6, 5, 4, 5, 6], [1, 1, 2, 1, 4, 5, 6, 5, 4]])


def test_the_index_of_windows():
    got = np.array([[1, 2, 3, 3, 0, 0, 9], [1, 1, 0, 0, 0, 0, 9]])
    # 3 and 2; 6 and 0; nothing; and a bin that is left.
    expected = [25 / (2 * 13), 36 / (2 * 36), np.nan]
    assert windowed_fairness(got, THERE, 2).tolist() == pytest.approx(expected, nan_ok=True)
    assert windowed_fairness(got, THERE, 7).tolist() == pytest.approx([(18 + 11) ** 2 / 890])
    assert windowed_fairness(got, THERE, 8).size == 0


def test_a_flow_counts_where_it_is_in_the_whole_window():
    got = np.array([[4, 4, 4, 4], [4, 0, 4, 4], [0, 4, 4, 4]])
    there = np.array([[1, 1, 1, 1], [1, 1, 1, 1], [0, 1, 1, 1]], dtype=bool)
    # First of the first two flows, 8 and 4; then of all three.
    expected = [144 / (2 * 80), 1.0]
    assert windowed_fairness(got, there, 2).tolist() == pytest.approx(expected)
    alone = np.array([[1, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]], dtype=bool)
    assert np.isnan(windowed_fairness(got, alone, 2)).all()


@given(st.lists(st.integers(0, 10**12), min_size=2, max_size=6))
def test_the_index_is_that_of_a_run(got):
    its = windowed_fairness(np.array([got]).T, np.ones((len(got), 1), dtype=bool), 1)[0]
    assert its == pytest.approx(fairness_index(got, 1.0), nan_ok=True)


def test_convergence_by_hand():
    # The share is 5 in each bin: 6 and 4 are within a fifth of it, and not within a tenth.
    assert convergence(LATE, 1, 0.2, 1) == 4
    assert convergence(LATE, 1, 0.1, 1) == 5
    assert convergence(LATE, 1, 0.2, 5) == 4
    # The last five bins are all there are.
    assert convergence(LATE, 1, 0.2, 6) is None
    assert convergence(LATE, 1, 0.1, 2) is None


def test_windows_begin_with_any_bin():
    # Of bins 3 and 4 the flows get 15 and 5; of 4 and 5 11 and 9, of 5 and 6 9 and 11.
    assert convergence(LATE, 2, 0.1, 1) == 4
    assert convergence(LATE, 2, 0.05, 1) is None
    # Windows one after the other: 4 and 5, 6 and 7 (9 and 11).
    assert convergence(LATE, 2, 0.1, 2) == 4
    assert convergence(LATE, 2, 0.1, 3) is None


def test_what_stays_for_a_while_only():
    """The first time after which it stays, and not the first near an equal share."""
    got = np.array([[5, 9, 5, 5, 9, 5, 5, 5], [5, 1, 5, 5, 1, 5, 5, 5]])
    assert convergence(got, 1, 0.1, 1) == 0
    assert convergence(got, 1, 0.1, 2) == 2
    assert convergence(got, 1, 0.1, 3) == 5


def test_nothing_is_no_share():
    assert convergence(np.zeros((2, 5)), 1, 0.25, 1) is None
    assert convergence(np.ones((2, 3)), 2, 0.25, 2) is None
