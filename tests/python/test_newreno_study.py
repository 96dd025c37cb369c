"""The whole study on a core that answers at once: order, resuming, files, the terminal."""

import io
import signal

import pytest
from rich.console import Console

import fake_newreno_core
from ackclock.campaign import Campaign, Progressed, Started
from ackclock.errors import InputError
from ackclock.studies.common.result import command_of
from ackclock.studies.newreno.levels import (
    BERNOULLI,
    BUFFER,
    BURSTY,
    EMULATION,
    INTERNET,
    POINT,
    RUN_PARTS,
    SCALING,
    VARIANTS,
    Point,
    Selection,
)
from ackclock.studies.newreno.outputs import write_files
from ackclock.studies.newreno.result import Request
from ackclock.studies.newreno.runs import run_all
from ackclock.studies.newreno.study import CHOICES, reproduce
from ackclock.studies.newreno.tables import render
from fake_newreno_core import CORE

SMALL = Selection(parts=(BERNOULLI, EMULATION, INTERNET))
COLUMNS = {
    "results": "part,queue,variant,x,flow,n,throughput_bit_s,throughput_bit_s_lo,"
    "throughput_bit_s_hi,p,loss_rate,q,rtt_s,rto_s,first_rto_s,segments_sent,loss_events,timeouts,"
    "fast_retransmits,square_root_bit_s,pftk_simple_bit_s,pftk_full_bit_s,newreno_noto_bit_s,"
    "newreno_bit_s,pftk_simple_measured_rto_bit_s,pftk_full_measured_rto_bit_s,"
    "newreno_measured_rto_bit_s,newreno_noto_measured_q_bit_s,newreno_measured_q_bit_s",
    "errors": "part,queue,variant,flow,model,inputs,points,mean_error_pct,mean_error_pct_lo,"
    "mean_error_pct_hi,least_error_pct,largest_error_pct,bias_pct,published_mean_pct,"
    "published_range_pct",
    "trust": "least_p_pct,most_p_pct,least_losses,most_losses,model,inputs,points,mean_error_pct,"
    "bias_pct",
    "emulation": "imposed_loss_pct,throughput_bit_s,throughput_bit_s_lo,throughput_bit_s_hi,"
    "published_bit_s,ratio,ratio_lo,ratio_hi,rtt_s,published_rtt_s,p,published_p,timeouts,"
    "published_timeouts,fast_retransmits,published_fast_retransmits,model_bit_s,model_error_pct,"
    "published_model_bit_s,published_model_error_pct",
    "internet": "imposed_loss_pct,p,published_p,throughput_bit_s,published_bit_s,model_bit_s,"
    "model_error_pct,published_model_bit_s,published_model_error_pct,implied_rto_s,"
    "implied_rto_rtts",
    "claims": "id,holds,evidence",
}
TELLS_OF_ONE_CALL = {"journal.jsonl", "provenance.json", ".lock"}


@pytest.fixture(autouse=True)
def no_calls():
    fake_newreno_core.calls.clear()


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


def test_runs_come_part_by_part_in_the_order_of_the_curves(tmp_path):
    selection = Selection(parts=(SCALING, BERNOULLI, INTERNET, VARIANTS))
    request = Request(selection=selection, replications=2, seed=5)
    table = run_all(request, tmp_path, 2, lambda event: None, CORE)
    found = [Point(*row) for row in table[POINT].itertuples(index=False)]
    assert found == [point for point in selection.points() for _ in range(2)]
    assert {path.name for path in tmp_path.iterdir()} == {SCALING, BERNOULLI, VARIANTS}


def test_the_number_of_threads_changes_no_byte(tmp_path):
    outputs = []
    for jobs in (1, 2, 5):
        folder = tmp_path / str(jobs)
        outputs.append(files(study(folder, jobs, replications=2), folder))
    assert len(outputs[0]) > 8
    assert outputs[0] == outputs[1] == outputs[2]


def test_the_files_have_the_columns_that_are_promised(tmp_path):
    written = files(study(tmp_path, selection=Selection()), tmp_path)
    tables = {f"{name}.csv" for name in (*COLUMNS, "runs")}
    campaigns = {f"{p}/{f}" for p in RUN_PARTS for f in ("scenario.toml", "design.json")}
    assert set(written) == tables | campaigns | {"report.html"}
    lines = {name: written[f"{name}.csv"].decode().splitlines() for name in (*COLUMNS, "runs")}
    for name, header in COLUMNS.items():
        assert lines[name][0] == header
    opening = "part,queue,variant,x,replication,seed,utilisation_pct,drop_pct,"
    assert lines["runs"][0].startswith(opening)
    counts = {name: len(table) - 1 for name, table in lines.items() if name != "trust"}
    points = len(Selection().points())
    assert counts == {
        "runs": points,
        "results": points + 16 + 12 + 12 + 8 + 4 + 6,
        "errors": 10 * (12 + 9),
        "emulation": 6,
        "internet": 7,
        "claims": 12,
    }


