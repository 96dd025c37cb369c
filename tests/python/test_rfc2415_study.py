"""The whole study on a core that answers at once: order, resuming, files, the terminal."""

import io
import signal
from hashlib import sha256

import pytest
from rich.console import Console

import fake_pages_core
from ackclock.campaign import Progressed
from ackclock.errors import InputError
from ackclock.studies.common.result import command_of
from ackclock.studies.rfc2415.levels import HALF, POINT, RED, REVERSE, TABLES, Point, Selection
from ackclock.studies.rfc2415.outputs import write_files
from ackclock.studies.rfc2415.result import Request
from ackclock.studies.rfc2415.runs import run_all
from ackclock.studies.rfc2415.study import CHOICES, reproduce
from ackclock.studies.rfc2415.tables import render
from fake_pages_core import CORE

SMALL = Selection(parts=(TABLES, HALF), webs=(8,), ftps=(0, 1), iws=(1, 3), https=("1.0",))
METRICS = (
    "utilisation_pct,drop_pct,goodput_mb,page_delay_s,new_goodput_mb,new_page_delay_s,"
    "ftp_goodput_mb,file_delay_s,web_power,ftp_power"
)
COLUMNS = {
    "results": "part,webs,ftps,http,iw,variant,n,"
    + ",".join(f"{name},{name}_lo,{name}_hi" for name in METRICS.split(",")),
    "comparison": "table,webs,ftps,http,iw,metric,published,simulated,lo,hi,delta,misprinted",
    "changes": "http,webs,ftps,iw,decrease_pct,decrease_pct_lo,decrease_pct_hi,"
    "power_gain_pct,power_gain_pct_lo,power_gain_pct_hi",
    "half_and_half": "webs,variant,iw,metric,published,simulated,lo,hi,delta",
    "claims": "id,holds,evidence",
}
TELLS_OF_ONE_CALL = {"journal.jsonl", "provenance.json", ".lock"}


@pytest.fixture(autouse=True)
def no_calls():
    fake_pages_core.calls.clear()


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


def seed_of(text):
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def test_runs_come_part_by_part_in_the_order_of_the_published_tables(tmp_path):
    selection = Selection(parts=(RED, TABLES, REVERSE), webs=(8, 32), ftps=(1,), iws=(1, 4))
    request = Request(selection=selection, replications=2, seed=5)
    table = run_all(request, tmp_path, 2, lambda event: None, CORE)
    found = [Point(*row) for row in table[POINT].itertuples(index=False)]
    assert found == [point for point in selection.points() for _ in range(2)]
    assert list(table["seed"][:2]) == [seed_of("ackclock/5/0"), seed_of("ackclock/5/1")]
    assert {path.name for path in tmp_path.iterdir()} == {RED, TABLES, REVERSE}


def test_the_number_of_threads_changes_no_byte(tmp_path):
    outputs = []
    for jobs in (1, 2, 5):
        folder = tmp_path / str(jobs)
        outputs.append(files(study(folder, jobs, replications=2), folder))
    assert len(outputs[0]) > 8
    assert outputs[0] == outputs[1] == outputs[2]


def test_the_files_have_the_columns_that_are_promised(tmp_path):
    written = files(study(tmp_path, replications=2, selection=Selection()), tmp_path)
    tables = {f"{name}.csv" for name in (*COLUMNS, "runs")}
    campaigns = {f"{p}/{f}" for p in Selection().parts for f in ("scenario.toml", "design.json")}
    assert set(written) == tables | campaigns | {"report.html"}
    lines = {name: written[f"{name}.csv"].decode().splitlines() for name in (*COLUMNS, "runs")}
    for name, header in COLUMNS.items():
        assert lines[name][0] == header
    assert lines["runs"][0].startswith("part,webs,ftps,http,iw,variant,replication,seed,")
    counts = {name: len(table) - 1 for name, table in lines.items()}
    assert counts == {
        "results": 225,
        "comparison": 264,
        "changes": 72,
        "half_and_half": 42,
        "claims": 13,
        "runs": 450,
    }


def test_what_was_not_run_has_no_file(tmp_path):
    whole = files(study(tmp_path), tmp_path)
    assert {"comparison.csv", "changes.csv", "half_and_half.csv"} <= set(whole)
    some = files(study(tmp_path, selection=Selection(parts=(RED,), webs=(8,))), tmp_path)
    assert not {"comparison.csv", "changes.csv", "half_and_half.csv"} & set(some)


