"""Metrics of players of video: by hand, and against what the core's player does."""

from math import isnan, nan

import numpy as np
import pytest

from ackclock import _core
from ackclock.results.responses import RESPONSE_METRICS
from ackclock.results.video import VIDEO_METRICS, played
from ackclock.scenario import load
from ackclock.scenario.compile.facts import Facts, Playback
from ackclock.scenario.plan import canonical_json

LADDER = (1_000_000, 2_000_000, 4_000_000)


def facts(flows=1, warm_up_s=0.0, duration_s=30.0, start_up_s=4.0, kinds=None):
    names = tuple(f"v {number}" for number in range(flows))
    return Facts(
        duration_s=duration_s,
        flow_names=names,
        flow_groups=("v",) * flows,
        flow_workloads=kinds or ("video",) * flows,
        bottleneck_link=None,
        payload_capacity_bit_s=nan,
        link_names=(),
        reverse_link=None,
        foreground=(False,) * flows,
        playbacks={"v": Playback(4.0, start_up_s, LADDER)},
        warm_up_s=warm_up_s,
    )


def chunks(*rows):
    """Rows of flow, rung, request and arrival."""
    flow, rung, requested, completed = map(np.array, zip(*rows, strict=True))
    return {
        "responses": {
            "flow": flow.astype(np.uint64),
            "request": rung.astype(np.uint64),
            "requested_s": requested.astype(float),
            "completed_s": completed.astype(float),
        }
    }


def row(columns, its):
    return {name: metric.of(columns, its) for name, metric in VIDEO_METRICS.items()}


# 4 s of video each. The first picture is at 2 s; the buffer is empty at 6 s, and a stall of 4 s
# follows; then at 14 s, and the next stall of 2 s ends with the chunk at 16 s, until 20 s.
STALLS = chunks((0, 0, 1, 2), (0, 1, 2, 10), (0, 1, 10, 16), (0, 2, 16, nan))


def test_a_playback_by_hand():
    assert row(STALLS, facts()) == {
        "video_rate_bit_s": pytest.approx(5e6 / 3),
        # From 20 s to the end at 30 s, too.
        "rebuffer_s": pytest.approx(4 + 2 + 10),
        "rebuffer_ratio": pytest.approx(16 / 28),
        "start_up_delay_s": 1,
        "rate_switches": 1,
        "video_qoe": pytest.approx((5 - 1 - 4.3 * 16) / 3),
    }


def test_chunks_and_stalls_of_the_warm_up_do_not_count_but_their_buffer_does():
    its = row(STALLS, facts(warm_up_s=8.0, duration_s=10.0))
    assert its == {
        "video_rate_bit_s": 2e6,
        # The stall from 6 s to 10 s is half over, and that from 14 s to 16 s counts.
        "rebuffer_s": pytest.approx(2 + 2),
        "rebuffer_ratio": pytest.approx(4 / 10),
        "start_up_delay_s": 1,
        "rate_switches": 1,
        "video_qoe": pytest.approx((4 - 1 - 4.3 * 4) / 2),
    }


def test_a_player_that_never_stalls():
    columns = chunks(*((0, 1, at, at + 1) for at in range(10)))
    assert row(columns, facts(duration_s=20.0)) == {
        "video_rate_bit_s": 2e6,
        "rebuffer_s": 0,
        "rebuffer_ratio": 0,
        "start_up_delay_s": 1,
        "rate_switches": 0,
        "video_qoe": 2,
    }


def test_after_a_stall_a_player_needs_its_start_up_again():
    # Two chunks each time: the first picture at 2 s, empty at 10 s, again at 13 s, empty at 21 s.
    columns = chunks((0, 0, 0, 1), (0, 0, 1, 2), (0, 0, 2, 12), (0, 0, 12, 13))
    its = played(columns, facts(start_up_s=8.0))
    assert (its.start_up_s[0], its.stalled_s[0], its.played_s[0]) == (2, 3 + 9, 8 + 8)


def test_means_are_over_players_and_over_all_chunks():
    columns = chunks((0, 0, 0, 1), (1, 1, 0, 2), (1, 2, 2, 3), (1, 2, 3, 4), (2, 0, 5, nan))
    its = row(columns, facts(3, duration_s=10.0))
    assert its["video_rate_bit_s"] == pytest.approx((1 + 2 + 4 + 4) * 1e6 / 4)
    # Empty at 5 s; the second holds enough. The third shows no picture for 5 s, and has no stall.
    assert its["rebuffer_s"] == pytest.approx(5 / 2)
    assert its["rebuffer_ratio"] == pytest.approx(5 / (9 + 8))
    assert its["start_up_delay_s"] == pytest.approx((1 + 2 + 5) / 3)
    assert its["rate_switches"] == 1 / 2
    assert its["video_qoe"] == pytest.approx(((1 - 4.3 * 5) + (10 - 2) / 3) / 2)


@pytest.mark.parametrize("columns", [{}, {"responses": {}}])
def test_without_players_there_is_no_value(columns):
    assert all(isnan(value) for value in row(columns, facts()).values())


def test_a_player_that_shows_nothing():
    its = row(chunks((0, 0, 20, nan)), facts())
    assert its.pop("start_up_delay_s") == 10
    assert all(isnan(value) for value in its.values())


def test_chunks_are_no_responses():
    its = facts(2, kinds=("video", "rpc"))
    columns = chunks((0, 0, 0, 9), (1, 0, 0, 2), (1, 0, 2, 5))
    assert RESPONSE_METRICS["responses"].of(columns, its) == 2
    assert RESPONSE_METRICS["response_s"].of(columns, its) == 2.5


VIDEO = """
duration = "60 s"
warm_up = "20 s"
[topology]
kind = "dumbbell"
pairs = 3
bottleneck = { rate = "3 Mbit/s", delay = "20 ms" }
[workload]
kind = "video"
chunk = "1 s"
buffer = "10 s"
start_up = "2 s"
reservoir = "2 s"
cushion = "6 s"
start_spread = "5 s"
"""


@pytest.mark.parametrize("adaptation", ["buffer", "rate"])
def test_the_player_of_the_core_by_its_chunks(adaptation):
    compiled = load(VIDEO, [f"workload.adaptation={adaptation}"]).points()[0].compile()
    columns = _core.run(canonical_json(compiled.plan), 1)
    table, its = columns["responses"], played(columns, compiled.facts)
    # The chunks of the warm-up are there, too.
    assert table["requested_s"].min() < 5
    bytes_ = np.array(compiled.facts.playbacks["flow"].ladder_bit_s) // 8
    for flow in range(3):
        mine = {name: values[table["flow"] == flow] for name, values in table.items()}
        requested, completed = mine["requested_s"], mine["completed_s"]
        assert (mine["batch"] == np.arange(requested.size)).all()
        assert (requested[1:] >= completed[:-1] - 1e-9).all()
        assert (mine["bytes"] == bytes_[mine["request"]]).all()
        # A second of each chunk is there at a request, less what was played: 9 s at most.
        played_s = requested - (requested[0] + its.start_up_s[flow])
        held = np.arange(requested.size) - np.maximum(0, played_s)
        assert its.stalled_s[flow] > 0 or 3 < held.max() < 9 + 1e-6
    row_ = row(columns, compiled.facts)
    assert 0.3e6 < row_["video_rate_bit_s"] < 1.1e6
    assert row_["rebuffer_ratio"] < 0.2
    assert 0.05 < row_["start_up_delay_s"] < 5
    assert row_["rate_switches"] > 0
    assert its.stalled_s.min() == 0
