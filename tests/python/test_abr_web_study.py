"""The whole study on a core that answers at once: order, resuming, files, the terminal."""

import io
import signal

import pytest
from rich.console import Console

import fake_abr_core
from ackclock.campaign import Progressed
from ackclock.errors import InputError
from ackclock.studies.abr_web.levels import POINT, SERVICE, TABLE2, Point, Selection
from ackclock.studies.abr_web.outputs import write_files
from ackclock.studies.abr_web.result import MEAN, Request
from ackclock.studies.abr_web.runs import run_all, trace_all
from ackclock.studies.abr_web.study import CHOICES, reproduce
from ackclock.studies.abr_web.tables import render
from ackclock.studies.common.result import command_of
from fake_abr_core import CORE

SMALL = Selection(servers=(1, 5))
MEANS = [
    f"{metric}{end}"
    for metric in (
        "max_queue_cells",
        "max_queue_rtt",
        "throughput_bit_s",
        "efficiency_pct",
        "load_pct",
        "mean_queue_cells",
        "utilisation_pct",
        "cells_lost",
        "requests",
        "unanswered_pct",
        "response_median_s",
        "response_p95_s",
        "quick_pct",
        "most_waiting_cells",
        "timeouts",
        "retransmitted_pct",
    )
    for end in ("", "_lo", "_hi")
]
COLUMNS = {
    "results": ",".join(["servers", "n", *MEANS]),
    "services": ",".join(["servers", "service", "buffer_rtt", "tcp", "n", *MEANS]),
    "comparison": "servers,metric,published,simulated,lo,hi,delta",
    "claims": "id,holds,evidence",
    "runs": "part,servers,service,buffer_rtt,tcp,replication,seed,throughput_bit_s,offered_bit_s,"
    "efficiency_pct,load_pct,max_queue_cells,mean_queue_cells,utilisation_pct,cells_lost,requests,"
    "answered,unanswered_pct,response_median_s,response_p95_s,quick_pct,most_waiting_cells,"
    "timeouts,fast_retransmits,retransmitted_pct,max_queue_rtt",
}
TELLS_OF_ONE_CALL = {"journal.jsonl", "provenance.json", ".lock"}


@pytest.fixture(autouse=True)
def no_calls():
    fake_abr_core.calls.clear()


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


def test_runs_come_part_by_part_in_the_order_of_the_table(tmp_path):
    selection = Selection(servers=(3, 1))
    request = Request(selection=selection, replications=2, seed=5)
    table = run_all(request, tmp_path, 2, lambda event: None, CORE)
    found = [Point(*row) for row in table[POINT].itertuples(index=False)]
    assert found == [point for point in selection.points() for _ in range(2)]
    assert {path.name for path in tmp_path.iterdir()} == {TABLE2, SERVICE}


def test_the_number_of_threads_changes_no_byte(tmp_path):
    outputs = []
    for jobs in (1, 2, 5):
        folder = tmp_path / str(jobs)
        outputs.append(files(study(folder, jobs, replications=2), folder))
    assert len(outputs[0]) > 8
    assert outputs[0] == outputs[1] == outputs[2]


def test_the_files_have_the_columns_that_are_promised(tmp_path):
    written = files(study(tmp_path), tmp_path)
    for name, header in COLUMNS.items():
        assert written[f"{name}.csv"].decode().splitlines()[0] == header
    counts = {name: len(written[f"{name}.csv"].splitlines()) - 1 for name in COLUMNS}
    assert counts == {"results": 2, "services": 13, "comparison": 8, "claims": 4, "runs": 15}
    assert "5,ABR,inf,,1" in written["services.csv"].decode()


def test_what_was_not_run_has_no_file(tmp_path):
    whole = set(files(study(tmp_path), tmp_path))
    assert {"results.csv", "comparison.csv", "services.csv"} <= whole
    services = set(files(study(tmp_path, selection=Selection(parts=(SERVICE,))), tmp_path))
    assert "services.csv" in services
    assert not {"results.csv", "comparison.csv"} & services
    table = set(files(study(tmp_path, selection=Selection(parts=(TABLE2,))), tmp_path))
    assert "results.csv" in table
    assert "services.csv" not in table


def test_three_loads_are_watched(tmp_path):
    def watched(**selection):
        request = Request(selection=Selection(**selection))
        return [trace.point.servers for trace in trace_all(request, tmp_path, 1, CORE)]

    assert watched() == [2, 5, 15]
    assert watched(servers=(1, 4, 5)) == [5]
    assert watched(servers=(4, 6)) == [6]
    assert watched(parts=(SERVICE,)) == []


