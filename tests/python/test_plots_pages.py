"""Lines of windows where a flow has several connections; distributions of delays."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock.plots.distributions import distributions
from ackclock.plots.steps import steps
from ackclock.plots.traces import cwnd_over_time
from ackclock.plots.windows import Panel, windows

SOURCE = "ackclock 0.1.0 · A title · seed 1 · n = 1"
NAN = float("nan")


def changes(rows):
    """A frame of (connection, time_s, cwnd_bytes)."""
    frame = pd.DataFrame(rows, columns=["connection", "time_s", "cwnd_bytes"])
    return frame.assign(ssthresh_bytes=2**62)


def points(rows, **how):
    times, values = steps(changes(rows), "cwnd_bytes", end_s=10, **how)
    return list(zip(times.tolist(), values.tolist(), strict=True))


def test_the_line_of_one_connection_goes_on_to_the_end():
    assert points([(0, 1.0, 1000), (0, 2.0, 2000)], scale=1000) == [(1, 1), (2, 2), (10, 2)]
    assert points([(7, 1.0, 1000)], scale=1000) == [(1, 1), (10, 1)]
    without = changes([(0, 1.0, 5)]).drop(columns="connection")
    assert steps(without, "cwnd_bytes", end_s=10)[1].tolist() == [5, 5]
    assert points([]) == []


def test_each_connection_has_a_line_of_its_own():
    """Two at the same time, then a third one; none goes on beyond its last change."""
    rows = [(0, 1.0, 1), (1, 1.1, 10), (0, 1.5, 2), (1, 2.0, 20), (2, 5.0, 7)]
    expected = [(1, 1), (1.5, 2), (1.5, NAN), (1.1, 10), (2, 20), (2, NAN), (5, 7)]
    found = points(rows)
    assert np.array(found) == pytest.approx(np.array(expected), nan_ok=True)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 100)), min_size=1, max_size=200))
def test_thinning_loses_no_extreme_and_no_end(pairs):
    rows = [(connection, 10 * at / 200, value) for at, (connection, value) in enumerate(pairs)]
    whole, thin = (pd.DataFrame(points(rows, most=most), columns=["t", "v"]) for most in (None, 40))
    assert len(thin) <= len(whole)
    of_each = [
        [(line["v"].max(), line["v"].min(), *line["v"].iloc[[0, -1]]) for line in lines(each)]
        for each in (whole, thin)
    ]
    assert of_each[0] == of_each[1]
    assert len(of_each[0]) == len({connection for connection, _ in pairs})


def lines(frame):
    """The parts between the nans."""
    return [part.dropna() for _, part in frame.groupby(frame["v"].isna().cumsum())]


def test_many_short_connections_are_thinned_too():
    rows = [(at // 20, 10 * at / 100_000, at % 20) for at in range(100_000)]
    # Of 5000 connections, each of 20 changes: first, last and nan, and some extremes.
    assert len(points(rows, most=4000)) < 4 * 5000


def test_windows_of_a_client_are_drawn_connection_by_connection():
    rows = changes([(0, 1.0, 1460), (1, 1.2, 1460), (0, 1.5, 2920), (1, 1.8, 5840)])
    ax = windows([Panel("", {"web 1": rows})], end_s=10, source=SOURCE).area.axes[0]
    cwnd, ssthresh = ax.lines
    assert np.isnan(cwnd.get_ydata()).sum() == 1
    assert np.nanmax(cwnd.get_ydata()) == 5.84
    assert len(ssthresh.get_xdata()) == len(cwnd.get_xdata())
    assert ax.get_ylim() == (0, pytest.approx(1.08 * 5.84))


def test_a_pair_with_several_connections_has_one_panel():
    rows = changes([(0, 1.0, 1460), (1, 1.2, 1460)]).assign(pair=0)
    figure = cwnd_over_time(rows, end_s=10, title="a run")
    (ax,) = figure.axes
    assert np.isnan(ax.lines[0].get_ydata()).tolist() == [False, True, False]


def drawn(samples, **changed):
    wanted = {"x": "page_delay_s", "of": "pages", "factor": "tcp_initial_window", "source": SOURCE}
    return distributions(samples, **(wanted | changed)).area


def test_a_distribution_by_hand():
    area = drawn({1: np.array([0.4, 0.1, 0.2, 0.2]), 4: np.array([0.05])})
    (ax,) = area.axes
    first, second, median = ax.lines
    # In milliseconds or seconds alike: as the largest value is read.
    assert ax.get_xlabel() == "Page delay (ms)"
    assert first.get_xdata() == pytest.approx([100, 100, 200, 200, 400])
    assert first.get_ydata() == pytest.approx([0, 25, 50, 75, 100])
    assert second.get_ydata().tolist() == [0, 100]
    assert set(median.get_ydata()) == {50}
    texts = [text.get_text() for text in area.legends[0].get_texts()]
    assert texts == ["1: 4 pages", "4: 1 pages"]
    assert area.legends[0].get_title().get_text() == "TCP initial window"


def test_a_distribution_of_everything_has_no_factor():
    area = drawn({None: np.array([1.0, 3.0])}, factor=None, x_scale="log", title="All")
    assert [text.get_text() for text in area.legends[0].get_texts()] == ["all: 2 pages"]
    assert area.axes[0].get_xscale() == "log"
    assert area.axes[0].get_title(loc="left") == "All"


def test_a_long_distribution_keeps_its_ends_and_its_median():
    values = np.random.default_rng(1).exponential(size=50_001)
    line = drawn({None: values}, factor=None).axes[0].lines[0]
    assert len(line.get_xdata()) <= 1001
    places, shares = line.get_xdata(), line.get_ydata()
    assert (places[0], places[-1]) == (values.min(), values.max())
    assert (np.diff(shares) >= 0).all()
    exact = np.searchsorted(np.sort(values), places[1:], side="right") / values.size
    assert shares[1:] == pytest.approx(100 * exact)
