"""Axes: where shares start, on which scale levels stand, where points and times are cut."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock.errors import InputError
from ackclock.plots.agreement import agreement
from ackclock.plots.axes import Nudges, natural_scale
from ackclock.plots.interaction import interaction
from ackclock.plots.means import Scales, means
from ackclock.plots.panels import Axis, panels
from ackclock.plots.plane import Key, plane
from ackclock.plots.quantities import level_quantity, within, words
from ackclock.plots.steps import bins_between, changes_between
from ackclock.plots.style import SERIES
from ackclock.plots.target import Marks, target_reached
from ackclock.plots.windows import Panel, windows
from ackclock.results.export import table_of
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.metrics import METRICS
from ackclock.results.summaries import is_share
from results_campaigns import by_hand, lab

FLAVORS = ["reno", "newreno", "sack", "vanilla"]


def frame(values, half=0.05, **levels):
    rows = list(itertools.product(*levels.values()))
    table = pd.DataFrame(rows, columns=list(levels)).assign(mean=values)
    return table.assign(lo=table["mean"] - half, hi=table["mean"] + half)


def ends_of(ax):
    """The ends of all intervals, and where the points stand, by container."""
    found = []
    for line, _, bars in ax.containers:
        ends = [segment[:, 1].tolist() for bar in bars for segment in bar.get_segments()]
        found.append((np.asarray(line.get_xdata(), dtype=float), ends))
    return found


def drawn(values, half=0.05, **changed):
    wanted = {"x": "tcp_flavor", "y": "utilisation", "share": True, "source": "s"}
    table = frame(values, half, tcp_flavor=FLAVORS[: len(values)])
    return means(table, **(wanted | changed)).area.axes[0]


def test_shares_are_known_by_the_row_of_the_metric():
    shares = {name for name in {**METRICS, **FLOW_METRICS} if is_share(name)}
    assert {"efficiency", "utilisation", "jain_fairness", "loss_rate", "drop_share"} <= shares
    # They may be more than all of what they are compared with.
    assert not shares & {"offered_load", "mcr_share", "goodput_bit_s", "a_metric_of_a_study"}


@settings(max_examples=25)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=4), st.floats(0, 2))
def test_a_share_and_its_interval_stay_within_0_and_1(values, half):
    ax = drawn(values, half)
    low, high = ax.get_ylim()
    assert 0 <= low < high <= 1.02
    assert ("axis starts at" in ax.get_ylabel()) == (low > 0)
    if low > 0:
        assert float(ax.get_ylabel().rpartition(" ")[2].rstrip(")")) == pytest.approx(low)
    for _, ends in ends_of(ax):
        for bottom, top in ends:
            assert 0 <= bottom <= top <= 1


def test_an_axis_of_shares_starts_at_0_where_that_costs_little():
    assert drawn([0.4, 0.9]).get_ylim()[0] == 0
    assert drawn([0.4, 0.9]).get_ylabel() == "Utilisation"
    low, high = drawn([0.95, 0.97], 0.01).get_ylim()
    assert 0.9 <= low <= 0.94
    assert high < 1.01
    percent = drawn([0.002, 0.01], 0.001, y="drop_share")
    assert (percent.get_ylim()[0], percent.get_ylabel()) == (0, "Drop share (%)")
    percent = drawn([0.902, 0.99], 0.03, y="drop_share")
    assert percent.get_ylim()[1] <= 102
    assert "axis starts at 8" in percent.get_ylabel()


def test_what_is_no_share_is_drawn_as_it_is():
    ax = drawn([1.0, 2.0], 3.0, y="offered_load", share=False)
    assert ends_of(ax)[0][1][0] == [-2, 4]
    assert "starts" not in ax.get_ylabel()


def test_a_mean_beyond_1_keeps_its_interval():
    (row,) = within(frame([1.01], 0.2, k=[1])).itertuples()
    assert (row.lo, row.hi) == (pytest.approx(0.81), 1.01)


def test_the_figures_of_studies_say_where_their_shares_start():
    table = frame([0.92, 0.94, 0.96, 0.99], 0.02, k=[1, 2], tcp=["a", "b"])
    looks = dict(zip("ab", SERIES, strict=False))
    axis = Axis("k", "K", {1: "1", 2: "2"})
    series = Axis("tcp", "", {"a": "a", "b": "b"})
    figure = panels(table, x=axis, series=series, looks=looks, y_name="Efficiency", most=1)
    assert figure.axes[0].get_ylabel() == "Efficiency\n(axis starts at 0.88)"
    assert max(top for _, ends in ends_of(figure.axes[0]) for _, top in ends) <= 1
    both = table.rename(columns={"mean": "simulated"}).assign(published=0.95, panel="EPD")
    options = {"x": "k", "line": "tcp", "panel": "panel", "looks": looks, "x_name": "K"}
    figure = interaction(both, **options, y_name="Efficiency", share=True)
    assert "(axis starts at 0.8" in figure.axes[0].get_ylabel()
    figure = agreement(both, group="tcp", looks=looks, name="Efficiency", shares=True)
    ax = figure.axes[0]
    assert ax.get_xlim() == ax.get_ylim()
    assert "starts at 0." in ax.get_xlabel()
    assert "starts at 0." in ax.get_ylabel()
    points = table.rename(columns={"mean": "x", "lo": "x_lo", "hi": "x_hi"})
    points = points.assign(y=0.3, y_lo=-0.1, y_hi=0.7, panel="p")
    figure = plane(
        points,
        colors=Key("tcp", {"a": "black", "b": "blue"}),
        markers=Key("k", {1: "o", 2: "s"}),
        facet="panel",
        x_name="Fairness",
        y_name="Efficiency",
        shares=True,
    )
    assert "Fairness (axis starts at 0.8" in figure.axes[0].get_xlabel()
    assert figure.axes[0].get_ylabel() == "Efficiency"
    assert figure.axes[0].get_ylim()[0] == 0


def test_the_picture_of_a_target_says_where_its_share_starts():
    table = frame([97.0, 98.5, 99.9], 0.6, size=[1.0, 2.0, 4.0])
    table["verdict"] = ["fails", "undecided", "holds"]
    labels = {"x_label": "Buffer", "y_label": "Efficiency (%)", "title": "t", "source": "s"}
    marks = Marks(98.0, "target", None)
    ax = target_reached(table, **labels, marks=marks, most=100).area.axes[0]
    assert "Efficiency (%)\n(axis starts at 96" in ax.get_ylabel()
    assert ax.get_ylim()[1] < 100.1


@pytest.mark.parametrize(
    ("levels", "scale"),
    [
        ([0, 0.0001, 0.001], "symlog"),
        ([0, 0.01, 0.1, 1], "symlog"),
        ([0, 1, 2, 3], "linear"),
        ([0, 0.1], "linear"),
        ([0.0001, 0.001], "linear"),
        ([-1, 0, 1, 100], "linear"),
        ([5], "linear"),
    ],
)
def test_levels_choose_their_scale(levels, scale):
    assert natural_scale(levels) == scale
    table = frame([1.0] * len(levels), k=levels)
    ax = means(table, x="k", y="drops", source="s").area.axes[0]
    assert ax.get_xscale() == scale
    assert (
        means(table, x="k", y="drops", scales=Scales("linear"), source="s")
        .area.axes[0]
        .get_xscale()
        == "linear"
    )


def test_a_symlog_axis_has_its_levels_as_ticks_and_says_where_it_is_logarithmic():
    table = frame([1.0, 2.0, 3.0], loss=[0, 0.0001, 0.001])
    ax = means(table, x="loss", y="drops", source="s").area.axes[0]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "0.0001", "0.001"]
    assert ax.get_xlabel() == "Loss, logarithmic from 0.0001"
    places = ax.transData.transform([(tick, 1.0) for tick in ax.get_xticks()])[:, 0]
    gaps = np.diff(places)
    assert gaps.max() < 1.5 * gaps.min()


@pytest.mark.parametrize("facet", [None, "k"])
@pytest.mark.parametrize("y", ["linear", "log"])
@pytest.mark.parametrize(("x", "levels"), [("symlog", [0, 1e-4, 1e-3]), ("log", [1e-4, 1e-3, 1])])
def test_levels_fill_the_axis_on_whatever_scales(x, levels, y, facet):
    table = frame([1.0, 2.0, 30.0] * 4, 0.5, k=[1, 2], tcp_flavor=FLAVORS[:2], loss=levels)
    wanted = {"x": "loss", "y": "drops", "series": "tcp_flavor", "facet": facet, "source": "s"}
    figure = means(table, **wanted, scales=Scales(x, y))
    figure.draw_without_rendering()
    for ax in figure.area.axes:
        places = [place for line in ax.lines for place in line.get_xdata()]
        ends = ax.transData.transform([(end, 1.0) for end in (min(places), max(places))])[:, 0]
        # As matplotlib leaves room at the ends of any axis.
        room = (ends - ax.bbox.x0) / ax.bbox.width
        assert 0.02 < room[0] < 0.08
        assert 0.92 < room[1] < 0.98


LEVELS = st.lists(
    st.one_of(st.just(0.0), st.floats(1e-6, 1e6)), min_size=2, max_size=6, unique=True
).filter(lambda levels: all(b > a * (1 + 1e-6) for a, b in itertools.pairwise(sorted(levels))))


@given(LEVELS, st.integers(1, 12), st.sampled_from(["linear", "log", "symlog"]))
def test_a_nudged_point_never_crosses_a_neighbour_or_0(levels, count, scale):
    levels = np.array(sorted(levels))
    nudges = Nudges(levels, scale)
    places = np.array([nudges.moved(levels, at, count, 0.04) for at in range(count)])
    assert (places >= 0).all()
    # Points of one level stand together: all are nearer to it than to any of the next.
    assert (places.max(axis=0)[:-1] < places.min(axis=0)[1:]).all()
    first = places[:, 0]
    if levels[0] > 0:
        assert first.min() > 0


def test_points_at_0_stand_at_its_right():
    table = frame([1.0] * 9, loss=[0, 0.0001, 0.001], tcp_flavor=FLAVORS[:3])
    ax = means(table, x="loss", y="drops", series="tcp_flavor", source="s").area.axes[0]
    at_0 = [x[0] for x, _ in ends_of(ax)]
    assert at_0 == sorted(at_0)
    assert at_0[0] == 0 < at_0[-1] < 0.00005


def test_logarithms_without_a_place_for_0_name_the_scale_that_has_one(tmp_path):
    points = [({"loss": loss}, {"drops": [0, loss]}) for loss in (0, 0.001, 0.01)]
    its = by_hand(tmp_path / "runs", points)
    with pytest.raises(InputError, match="loss: a log scale cannot show 0; use symlog"):
        its.plot.lines(x="loss", x_scale="log")
    with pytest.raises(InputError, match="drops: a log scale cannot show 0; use linear"):
        its.plot.lines(y="drops", y_scale="log")
    assert its.plot.lines(x="loss", y="drops").area.axes[0].get_xscale() == "symlog"


def test_a_printed_interval_of_a_share_ends_at_0_and_1(tmp_path):
    points = [({"k": 1}, {"utilisation": [0.99, 1.0, 1.0], "offered_load": [0.9, 1.5, 1.0]})]
    its = by_hand(tmp_path / "runs", points)
    (row,) = its.grid(["utilisation", "offered_load"]).rows
    assert row[1] == "0.9967 (0.9823 to 1.0000)"
    assert "±" in row[2]
    summary = its.summary(["utilisation"])
    assert summary["hi"].iloc[0] == 1
    ((_, ((low, high),)),) = ends_of(its.plot.lines(y="utilisation").area.axes[0])
    assert (low, high) == (pytest.approx(summary["lo"].iloc[0]), 1)


def test_intervals_end_where_values_do_in_frames_tables_pictures_and_exports(tmp_path):
    values = {"utilisation": [0.5, 1.0, 1.0], "timeouts": [0, 0, 1], "drops": [1, 2, 3]}
    its = by_hand(tmp_path / "runs", [({"k": 1}, values)])
    row = table_of(its, "summary").iloc[0]
    assert (row["utilisation_hi"], row["timeouts_lo"]) == (1, 0)
    assert row["utilisation_lo"] == pytest.approx(0.116, abs=0.001)
    assert row["timeouts_hi"] == pytest.approx(1.768, abs=0.001)
    assert row["drops_lo"] == 0
    assert its.grid(["timeouts"]).rows == [["1", "0.33 (0.00 to 1.77)"]]
    ((_, ((low, high),)),) = ends_of(its.plot.lines(y="timeouts").area.axes[0])
    assert (low, high) == (0, pytest.approx(1.768, abs=0.001))
    # What is no value but a difference may be below 0.
    its = by_hand(tmp_path / "two", [({"k": k}, {"timeouts": [k, 0, 1]}) for k in (0, 9)])
    assert its.compare("k", 9, "timeouts")["lo"].iloc[0] < 0


@pytest.mark.parametrize(
    ("column", "name"),
    [
        ("flows_0_tcp_flavor", "TCP of flow 1"),
        ("flows_1_tcp_smss", "TCP SMSS of flow 2"),
        ("flows_10_count", "count of flow 11"),
        ("topology_links_2_rate", "rate of link 3"),
        ("topology_bottleneck_impairments_0_loss", "loss of bottleneck impairment 1"),
        ("tcp_flavor", "TCP flavor"),
    ],
)
def test_a_part_of_a_list_is_counted_from_1(column, name):
    assert words(column) == name


@pytest.mark.parametrize(
    ("levels", "unit"),
    [
        ([14e3, 1e6], "kB"),
        ([14e3, 200e3], "kB"),
        ([1e6, 2e6], "MB"),
        ([0, 14e3], "kB"),
        ([1.0, 14e6], "MB"),
        ([0], "B"),
        (["small"], "B"),
    ],
)
def test_levels_are_in_the_unit_in_which_they_are_written(levels, unit):
    assert level_quantity("queue_limit_bytes", levels).unit == unit


def test_ticks_are_the_levels_as_they_are_written():
    table = frame([1.0, 2.0, 3.0], queue_limit_bytes=[14e3, 500e3, 1e6])
    ax = means(table, x="queue_limit_bytes", y="drops", source="s").area.axes[0]
    assert ax.get_xlabel() == "Queue limit (kB)"
    assert [label.get_text() for label in ax.get_xticklabels()] == ["14", "500", "1000"]


CWND = pd.DataFrame(
    {
        "time_s": [0.0, 1, 2, 3, 4],
        "cwnd_bytes": [1e3, 9e5, 2e3, 4e3, 3e3],
        "ssthresh_bytes": [2**62] * 5,
    }
)
QUEUE = pd.DataFrame({"time_s": [0.0, 1, 2, 3, 4], "max_length": [50, 1, 2, 3, 4]})


def test_a_cut_time_axis_shows_what_held_at_its_start():
    rows = changes_between(CWND, 2.5, 3.5)
    assert rows["time_s"].tolist() == [2.5, 3]
    assert rows["cwnd_bytes"].tolist() == [2e3, 4e3]
    assert changes_between(CWND, 0, 5) is CWND
    assert bins_between(QUEUE, 2.5, 4)["time_s"].tolist() == [2, 3]
    panel = Panel("one", {"a": CWND}, QUEUE).between(2.5, 3.5)
    cwnd, queue = windows([panel], start_s=2.5, end_s=3.5, source="s").area.axes
    assert cwnd.get_xlim() == queue.get_xlim() == (2.5, 3.5)
    # Of the spike and the burst before it nothing is left, nor room for them.
    assert cwnd.get_ylim()[1] == pytest.approx(1.08 * 4)
    assert queue.get_ylim()[1] == pytest.approx(1.08 * 3)
    line = cwnd.lines[0]
    assert line.get_xdata().tolist() == [2.5, 3, 3.5]
    assert line.get_ydata().tolist() == [2, 4, 4]


def test_a_connection_that_may_be_over_is_not_drawn_on():
    both = pd.concat([CWND.assign(connection=0), (CWND + 2).assign(connection=1)])
    both = both.sort_values("time_s", kind="stable")
    rows = changes_between(both, 4.5, 7)
    assert set(rows["connection"]) == {1}
    assert rows["time_s"].tolist() == [4.5, 5, 6]


def test_a_warm_up_before_the_axis_is_not_drawn():
    figure = windows([Panel("", {"a": CWND})], start_s=2, end_s=4, warm_up_s=1, source="s")
    assert not figure.area.axes[0].patches
    assert "warm-up" not in figure.source
    figure = windows([Panel("", {"a": CWND})], start_s=0.5, end_s=4, warm_up_s=1, source="s")
    assert figure.area.axes[0].patches[0].get_x() == 0.5


@pytest.mark.parametrize(
    ("start", "end"), [(10, 10.0001), (0, 80), (1000, 1000.000002), (9.99, 10.01), (0, 2e-6)]
)
def test_times_are_told_whole_and_side_by_side(start, end):
    rows = CWND.assign(time_s=np.linspace(start, end, 5))
    figure = windows([Panel("", {"a": rows})], start_s=start, end_s=end, source="s")
    figure.draw_without_rendering()
    (ax,) = figure.area.axes
    assert ax.xaxis.get_offset_text().get_text() == ""
    ticks = [tick for tick in ax.get_xticks() if start <= tick <= end]
    shown = [label for label in ax.get_xticklabels() if label.get_text()]
    texts = [label.get_text() for label in shown]
    assert len(set(texts)) == len(texts) >= 2
    assert {float(text) for text in texts} >= {round(tick, 9) for tick in ticks}
    boxes = [label.get_window_extent() for label in shown]
    inside = [box for box in boxes if ax.bbox.x0 - 1 <= (box.x0 + box.x1) / 2 <= ax.bbox.x1 + 1]
    assert all(left.x1 < right.x0 for left, right in itertools.pairwise(inside))


def test_a_picture_over_time_names_its_point_and_replication(tmp_path):
    its = lab(tmp_path / "runs")
    title = its.plot.traces(point=1).area.axes[0].get_title(loc="left")
    assert title.replace("\n", " ") == "TCP flavor: reno; bottleneck delay: 20 ms; replication 0"
    ax = its.plot.traces(point=1, from_s=1, to_s=2).area.axes[0]
    assert ax.get_xlim() == (1, 2)
    for from_s, to_s in ((2, 1), (-1, 1), (0, 5), (4, None), (float("nan"), 1)):
        with pytest.raises(InputError, match="is not within a run of 4 s; give for example"):
            its.plot.traces(point=1, from_s=from_s, to_s=to_s)
