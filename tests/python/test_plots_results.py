"""Figures of results: what they show, what they say at the foot, and that nothing collides."""

import io
import itertools
import warnings
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from ackclock.campaign import CampaignWarning
from ackclock.errors import InputError, InputWarning
from ackclock.plots.differences import differences
from ackclock.plots.means import Scales, means
from ackclock.plots.quantities import level_texts, quantity, unit_of, words
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.style import series_look
from ackclock.plots.svg import inline_svg
from ackclock.plots.windows import Panel, windows
from results_campaigns import by_hand

SOURCE = "ackclock 0.1.0 · A title · seed 1 · n = 10 · 95 % intervals"


def frame(**levels):
    """A row a combination of levels, with a mean and an interval."""
    rows = [
        (*combination, 4e6 + 1e6 * at, 3.5e6 + 1e6 * at, 4.5e6 + 1e6 * at)
        for at, combination in enumerate(itertools.product(*levels.values()))
    ]
    return pd.DataFrame(rows, columns=[*levels, "mean", "lo", "hi"])


def drawn(**changed):
    wanted = {"x": "loss", "y": "goodput_bit_s", "source": SOURCE}
    table = changed.pop("table", frame(loss=[0.001, 0.01], tcp_flavor=["reno", "sack"]))
    return means(table, **(wanted | {"series": "tcp_flavor"} | changed))


def png(figure):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def texts(figure):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg")
    root = ElementTree.fromstring(buffer.getvalue())
    return ["".join(each.itertext()).strip() for each in root.iter() if each.tag.endswith("}text")]


@pytest.mark.parametrize(
    ("column", "values", "label"),
    [
        ("goodput_bit_s", [2e6, 9.3e6], "goodput (Mbit/s)"),
        ("goodput_bit_s", [2e9], "goodput (Gbit/s)"),
        ("goodput_bit_s", [0, 0], "goodput (bit/s)"),
        ("goodput_bit_s", [], "goodput (bit/s)"),
        ("goodput_bit_s", [float("nan"), 3000], "goodput (kbit/s)"),
        ("completion_s", [0.02, 1.5], "completion (s)"),
        ("topology_bottleneck_delay_s", [0.01, 0.1], "bottleneck delay (ms)"),
        ("clock_tick_s", [1e-9], "clock tick (µs)"),
        ("retransmitted_share", [0.01], "retransmitted share (%)"),
        ("topology_bottleneck_queue_limit_rtt", [0.5], "bottleneck queue limit (RTT)"),
        ("topology_bottleneck_queue_limit_packets", [50], "bottleneck queue limit (packets)"),
        ("tcp_receive_buffer_bytes", [65535], "TCP receive buffer (kB)"),
        ("timeouts", [1], "time-outs"),
        ("tcp_flavor", ["reno"], "TCP flavor"),
        ("topology_pairs", [4], "pairs"),
        ("jain_fairness", [0.5], "Jain fairness"),
        ("max_min_fairness", [0.5], "max-min fairness"),
        ("longer", [8], "longer"),
    ],
)
def test_columns_as_people_read_them(column, values, label):
    assert quantity(column, values).label == label


def test_the_unit_may_be_told():
    assert quantity("max_queue", [5], "cells").label == "longest queue (cells)"
    assert quantity("completion_s", [5], "cells").label == "completion (s)"


@given(
    st.floats(1e-9, 1e12), st.sampled_from(["x_bit_s", "x_s", "x_bytes", "x_share", "x_rtt", "x"])
)
def test_a_value_and_its_unit_belong_together(value, column):
    shown = quantity(column, [value])
    assert shown.name.split()[0] == "x"
    assert value / shown.scale * shown.scale == pytest.approx(value)
    if column != "x":
        assert unit_of(column) != "1" or column == "x_share"


def test_levels_as_people_read_them():
    assert level_texts("topology_bottleneck_delay_s", [0.01, 0.1]) == ["10 ms", "100 ms"]
    assert level_texts("workload_size_bytes", [14e3, 1.4e7]) == ["14 kB", "14 MB"]
    assert level_texts("queue_limit_rtt", [0.5, 2]) == ["0.5 RTT", "2 RTT"]
    assert level_texts("tcp_flavor", ["reno"]) == ["reno"]
    assert level_texts("tcp_nagle", [True, np.False_]) == ["true", "false"]
    assert level_texts("loss", [1e-5]) == ["1e-05"]
    assert words("topology") == "topology"


def test_many_series_can_be_told_apart():
    looks = [series_look(number) for number in range(64)]
    assert len(set(looks)) == 64
    for part in zip(*looks[:8], strict=True):
        assert len(set(part)) == 8


