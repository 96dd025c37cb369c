"""Max-min shares, the fairness index and efficiency."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from ackclock.stats import efficiency, fairness_index, max_min_shares

# A machine may be busy: a slow example is no failure.
unhurried = settings(deadline=None)
rates = st.one_of(st.just(0.0), st.floats(1e-3, 1e6))
flows = st.lists(rates, min_size=1, max_size=30)
busy_flows = st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=30)


def shares_by_the_published_iteration(demands, capacity):
    """Whoever demands less than an equal share of what is left gets it; repeat for the others."""
    shares = np.zeros(len(demands))
    waiting, left = list(range(len(demands))), capacity
    while waiting:
        equal = left / len(waiting)
        modest = [flow for flow in waiting if demands[flow] < equal]
        if not modest:
            shares[waiting] = equal
            break
        shares[modest] = [demands[flow] for flow in modest]
        left -= sum(demands[flow] for flow in modest)
        waiting = [flow for flow in waiting if flow not in modest]
    return shares


def test_hand_worked_shares():
    # 10 among 4: 2 and 2.6 are below the equal share; what they leave, 5.4, is halved.
    assert_allclose(max_min_shares([2, 2.6, 4, 5], 10), [2, 2.6, 2.7, 2.7])


def test_shares_keep_the_order_of_the_flows():
    assert_allclose(max_min_shares([9, 1, 5], 7), [3, 1, 3])


@unhurried
@given(flows, rates)
def test_shares_follow_the_published_iteration(demands, capacity):
    expected = shares_by_the_published_iteration(demands, capacity)
    assert_allclose(max_min_shares(demands, capacity), expected, rtol=1e-9, atol=1e-9)


@unhurried
@given(flows, rates)
def test_shares_are_max_min(demands, capacity):
    shares = max_min_shares(demands, capacity)
    assert (shares >= 0).all()
    assert (shares <= demands).all()
    assert_allclose(shares.sum(), min(capacity, sum(demands)), rtol=1e-9)
    # Nobody who is short of its demand gets less than anybody else.
    short = shares < np.array(demands)
    assert (shares[short] == shares.max()).all()


@unhurried
@given(st.permutations(range(8)), st.lists(rates, min_size=8, max_size=8), rates)
def test_shares_do_not_depend_on_the_order(order, demands, capacity):
    shuffled = max_min_shares(np.array(demands)[order], capacity)
    assert_allclose(shuffled, max_min_shares(demands, capacity)[order])


def test_shares_of_flows_without_limit():
    assert_allclose(max_min_shares([np.inf, 1, np.inf], 7), [3, 1, 3])
    assert_allclose(max_min_shares([np.inf, np.inf], 7), [3.5, 3.5])


def test_shares_of_nobody_and_of_nothing():
    assert max_min_shares([], 5).shape == (0,)
    assert max_min_shares([3, 0, 1], 0).tolist() == [0, 0, 0]


def test_shares_leave_the_demands_alone():
    demands = np.array([1.0, 2.0])
    max_min_shares(demands, 100)[0] = 7
    assert demands.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("demands", "capacity", "message"),
    [
        ([1, -1], 5, "demands"),
        ([1, np.nan], 5, "demands"),
        ([1], -5, "capacity"),
        ([1], np.inf, "capacity"),
        ([[1, 2]], 5, "one-dimensional"),
    ],
)
def test_shares_refuse_what_is_no_rate(demands, capacity, message):
    with pytest.raises(ValueError, match=message):
        max_min_shares(demands, capacity)


def test_hand_worked_index():
    # Ratios 1, 0.5, 0.75: 2.25^2 / (3 * 1.8125).
    assert fairness_index([10, 5, 15], [10, 10, 20]) == pytest.approx(5.0625 / 5.4375)


def test_k_of_n_equal_flows_give_k_over_n():
    assert fairness_index([4, 4, 0, 0, 4], 8) == pytest.approx(3 / 5)


@unhurried
@given(busy_flows, st.floats(0.01, 100))
def test_index_is_1_for_one_multiple_of_what_is_due(due, multiple):
    assert fairness_index(np.array(due) * multiple, due) == pytest.approx(1)


@unhurried
@given(st.lists(st.tuples(st.floats(1e-3, 1e6), st.floats(1e-3, 1e6)), min_size=1, max_size=30))
def test_index_lies_between_1_over_n_and_1_and_has_no_scale(pairs):
    rates, due = np.array(pairs).T
    index = fairness_index(rates, due)
    assert 1 / len(rates) - 1e-12 <= index <= 1 + 1e-12
    assert fairness_index(rates * 1e-200, due) == pytest.approx(index)


def test_a_flow_that_is_due_nothing_is_left_out():
    assert fairness_index([3, 0, 3], [5, 0, 5]) == pytest.approx(1)
    assert fairness_index([3, 2, 3], [5, 0, 5]) == pytest.approx(1)


@pytest.mark.parametrize(("got", "due"), [([0, 1], [0, 0]), ([0, 0], [1, 1]), ([], [])])
def test_index_of_nothing_is_nan(got, due):
    assert np.isnan(fairness_index(got, due))


@pytest.mark.parametrize(
    ("got", "due", "message"),
    [
        ([1, -1], [1, 1], "throughputs"),
        ([1, np.inf], [1, 1], "throughputs"),
        ([1, 1], [1, np.nan], "expected"),
        ([1, 1], [1, 1, 1], "one length"),
        ([[1]], [[1]], "one-dimensional"),
    ],
)
def test_index_refuses_what_is_no_rate(got, due, message):
    with pytest.raises(ValueError, match=message):
        fairness_index(got, due)


def test_efficiency_is_the_share_of_the_capacity():
    assert efficiency([10, 20, 4], 40) == pytest.approx(0.85)
    assert efficiency([], 40) == 0


@pytest.mark.parametrize("capacity", [0, -1, np.nan, np.inf])
def test_efficiency_needs_a_capacity(capacity):
    with pytest.raises(ValueError, match="capacity"):
        efficiency([1], capacity)


def test_efficiency_refuses_a_negative_throughput():
    with pytest.raises(ValueError, match="throughputs"):
        efficiency([-1], 10)