def test_what_was_not_run_has_no_file(tmp_path):
    whole = set(files(study(tmp_path), tmp_path))
    assert {"results.csv", "errors.csv", "emulation.csv", "internet.csv"} <= whole
    some = set(files(study(tmp_path, selection=Selection(parts=(VARIANTS,))), tmp_path))
    assert "results.csv" in some
    assert not {"errors.csv", "trust.csv", "emulation.csv", "internet.csv"} & some
    alone = study(tmp_path, selection=Selection(parts=(INTERNET,)))
    none = {name for name in files(alone, tmp_path) if "/" not in name}
    assert none == {"internet.csv", "claims.csv", "report.html"}
    assert not alone.runs.size


def test_an_interrupted_study_goes_on_where_it_was(tmp_path):
    whole = files(study(tmp_path / "whole", replications=2), tmp_path / "whole")
    folder = tmp_path / "cut"

    def interrupt(event):
        # In the second campaign: the first one has 32 runs.
        if isinstance(event, Progressed) and event.total == 12 and event.made >= 4 and not told:
            told.append(event)
            signal.raise_signal(signal.SIGINT)

    told = []
    with pytest.raises(KeyboardInterrupt, match="the same command goes on from there"):
        study(folder, 1, interrupt, replications=2)
    assert not list(folder.glob("*.csv"))
    fake_newreno_core.calls.clear()
    assert files(study(folder, replications=2), folder) == whole
    assert len(fake_newreno_core.calls) < 12


def test_what_is_done_is_not_done_again_unless_it_changes(tmp_path):
    study(tmp_path)

    def made(**request):
        fake_newreno_core.calls.clear()
        study(tmp_path, **request)
        return len(fake_newreno_core.calls)

    assert made() == 0
    assert made(selection=Selection(parts=(EMULATION,))) == 0
    assert made(replications=3) == 2 * 22
    assert made(seed=2) == 22
    assert made(sets=("variables.udp_on=2 s",)) == 0  # no UDP was selected
    assert made(sets=("variables.testbed_min_rto=400 ms",)) == 6
    assert made(sets=("tcp.min_rto=400 ms",)) == 16  # the testbed has its own


def test_a_run_of_two_parts_is_made_once_and_kept_by_both(tmp_path):
    both = Selection(parts=(BURSTY, VARIANTS))
    told = []
    study(tmp_path, 1, told.append, selection=both, replications=2)
    shared = 17 * 2
    assert len(fake_newreno_core.calls) == 2 * len(both.points()) - shared
    starts = [event.done for event in told if isinstance(event, Started)]
    assert starts == [0, shared]
    for part in both.parts:
        alone = Request(selection=Selection(parts=(part,)), replications=2)
        folder = tmp_path / f"only {part}"
        run_all(alone, folder, 1, lambda event: None, CORE)
        ours, theirs = (Campaign.open(each / part) for each in (tmp_path, folder))
        assert (ours.design, ours.rows()) == (theirs.design, theirs.rows())


def test_a_plan_that_the_core_refuses_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(fake_newreno_core, "refusal", "`tick_ps` must be positive")
    with pytest.raises(InputError) as told:
        study(tmp_path)
    assert told.value.messages == [
        "runs of the study have failed: ValueError: `tick_ps` must be positive"
    ]


def test_nothing_is_run_if_a_later_part_is_wrong(tmp_path):
    sets = ("variables.testbed_min_rto=100 s",)
    with pytest.raises(InputError, match=r"flows\[0\]\.tcp\.min_rto"):
        study(tmp_path, sets=sets)
    assert not list(tmp_path.iterdir())


def test_the_command_gives_the_same_result(tmp_path):
    sets = ("tcp.min_rto=400 ms",)
    assert study(tmp_path, sets=sets).command == (
        "ackclock reproduce newreno --replications 1 --seed 1 --parts bernoulli,emulation,internet "
        "--set 'tcp.min_rto=400 ms'"
    )
    assert command_of("newreno", Request(), CHOICES).endswith("--seed 1")


def told_on_a_terminal(result):
    screen = Console(file=io.StringIO(), width=80, force_terminal=False)
    screen.print(render(result))
    return screen.file.getvalue()


def test_the_tables_fit_a_terminal(tmp_path):
    text = told_on_a_terminal(study(tmp_path, selection=Selection(), replications=2))
    assert "Mean prediction errors (%, mean of 2 replications)" in text
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80
    rows = [line for line in text.splitlines() if " drop-tail " in line or " RED " in line]
    assert len(rows) == 12 + 9
    assert "(9.9)" in text
    assert "of the paper's 12 conclusions hold" in text


def test_a_terminal_is_told_no_more_than_was_run(tmp_path):
    text = told_on_a_terminal(study(tmp_path, selection=Selection(parts=(INTERNET,))))
    assert "0 of the paper's 12 conclusions hold" in text
    assert "12 need parts" in text
    text = told_on_a_terminal(study(tmp_path, selection=Selection(parts=(BUFFER,))))
    assert "bernoulli" not in text
    assert "nan" not in text
