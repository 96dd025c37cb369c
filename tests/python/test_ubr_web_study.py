"""The whole study on a core that answers at once: order, seeds, resuming, files."""

import io
import json
import math
import signal
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console

import ackclock.studies.ubr_web as package
import fake_core
from ackclock.campaign import Failed, Progressed, Started
from ackclock.errors import InputError
from ackclock.studies.common.result import command_of
from ackclock.studies.ubr_web.analysis import (
    analyses,
    comparison_table,
    published,
    results_table,
)
from ackclock.studies.ubr_web.levels import Selection
from ackclock.studies.ubr_web.outputs import write_files
from ackclock.studies.ubr_web.result import Request
from ackclock.studies.ubr_web.runs import run_all
from ackclock.studies.ubr_web.settings import STUDY
from ackclock.studies.ubr_web.study import CHOICES, reproduce
from ackclock.studies.ubr_web.tables import render
from fake_core import CORE

WAN = Selection(links=("WAN",))
SMALL = Selection(links=("WAN",), tcp_flavors=("Reno", "SACK"))
POINT = "link,drop_policy,tcp_flavor,buffer_rtt"
COLUMNS = {
    "results": f"{POINT},efficiency,fairness,n,efficiency_lo,efficiency_hi,fairness_lo,fairness_hi",
    "runs": f"{POINT},replication,seed,efficiency,fairness,offered_load,requests,"
    "cells_refused,cells_overflowed,cells_cut,frames_offered,frames_refused,frames_cut,"
    "reverse_cells_lost,max_queue_cells,mean_queue_cells,"
    "timeouts,fast_retransmits,retransmitted_share",
    "comparison": f"{POINT},metric,published,simulated,lo,hi,delta",
    "claims": "id,holds,evidence",
}
TELLS_OF_ONE_CALL = {"journal.jsonl", "provenance.json", ".lock"}
"""Files in which times and machines stand, or runs in the order in which they ended."""


@pytest.fixture(autouse=True)
def no_calls():
    fake_core.calls.clear()


def study(folder, jobs=2, on_progress=lambda event: None, **request):
    return reproduce(Request(**request), folder, jobs, on_progress, CORE)


def runs(folder, jobs=2, **request):
    return run_all(Request(**request), folder, jobs, lambda event: None, CORE)


def files(result, folder):
    """Everything in the folder that is the same whenever, wherever and how the runs were made."""
    write_files(result, folder, lambda result, path: path.write_text("report"))
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in TELLS_OF_ONE_CALL
    }


def seed_of(text):
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def test_replications_have_the_same_seeds_at_every_point(tmp_path):
    table = runs(tmp_path, replications=3, seed=5)
    assert len(table) == 216
    seeds = table.groupby(POINT.split(","))[["replication", "seed"]].agg(tuple)
    assert len(seeds) == 72
    assert set(seeds["replication"]) == {(0, 1, 2)}
    assert set(seeds["seed"]) == {tuple(seed_of(f"ackclock/5/{k}") for k in range(3))}
    assert {seed for _, seed in fake_core.calls} == set(table["seed"])


def test_seeds_stay_what_they_are(tmp_path):
    table = runs(tmp_path, selection=SMALL)
    assert set(table["seed"]) == {7092028254175800402}


def test_the_number_of_threads_changes_no_byte(tmp_path):
    outputs = []
    for jobs in (1, 2, 5):
        folder = tmp_path / str(jobs)
        outputs.append(files(study(folder, jobs, replications=2, selection=WAN), folder))
    assert len(outputs[0]) > 10
    assert outputs[0] == outputs[1] == outputs[2]


def test_the_folder_holds_a_campaign_and_the_tables(tmp_path):
    sets = ("duration=5 s",)
    written = files(study(tmp_path, sets=sets, selection=SMALL), tmp_path)
    tables = {"results.csv", "runs.csv", "comparison.csv", "claims.csv", "report.html"}
    campaign = {"scenario.toml", "design.json"}
    traced = {f"traced/{name}" for name in campaign}
    traces = {name for name in written if name.startswith("traced/traces/")}
    assert {Path(name).name for name in traces} == {"queue.parquet", "cwnd.parquet"}
    assert set(written) == tables | campaign | traced | traces
    assert written["scenario.toml"] == written["traced/scenario.toml"] == STUDY.path.read_bytes()
    design = json.loads(written["design.json"])
    assert design["sets"] == ["duration=5 s", "seed=1"]
    assert json.loads(written["traced/design.json"])["sets"][:2] == design["sets"]
    assert {path.name for path in tmp_path.iterdir()} >= TELLS_OF_ONE_CALL


