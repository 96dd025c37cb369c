"""Remote procedure calls and adaptive video: plans, texts, mistakes, and runs of calls."""

import numpy as np
import pytest

from ackclock import _core
from ackclock.results import run
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.randomness import is_random
from ackclock.scenario.workload_text import workload_text
from plan_checker import check_plan
from scenario_calls import compiled, refused
from scenario_texts import DUMBBELL

MS, S = 10**9, 10**12
RPC = DUMBBELL + '[workload]\nkind = "rpc"\n'
VIDEO = DUMBBELL + '[workload]\nkind = "video"\n'


def workload(text, *sets):
    made = compiled(text, *sets)
    check_plan(made.plan)
    return made.plan["workloads"][0]


def test_calls_come_into_the_plan():
    assert workload(RPC) == {
        "kind": "rpc",
        "request_bytes": 128,
        "sizes": {"law": "fixed", "bytes": 32_000},
        "think": {"law": "exponential", "mean_ps": 10 * MS},
        "closed_loop": True,
        "start_ps": 0,
        "start_spread_ps": 0,
    }
    sets = ("workload.loop=open", "workload.sizes=web_search", "workload.think=1 s")
    plan = workload(RPC, *sets)
    assert (plan["closed_loop"], plan["think"]["mean_ps"]) == (False, S)
    assert plan["sizes"]["interpolation"] == "linear"
    none = workload(RPC, "workload.think=0 s")
    assert none["think"] == {"law": "uniform", "min_ps": 0, "max_ps": 0}


def test_an_open_loop_needs_think_time():
    (message,) = refused(RPC, "workload.loop=open", "workload.think=0 s")
    assert (
        'with loop = "open", makes more than 10000000 requests in a run; write "1 us" or more'
        in (message)
    )


def responses(*sets):
    made = compiled(RPC, *sets)
    return _core.run(canonical_json(made.plan), 1)["responses"]


def test_a_closed_loop_waits_for_the_response():
    its = responses("workload.think=0 s", "workload.sizes=1 kB")
    requested, completed = its["requested_s"], its["completed_s"]
    # One round trip of 40 ms each, after that of the handshake.
    assert requested.size == pytest.approx(10 / 0.0409, rel=0.02)
    assert (requested[1:] == completed[:-1])[1:].all()
    assert np.nanmedian(completed - requested) == pytest.approx(0.0409, abs=0.0002)


def test_an_open_loop_does_not_wait():
    """More is requested than the bottleneck carries, and the requests keep their rate."""
    its = responses("workload.loop=open", "workload.think=10 ms", "workload.sizes=20 kB")
    requested = its["requested_s"]
    assert requested.size == pytest.approx(1000, abs=5 * 1000**0.5)
    assert np.isnan(its["completed_s"]).sum() > 200
    thinks = np.diff(requested)
    assert np.std(thinks) == pytest.approx(0.01, rel=0.2)


def test_response_times_have_percentiles(tmp_path):
    sets = ["workload.sizes=1 kB", "warm_up=1 s", "topology.pairs=2"]
    row = run(RPC, tmp_path / "runs", sets=sets).metrics.iloc[0]
    assert 300 < row["responses"] < 400
    assert 0.0405 < row["response_s"] <= row["response_p95_s"] <= row["response_p99_s"] < 0.06
    # Between two calls all data has arrived, but the flow is not complete.
    assert (row["completed_flows"], row["files"]) == (0, 0)


def test_video_comes_into_the_plan():
    assert workload(VIDEO) == {
        "kind": "video",
        "ladder_bps": tuple(rate * 1000 for rate in (235, 375, 560, 750, 1050, 1750, 2350, 3000)),
        "chunk_ps": 4 * S,
        "most_ps": 240 * S,
        "start_up_ps": 4 * S,
        "adaptation": {"by": "buffer", "reservoir_ps": 90 * S, "cushion_ps": 126 * S},
        "request_bytes": 300,
        "start_ps": 0,
        "start_spread_ps": 0,
    }
    by_rate = workload(VIDEO, "workload.adaptation=rate", "workload.used_share=75 %")
    assert by_rate["adaptation"] == {"by": "rate", "chunks": 5, "used_ppm": 750_000}


def test_what_an_adaptation_does_not_use_changes_no_plan():
    one = workload(VIDEO, "workload.adaptation=rate", "workload.cushion=1 s")
    assert one == workload(VIDEO, "workload.adaptation=rate", "workload.reservoir=999 s")


@pytest.mark.parametrize(
    ("sets", "reason"),
    [
        (
            ('workload.ladder=["3 Mbit/s", "1 Mbit/s", "3 Mbit/s"]',),
            'the bit rates must rise, each once; write ["1 Mbit/s", "3 Mbit/s"]',
        ),
        (("workload.ladder=[]",), "expected at least 1 values"),
        (
            ("workload.adaptation=rate", "workload.buffer=3 s", "workload.start_up=1 s"),
            'chunk = "4 s" does not fit into buffer = "3 s"; write chunk = "3 s" or less',
        ),
        (
            ("workload.start_up=250 s",),
            'start_up = "250 s" does not fit into buffer = "4 min"; write start_up = "4 min" or '
            "less",
        ),
        (
            ("workload.buffer=60 s",),
            'reservoir + cushion = "3.6 min" is above buffer = "1 min", and the player never '
            'requests the highest bit rate; write buffer = "3.6 min" or more',
        ),
        (("workload.request_size=401 B",), 'must be at most "400 B"'),
        (("workload.used_share=0",), "expected a share above 0 and at most 1"),
    ],
)
def test_what_does_not_agree_in_video(sets, reason):
    (message,) = refused(VIDEO, *sets)
    assert reason in message


def test_explain_says_it_in_words():
    def words(text, *sets):
        return workload_text(load(text, sets).workload)

    assert words(RPC) == (
        "rpc: closed loop on one connection, requests of 128 B, responses of 32 kB, 10 ms on "
        "average (exponential) after each response"
    )
    sets = ("workload.sizes=mah_http", "workload.think=0 s", "workload.start_spread=1 s")
    assert words(RPC, *sets) == (
        "rpc: closed loop on one connection, requests of 128 B, responses with sizes of mah_http "
        "(median 2112 B, mean 7860 B), no pause, the first at 0 ms to 1 s"
    )
    assert "after each request" in words(RPC, "workload.loop=open")
    assert words(VIDEO) == (
        "video: 8 bit rates from 235 kbit/s to 3 Mbit/s, chunks of 4 s, buffer of 4 min, starts "
        "with 4 s, by the buffer: lowest to 1.5 min, highest from 3.6 min"
    )
    assert words(VIDEO, "workload.adaptation=rate").endswith(
        "by the rate: 80 % of the harmonic mean of 5 chunks"
    )


def test_think_times_are_random_and_a_player_is_not():
    assert is_random(load(RPC))
    assert not is_random(load(RPC, ["workload.think=0 s"]))
    assert not is_random(load(VIDEO))
