"""Distributions from histograms, boxes and heat maps: each by hand."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.plots.boxes import Box, boxes
from ackclock.plots.distributions import distributions
from ackclock.plots.heatmap import heat_map
from ackclock.plots.histograms import Histogram

SOURCE = "ackclock 0.1.0 · A title · seed 1 · n = 4"


def histogram(*bins):
    """Pairs of a largest value and a count."""
    values, counts = zip(*bins, strict=True)
    return Histogram(np.array(values, dtype=float), np.array(counts))


WAITS = histogram((0, 50), (0.010, 30), (0.020, 19), (0.400, 1))


def test_a_percentile_is_the_bin_that_reaches_it():
    percents = (0, 50, 50.5, 80, 81, 99, 100)
    assert [WAITS.percentile(p) for p in percents] == [0, 0, 0.01, 0.01, 0.02, 0.02, 0.4]
    assert WAITS.total == 100
    assert WAITS.shares().tolist() == [0.5, 0.8, 0.99, 1]
    assert np.isnan(Histogram.of(np.array([])).percentile(50))


@given(st.lists(st.integers(0, 40), min_size=1, max_size=200), st.integers(1, 100))
def test_so_many_percent_do_not_exceed_it_and_fewer_any_less(values, percent):
    found, counts = np.unique(np.array(values), return_counts=True)
    # Of bins of which one has two values at least: a sample is interpolated.
    its = Histogram(found, 2 * counts)
    value = its.percentile(percent)
    ordered = np.array(values)
    assert (ordered <= value).mean() >= percent / 100 - 1e-12
    assert (ordered < value).mean() < percent / 100


def test_a_sample_is_interpolated():
    assert Histogram.of(np.array([3.0, 1.0])).percentile(50) == 2


def drawn(samples, **changed):
    wanted = {"x": "queue_delay_s", "of": "packets", "factor": "tcp_flavor", "source": SOURCE}
    return distributions(samples, **(wanted | changed))


def test_bins_become_steps():
    (ax,) = drawn({"reno": WAITS}).area.axes
    line = ax.lines[0]
    assert line.get_xdata() == pytest.approx([0, 0, 10, 20, 400])
    assert line.get_ydata() == pytest.approx([0, 50, 80, 99, 100])
    assert line.get_drawstyle() == "steps-post"
    # The unit is that of all but the largest few.
    assert ax.get_xlabel() == "Queue delay (ms)"
    (text,) = drawn({"reno": WAITS}).area.legends[0].get_texts()
    assert text.get_text() == "reno: 100 packets"


def test_a_logarithmic_axis_begins_with_the_share_of_what_did_not_wait():
    ax = drawn({"reno": WAITS}, x_scale="log").area.axes[0]
    line = ax.lines[0]
    assert line.get_xdata() == pytest.approx([10, 10, 20, 400])
    assert line.get_ydata() == pytest.approx([50, 80, 99, 100])
    assert ax.get_xlim()[0] == pytest.approx(10)


def test_a_few_that_hardly_waited_do_not_make_decades():
    its = histogram((1e-9, 1), (0.010, 500), (0.020, 499))
    ax = drawn({"reno": its}, x_scale="log").area.axes[0]
    assert ax.get_xlim()[0] == pytest.approx(10)
    assert ax.lines[0].get_ydata()[0] == pytest.approx(0.1)


def test_only_zeros_are_drawn_too():
    ax = drawn({"reno": histogram((0, 7))}, x_scale="log").area.axes[0]
    assert ax.lines[0].get_ydata().tolist() == [100]


def test_the_tail_is_on_a_logarithmic_axis():
    figure = drawn({"reno": WAITS, "sack": histogram((0.01, 10_000), (0.5, 2))}, complementary=True)
    ax = figure.area.axes[0]
    assert ax.get_yscale() == "log"
    assert ax.get_ylabel() == "Share above this value (%)"
    assert ax.lines[0].get_ydata()[:-1] == pytest.approx([100, 50, 20, 1])
    # The axis shows the rarest of all values, one in ten thousand, and ends below it.
    assert ax.get_ylim() == pytest.approx((0.001, 100))
    assert ax.lines[0].get_ydata()[-1] < ax.get_ylim()[0]


def test_a_panel_a_facet_and_a_line_where_there_is_one():
    samples = {(10, "a"): WAITS, (10, "b"): WAITS, (20, "a"): WAITS}
    figure = drawn(samples, factor="flow", facet="k", title="A title")
    first, second = figure.area.axes
    assert [ax.get_title() for ax in (first, second)] == ["K: 10", "K: 20"]
    # A median line beside those of the flows.
    assert [len(ax.lines) for ax in (first, second)] == [3, 2]
    assert [text.get_text() for text in figure.area.legends[0].get_texts()] == ["a", "b"]
    assert (first.get_ylabel() != "", second.get_ylabel()) == (True, "")


def parts(ax):
    """Of the first box: its lower and upper end, its median, the ends of its whiskers."""
    box = ax.patches[0].get_path().vertices[:, 1]
    low, high, median = ax.lines[0], ax.lines[1], ax.lines[4]
    whiskers = low.get_ydata()[1], high.get_ydata()[1]
    return box.min(), box.max(), median.get_ydata()[0], *whiskers


def box_figure(samples, **changed):
    wanted = {"y": "goodput_bit_s", "x": "tcp_flavor", "source": SOURCE}
    return boxes(samples, **(wanted | changed))


def test_few_values_are_all_drawn():
    its = Histogram.of(np.array([1e6, 2e6, 3e6, 4e6, 9e6]))
    figure = box_figure({Box("reno"): its})
    ax = figure.area.axes[0]
    assert parts(ax) == (2, 4, 3, 1, 9)
    dots = ax.lines[-1]
    assert sorted(dots.get_ydata()) == [1, 2, 3, 4, 9]
    assert "whiskers: smallest and largest · dots: single values" in figure.source
    assert ax.get_ylabel() == "Goodput (Mbit/s)"
    assert [label.get_text() for label in ax.get_xticklabels()] == ["reno"]


def test_of_many_values_the_whiskers_are_percentiles():
    values = np.arange(1, 102) * 1e6
    figure = box_figure({Box("reno"): Histogram.of(values)})
    ax = figure.area.axes[0]
    assert parts(ax) == (26, 76, 51, 6, 96)
    assert ax.lines[-1].get_ydata().tolist() == [100]
    assert "whiskers: 5 % and 95 % · mark: 99 %" in figure.source
    # One box with many values decides for all: the figure has one meaning.
    few = Histogram.of(values[:3])
    both = box_figure({Box("reno"): Histogram.of(values), Box("sack"): few})
    assert "mark: 99 %" in both.source


def test_boxes_of_a_series_stand_beside_each_other():
    samples = {Box(x, s): WAITS for x in ("reno", "sack") for s in (0.01, 0.1)}
    del samples["sack", 0.01]
    look = {"y": "queue_delay_s", "series": "topology_bottleneck_delay_s"}
    figure = box_figure(samples, **look)
    ax = figure.area.axes[0]
    middles = [patch.get_path().vertices[:-1, 0].mean() for patch in ax.patches]
    assert (np.diff(middles) > 0).all()
    assert middles[0] < 0 < middles[1] < 1 < middles[2]
    texts = [text.get_text() for text in figure.area.legends[0].get_texts()]
    assert texts == ["10 ms", "100 ms"]


def test_a_logarithmic_axis_of_boxes_leaves_zeros_below():
    figure = box_figure({Box("reno"): WAITS}, y="queue_delay_s", y_scale="log")
    low, high = figure.area.axes[0].get_ylim()
    assert 5 < low < 10
    assert 20 < high < 30


def grid(**cells):
    rows = [(name[0], int(name[1:]), value) for name, value in cells.items()]
    return pd.DataFrame(rows, columns=["tcp_flavor", "k", "mean"])


def map_of(table, **changed):
    wanted = {"x": "k", "y": "tcp_flavor", "metric": "goodput_bit_s", "source": SOURCE}
    return heat_map(table, **(wanted | changed))


def test_each_cell_says_its_value_and_what_is_missing_says_so():
    figure = map_of(grid(b2=12.34e6, b1=2e6, a1=1e6))
    ax, bar = figure.area.axes
    # Numbers ascend, words stand as they come, from above.
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["b", "a"]
    assert ax.get_ylim() == (2, 0)
    found = {text.get_position(): text.get_text() for text in ax.texts}
    assert found == {(0.5, 0.5): "2.0", (1.5, 0.5): "12.3", (0.5, 1.5): "1.0", (1.5, 1.5): "–"}
    hatched = [patch for patch in ax.patches if patch.get_hatch()]
    assert [patch.get_xy() for patch in hatched] == [(1, 1)]
    assert bar.get_ylabel() == "Goodput (Mbit/s)"


def test_numbers_are_read_on_each_colour():
    ax = map_of(grid(**{f"a{at}": at * 1e6 for at in range(64)})).area.axes[0]
    colors = ax.collections[0]
    colors.update_scalarmappable()
    for text, face in zip(ax.texts, colors.get_facecolors(), strict=True):
        other = matplotlib.colors.to_rgb(text.get_color())
        assert contrast(face[:3], other) >= 4.5


def contrast(one, other):
    """Of two colours, after WCAG 2."""
    light = sorted(luminance(each) for each in (one, other))
    return (light[1] + 0.05) / (light[0] + 0.05)


def luminance(color):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def test_a_map_of_one_value_has_one_colour():
    for scale in ("linear", "log"):
        ax = map_of(grid(a1=1e6, a2=1e6), scale=scale).area.axes[0]
        assert len({tuple(c) for c in ax.collections[0].get_facecolors()}) <= 1
        assert [text.get_text() for text in ax.texts] == ["1.00", "1.00"]
    zeros = map_of(grid(a1=0, a2=0)).area.axes[0]
    assert [text.get_text() for text in zeros.texts] == ["0", "0"]
