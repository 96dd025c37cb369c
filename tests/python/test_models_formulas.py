"""The throughput formulas: values, properties, domains."""

import pickle
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import models_by_hand as by_hand
from ackclock.models import (
    MODELS,
    DomainError,
    eq14_error,
    loss_indication_rate,
    newreno,
    newreno_noto,
    pftk_full,
    pftk_simple,
    q_from_loss_rate,
    square_root,
    timeout_probability,
    window_eq14,
    window_exact,
)

EXACT = 1e-9
LOSS = [1e-12, 1e-6, 1e-4, 0.001, 0.01, 0.03, 0.1, 0.3, 0.7, 0.999]
WITHIN = [0.0, 1e-6, 0.01, 0.1, 0.5, 0.9, 1.0]
PATHS = [(0.001, 0.2), (0.075, 0.225), (0.6, 1.0)]

loss_rates = st.floats(1e-8, 0.95)
shares = st.floats(0, 1)
times = st.floats(1e-4, 10)


@pytest.mark.parametrize("p", LOSS)
@pytest.mark.parametrize("b", [1, 2, 3.5])
def test_the_formulas_for_reno(p, b):
    for rtt, rto in PATHS:
        common = {"segments_per_ack": b, "rto_s": rto}
        plain = square_root(p, rtt, segments_per_ack=b).segments_s
        assert_allclose(plain, float(by_hand.square_root(p, rtt, b)), rtol=EXACT)
        simple = pftk_simple(p, rtt, **common).segments_s
        assert_allclose(simple, float(by_hand.pftk_simple(p, rtt, rto, b)), rtol=EXACT)
        for limit in (1e30, 40, 6.5, 2.5):
            full = pftk_full(p, rtt, window_limit=limit, **common)
            expected = by_hand.pftk_full(p, rtt, rto, b, limit)
            assert_allclose(full.segments_s, float(expected), rtol=EXACT)
        assert_allclose(full.window_segments, float(by_hand.pftk_window(p, b)), rtol=EXACT)


@pytest.mark.parametrize(("p", "q"), list(product(LOSS, WITHIN)))
def test_the_formulas_for_newreno(p, q):
    assert_allclose(window_eq14(p, q), float(by_hand.window_eq14(p, q)), rtol=EXACT)
    root = float(by_hand.window_exact(p, q))
    assert_allclose(window_exact(p, q), root, rtol=EXACT)
    for rtt, rto in PATHS:
        noto = newreno_noto(p, rtt, q=q).segments_s
        assert_allclose(noto, float(by_hand.newreno(p, rtt, q, rto, timeouts=False)), rtol=EXACT)
        full = newreno(p, rtt, q=q, rto_s=rto)
        assert_allclose(full.segments_s, float(by_hand.newreno(p, rtt, q, rto)), rtol=EXACT)
        assert_allclose(full.p_timeout, _p_timeout(p, q), rtol=EXACT)
        long = newreno(p, rtt, q=q, rto_s=rto, window="exact", backoff="long").segments_s
        expected = by_hand.newreno(p, rtt, q, rto, w=by_hand.window_exact(p, q), long=True)
        assert_allclose(long, float(expected), rtol=EXACT)


def _p_timeout(p, q):
    return float(by_hand.p_timeout(by_hand.window_eq14(p, q), p, q))


@pytest.mark.parametrize("window", [0.9, 1, 2, 3, 4, 5, 8, 17, 60])
def test_the_probability_of_a_timeout_is_the_printed_sum_for_whole_windows(window):
    for p, q in product(LOSS, WITHIN):
        expected = float(by_hand.p_timeout_of_whole_window(window, p, q))
        assert_allclose(timeout_probability(window, p, q), expected, rtol=EXACT, atol=1e-15)


@given(loss_rates, shares, st.floats(1, 200))
def test_the_probability_of_a_timeout_lies_between_its_neighbours(p, q, window):
    """What is between whole windows is between their values, where these fall or rise alike."""
    whole = int(window)
    ends = timeout_probability([whole - 1 if whole > 1 else 1, whole, whole + 1, whole + 2], p, q)
    steps = np.diff(ends)
    assume(np.all(steps >= 0) or np.all(steps <= 0))
    inside = float(timeout_probability(window, p, q))
    assert min(ends[1:3]) - 1e-9 <= inside <= max(ends[1:3]) + 1e-9


def test_values_that_are_told_of_the_paper():
    assert round(float(window_eq14(1e-4, 0)), 2) == 161.65
    assert float(square_root(0.01, 1).segments_s) == pytest.approx(12.247, abs=0.001)
    errors = 100 * eq14_error([1e-4, 0.01, 0.03, 0.1, 1e-4], [0, 0.01, 0.03, 0.1, 0.5])
    assert_allclose(errors.round(1), [0.4, 3.1, 4.5, 7.5, -10.6])


