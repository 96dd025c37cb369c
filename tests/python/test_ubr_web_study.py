"""The whole study on a core that answers at once: order, seeds, resuming, files."""

import math
from pathlib import Path

import pandas as pd
import pytest

from ackclock.errors import InputError
from ackclock.scenario.settings import apply
from ackclock.studies.ubr_web.analysis import analyses, comparison_table, published
from ackclock.studies.ubr_web.levels import Selection
from ackclock.studies.ubr_web.outputs import write_files
from ackclock.studies.ubr_web.parameters import Parameters
from ackclock.studies.ubr_web.result import Request
from ackclock.studies.ubr_web.runs import all_runs, replication_seed
from ackclock.studies.ubr_web.study import command_of, reproduce
from ackclock.studies.ubr_web.tables import render
from fake_core import FakeCore

SMALL = Selection(links=("WAN",), tcp_flavors=("Reno", "SACK"))
COLUMNS = {
    "results": "link,drop_policy,tcp_flavor,buffer_rtt,efficiency,fairness,n,"
    "efficiency_lo,efficiency_hi,fairness_lo,fairness_hi",
    "comparison": "link,drop_policy,tcp_flavor,buffer_rtt,metric,published,simulated,lo,hi,delta",
    "claims": "id,holds,evidence",
}


def study(folder, core=None, jobs=2, on_progress=lambda done, total: None, **request):
    folder.mkdir(exist_ok=True)
    return reproduce(Request(**request), folder, jobs, core or FakeCore(), on_progress)


def files(result, folder):
    write_files(result, folder, lambda result, path: path.write_text("report"))
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".jsonl"}


def test_replications_have_the_same_seeds_at_every_point():
    runs = all_runs(Request(replications=3))
    assert len(runs) == 216
    assert len({run.point for run in runs}) == 72
    assert {(run.replication, run.seed) for run in runs} == {
        (k, replication_seed(1, k)) for k in range(3)
    }
    assert len({replication_seed(seed, k) for seed in range(4) for k in range(9)}) == 36


def test_seeds_stay_what_they_are():
    assert replication_seed(1, 0) == 8121028075510690858


def test_the_number_of_threads_changes_no_byte(tmp_path):
    outputs = [
        files(study(tmp_path / str(jobs), jobs=jobs, replications=2), tmp_path / str(jobs))
        for jobs in (1, 2, 5)
    ]
    assert outputs[0] == outputs[1] == outputs[2]


def test_the_files_have_the_columns_that_are_promised(tmp_path):
    written = files(study(tmp_path / "out", replications=2), tmp_path / "out")
    lines = {name: content.decode().splitlines() for name, content in written.items()}
    for name, header in COLUMNS.items():
        assert lines[f"{name}.csv"][0] == header
    for name in ("allocation", "main_effects"):
        assert lines[f"{name}.csv"][0] == ",".join(published(name).columns)
    keys = [line.rsplit(",", 2)[0] for line in Path(published_path()).read_text().splitlines()]
    simulated = [",".join(line.split(",")[:4]) for line in lines["results.csv"]]
    assert simulated == keys
    assert len(lines["runs.csv"]) == 1 + 144
    assert len(lines["comparison.csv"]) == 1 + 144
    assert len(lines["claims.csv"]) == 1 + 27
    assert lines["report.html"] == ["report"]


def published_path():
    import ackclock.studies.ubr_web as package

    return Path(package.__file__).parent / "published" / "results.csv"


def test_one_replication_has_no_intervals(tmp_path):
    result = study(tmp_path / "out", selection=SMALL)
    assert result.results["n"].eq(1).all()
    assert result.results[["efficiency_lo", "fairness_hi"]].isna().all(axis=None)
    content = files(result, tmp_path / "out")["results.csv"].decode().splitlines()
    assert content[1].endswith(",1,,,,")


def test_an_interrupted_study_goes_on_where_it_was(tmp_path):
    whole = files(study(tmp_path / "whole", replications=2), tmp_path / "whole")
    folder = tmp_path / "cut"
    interrupted = FakeCore(fail_at=40, error=KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        study(folder, interrupted, jobs=1, replications=2)
    kept = (folder / "journal.jsonl").read_bytes()
    done = kept.count(b"\n")
    assert 39 <= done < 144
    (folder / "journal.jsonl").write_bytes(kept[:-20])

    progress = []
    second = FakeCore()
    result = study(folder, second, replications=2, on_progress=lambda *done: progress.append(done))
    assert progress[0] == (done - 1, 144)
    assert progress[-1] == (144, 144)
    assert second.calls == 144 - (done - 1) + len(result.traces)
    assert files(result, folder) == whole


def test_what_is_done_is_not_done_again_unless_it_changes(tmp_path):
    study(tmp_path / "out", selection=SMALL)

    def calls(**request):
        core = FakeCore()
        result = study(tmp_path / "out", core, selection=SMALL, **request)
        return core.calls - len(result.traces)

    assert calls() == 0
    assert calls(replications=3) == 24
    assert calls(seed=2) == 12
    assert calls(parameters=apply(Parameters, ["switch.z=0.5"])) == 6  # EPD has no Z


def test_a_plan_that_the_core_refuses_is_told(tmp_path):
    core = FakeCore(fail_at=1, error=ValueError("`tick_ps` must be positive"))
    with pytest.raises(InputError, match="refuses these settings: `tick_ps` must be positive"):
        study(tmp_path / "out", core)


def test_some_levels_only(tmp_path):
    folder = tmp_path / "out"
    files(study(folder), folder)
    result = study(folder, selection=SMALL)
    written = files(result, folder)
    assert len(result.results) == len(result.comparison) / 2 == 12
    assert "allocation.csv" not in written
    assert "main_effects.csv" not in written
    assert set(result.claims["holds"]) == {""}


def test_a_trace_for_each_link(tmp_path):
    result = study(tmp_path / "out")
    assert [str(trace.point) for trace in result.traces] == [
        "WAN EPD SACK 1 RTT",
        "MEO EPD SACK 1 RTT",
        "GEO EPD SACK 1 RTT",
    ]
    first = result.traces[0]
    assert (first.buffer_cells, first.threshold_cells) == (1062, 849)
    assert list(first.queue) == ["port", "time_s", "max_cells"]
    assert len(first.cwnd) == 2


def test_the_command_gives_the_same_result():
    assert command_of(Request()) == "ackclock reproduce ubr-web --replications 1 --seed 1"
    request = Request(
        apply(Parameters, ["tcp.min_rto=400 ms"]),
        Selection(links=("WAN", "GEO"), buffers_rtt=(0.5, 1.0)),
        30,
        7,
    )
    assert command_of(request) == (
        "ackclock reproduce ubr-web --replications 30 --seed 7 --links WAN,GEO --buffers 0.5,1 "
        "--set 'tcp.min_rto=400 ms'"
    )


def test_intervals_and_differences():
    runs = pd.DataFrame(
        {
            "link": "WAN",
            "drop_policy": "EPD",
            "tcp_flavor": "Vanilla",
            "buffer_rtt": 0.5,
            "efficiency": [0.40, 0.44],
            "fairness": [0.6, math.nan],
        }
    )
    from ackclock.studies.ubr_web.analysis import results_table

    results = results_table(runs)
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
    import io

    from rich.console import Console

    screen = Console(file=io.StringIO(), width=80, force_terminal=False)
    screen.print(render(study(tmp_path / "out", replications=2)))
    text = screen.file.getvalue()
    assert "EPD Vanilla" in text
    assert ".424" in text
    assert "…" not in text
    assert "of the paper's 27 claims hold" in text
