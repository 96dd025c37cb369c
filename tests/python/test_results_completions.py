"""Completion times by size and slowdowns, against numbers worked out by hand."""

from math import isnan, nan

import numpy as np
import pytest

from ackclock.results import run
from ackclock.results.flows import flow_columns
from ackclock.results.metrics import METRICS, measure
from ackclock.scenario import load
from ackclock.scenario.compile.facts import SIZE_CLASSES, IdlePath
from results_campaigns import Facts
from test_results_metrics import columns, facts
from test_results_pages import transfers

GROUPS = ("web", "bulk", "bulk", "ftp", "endless")
WORKLOADS = ("http10", "bulk", "bulk", "ftp", "bulk")
# 1 Mbit/s, 60 ms there and 40 ms back: full packets have 1,000 bytes and take 8 ms.
PATH = IdlePath(rtt_s=0.1, delay_s=0.06, rate_bit_s=1e6, segment_bytes=960, header_bytes=40)
# flow, page, stage, connection, bytes, opened, established, completed.
FETCHED = [
    (0, 0, 0, 0, 960, 1.0, 1.1, 1.416),
    (0, 0, 1, 1, 100_000, 2.0, 2.1, 4.0),
    (0, 0, 1, 2, 100_001, 2.0, 2.1, 5.0),
    (3, 0, 0, 0, 10**7, 0.0, 0.1, 100.0),
    (3, 1, 0, 1, 10**7 + 1, 0.0, 0.1, 200.0),
]


def by_hand(**changed):
    """Two bulk flows of 1,920 B, of which the second one is not complete."""
    run = columns(
        [0, 1920, 1920, 0, 2**61],
        [0, 1920, 1000, 0, 10**6],
        opened=[1.0, 3.0, 3.0, 0.0, 0.0],
        last=[5.0, 3.352, 9.0, 200.0, 10.0],
    )
    known = {
        "flow_groups": GROUPS,
        "flow_workloads": WORKLOADS,
        "idle_paths": dict.fromkeys(GROUPS, PATH),
        "bulk_bytes": {"bulk": 1920},
    }
    return {**run, "transfers": transfers(FETCHED)}, facts(5, **{**known, **changed})


def test_completion_times_by_size():
    row = measure(*by_hand())
    # A class ends with its largest size: 100,000 B are small, 10,000,000 B medium.
    assert [row[f"completed_{name}"] for name in SIZE_CLASSES] == [3, 2, 1]
    times = [0.352, 0.416, 2.0]
    assert row["completion_small_mean_s"] == pytest.approx(sum(times) / 3)
    assert row["completion_small_p50_s"] == pytest.approx(0.416)
    assert row["completion_small_p99_s"] == pytest.approx(2.0)
    # Of two the median is between them.
    assert row["completion_medium_p50_s"] == pytest.approx((3.0 + 100.0) / 2)
    assert row["completion_medium_p99_s"] == pytest.approx(100.0)
    assert row["completion_large_mean_s"] == pytest.approx(200.0)


def test_slowdowns():
    """The least: two round trips, but a sender needs no request; and all bytes with headers."""
    run, its = by_hand()
    least = {
        # One segment: 0.1 + 0.04 + 0.06 s, and 8 ms.
        "web 1": 0.208,
        # 104 full segments and a part: 100,000 + 105 headers of 40 B at 8 us each byte.
        "web 2": 0.2 + (100_000 + 105 * 40) * 8e-6,
        "web 3": 0.2 + (100_001 + 105 * 40) * 8e-6,
        "ftp 1": 0.2 + (10**7 + 10_417 * 40) * 8e-6,
        "ftp 2": 0.2 + (10**7 + 1 + 10_417 * 40) * 8e-6,
        # Two segments: 0.1 + 0.06 s, and 16 ms.
        "bulk": 0.176,
    }
    times = dict(zip(least, (0.416, 2.0, 3.0, 100.0, 200.0, 0.352), strict=True))
    slow = {name: times[name] / least[name] for name in least}
    assert slow["web 1"] == pytest.approx(2)
    assert slow["bulk"] == pytest.approx(2)
    row = measure(run, its)
    assert row["slowdown_mean"] == pytest.approx(sum(slow.values()) / 6)
    ascending = sorted(slow.values())
    assert row["slowdown_p50"] == pytest.approx((ascending[2] + ascending[3]) / 2)
    assert row["slowdown_p99"] == pytest.approx(ascending[5])
    each = flow_columns(run, its)["slowdown_p50"]
    # Of flow 1: 1.93, 2, 2.9; the bulk flow that is not complete has none.
    assert each.tolist() == pytest.approx(
        [2.0, 2.0, nan, (slow["ftp 1"] + slow["ftp 2"]) / 2, nan], nan_ok=True
    )


