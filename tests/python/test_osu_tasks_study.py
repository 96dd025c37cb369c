"""The whole study on a core that answers at once: order, resuming, files, the terminal."""

from __future__ import annotations

import io
import signal

import pytest
from rich.console import Console

import fake_osu_core
from ackclock.campaign import Progressed
from ackclock.errors import InputError
from ackclock.sizing.answer import FOUND
from ackclock.studies.osu_tasks.levels import (
    BUFFERED,
    PER_VC_POLICIES,
    RETRANSMIT,
    WINDOWS,
    BuffersPoint,
    BurstyPoint,
    RetransmitPoint,
    WindowsPoint,
)
from ackclock.studies.osu_tasks.outputs import write_files
from ackclock.studies.osu_tasks.part import replications_of
from ackclock.studies.osu_tasks.result import Request, Selection
from ackclock.studies.osu_tasks.runs import run_all
from ackclock.studies.osu_tasks.smallest import SEARCHED_SOURCES, smallest_table
from ackclock.studies.osu_tasks.study import reproduce
from ackclock.studies.osu_tasks.tables import render
from fake_osu_core import CORE
from osu_tasks_results import example_result

SMALL = Selection(parts=(WINDOWS.name, RETRANSMIT.name))
TELLS_OF_ONE_CALL = {"journal.jsonl", "provenance.json", ".lock"}


def study(folder, jobs=2, on_progress=lambda event: None, **request):
    return reproduce(Request(**{"selection": SMALL, **request}), folder, jobs, on_progress, CORE)


def files(result, folder):
    """Everything in the folder that is the same whenever, wherever and how the runs were made."""
    write_files(result, folder, lambda result, path: path.write_text("report"))
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in TELLS_OF_ONE_CALL
    }


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
    assert replications_of(BuffersPoint("GEO", "SD", sources, 1.0), asked) == runs


def test_bursty_sources_are_many():
    assert replications_of(BurstyPoint("WWW", "SD", "SACK", 1.0), 30) == 10


def test_runs_come_part_by_part_in_the_order_of_the_scenario(tmp_path):
    request = Request(selection=SMALL, replications=12, seed=5)
    tables = run_all(request, tmp_path, 2, lambda event: None, CORE)
    assert list(tables) == [WINDOWS.name, RETRANSMIT.name]
    counts = tables[RETRANSMIT.name].groupby("sources", sort=False).size()
    assert counts.to_dict() == {5: 72, 15: 72, 50: 24, 100: 24}
    table = tables[RETRANSMIT.name][RETRANSMIT.columns].drop_duplicates()
    found = [RetransmitPoint(*row) for row in table.itertuples(index=False)]
    assert found[:3] == [
        RetransmitPoint(5, 0.5, 0.0),
        RetransmitPoint(5, 0.5, 0.5),
        RetransmitPoint(5, 1.0, 0.0),
    ]
    assert {path.name for path in tmp_path.iterdir()} == set(SMALL.parts)


def test_a_replication_has_the_same_seed_at_every_point(tmp_path):
    request = Request(selection=SMALL, replications=2)
    tables = run_all(request, tmp_path, 2, lambda event: None, CORE)
    for table in tables.values():
        assert (table.groupby("replication")["seed"].nunique() == 1).all()


def test_the_number_of_threads_changes_no_byte(tmp_path):
    outputs = []
    for jobs in (1, 2, 5):
        folder = tmp_path / str(jobs)
        outputs.append(files(study(folder, jobs, replications=2), folder))
    assert len(outputs[0]) > 8
    assert outputs[0] == outputs[1] == outputs[2]


def test_what_was_run_has_files_and_what_was_not_has_none(tmp_path):
    written = set(files(study(tmp_path), tmp_path))
    assert {name for name in written if "/" not in name} == {
        "windows-results.csv",
        "windows-runs.csv",
        "retransmit-results.csv",
        "retransmit-runs.csv",
        "claims.csv",
        "report.html",
    }
    alone = files(study(tmp_path, selection=Selection((WINDOWS.name,))), tmp_path)
    assert "retransmit-results.csv" not in alone
    header = alone["windows-results.csv"].decode().splitlines()[0]
    assert header.startswith("sources,arithmetic,n,efficiency,efficiency_lo,efficiency_hi,fairness")


def test_the_windows_are_watched(tmp_path):
    result = study(tmp_path, selection=Selection((WINDOWS.name,)))
    assert tuple(trace.point for trace in result.traces) == WINDOWS.watched
    trace = result.traces[0]
    assert trace.point == WindowsPoint(1, "integer")
    assert (trace.part, trace.end_s) == (WINDOWS.name, 400)
    assert list(trace.queue) == ["time_s", "max_cells"]
    assert set(trace.queue["max_cells"]) == {500}
    assert list(trace.cwnd) == ["time_s", "cwnd_bytes", "ssthresh_bytes", "flight_size_bytes"]


