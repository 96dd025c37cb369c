"""Panels of means, shares of variation, one metric against another, effects of several sources."""

import numpy as np
import pandas as pd
import pytest

from ackclock.plots.effects import main_effects
from ackclock.plots.panels import Axis, Mark, panels
from ackclock.plots.plane import Key, plane
from ackclock.plots.shares import Paint, shares
from ackclock.plots.style import PUBLISHED, SERIES, SIMULATED

BUFFERS = Axis("buffer", "Buffer (RTT)", {0.5: "1/2", 1.0: "1", 2.0: "2"})
FLAVORS = Axis("flavor", "", {"reno": "Reno", "sack": "SACK"})
LINKS = Axis("link", "", {"LAN": "LAN", "GEO": "GEO", "MEO": "MEO"})
LOOKS = {"reno": SERIES[0], "sack": SERIES[1]}
NAN = float("nan")


def means(*rows):
    frame = pd.DataFrame(rows, columns=["link", "flavor", "buffer", "mean"])
    return frame.assign(lo=frame["mean"] - 0.1, hi=frame["mean"] + 0.1)


def drawn(frame, **how):
    options = {"x": BUFFERS, "series": FLAVORS, "facet": LINKS, "looks": LOOKS, "y_name": "y"}
    figure = panels(frame, **(options | how))
    return figure, [ax for ax in figure.axes if ax.get_visible()]


def heights(line):
    return list(line.get_ydata())


def test_levels_stand_at_equal_distances_in_their_order_whatever_the_rows_order():
    frame = means(("LAN", "reno", 2.0, 0.9), ("LAN", "reno", 0.5, 0.6), ("LAN", "reno", 1.0, 0.8))
    _, (ax,) = drawn(frame)
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1/2", "1", "2"]
    (line,) = (bars.lines[0] for bars in ax.containers)
    assert heights(line) == [0.6, 0.8, 0.9]
    assert line.get_xdata() == pytest.approx([0, 1, 2])


def test_a_level_that_nobody_has_takes_no_place():
    _, (ax,) = drawn(means(("LAN", "reno", 0.5, 0.6), ("LAN", "reno", 2.0, 0.8)))
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1/2", "2"]
    assert len(ax.containers) == 1


def test_facets_come_in_their_order_and_the_rest_of_the_grid_is_empty():
    rows = [(link, "sack", 1.0, 0.5) for link in ("MEO", "GEO", "LAN")]
    figure, shown = drawn(means(*rows))
    assert [ax.get_title() for ax in shown] == ["LAN", "GEO", "MEO"]
    assert len(figure.axes) == 4


def test_a_mark_is_drawn_in_every_panel_and_told_once():
    rows = [(link, "sack", 1.0, 0.5) for link in ("LAN", "GEO")]
    figure, shown = drawn(means(*rows), mark=Mark(0.98, "98 %"))
    assert all([0.98, 0.98] in [heights(line) for line in ax.lines] for ax in shown)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["SACK", "98 %"]


def test_without_intervals_there_are_no_bars():
    frame = means(("LAN", "reno", 1.0, 0.5)).assign(lo=NAN, hi=NAN)
    _, (ax,) = drawn(frame, facet=None)
    assert not ax.containers[0].has_yerr


def variation(**shared):
    return pd.DataFrame(
        [(row, *each) for row, its in shared.items() for each in its.items()],
        columns=["row", "component", "percent"],
    )


def test_shares_stand_beside_each_other_and_small_ones_have_no_number():
    frame = variation(LAN={"flavor": 70.0, "error": 3.0, "policy": 27.0})
    paints = {name: Paint("#0072B2") for name in ("policy", "flavor", "buffer", "error")}
    figure = shares(frame, paints=paints, x_name="Share (%)")
    (ax,) = figure.axes
    bars = [(bar.get_x(), bar.get_width()) for group in ax.containers for bar in group]
    assert bars == [(0, 27), (27, 70), (97, 3)]
    assert [text.get_text() for text in ax.texts] == ["27", "70", ""]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "policy",
        "flavor",
        "error",
    ]


def test_where_nothing_varies_the_bar_is_empty():
    frame = variation(LAN={"flavor": 100.0, "error": 0.0}, GEO={"flavor": NAN, "error": NAN})
    paints = {name: Paint("#0072B2") for name in ("flavor", "error")}
    (ax,) = shares(frame, paints=paints, x_name="Share (%)").axes
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["LAN", "GEO"]
    assert [bar.get_width() for bar in ax.containers[0]] == [100, 0]


def test_a_point_of_the_plane_has_the_colour_and_marker_of_its_levels():
    row = {"policy": "EPD", "flavor": "sack", "panel": "small", "x": 0.7, "y": 0.9}
    ends = {f"{way}_{end}": row[way] + shift for way in "xy" for end, shift in _ENDS.items()}
    bare = dict.fromkeys(ends, NAN)
    frame = pd.DataFrame([row | ends, row | bare | {"panel": "large", "policy": "SD"}])
    figure = plane(
        frame,
        colors=Key("policy", {"SD": "#D55E00", "EPD": "#0072B2", "FBA": "#000000"}),
        markers=Key("flavor", {"reno": "s", "sack": "D"}),
        facet="panel",
        x_name="Fairness",
        y_name="Efficiency",
        title="GEO",
    )
    small, large = figure.axes
    (point,) = small.containers
    assert (point.lines[0].get_color(), point.lines[0].get_marker()) == ("#0072B2", "D")
    assert point.has_xerr
    assert point.has_yerr
    assert not large.containers[0].has_xerr
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["SD", "sack", "EPD", " "]


_ENDS = {"lo": -0.01, "hi": 0.02}


def effects(*names):
    frame = pd.DataFrame({"factor": ["f", "f"], "level": ["a", "b"]})
    for at, name in enumerate(names):
        frame[name] = [0.1 + at, -0.1 - at]
        frame[f"{name}_lo"], frame[f"{name}_hi"] = frame[name] - 0.05, frame[name] + 0.05
    return frame


def test_effects_of_one_source_stand_in_the_middle_of_their_rows_without_a_legend():
    figure = main_effects(effects("WWW"), x_name="x", sources={"WWW": SIMULATED})
    (bars,) = figure.axes[0].containers
    assert bars.lines[0].get_ydata().tolist() == [1, 2]
    assert not figure.legends


def test_effects_of_two_sources_stand_above_each_other_the_first_one_filled():
    figure = main_effects(
        effects("WWW", "bulk"), x_name="x", sources={"WWW": SIMULATED, "bulk": PUBLISHED}
    )
    first, second = (bars.lines[0] for bars in figure.axes[0].containers)
    assert np.all(first.get_ydata() < second.get_ydata())
    assert first.get_markerfacecolor() == SIMULATED.color
    assert second.get_markerfacecolor() == "white"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["WWW", "bulk"]