def test_means_and_intervals_are_those_given():
    table = frame(loss=[0.001, 0.01, 0.1])
    (ax,) = drawn(table=table, series=None).area.axes
    ((line, _, (bars,)),) = ax.containers
    assert line.get_ydata().tolist() == [4, 5, 6]
    assert line.get_xdata().tolist() == [0.001, 0.01, 0.1]
    ends = [segment[:, 1].tolist() for segment in bars.get_segments()]
    assert ends == [[3.5, 4.5], [4.5, 5.5], [5.5, 6.5]]
    assert ax.get_ylabel() == "Goodput (Mbit/s)"


def test_one_replication_has_no_interval():
    table = frame(loss=[0.001, 0.01]).assign(lo=np.nan, hi=np.nan)
    (ax,) = drawn(table=table, series=None).area.axes
    assert ax.containers[0].has_yerr is False


def test_numbers_are_in_order_and_words_in_theirs():
    table = frame(loss=[0.1, 0.001, 0.01], buffer=["small", "large"])
    ax = drawn(table=table, series="buffer").area.axes[0]
    assert (np.diff(ax.lines[0].get_xdata()) > 0).all()
    ax = drawn(table=table, x="buffer", series="loss").area.axes[0]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["small", "large"]
    legend = drawn(table=table, x="buffer", series="loss").area.legends[0]
    assert [text.get_text() for text in legend.get_texts()] == ["0.001", "0.01", "0.1"]


def test_intervals_at_one_place_do_not_hide_each_other():
    for x in ("loss", "tcp_flavor"):
        series = "tcp_flavor" if x == "loss" else "loss"
        for scales in (Scales(), Scales("log")):
            ax = drawn(x=x, series=series, scales=scales).area.axes[0]
            first, second = (container[0].get_xdata()[0] for container in ax.containers)
            low, high = ax.get_xlim()
            assert 0 < second - first < 0.2 * (high - low)


def test_a_panel_a_facet_with_common_axes():
    names = ["one", "two", "three", "four"]
    table = frame(loss=[0.001, 0.01], buffer=names)
    figure = drawn(table=table, series=None, facet="buffer")
    shown = [ax for ax in figure.area.axes if ax.get_visible()]
    assert [ax.get_title() for ax in shown] == [
        f"Buffer: {b}" for b in ("one", "two", "three", "four")
    ]
    assert len({ax.get_ylim() for ax in shown}) == 1
    assert [bool(ax.get_xlabel()) for ax in shown] == [False, True, True, True]


def test_few_levels_are_the_ticks_of_a_log_axis():
    ax = drawn(scales=Scales("log", "log")).area.axes[0]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0.001", "0.01"]
    assert ax.get_yscale() == "log"
    table = frame(loss=[0.001, 0.01]).assign(mean=[2e4, 4e6], lo=[1.5e4, 3e6], hi=[3e4, 5e6])
    figure = drawn(table=table, series=None, scales=Scales("log", "log"))
    labels = texts(figure)
    assert "0.1" in labels
    assert not any("e" in label for label in labels if label[:1].isdigit())


def test_names_are_drawn_as_they_are_written_and_numbers_without_formulas():
    names = ["$\\frac{1$", "$a_b^"]
    shown = texts(drawn(table=frame(loss=[0.001, 0.01], tcp_flavor=names)))
    assert set(names) <= set(shown)
    # Within a decade the small ticks have numbers too.
    losses = [0.001 + 0.0001 * at for at in range(30)]
    shown = texts(drawn(table=frame(loss=losses), series=None, scales=Scales("log", "log")))
    assert shown
    assert not any("$" in text for text in shown)


@pytest.fixture(scope="module")
def figures():
    return list(everything())


def everything():
    """A figure of each kind, with much in it."""
    table = frame(
        topology_bottleneck_delay_s=[0.01, 0.1],
        tcp_flavor=["vanilla", "reno", "newreno", "newreno_hoe", "newreno_full", "sack"],
        buffer=["small", "large", "huge", "more"],
    )
    long = f"{SOURCE} · averaged over the initial window, the receive buffer, the number of pairs"
    delay, flavor = "topology_bottleneck_delay_s", "tcp_flavor"
    wanted = {"y": "goodput_bit_s", "source": long}
    yield means(table, x=delay, series=flavor, facet="buffer", title="A title", **wanted)
    yield means(table, x=flavor, series=delay, facet="buffer", **wanted)
    yield means(table[table["buffer"] == "small"], x=flavor, series=delay, **wanted)
    cwnd = pd.DataFrame(
        {"time_s": [0.1, 1], "cwnd_bytes": [1460, 9e5], "ssthresh_bytes": [2**62] * 2}
    )
    queue = pd.DataFrame({"time_s": np.arange(20) / 10, "max_length": np.arange(20) * 100})
    panel = Panel("reno", {"a 1": cwnd, "a 2": cwnd}, queue)
    yield windows([panel, panel], end_s=2, warm_up_s=0.5, title="A title", source=long)
    yield windows([Panel("", {"a 1": cwnd})], end_s=2, source=long)
    yield windows([Panel("", {}, queue, "cells")], end_s=2, source=long)
    table = table.rename(columns={"mean": "difference"}).assign(baseline="reno")
    table = table.assign(simultaneous_lo=table["lo"] - 1e6, simultaneous_hi=table["hi"] + 1e6)
    options = {"factor": flavor, "others": ["buffer", delay], "source": long}
    yield differences(table, metric="goodput_bit_s", **options)