EMULATION = [
    (5, 556, 55.56, 500.54, 169_942_625),
    (21, 765, 57.31, 502.33, 116_768_593),
    (38, 841, 58.48, 502.62, 89_441_537),
    (68, 864, 59.06, 501.92, 72_544_825),
    (113, 775, 59.65, 502.11, 55_202_129),
    (129, 777, 60.23, 502.92, 47_554_586),
]
"""003 Table III: TO, FR, RTT (ms), duration (s), bytes."""
INTERNET = [
    (7, 27, 0.98, 106.34, 379),
    (5, 39, 1.27, 120.12, 335),
    (9, 58, 1.93, 134.84, 299),
    (24, 87, 3.19, 195.73, 206),
    (59, 100, 4.57, 277.23, 145),
    (26, 76, 2.93, 302.13, 133),
    (59, 119, 5.12, 290.15, 139),
]
"""003 Table IV: TO, FR, LER (%), duration (s), kbit/s."""
FILE_BYTES, SMSS = 3477 * 1448, 1448


def test_what_follows_from_the_emulation_table():
    timeouts, recoveries, rtt_ms, seconds, data = np.array(EMULATION).T
    p = loss_indication_rate(timeouts, recoveries, data, SMSS)
    measured = data * 8 / seconds
    assert measured[2] == pytest.approx(1.4236e6, rel=1e-4)
    model = newreno(p, rtt_ms / 1000, smss_bytes=SMSS).throughput_bit_s
    errors = 100 * (model / measured - 1)
    assert_allclose(errors.round(1), [16.5, 8.0, 9.2, 12.0, 25.6, 29.0])


def test_what_follows_from_the_internet_table():
    timeouts, recoveries, printed, seconds, kbit_s = np.array(INTERNET).T
    p = loss_indication_rate(timeouts, recoveries, FILE_BYTES, SMSS)
    assert_allclose((100 * p).round(2), printed)
    assert_allclose((FILE_BYTES * 8 / seconds / 1000).round(), kbit_s)


def test_the_starred_prediction_of_the_internet_table():
    p = 34 / 3477
    found = q_from_loss_rate(p, 0.0621)
    assert float(found.q) == pytest.approx(0.39, abs=0.005)
    path = {"rtt_s": 0.229, "smss_bytes": SMSS, "q": found.q}
    again = newreno(p, **path).throughput_bit_s / 1000
    kept = newreno(p, window=found.window_segments, **path).throughput_bit_s / 1000
    assert (round(float(again)), round(float(kept))) == (404, 380)


@given(loss_rates, shares)
def test_q_and_the_overall_loss_rate_are_each_others_inverse(p, share):
    """Of all loss rates that W allows, the one that this q comes from gives it back."""
    rate = p + share * (1 - p)
    window = float(window_eq14(p, rate))
    q = (rate / p - 1) / (window - 1)
    clipped = q_from_loss_rate(p, rate, clip=True).q
    assert 0 <= clipped <= 1
    if q <= 1:
        assert float(q_from_loss_rate(p, rate).q) == pytest.approx(q)
    else:
        assert clipped == 1
        with pytest.raises(DomainError, match="losses in a loss event"):
            q_from_loss_rate(p, rate)


@given(
    st.sampled_from(["square_root", "pftk_simple", "pftk_full", "newreno_noto", "newreno"]),
    st.lists(st.floats(1e-9, 0.6), min_size=2, max_size=2, unique=True),
    shares,
    times,
)
def test_more_loss_is_less_throughput(name, losses, q, rtt):
    few, many = sorted(losses)
    assume(many > few * (1 + 1e-9))
    model = MODELS[name]
    assert model.predict(few, rtt, q=q).segments_s > model.predict(many, rtt, q=q).segments_s


@given(loss_rates, shares, times, st.floats(1.001, 100), st.floats(1, 1000))
def test_a_longer_way_and_a_longer_timeout_are_less_throughput(p, q, rtt, times_longer, limit):
    for model in MODELS.values():
        path = {"q": q, "window_limit": limit}
        base = model.predict(p, rtt, rto_s=rtt, **path)
        longer = model.predict(p, rtt * times_longer, rto_s=rtt * times_longer, **path)
        # Everything is counted in round trips.
        assert_allclose(longer.segments_s * times_longer, base.segments_s, rtol=1e-9)
        waits = model.predict(p, rtt, rto_s=rtt * times_longer, **path)
        assert waits.segments_s <= base.segments_s
        assert base.segments_s <= limit / rtt * 1.5


@given(st.floats(1e-6, 0.05), st.lists(st.floats(0.1, 1), min_size=2, max_size=2))
def test_more_losses_in_an_event_are_less_throughput_without_timeouts(p, both):
    """Next to q = 0 the segments of a recovery weigh more than its time, as printed."""
    few, many = sorted(both)
    more, less = (newreno_noto(p, 0.1, q=each).segments_s for each in (few, many))
    assert more >= less * (1 - 1e-9)


@given(loss_rates, shares)
def test_the_root_is_a_root(p, q):
    w = float(window_exact(p, q))
    printed = 3 / 8 * w * w + 7 / 4 * w + (w * w * (q - q * q) - w * (5 * q - 3 * q * q)) / 2
    assert printed - (1 - q) ** 2 == pytest.approx(1 / p + w * w * q / (1 + w * q), rel=1e-9)


