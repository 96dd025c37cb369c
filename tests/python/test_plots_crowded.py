"""Figures with much in them: what a reader reads neither collides nor leaves the picture."""

import itertools

import numpy as np
import pandas as pd
import pytest

from ackclock.plots.boxes import Box, boxes
from ackclock.plots.distributions import distributions
from ackclock.plots.heatmap import heat_map
from ackclock.plots.histograms import Histogram
from ackclock.plots.sequence import Axis, time_sequence
from recorded_by_hand import a_slow_start
from test_plots_results import boxes as read

SOURCE = " · ".join(["ackclock 0.1.0", "A title of some length", "seed 1", "n = 10", "at r1 -> r2"])
LONG = [f"flow with a long name {at}" for at in range(8)]
FLAVORS = ["vanilla", "reno", "newreno", "newreno_hoe", "newreno_full", "sack", "cubic", "bbr"]
VALUES = Histogram.of(np.geomspace(0.001, 0.2, 300))


def lines():
    samples = dict.fromkeys(LONG, VALUES)
    of = {"x": "rtt_s", "of": "RTTs", "factor": "flow", "x_scale": "log", "source": SOURCE}
    return distributions(samples, complementary=True, **of)


def panels():
    samples = dict.fromkeys(itertools.product(FLAVORS[:5], LONG), VALUES)
    of = {"x": "rtt_s", "of": "RTTs", "factor": "flow", "facet": "tcp_flavor", "source": SOURCE}
    return distributions(samples, title="A title", **of)


def many_boxes():
    keys = [Box(flavor, delay) for flavor in FLAVORS for delay in (0.01, 0.02, 0.05)]
    look = {"x": "tcp_flavor", "series": "topology_bottleneck_delay_s", "y": "rtt_s"}
    return boxes(dict.fromkeys(keys, VALUES), title="A title", source=SOURCE, **look)


def many_cells():
    rows = [(f, k / 100, 1e6 * (1 + k)) for f in FLAVORS for k in range(14)]
    table = pd.DataFrame(rows, columns=["tcp_flavor", "topology_bottleneck_delay_s", "mean"])
    look = {"x": "topology_bottleneck_delay_s", "y": "tcp_flavor", "metric": "goodput_bit_s"}
    return heat_map(table, title="A title", source=SOURCE, **look)


def sequence():
    name = "; ".join(["flow 1", *(f"a factor of some length: {at}" for at in range(4))])
    axis = Axis(0.0, 1.5)
    return time_sequence(a_slow_start(), axis=axis, name=name, title="T", source=SOURCE)


ALL = (lines, panels, many_boxes, many_cells, sequence)


@pytest.mark.parametrize("draw", ALL)
def test_nothing_collides_or_leaves_the_figure(draw):
    figure = draw()
    width, height = figure.canvas.get_width_height()
    found = read(figure)
    for each, box in found:
        assert box.x0 >= -1, each
        assert box.y0 >= -1, each
        assert box.x1 <= width + 1, each
        assert box.y1 <= height + 1, each
    for (one, first), (other, second) in itertools.combinations(found, 2):
        across = min(first.x1, second.x1) - max(first.x0, second.x0)
        along = min(first.y1, second.y1) - max(first.y0, second.y0)
        assert min(across, along) < 1, f"{one} and {other}"


def test_numbers_stay_in_their_cells():
    figure = many_cells()
    figure.draw_without_rendering()
    ax = figure.area.axes[0]
    wide = ax.bbox.width / 14
    renderer = figure.canvas.get_renderer()
    assert max(text.get_window_extent(renderer).width for text in ax.texts) < wide
