"""What only this study has: points that are run less often, windows that are watched, a search."""

from __future__ import annotations

import pytest

from ackclock.sizing.answer import FOUND
from ackclock.studies.osu_tasks.levels import (
    BUFFERED,
    BURSTY,
    PER_VC_POLICIES,
    RETRANSMIT,
    WATCHED_WINDOWS,
    WINDOWS,
    BuffersPoint,
    BurstyPoint,
    RetransmitPoint,
    WindowsPoint,
)
from ackclock.studies.osu_tasks.smallest import SEARCHED_SOURCES, smallest_table
from osu_tasks_results import example_result
from study_cases import OSU_TASKS, shown


@pytest.mark.parametrize(
    ("sources", "asked", "runs"),
    [
        (15, 30, 30),
        (50, 30, 10),
        (1000, 60, 20),
        (50, 10, 4),
        (50, 6, 2),
        (100, 5, 2),
        (100, 3, 2),
        (100, 2, 2),
        (100, 1, 1),
    ],
)
def test_points_with_many_sources_are_run_less_often(sources, asked, runs):
    assert BUFFERED.replications(BuffersPoint("GEO", "SD", sources, 1.0), asked) == runs


def test_bursty_sources_are_many():
    assert BURSTY.replications(BurstyPoint("WWW", "SD", "SACK", 1.0), 30) == 10


def test_points_with_many_sources_have_a_folder_of_their_own(tmp_path):
    made = OSU_TASKS.runs(tmp_path, replications=12, seed=5)
    assert list(made.parts) == [WINDOWS.name, RETRANSMIT.name]
    runs = made.of(RETRANSMIT.name)
    counts = runs.groupby("sources", sort=False).size()
    assert counts.to_dict() == {5: 72, 15: 72, 50: 24, 100: 24}
    table = runs[RETRANSMIT.columns].drop_duplicates()
    found = [RetransmitPoint(*row) for row in table.itertuples(index=False)]
    assert found[:3] == [
        RetransmitPoint(5, 0.5, 0.0),
        RetransmitPoint(5, 0.5, 0.5),
        RetransmitPoint(5, 1.0, 0.0),
    ]
    assert {path.name for path in tmp_path.iterdir()} == {WINDOWS.name, RETRANSMIT.name}
    assert (tmp_path / RETRANSMIT.name / "many-sources").is_dir()


def test_the_windows_are_watched(tmp_path):
    result = OSU_TASKS.run(tmp_path, levels={"parts": (WINDOWS.name,)})
    assert tuple(trace.point for trace in result.traces) == WATCHED_WINDOWS
    trace = result.traces[0]
    assert trace.point == WindowsPoint(1, "integer")
    assert (trace.part, trace.end_s) == (WINDOWS.name, 400)
    queue, cwnd = trace.tables["queue"], trace.tables["cwnd"]
    assert set(queue.loc[queue["link"] == 0, "max_length"]) == {500}
    assert set(cwnd["flow"]) == {0}
    assert {"time_s", "cwnd_bytes", "ssthresh_bytes", "flight_size_bytes"} <= set(cwnd)
    assert (tmp_path / "windows" / "watched").is_dir()


def test_the_smallest_buffer_is_searched_for_behind_both_policies(tmp_path):
    OSU_TASKS.core.calls.clear()
    asked = OSU_TASKS.request(levels={"parts": (BUFFERED.name,)})
    table = smallest_table(asked, OSU_TASKS.execution(tmp_path))
    assert list(table[["drop_policy", "sources"]].itertuples(index=False, name=None)) == [
        (policy, sources) for policy in PER_VC_POLICIES for sources in SEARCHED_SOURCES
    ]
    assert {path.name for path in (tmp_path / "buffers" / "smallest").iterdir()} == {
        f"{row.drop_policy}-{row.sources}-sources" for row in table.itertuples(index=False)
    }
    searched = {plan["links"][0]["port"]["policy"]["name"] for plan, _ in OSU_TASKS.core.calls}
    assert searched == {"selective_drop", "fba"}
    assert set(table["status"]) == {FOUND}
    # 98 % is at 97 800 of 194 264 cells; a step of the search is a quarter.
    assert ((table["smallest_rtt"] >= 0.5) & (table["smallest_rtt"] < 0.65)).all()
    assert (table["fails_rtt"] < 0.504).all()
    assert (table["smallest_mean_pct"] >= 98).all()
    made = len(OSU_TASKS.core.calls)
    smallest_table(asked, OSU_TASKS.execution(tmp_path))
    assert len(OSU_TASKS.core.calls) == made


def test_without_the_part_nothing_is_searched_for(tmp_path):
    assert smallest_table(OSU_TASKS.request(), OSU_TASKS.execution(tmp_path)).empty
    assert not list(tmp_path.iterdir())


def test_the_terminal_shows_variation_smallest_buffers_and_conclusions(tmp_path):
    parts = (BUFFERED.name, BURSTY.name)
    text = shown(OSU_TASKS.run(tmp_path, levels={"parts": parts}, replications=2))
    assert "Task 5: variation explained, % (mean of 2 replications)" in text
    assert "Task 3: smallest buffer for 98 % efficiency" in text
    assert "GEO: SACK with a buffer of 0.5 RTT and Selective Drop" in text
    assert "summary undecided GEO: the order of the flavors' efficiency effects" in text
    assert "half-rtt-98-percent" not in text
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("part", "replications", "said"),
    [
        ("policies", 5, "mean of 5 or 2 replications"),
        ("policies", 2, "mean of 2 replications"),
        ("policies", 1, "one replication"),
        ("bursty", 5, "mean of 2 replications"),
        ("guaranteed-rate", 5, "mean of 5 replications"),
    ],
)
def test_a_table_says_over_how_many_replications_it_is_a_mean(part, replications, said):
    text = shown(example_result((part,), replications=replications))
    assert f"variation explained, % ({said})" in text