def boxes(figure):
    """What a reader reads, as boxes on the canvas: axes with their labels, legends, foot, title."""
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    area, foot = figure.subfigs
    found = [(ax, ax.get_tightbbox(renderer)) for ax in area.axes if ax.get_visible()]
    artists = [*area.legends, *foot.texts, *filter(None, [area._suptitle])]
    return found + [(each, each.get_window_extent(renderer)) for each in artists]


@pytest.mark.parametrize("number", range(7))
def test_nothing_collides_or_leaves_the_figure(figures, number):
    figure = figures[number]
    width, height = figure.canvas.get_width_height()
    found = boxes(figure)
    for _, box in found:
        assert box.x0 >= -1
        assert box.y0 >= -1
        assert box.x1 <= width + 1
        assert box.y1 <= height + 1
    for (one, first), (other, second) in itertools.combinations(found, 2):
        across = min(first.x1, second.x1) - max(first.x0, second.x0)
        along = min(first.y1, second.y1) - max(first.y0, second.y0)
        assert min(across, along) < 1, f"{one} and {other}"


def test_a_figure_says_what_produced_it(figures):
    assert len(figures) == 7
    for figure in figures:
        assert isinstance(figure, SourcedFigure)
        foot = " ".join(texts(figure))
        for part in SOURCE.split(" · "):
            assert part in foot


def test_a_file_says_what_produced_it():
    figure = drawn(title="Losses cost more")
    image = Image.open(io.BytesIO(png(figure)))
    assert image.text == {"Title": "Losses cost more", "Description": SOURCE}
    for ending, start in (("svg", b"<?xml"), ("pdf", b"%PDF")):
        buffer = io.BytesIO()
        figure.savefig(buffer, format=ending)
        assert buffer.getvalue().startswith(start)
        assert b"Losses cost more" in buffer.getvalue()


def test_an_svg_that_is_drawn_once_has_the_bytes_of_matplotlib():
    def svg(**more):
        buffer = io.BytesIO()
        drawn(title="Losses cost more").savefig(buffer, format="svg", **more)
        return buffer.getvalue()

    # With any other option, matplotlib's own way: this one is its default.
    assert svg() == svg(orientation="portrait")


def test_boxes_in_place_of_characters_are_told_in_one_sentence():
    for ending in ("png", "pdf"):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            drawn(title="缓冲 of 日本 日本", source="ü ± 日").savefig(io.BytesIO(), format=ending)
        assert [each.category for each in told] == [InputWarning]
        said = str(told[0].message)
        assert sorted(said[: said.index(";")].split()[-4:]) == sorted("缓冲日本")
        assert ".svg" in said


def test_who_shows_a_picture_that_names_its_characters_has_the_fonts():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = drawn(title="缓冲", source=SOURCE)
        assert "缓冲" in texts(figure)
        assert "缓冲" in inline_svg(figure, "a", "a", "a")
        figure.savefig(io.StringIO(), format="pgf")


def test_the_same_figure_gives_the_same_bytes_whatever_a_user_has_set():
    for ending in ("png", "svg", "pdf"):
        files = []
        for size in (8, 30):
            with matplotlib.rc_context({"font.size": size, "svg.fonttype": "path"}):
                buffer = io.BytesIO()
                drawn().savefig(buffer, format=ending)
            files.append(buffer.getvalue())
        assert files[0] == files[1], ending


def test_a_notebook_shows_a_figure_without_pyplot():
    assert drawn()._repr_png_().startswith(b"\x89PNG")


