"""The loss that gives a throughput, average loss intervals, and the parameters of flows."""

from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from ackclock.models import (
    MODELS,
    DomainError,
    average_loss_interval,
    estimate_flows,
    inverse,
    loss_indication_rate,
    q_from_loss_rate,
)
from ackclock.models.loss_intervals import weights


@given(st.sampled_from(list(MODELS)), st.floats(1e-8, 0.3), st.floats(0.001, 2))
def test_the_loss_that_gives_a_throughput_gives_it(name, p, rtt):
    wanted = float(MODELS[name](p, rtt).throughput_bit_s)
    found = inverse(name, wanted, rtt)
    assert found.p == pytest.approx(p, rel=1e-9)
    assert found.unique
    assert float(found.prediction.throughput_bit_s) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("name", MODELS)
def test_with_a_window_limit_it_is_the_largest(name):
    """A little less than the limit lets through; what no more loss gives."""
    most = 20 * 1460 * 8 / 0.1
    found = inverse(name, 0.95 * most, 0.1, window_limit=20)
    model = MODELS[name]
    beyond = model(np.linspace(found.p * (1 + 1e-6), 0.5, 1000), 0.1, window_limit=20)
    assert np.all(beyond.throughput_bit_s < 0.95 * most)


def test_many_losses_give_the_limit_itself():
    found = inverse("square_root", 20 * 1460 * 8 / 0.1, 0.1, window_limit=20)
    assert not found.unique
    assert found.p == pytest.approx(1.5 / 400)


def test_where_the_branches_of_pftk_part_two_losses_give_the_same():
    """From the limited branch to the other the throughput rises, by as much as its text says."""
    edge = 1 / (3 / 8 * (20**2 - 2 * 20) + 1)  # where E[W] = 20
    below, above = MODELS["pftk_full"](
        [edge * (1 - 1e-9), edge * (1 + 1e-9)], 0.1, window_limit=20
    )[0]
    assert 1 < above / below < 11.25 / 11
    found = inverse("pftk_full", float(below + above) / 2, 0.1, window_limit=20)
    assert not found.unique
    assert found.p > edge


@pytest.mark.parametrize(
    ("throughput", "told"),
    [
        (0, "0: must be above 0"),
        (nan, "nan: must be above 0"),
        (inf, "inf: must be above 0"),
        (1e12, r"on this path newreno gives 11840\.9 to 1\.168e\+06 bit/s"),
        (1, "on this path newreno gives"),
    ],
)
def test_throughputs_that_no_loss_gives(throughput, told):
    with pytest.raises(DomainError, match=told):
        inverse("newreno", throughput, 0.1, window_limit=10)


def test_an_inverse_of_a_path_outside_the_domain():
    with pytest.raises(DomainError, match="rtt_s: -1: must be above 0"):
        inverse("newreno", 1e6, -1)
    with pytest.raises(
        DomainError, match="q: is not a parameter of pftk_full, but of newreno_noto"
    ):
        inverse("pftk_full", 1e6, 0.1, q=0.1)


def test_the_weights_are_those_of_the_rfc():
    assert_allclose(weights(8), [1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2])


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=30), st.booleans())
def test_equal_intervals_are_their_average(lengths, discounting):
    length = lengths[0]
    found = average_loss_interval([length] * (len(lengths) + 1), discounting=discounting)
    assert found == pytest.approx(length)


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=30))
def test_an_average_without_discounting_is_the_larger_of_two(lengths):
    """With the open interval and without it."""
    latest = lengths[::-1]
    closed = latest[1:9]
    w = [1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2][: len(closed)]
    without = np.dot(closed, w) / sum(w)
    with_it = np.dot(latest[: len(closed)], w) / sum(w)
    assert average_loss_interval(lengths) == pytest.approx(max(without, with_it))


def test_discounting_by_hand():
    # Nine intervals of 100, then 1,000 segments without loss. The others count a quarter:
    # 2 * 100 / 1000 is below the threshold.
    quiet = [100] * 9 + [1000]
    assert average_loss_interval(quiet) == pytest.approx((1000 + 5 * 100) / 6)
    found = average_loss_interval(quiet, discounting=True)
    assert found == pytest.approx((1000 + 5 * 25) / (1 + 5 * 0.25))
    # 400 segments: they count half.
    found = average_loss_interval([100] * 9 + [400], discounting=True)
    assert found == pytest.approx((400 + 5 * 50) / (1 + 5 * 0.5))
    # The factor stays with the old ones when the long interval has ended.
    found = average_loss_interval([100] * 9 + [1000, 1], discounting=True)
    assert found == pytest.approx((1000 + 0.25 * 100 * 5) / (1 + 0.25 * 5))
    assert average_loss_interval([100] * 9 + [1000, 1]) == pytest.approx((1000 + 500) / 6)


def test_intervals_that_are_none():
    assert average_loss_interval([250]) == inf
    assert average_loss_interval([100, 0]) == 100
    for wrong in ([], [-1, 3], [nan], ["many"]):
        with pytest.raises(ValueError, match="intervals: "):
            average_loss_interval(wrong)
    with pytest.raises(ValueError, match="n = 0: at least one"):
        average_loss_interval([1, 2], n=0)
    with pytest.raises(ValueError, match="threshold = 0"):
        average_loss_interval([1, 2], threshold=0)


FLOWS = {
    "segments_sent": [1000, 1000, 500, 0],
    "segments_lost": [20, 300, 0, 0],
    "loss_events": [10, 2, 0, 0],
    "rtt_s": [0.1, 0.2, 0.3, nan],
    "first_rto_s": [0.4, nan, nan, nan],
}


def test_the_parameters_of_flows():
    found = estimate_flows(FLOWS)
    assert_allclose(found.p, [0.01, 0.002, 0, nan])
    assert_allclose(found.loss_rate, [0.02, 0.3, 0, nan])
    assert_allclose(found.losses_per_event, [2, 150, nan, nan])
    assert_allclose(found.q, [float(q_from_loss_rate(0.01, 0.02).q), 1, nan, nan])
    assert_allclose(found.rtt_s, FLOWS["rtt_s"])
    assert_allclose(found.rto_s, FLOWS["first_rto_s"])


def test_flows_that_were_not_measured_so():
    with pytest.raises(ValueError, match="loss_events: no such column; mark the flows"):
        estimate_flows({name: its for name, its in FLOWS.items() if name != "loss_events"})
    for change in ({"loss_events": [21, 2, 0, 0]}, {"segments_lost": [20, 1001, 0, 0]}):
        with pytest.raises(ValueError, match="loss_events may be at most segments_lost"):
            estimate_flows(FLOWS | change)


def test_counts_that_make_no_rate():
    assert loss_indication_rate(1, 4, 1000, 10) == 0.05
    for counts in ((-1, 4, 1000, 10), (1, 4, 0, 10), (1, nan, 1000, 10)):
        with pytest.raises(ValueError, match="counts must be 0 or more"):
            loss_indication_rate(*counts)