def test_the_files_have_the_columns_that_are_promised(tmp_path):
    written = files(study(tmp_path, replications=2), tmp_path)
    lines = {
        name: content.decode().splitlines() for name, content in written.items() if "/" not in name
    }
    for name, header in COLUMNS.items():
        assert lines[f"{name}.csv"][0] == header
    for name in ("allocation", "main_effects"):
        assert lines[f"{name}.csv"][0] == ",".join(published(name).columns)
    paper = Path(package.__file__).parent / "published" / "results.csv"
    keys = [line.rsplit(",", 2)[0] for line in paper.read_text().splitlines()]
    simulated = [",".join(line.split(",")[:4]) for line in lines["results.csv"]]
    assert simulated == keys
    assert len(lines["runs.csv"]) == 1 + 144
    assert len(lines["comparison.csv"]) == 1 + 144
    assert len(lines["claims.csv"]) == 1 + 27
    assert lines["report.html"] == ["report"]


def test_one_replication_has_no_intervals(tmp_path):
    result = study(tmp_path, selection=SMALL)
    assert result.results["n"].eq(1).all()
    assert result.results[["efficiency_lo", "fairness_hi"]].isna().all(axis=None)
    content = files(result, tmp_path)["results.csv"].decode().splitlines()
    assert content[1].endswith(",1,,,,")


def test_an_interrupted_study_goes_on_where_it_was(tmp_path):
    asked = {"replications": 2, "selection": WAN}
    whole = files(study(tmp_path / "whole", **asked), tmp_path / "whole")
    folder = tmp_path / "cut"

    def interrupt(event):
        if isinstance(event, Progressed) and event.made == 20 and not told:
            told.append(event)
            signal.raise_signal(signal.SIGINT)

    told = []
    with pytest.raises(KeyboardInterrupt, match="the same command goes on from there"):
        study(folder, 1, interrupt, **asked)
    assert not list(folder.glob("*.csv"))
    journal = folder / "journal.jsonl"
    kept = journal.read_bytes()
    done = kept.count(b"\n") - 1  # without the line that tells the format
    assert 20 <= done < 48
    journal.write_bytes(kept[:-20])  # as if the last line had been torn

    fake_core.calls.clear()
    events = []
    result = study(folder, on_progress=events.append, **asked)
    assert isinstance(events[0], Started)
    assert (events[0].done, events[0].total) == (done - 1, 48)
    assert (events[-1].done, events[-1].made) == (48, 48 - (done - 1))
    assert fake_core.made() == 48 - (done - 1)
    assert len(fake_core.calls) == fake_core.made() + len(result.traces)
    assert files(result, folder) == whole


def test_what_is_done_is_not_done_again_unless_it_changes(tmp_path):
    study(tmp_path, selection=SMALL)

    def made(**request):
        fake_core.calls.clear()
        study(tmp_path, **{"selection": SMALL, **request})
        return fake_core.made()

    assert made() == 0
    assert not fake_core.calls
    assert made(selection=Selection(links=("WAN",), tcp_flavors=("SACK",))) == 0
    assert made(replications=3) == 24
    assert made(seed=2) == 12
    assert made(sets=("topology.port.z=0.5",)) == 6  # EPD has no Z
    assert made(sets=("variables.wan_buffers=[531, 1062, 3000]",)) == 4
    assert made(sets=("variables.newreno=newreno",)) == 0  # no NewReno was selected
    assert made(sets=("tcp.min_rto=400 ms",)) == 12
    assert made(selection=WAN) == 12  # the other two flavors


def test_points_that_a_setting_makes_equal_share_their_runs(tmp_path):
    table = runs(tmp_path, selection=SMALL, sets=("topology.port.buffer=531 cells",))
    assert fake_core.made() == 4
    assert len(table) == 12
    assert table.groupby(["drop_policy", "tcp_flavor"])["efficiency"].nunique().eq(1).all()


def test_a_plan_that_the_core_refuses_is_told_and_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr(fake_core, "refusal", "`tick_ps` must be positive")
    failed = []
    with pytest.raises(InputError) as told:
        study(tmp_path, selection=SMALL, on_progress=failed.append)
    assert told.value.messages == [
        "runs of the study have failed: ValueError: `tick_ps` must be positive"
    ]
    assert sum(isinstance(event, Failed) for event in failed) == 12
    assert not list(tmp_path.glob("*.csv"))

    monkeypatch.undo()
    assert len(study(tmp_path, selection=SMALL).runs) == 12


def test_some_levels_only(tmp_path):
    files(study(tmp_path), tmp_path)
    result = study(tmp_path, selection=SMALL)
    written = files(result, tmp_path)
    assert len(result.results) == len(result.comparison) / 2 == 12
    assert "allocation.csv" not in written
    assert "main_effects.csv" not in written
    assert set(result.claims["holds"]) == {""}


