"""The time-sequence diagram: each sign stands where the rows say, and many are drawn fast."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.collections import LineCollection

from ackclock.plots.sequence import Axis, merged, time_sequence
from recorded_by_hand import MSS, a_slow_start, segments

SOURCE = "ackclock 0.1.0 · A title · seed 1 · replication 0: 7"
ROWS = [
    (0.0, "window", 0, 8_000),
    (0.1, "data", 0, 1_000),
    (0.1, "data", 1_000, 2_000, False, True),
    (0.2, "data", 2_000, 3_000),
    (0.3, "ack", 1_000, 1_000),
    (0.4, "ack", 1_000, 1_000),
    (0.4, "sack", 2_000, 3_000),
    (0.5, "data", 1_000, 2_000, True),
    (0.6, "ack", 3_000, 3_000),
    (0.6, "window", 0, 4_000),
]


def drawn(rows, *span, size=None):
    axis = Axis(*(span or (0.0, 1.0)), size)
    return time_sequence(rows, axis=axis, name="a; replication 0", title="T", source=SOURCE)


def bars(ax):
    """By their colour: the bars as (time, low, high)."""
    return {
        tuple(each.get_colors()[0][:3].round(2)): [
            (line[0, 0], line[0, 1], line[1, 1]) for line in each.get_segments()
        ]
        for each in ax.collections
        if isinstance(each, LineCollection)
    }


def legend(figure):
    return [text.get_text() for text in figure.area.legends[0].get_texts()]


def test_each_sign_stands_where_it_should():
    figure = drawn(segments(ROWS))
    (ax,) = figure.area.axes
    sack, data, again = bars(ax).values()
    assert data == [(0.1, 0, 1), (0.1, 1, 2), (0.2, 2, 3)]
    assert again == [(0.5, 1, 2)]
    assert sack == [(0.4, 2, 3)]
    lines = {line.get_label(): line for line in ax.lines}
    crosses = next(line for line in lines.values() if line.get_marker() == "x")
    assert crosses.get_xydata().tolist() == [[0.1, 1.5]]
    stairs = [line for line in ax.lines if line.get_drawstyle() == "steps-post"]
    assert [line.get_xydata().tolist() for line in stairs] == [
        [[0.3, 1], [0.4, 1], [0.6, 3], [1.0, 3]],
        [[0.0, 8], [0.6, 4], [1.0, 4]],
    ]
    assert ax.get_ylabel() == "Sequence number (kB)"
    assert legend(figure) == [
        "SACK (S)",
        "data",
        "retransmission (R)",
        "lost by the network",
        "ACK",
        "duplicate ACK",
        "receive window",
    ]


def test_a_duplicate_ack_has_a_tick():
    ax = drawn(segments(ROWS)).area.axes[0]
    ticks = [line for line in ax.lines if line.get_marker() == "|"]
    assert [line.get_xydata().tolist() for line in ticks] == [[[0.4, 1]]]


def test_the_axis_counts_segments_if_it_should():
    ax = drawn(segments(ROWS), 0.0, 1.0, size=500).area.axes[0]
    assert next(iter(list(bars(ax).values())[1:2])) == [(0.1, 0, 2), (0.1, 2, 4), (0.2, 4, 6)]
    assert ax.get_ylabel() == "Sequence number (segments of 500 B)"


def test_what_held_before_is_known_in_a_part_of_the_time():
    ax = drawn(segments(ROWS), 0.45, 0.55).area.axes[0]
    (again,) = bars(ax).values()
    assert again == [(0.5, 1, 2)]
    stairs = [line for line in ax.lines if line.get_drawstyle() == "steps-post"]
    assert stairs[0].get_xydata().tolist() == [[0.45, 1], [0.55, 1]]
    assert ax.get_xlim() == (0.45, 0.55)


def test_a_window_far_above_does_not_press_the_data_flat():
    rows = [(0.0, "window", 0, 10**9), *ROWS[1:-1]]
    figure = drawn(segments(rows))
    assert figure.area.axes[0].get_ylim()[1] < 4
    assert "receive window" not in legend(figure)


def test_nothing_of_a_kind_has_no_sign():
    figure = drawn(segments([ROWS[1], ROWS[4]]))
    assert legend(figure) == ["data", "ACK"]


bars_ = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 30), st.integers(1, 5)), min_size=1, max_size=60
)


@given(bars_)
def test_merged_bars_cover_what_they_did(found):
    place, low, length = (np.array(part) for part in zip(*found, strict=True))
    times, bottoms, tops = merged(place + 0.5, low, low + length, place, 0)
    assert covered(place, low, low + length) == covered(times.astype(int), bottoms, tops)
    for at in set(place.tolist()):
        here = np.flatnonzero(times.astype(int) == at)
        # They neither touch nor overlap, so that no fewer would do.
        assert (bottoms[here][1:] > tops[here][:-1]).all()


def covered(place, low, high):
    return {
        (at, unit)
        for at, first, last in zip(place.tolist(), low.tolist(), high.tolist(), strict=True)
        for unit in range(first, last)
    }


def test_a_hundred_thousand_segments_are_drawn_in_seconds(tmp_path):
    count = 100_000
    at = np.sort(np.random.default_rng(1).random(count)) * 10
    low = np.arange(count) * MSS
    lost = np.random.default_rng(2).random(count) < 0.01
    columns = {"kind": "data", "low": low, "high": low + MSS, "sent_again": False, "lost": lost}
    data = pd.DataFrame({"time_s": at, **columns, "connection": 0})
    acks = data.assign(kind="ack", time_s=at + 0.05)
    again = data[lost].assign(time_s=at[lost] + 0.1, sent_again=True, lost=False)
    rows = pd.concat([data, acks, again]).sort_values("time_s")
    begun = time.monotonic()
    figure = drawn(rows, 0.0, 10.0)
    figure.savefig(tmp_path / "figure.svg")
    assert time.monotonic() - begun < 10
    assert (tmp_path / "figure.svg").stat().st_size < 3_000_000
    first = next(each for each in bars(figure.area.axes[0]).values())
    assert len(first) < 5_000
    assert "drawn as one" in figure.source


def test_a_drop_is_seen_to_be_repaired():
    figure = drawn(a_slow_start(), 0.0, 1.3)
    assert "lost by the network" in legend(figure)
    crosses = next(line for line in figure.area.axes[0].lines if line.get_marker() == "x")
    (again,) = list(bars(figure.area.axes[0]).values())[2]
    assert crosses.get_ydata() == pytest.approx([(again[1] + again[2]) / 2])