def test_without_timeouts_the_full_model_is_the_other():
    """Where hardly any loss event ends in a time-out."""
    full, noto = newreno(1e-9, 0.1, q=0, rto_s=0.3), newreno_noto(1e-9, 0.1, q=0)
    assert_allclose(full.segments_s, noto.segments_s, rtol=1e-3)
    assert noto.p_timeout == noto.timeout_s == noto.slow_start_s == 0


def test_parts_make_the_whole():
    its = newreno(np.logspace(-5, -0.4, 20), 0.1, q=0.05)
    recovered = 1 - its.p_timeout
    period = its.linear_s + its.beta_s + recovered * its.recovery_s
    period = period + its.p_timeout * (its.timeout_s + its.slow_start_s)
    assert_allclose(period, its.period_s)
    assert_allclose(its.cafr_segments / its.period_s, its.segments_s)
    assert_allclose(its.throughput_bit_s, its.segments_s * 1460 * 8)
    # A round of one segment comes after each time-out, however small W.
    assert np.all(its.slow_start_s >= 0.1)
    assert its.window_segments[-1] < 4


@pytest.mark.parametrize("name", MODELS)
def test_arrays_are_broadcast(name):
    model = MODELS[name]
    p, rtt = np.array([[0.001], [0.01], [0.1]]), np.array([0.05, 0.1])
    together = model(p, rtt, smss_bytes=1000)
    assert all(each.shape == (3, 2) for each in together)
    for row, column in product(range(3), range(2)):
        alone = model(p[row, 0], rtt[column], smss_bytes=1000)
        for of_all, single in zip(together, alone, strict=True):
            assert of_all[row, column] == single


def test_defaults():
    assert newreno(0.01, 0.1) == newreno(0.01, 0.1, q=0.01, rto_s=0.1 * 3, smss_bytes=1460)
    assert pftk_simple(0.01, 0.1) == pftk_simple(0.01, 0.1, rto_s=0.1 * 3, segments_per_ack=1)
    assert not square_root(0.01, 0.1).limited
    assert square_root(0.01, 0.1, window_limit=12).limited


@pytest.mark.parametrize("name", ["square_root", "pftk_simple", "newreno_noto", "newreno"])
def test_no_more_than_a_window_goes_out_in_a_round_trip(name):
    limited = MODELS[name]([1e-6, 0.1], 0.1, window_limit=20)
    assert limited.segments_s[0] == 200
    assert limited.limited.tolist() == [True, False]
    assert limited.segments_s[1] == MODELS[name](0.1, 0.1).segments_s


@pytest.mark.parametrize(
    ("path", "parameter", "told"),
    [
        ({"p": 0}, "p", "0: must be from 1e-12 and below 1, for example 0.01"),
        ({"p": 1}, "p", "1: must be from 1e-12 and below 1"),
        ({"p": -0.1}, "p", "-0.1: must be"),
        ({"p": float("nan")}, "p", "nan: must be"),
        ({"p": [0.1, 2, 3]}, "p", r"2 \(2 of 3 values\): must be"),
        ({"p": "many"}, "p", "expected numbers, for example 0.01"),
        ({"q": -0.01}, "q", "-0.01: must be from 0 to 1"),
        ({"q": 1.01}, "q", "1.01: must be from 0 to 1"),
        ({"rtt_s": 0}, "rtt_s", "0: must be above 0"),
        ({"rtt_s": float("inf")}, "rtt_s", "inf: must be above 0"),
        ({"rto_s": -1}, "rto_s", "-1: must be above 0"),
        ({"smss_bytes": 0}, "smss_bytes", "0: must be from 1 on"),
        ({"window_limit": 0.5}, "window_limit", "0.5: must be from 1 on"),
        ({"window": "eq15"}, "window", "'eq15': choose from 'eq14', 'exact'"),
        ({"window": 0}, "window", "0: must be above 0"),
        ({"backoff": "none"}, "backoff", "choose from 'short', 'long'"),
        (
            {"segments_per_ack": 2},
            "segments_per_ack",
            "is not a parameter of newreno, but of",
        ),
        ({"p": [0.1, 0.2], "q": [0.1, 0.2, 0.3]}, "shapes", "cannot be broadcast"),
    ],
)
def test_outside_the_domain(path, parameter, told):
    with pytest.raises(DomainError, match=told) as caught:
        MODELS["newreno"](**{"p": 0.01, "rtt_s": 0.1, **path})
    assert list(caught.value.problems) == [parameter]


def test_all_that_is_wrong_is_told_at_once():
    with pytest.raises(DomainError) as caught:
        newreno(0, -1, q=2)
    assert list(caught.value.problems) == ["p", "rtt_s", "q"]
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert str(again).startswith(
        "p: 0: must be from 1e-12 and below 1, for example 0.01; rtt_s: -1"
    )
    with pytest.raises(DomainError) as caught:
        newreno(2, -1)
    assert list(caught.value.problems) == ["p", "rtt_s"], "what follows from them is not told"