def test_only_changes_that_can_be_seen_are_drawn():
    times = np.linspace(0, 10, 100_000)
    spikes = pd.DataFrame({"time_s": times, "cwnd_bytes": 1e4, "ssthresh_bytes": 1e4})
    spikes.loc[54_321, "cwnd_bytes"] = 9e4
    spikes.loc[76_543, "cwnd_bytes"] = 1e3
    line = windows([Panel("", {"a": spikes})], end_s=10, source=SOURCE).area.axes[0].lines[0]
    assert len(line.get_xdata()) < 5000
    assert (line.get_ydata().max(), line.get_ydata().min()) == (90, 1)
    assert (np.diff(line.get_xdata()) >= 0).all()


def test_an_ssthresh_without_limit_does_not_hide_cwnd():
    rows = pd.DataFrame({"time_s": [0, 1], "cwnd_bytes": [1e4, 2e4], "ssthresh_bytes": [2**62] * 2})
    ax = windows([Panel("", {"a": rows})], end_s=2, source=SOURCE).area.axes[0]
    assert ax.get_ylim() == (0, pytest.approx(21.6))


@pytest.fixture
def results(tmp_path):
    points = [
        ({"tcp_flavor": flavor, "k": k}, {"goodput_bit_s": values, "timeouts": [0, 0, 1]})
        for flavor, k, values in (
            ("reno", 0, [1e6, 2e6, 3e6]),
            ("reno", 1, [3e6, 2e6, 4e6]),
            ("sack", 0, [5e6, 6.5e6, 6.5e6]),
            ("sack", 1, [7e6, 6e6, 8e6]),
        )
    ]
    return by_hand(tmp_path / "runs", points)


def test_what_is_not_told_apart_is_averaged_over_in_each_replication(results):
    figure = results.plot.lines(x="tcp_flavor")
    ax = figure.area.axes[0]
    line, _, (bars,) = ax.containers[0]
    assert line.get_ydata().tolist() == [2.5, 6.5]
    # Replications of reno: 2, 2, 3.5 Mbit/s; their deviation is sqrt(0.75).
    low, high = bars.get_segments()[0][:, 1]
    assert high - 2.5 == pytest.approx(4.302652729911275 * np.sqrt(0.75 / 3))
    assert low + high == pytest.approx(5)
    assert "n = 3 · 95 % intervals · averaged over k" in figure.source
    assert "averaged" not in results.plot.lines(x="tcp_flavor", series="k").source


def test_a_value_that_is_missing_is_not_averaged_over(tmp_path):
    points = [({"k": k}, {"completion_s": [1.0, 3.0 if k else float("nan")]}) for k in (0, 1)]
    ax = by_hand(tmp_path / "runs", points).plot.lines(y="completion_s").area.axes[0]
    assert np.isnan(ax.containers[0][0].get_ydata()).tolist() == [True, False]
    points = [({"a": 1, **levels}, values) for levels, values in points]
    its = by_hand(tmp_path / "pooled", points)
    with pytest.raises(InputError, match="completion_s: has no mean here: each mean includes"):
        its.plot.lines(x="a", y="completion_s")


def test_a_replication_that_is_missing_somewhere_is_averaged_nowhere(tmp_path):
    points = [
        ({"tcp_flavor": "reno", "k": 0}, {"goodput_bit_s": [1e6, 2e6, 30e6]}),
        ({"tcp_flavor": "reno", "k": 1}, {"goodput_bit_s": [3e6, 4e6, None]}),
    ]
    with pytest.warns(CampaignWarning):
        results = by_hand(tmp_path / "runs", points)
    figure = results.plot.lines(x="tcp_flavor")
    assert figure.area.axes[0].containers[0][0].get_ydata().tolist() == [2.5]
    assert "n = 2" in figure.source


def test_a_comparison_is_drawn_with_both_intervals(results):
    table = results.compare("tcp_flavor")
    ax = results.plot.comparison("tcp_flavor").area.axes[0]
    widths = [container[2][0].get_segments()[0][:, 0].tolist() for container in ax.containers]
    first = table.iloc[0]
    assert widths[0] == pytest.approx([first["lo"] / 1e6, first["hi"] / 1e6])
    ends = [first["simultaneous_lo"] / 1e6, first["simultaneous_hi"] / 1e6]
    assert widths[1] == pytest.approx(ends)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["0, sack", "1, sack"]


@pytest.mark.parametrize(
    ("scales", "says"),
    [
        ({"x": "k", "x_scale": "log"}, "k: a log scale cannot show 0"),
        ({"x": "tcp_flavor", "x_scale": "log"}, "tcp_flavor: a log scale cannot show reno"),
        ({"y": "drops", "y_scale": "log"}, "drops: a log scale cannot show 0"),
    ],
)
def test_a_logarithm_that_does_not_exist_is_told(results, scales, says):
    with pytest.raises(InputError, match=says):
        results.plot.lines(**scales)