def test_levels_are_run_in_the_order_of_the_published_tables(tmp_path):
    table = runs(tmp_path, selection=Selection(links=("WAN", "GEO"), tcp_flavors=("SACK",)))
    assert list(table[POINT.split(",")].itertuples(index=False, name=None)) == [
        (link, policy, "SACK", buffer)
        for link in ("WAN", "GEO")
        for policy in ("EPD", "SD")
        for buffer in (0.5, 1.0, 2.0)
    ]


def test_a_trace_for_each_link(tmp_path):
    result = study(tmp_path, seed=3)
    assert [str(trace.point) for trace in result.traces] == [
        "WAN EPD SACK 1 RTT",
        "MEO EPD SACK 1 RTT",
        "GEO EPD SACK 1 RTT",
    ]
    first = result.traces[0]
    assert (first.buffer_cells, first.threshold_cells, first.end_s) == (1062, 849, 100)
    assert list(first.queue) == ["port", "time_s", "max_cells"]
    assert list(first.cwnd)[:2] == ["pair", "time_s"]
    assert list(first.cwnd["pair"]) == [0, 0, 1, 1, 2, 2]
    watched = [call for call in fake_core.calls if call[0]["probes"]["queue_bin_ps"]]
    probes = {
        "queue_bin_ps": 10**11,
        "goodput_bin_ps": None,
        "cwnd_of": [0, 1, 2],
        "acr_bin_ps": None,
        "transport_bin_ps": None,
    }
    assert [plan["probes"] for plan, _ in watched] == [probes] * 3
    assert {seed for _, seed in watched} == {seed_of("ackclock/3/0")}


@pytest.mark.parametrize("pairs", [1, 2, 4])
def test_as_many_connections_are_watched_as_there_are(tmp_path, pairs):
    sets = (f"topology.pairs={pairs}", "duration=500 ps")
    (trace,) = study(tmp_path, selection=SMALL, sets=sets).traces
    assert sorted(set(trace.cwnd["pair"])) == list(range(min(pairs, 3)))


def test_a_policy_without_a_threshold_has_a_trace_too(tmp_path):
    level = 'sweep.factors.drop_policy.EPD={"topology.port.policy"="tail"}'
    (trace,) = study(tmp_path, selection=SMALL, sets=(level,)).traces
    assert trace.threshold_cells is None


def test_the_command_gives_the_same_result():
    def command(request):
        return command_of("ubr-web", request, CHOICES)

    assert command(Request()) == "ackclock reproduce ubr-web --replications 1 --seed 1"
    request = Request(
        ("tcp.min_rto=400 ms", "topology.port.z=0.5"),
        Selection(links=("WAN", "GEO"), buffers_rtt=(0.5, 1.0)),
        30,
        7,
    )
    assert command(request) == (
        "ackclock reproduce ubr-web --replications 30 --seed 7 --links WAN,GEO --buffers 0.5,1 "
        "--set 'tcp.min_rto=400 ms' --set topology.port.z=0.5"
    )


def test_intervals_and_differences():
    table = pd.DataFrame(
        {
            "link": "WAN",
            "drop_policy": "EPD",
            "tcp_flavor": "Vanilla",
            "buffer_rtt": 0.5,
            "efficiency": [0.40, 0.44],
            "fairness": [0.6, math.nan],
        }
    )
    results = results_table(table)
    row = results.iloc[0]
    half = 12.7062047 * 0.02  # t[0.975; 1] s / sqrt 2
    assert row["efficiency"] == pytest.approx(0.42)
    assert row["efficiency_hi"] == pytest.approx(0.42 + half)
    assert row["efficiency_lo"] == pytest.approx(0.42 - half)
    assert math.isnan(row["fairness"])
    compared = comparison_table(results).set_index("metric").loc["efficiency"]
    assert compared["published"] == 0.4245
    assert compared["delta"] == pytest.approx(0.42 - 0.4245)


def test_a_link_without_fairness_is_not_analysed():
    table = published("results")
    table.loc[0, "fairness"] = math.nan
    assert {link for link, _ in analyses(table)} == {"MEO", "GEO"}


def test_the_tables_fit_a_terminal(tmp_path):
    screen = Console(file=io.StringIO(), width=80, force_terminal=False)
    screen.print(render(study(tmp_path, replications=2, selection=WAN)))
    text = screen.file.getvalue()
    assert "EPD Vanilla" in text
    assert ".424" in text
    assert "…" not in text
    assert "of the paper's 27 conclusions hold" in text