def test_a_trace_has_the_queue_and_rates_of_data(tmp_path):
    (trace,) = study(tmp_path).traces
    assert (trace.point.servers, trace.end_s) == (5, 100)
    assert list(trace.queue) == ["time_s", "max_cells"]
    assert len(trace.queue) == len(trace.acr) == 1000
    assert list(trace.acr) == ["time_s", "flow 1", "flow 26", "flow 51", MEAN]
    plan, seed = next(call for call in fake_abr_core.calls if call[0]["probes"]["acr_bin_ps"])
    assert plan["probes"]["acr_bin_ps"] == plan["probes"]["queue_bin_ps"] == 10**11
    tables = fake_abr_core.columns_of(plan, seed)
    acr = tables["acr"]["acr_bit_s"].reshape(150, 1000)
    assert trace.acr["flow 1"].to_numpy() == pytest.approx(acr[75])
    assert trace.acr[MEAN].to_numpy() == pytest.approx(acr[75:].mean(axis=0))
    assert (trace.queue["max_cells"].to_numpy() == tables["queue"]["max_length"][:1000]).all()


def test_an_interrupted_study_goes_on_where_it_was(tmp_path):
    whole = files(study(tmp_path / "whole", replications=2), tmp_path / "whole")
    folder = tmp_path / "cut"

    def interrupt(event):
        # In the second campaign: the first one has 4 runs.
        if isinstance(event, Progressed) and event.total == 26 and event.made >= 4 and not told:
            told.append(event)
            signal.raise_signal(signal.SIGINT)

    told = []
    with pytest.raises(KeyboardInterrupt, match="the same command goes on from there"):
        study(folder, 1, interrupt, replications=2)
    assert not list(folder.glob("*.csv"))
    fake_abr_core.calls.clear()
    assert files(study(folder, replications=2), folder) == whole
    assert len(fake_abr_core.calls) < 26


def test_what_is_done_is_not_done_again_unless_it_changes(tmp_path):
    study(tmp_path)

    def made(**request):
        fake_abr_core.calls.clear()
        study(tmp_path, **request)
        return len(fake_abr_core.calls)

    assert made() == 0
    assert made(selection=Selection(servers=(5,))) == 0
    assert made(replications=3) == 2 * 14  # one of the 15 points is in two parts
    assert made(seed=2) == 14 + 1  # one run is watched
    assert made(sets=("topology.switch.z=0.7",)) == 6  # Selective Drop alone has a Z


def test_a_plan_that_the_core_refuses_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(fake_abr_core, "refusal", "`tick_ps` must be positive")
    with pytest.raises(InputError) as told:
        study(tmp_path)
    assert told.value.messages == [
        "runs of the study have failed: ValueError: `tick_ps` must be positive"
    ]


def test_the_command_gives_the_same_result(tmp_path):
    command = command_of("abr-web", Request(selection=SMALL, replications=2, seed=7), CHOICES)
    assert command == "ackclock reproduce abr-web --replications 2 --seed 7 --servers 1,5"
    assert study(tmp_path).command == (
        "ackclock reproduce abr-web --replications 1 --seed 1 --servers 1,5"
    )
    whole = command_of("abr-web", Request(sets=("tcp.min_rto=1 s",)), CHOICES)
    assert whole == ("ackclock reproduce abr-web --replications 1 --seed 1 --set 'tcp.min_rto=1 s'")


def shown(result):
    console = Console(width=80, file=io.StringIO(), highlight=False)
    console.print(render(result))
    return console.file.getvalue()


def test_the_terminal_shows_both_tables(tmp_path):
    text = shown(study(tmp_path, selection=Selection(), replications=2))
    assert max(map(len, text.splitlines())) <= 80
    assert "mean of 2 replications" in text
    assert all(each in text for each in ("27011", "34.08", "2.45"))
    assert "UBR SD, 0.5 RTT, sack" in text
    assert "of the paper's 4 conclusions hold" in text
    assert "Mean distance from the published" in text
    assert "nan" not in text.split()


def test_the_terminal_shows_what_there_is(tmp_path):
    services = shown(study(tmp_path, selection=Selection(parts=(SERVICE,))))
    assert "Table 2" not in services
    assert "4 need numbers of" in services
    table = shown(study(tmp_path, selection=Selection(parts=(TABLE2,))))
    assert "over UBR" not in table
    # The last request of 225 clients had no answer, which is one of ten.
    crowded = shown(study(tmp_path, selection=Selection(parts=(SERVICE,), servers=(10,))))
    assert " - " in crowded