def test_one_replication_has_no_intervals(tmp_path):
    result = study(tmp_path)
    assert result.results["n"].eq(1).all()
    assert result.comparison[["lo", "hi"]].isna().all(axis=None)
    assert result.comparison["simulated"].notna().all()


def test_an_interrupted_study_goes_on_where_it_was(tmp_path):
    whole = files(study(tmp_path / "whole", replications=2), tmp_path / "whole")
    folder = tmp_path / "cut"

    def interrupt(event):
        # In the second campaign: the first one has 8 runs.
        if isinstance(event, Progressed) and event.total == 18 and event.made == 4 and not told:
            told.append(event)
            signal.raise_signal(signal.SIGINT)

    told = []
    with pytest.raises(KeyboardInterrupt, match="the same command goes on from there"):
        study(folder, 1, interrupt, replications=2)
    assert not list(folder.glob("*.csv"))
    made = len(fake_pages_core.calls)
    fake_pages_core.calls.clear()
    assert files(study(folder, replications=2), folder) == whole
    assert len(fake_pages_core.calls) < 26
    assert made > 26  # the whole study, and a part of it again


def test_what_is_done_is_not_done_again_unless_it_changes(tmp_path):
    study(tmp_path)

    def made(**request):
        fake_pages_core.calls.clear()
        study(tmp_path, **request)
        return len(fake_pages_core.calls)

    assert made() == 0
    assert made(page_clock="open") == 0
    assert made(selection=Selection(parts=(HALF,))) == 0
    assert made(replications=3) == 2 * 13
    assert made(seed=2) == 13
    assert made(sets=("variables.red_max_p=0.2",)) == 0  # no RED was selected
    assert made(sets=("tcp.min_rto=400 ms",)) == 13


def test_a_plan_that_the_core_refuses_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(fake_pages_core, "refusal", "`tick_ps` must be positive")
    with pytest.raises(InputError) as told:
        study(tmp_path)
    assert told.value.messages == [
        "runs of the study have failed: ValueError: `tick_ps` must be positive"
    ]


def test_nothing_is_run_if_a_later_part_is_wrong(tmp_path):
    sets = ("variables.red_min_thresh=20",)
    with pytest.raises(InputError, match=r"--set variables\.red_min_thresh=20: "):
        study(tmp_path, sets=sets, selection=Selection(parts=(TABLES, RED)))
    assert not list(tmp_path.iterdir())


def test_the_page_clock_changes_the_delays(tmp_path):
    delays = [
        study(tmp_path, page_clock=clock).results["page_delay_s"]
        for clock in ("no_setup", "request", "open")
    ]
    assert (delays[0] < delays[1]).all()
    assert (delays[1] < delays[2]).all()


def test_the_command_gives_the_same_result(tmp_path):
    assert study(tmp_path, selection=Selection()).command == (
        "ackclock reproduce rfc2415 --replications 1 --seed 1"
    )
    sets = ("tcp.min_rto=400 ms",)
    assert study(tmp_path, sets=sets, page_clock="open").command == (
        "ackclock reproduce rfc2415 --replications 1 --seed 1 --parts tables,half-and-half "
        "--webs 8 --ftps 0,1 --iw 1,3 --http 1.0 --page-clock open --set 'tcp.min_rto=400 ms'"
    )
    assert command_of("rfc2415", Request(), CHOICES).endswith("--seed 1")


def told_on_a_terminal(result):
    screen = Console(file=io.StringIO(), width=80, force_terminal=False)
    screen.print(render(result))
    return screen.file.getvalue()


def test_the_tables_fit_a_terminal(tmp_path):
    text = told_on_a_terminal(study(tmp_path, selection=Selection()))
    for told in ("Table 1, HTTP/1.0", "Table 4, HTTP/1.1", "Table 2, HTTP/1.0", "32/3"):
        assert told in text
    assert "…" not in text
    rows = [line for line in text.splitlines() if line.startswith(("8/", "16/", "32/"))]
    assert len(rows) == 36
    assert all(len(row.rstrip().split()) in (9, 17) for row in rows)
    assert "0.1*" in text
    assert "of the paper's 13 conclusions hold" in text
    assert "page delay at IW 1, HTTP/1.0: " in text


def test_a_terminal_is_told_no_more_than_was_run(tmp_path):
    text = told_on_a_terminal(study(tmp_path, selection=Selection(parts=(HALF,))))
    assert "Table" not in text
    assert "nan" not in text
    text = told_on_a_terminal(study(tmp_path, selection=Selection(parts=(TABLES,), iws=(2,))))
    assert "Table 2" in text
    assert "Table 1" not in text
    assert "nan" not in text