def test_an_interrupted_study_goes_on_where_it_was(tmp_path):
    whole = files(study(tmp_path / "whole", replications=2), tmp_path / "whole")
    folder = tmp_path / "cut"

    def interrupt(event):
        # In the second campaign: the first one has 16 runs, this one 24.
        if isinstance(event, Progressed) and event.total == 24 and event.made >= 4 and not told:
            told.append(event)
            signal.raise_signal(signal.SIGINT)

    told = []
    with pytest.raises(KeyboardInterrupt, match="the same command goes on from there"):
        study(folder, 1, interrupt, replications=2)
    assert not list(folder.glob("*.csv"))
    fake_osu_core.calls.clear()
    assert files(study(folder, replications=2), folder) == whole
    assert len(fake_osu_core.calls) < 50


def test_what_is_done_is_not_done_again_unless_it_changes(tmp_path):
    study(tmp_path)

    def made(**request):
        fake_osu_core.calls.clear()
        study(tmp_path, **request)
        return len(fake_osu_core.calls)

    assert made() == 0
    assert made(selection=Selection((WINDOWS.name,))) == 0
    assert made(replications=2) == 8 + 24
    # The watched runs have the study's seed too.
    assert made(seed=2) == 8 + 24 + 4
    assert made(sets=("variables.warm_up_rtts=50",), selection=Selection((WINDOWS.name, "buffers")),
                replications=1) > 0  # fmt: skip


def test_a_plan_that_the_core_refuses_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(fake_osu_core, "refusal", "`tick_ps` must be positive")
    with pytest.raises(InputError) as told:
        study(tmp_path)
    assert told.value.messages == [
        "runs of the study have failed: ValueError: `tick_ps` must be positive"
    ]


def test_nothing_is_run_if_a_later_part_is_wrong(tmp_path):
    with pytest.raises(InputError, match="retransmit_wait"):
        study(tmp_path, sets=("tcp.flavor=reno",))
    assert not list(tmp_path.iterdir())


def test_the_smallest_buffer_is_searched_for_behind_both_policies(tmp_path):
    fake_osu_core.calls.clear()
    request = Request(selection=Selection((BUFFERED.name,)))
    table = smallest_table(request, tmp_path, 2, lambda event: None, CORE)
    assert list(table[["drop_policy", "sources"]].itertuples(index=False, name=None)) == [
        (policy, sources) for policy in PER_VC_POLICIES for sources in SEARCHED_SOURCES
    ]
    assert {path.name for path in (tmp_path / "buffers" / "smallest").iterdir()} == {
        f"{row.drop_policy}-{row.sources}-sources" for row in table.itertuples(index=False)
    }
    searched = {plan["links"][0]["port"]["policy"]["name"] for plan, _ in fake_osu_core.calls}
    assert searched == {"selective_drop", "fba"}
    assert set(table["status"]) == {FOUND}
    # 98 % is at 97 800 of 194 264 cells; a step of the search is a quarter.
    assert ((table["smallest_rtt"] >= 0.5) & (table["smallest_rtt"] < 0.65)).all()
    assert (table["fails_rtt"] < 0.504).all()
    assert (table["smallest_mean_pct"] >= 98).all()
    made = len(fake_osu_core.calls)
    smallest_table(request, tmp_path, 2, lambda event: None, CORE)
    assert len(fake_osu_core.calls) == made


def test_without_the_part_nothing_is_searched_for(tmp_path):
    request = Request(selection=SMALL)
    assert smallest_table(request, tmp_path, 2, lambda event: None, CORE).empty
    assert not list(tmp_path.iterdir())


def test_the_command_gives_the_same_result(tmp_path):
    found = study(tmp_path, sets=("tcp.min_rto=400 ms",)).command
    assert found == (
        "ackclock reproduce osu-tasks --replications 1 --seed 1 --parts windows,retransmit "
        "--set 'tcp.min_rto=400 ms'"
    )


def test_the_tables_fit_a_terminal(tmp_path):
    screen = Console(file=io.StringIO(), width=80, force_terminal=False)
    result = study(tmp_path, selection=Selection((BUFFERED.name, "bursty")), replications=2)
    screen.print(render(result))
    text = screen.file.getvalue()
    assert "Task 5: variation explained, % (mean of 2 replications)" in text
    assert "Task 3: smallest buffer for 98 % efficiency" in text
    assert "GEO: SACK with a buffer of 0.5 RTT reaches" in text
    assert "half-rtt-98-percent" not in text
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("part", "replications", "told"),
    [
        ("policies", 5, "mean of 5 or 2 replications"),
        ("policies", 2, "mean of 2 replications"),
        ("policies", 1, "one replication"),
        ("bursty", 5, "mean of 2 replications"),
        ("guaranteed-rate", 5, "mean of 5 replications"),
    ],
)
def test_a_table_says_over_how_many_replications_it_is_a_mean(part, replications, told):
    screen = Console(file=io.StringIO(), width=80, force_terminal=False)
    screen.print(render(example_result((part,), replications=replications)))
    assert f"variation explained, % ({told})" in screen.file.getvalue()