def test_a_transfer_without_a_known_path_has_no_slowdown_and_others_have():
    row = measure(*by_hand(idle_paths={"bulk": PATH}))
    assert [row[f"slowdown_{end}"] for end in ("mean", "p50", "p99")] == pytest.approx([2, 2, 2])
    row = measure(*by_hand(idle_paths={}))
    assert all(isnan(row[f"slowdown_{end}"]) for end in ("mean", "p50", "p99"))
    assert row["completed_small"] == 3


def test_a_flow_of_the_warm_up_counts_with_all_it_sent():
    """150 kB of which 50 kB were left when the warm-up ended: a medium transfer."""
    run = columns([0], [60_000], [50_000], backlog=[50_000], opened=[0.5], last=[3.5])
    row = measure(run, facts(1, bulk_bytes={"flow": 150_000}))
    assert (row["completed_small"], row["completed_medium"]) == (0, 1)
    assert row["completion_medium_mean_s"] == row["completion_s"] == 3


def test_nothing_is_complete():
    row = measure(columns([2000], [1000]), facts(1, bulk_bytes={"flow": 2000}))
    for name in SIZE_CLASSES:
        assert row[f"completed_{name}"] == 0
        assert all(isnan(row[f"completion_{name}_{end}_s"]) for end in ("mean", "p50", "p99"))


def test_other_metrics_do_not_need_what_measure_found_once():
    """A study computes single metrics."""
    run, its = by_hand()
    row = measure(run, its)
    for name in ("completed_small", "completion_medium_p99_s", "slowdown_p50", "completion_s"):
        assert METRICS[name].of(run, its) == row[name]


LONELY = """
duration = "30 s"
[topology]
kind = "dumbbell"
bottleneck = { rate = "10 Mbit/s", delay = "20 ms", queue = { limit = "2 rtt" } }
access = { delay = "1 ms" }
[[flows]]
name = "once"
workload = { kind = "bulk", size = "1 MB" }
"""
CLIENT = LONELY.replace('"bulk", size = "1 MB"', '"ftp", file_size = "1 kB"')


def test_the_idle_path_of_a_plan():
    path = load(LONELY).points()[0].compile().facts.idle_paths["once"]
    assert path == IdlePath(pytest.approx(0.044), pytest.approx(0.022), 10**7, 1460, 40)


@pytest.mark.parametrize(
    "changes",
    [
        'topology.bottleneck.schedule = [{ at = "1 s", rate = "1 Mbit/s" }]',
        'topology.access.delay_spread = "1 ms"',
        'topology.bottleneck.queue = { kind = "token_bucket", rate = "5 Mbit/s" }',
        'flows[0].workload = { kind = "cbr" }',
    ],
)
def test_a_path_that_is_not_known(changes):
    its = load(LONELY, [changes]).points()[0].compile().facts
    assert its.idle_paths == {}


def test_a_lone_transfer_is_as_slow_as_its_slow_start(tmp_path):
    """1 MB take 0.8 s on the link, and 0.066 s until the first byte is there."""
    row = run(LONELY, tmp_path / "bulk").metrics.iloc[0]
    assert row["completed_medium"] == 1
    assert row["completion_medium_p50_s"] == row["completion_s"]
    least = 0.066 + (10**6 + 685 * 40) * 8 / 10**7
    assert row["slowdown_p50"] == pytest.approx(row["completion_s"] / least)
    assert 1 < row["slowdown_p50"] < 1.5


def test_a_small_file_over_an_idle_path_has_a_slowdown_of_1(tmp_path):
    """Beside the two round trips only its SYN and its request take time, and the faster links."""
    results = run(CLIENT, tmp_path / "files")
    row = results.metrics.iloc[0]
    assert row["completed_small"] == row["files"] > 300
    assert 1 < row["slowdown_p50"] < 1.01
    assert results.flows["slowdown_p50"].iloc[0] == row["slowdown_p50"]


def test_no_slowdown_is_below_1(tmp_path):
    """Whatever the sizes: the least is less than any transfer takes."""
    text = LONELY.replace('"bulk", size = "1 MB"', '"http_sessions", pause = "1 ms"')
    results = run(text, tmp_path / "pages")
    pages = results.transfers()
    path = load(text).points()[0].compile().facts.idle_paths["once"]
    size = pages["bytes"].to_numpy(dtype=float)
    least = 0.088 + (size + 40 * np.ceil(size / path.segment_bytes)) * 8 / path.rate_bit_s
    slow = (pages["completed_s"] - pages["opened_s"]).to_numpy() / least
    assert slow.min() > 1
    assert results.metrics["slowdown_mean"].iloc[0] == pytest.approx(slow.mean())


def test_facts_of_the_tests_are_like_those_of_a_plan():
    its = load(LONELY).points()[0].compile().facts
    assert set(vars(its)) == set(vars(Facts())) - {"values"}
