"""The study on a core that answers at once: seeds, campaigns, runs that are shared, tables."""

import json
import math
from pathlib import Path

import pandas as pd
import pytest

from ackclock.campaign import Failed
from ackclock.errors import InputError
from ackclock.studies.machinery.analysis import means_table
from ackclock.studies.machinery.request import Request
from ackclock.studies.ubr_web.analysis import METRICS, analyses, comparison, published, tables
from ackclock.studies.ubr_web.levels import LINKS, POINT, POINTS, RUNS
from ackclock.studies.ubr_web.study import STUDY
from study_cases import OF_ONE_CALL, UBR_WEB, files_of, made_of, seed_of, shown

SMALL = {"links": ("WAN",), "flavors": ("Reno", "SACK")}


@pytest.fixture(autouse=True)
def no_calls():
    UBR_WEB.core.calls.clear()


def study(folder, **request):
    return UBR_WEB.run(folder, **{"levels": SMALL, **request})


def runs(folder, **request):
    return UBR_WEB.runs(folder, **{"levels": SMALL, **request}).frame


def test_replications_have_the_same_seeds_at_every_point(tmp_path):
    table = runs(tmp_path, levels={}, replications=3, seed=5)
    assert len(table) == 216
    seeds = table.groupby(POINT)[["replication", "seed"]].agg(tuple)
    assert len(seeds) == 72
    assert set(seeds["replication"]) == {(0, 1, 2)}
    assert set(seeds["seed"]) == {tuple(seed_of(f"ackclock/5/{k}") for k in range(3))}
    assert {seed for _, seed in UBR_WEB.core.calls} == set(table["seed"])


def test_seeds_stay_what_they_are(tmp_path):
    assert set(runs(tmp_path)["seed"]) == {7092028254175800402}


def test_the_folder_holds_a_campaign_and_the_tables(tmp_path):
    written = files_of(study(tmp_path, sets=("duration=5 s",)), tmp_path)
    tables = {"results.csv", "runs.csv", "comparison.csv", "claims.csv", "report.html"}
    campaign = {"scenario.toml", "design.json"}
    traced = {f"traced/{name}" for name in campaign}
    traces = {name for name in written if name.startswith("traced/traces/")}
    assert {Path(name).name for name in traces} == {"queue.parquet", "cwnd.parquet"}
    assert set(written) == tables | campaign | traced | traces
    file = STUDY.main_part.file.path.read_bytes()
    assert written["scenario.toml"] == written["traced/scenario.toml"] == file
    design = json.loads(written["design.json"])
    assert design["sets"] == ["duration=5 s", "seed=1"]
    assert json.loads(written["traced/design.json"])["sets"][:2] == design["sets"]
    assert {path.name for path in tmp_path.iterdir()} >= OF_ONE_CALL


def test_the_files_have_the_columns_and_rows_of_the_published_ones(tmp_path):
    written = files_of(study(tmp_path, levels={}, replications=2), tmp_path)
    lines = {
        name: content.decode().splitlines() for name, content in written.items() if "/" not in name
    }
    for name in ("allocation", "main_effects"):
        assert lines[f"{name}.csv"][0] == ",".join(published(name).columns)
    paper = STUDY.main_part.file.path.parent / "published" / "results.csv"
    keys = [line.rsplit(",", 2)[0] for line in paper.read_text().splitlines()]
    assert [",".join(line.split(",")[:4]) for line in lines["results.csv"]] == keys
    assert len(lines["runs.csv"]) == 1 + 144
    assert len(lines["comparison.csv"]) == 1 + 144
    assert len(lines["claims.csv"]) == 1 + 27
    compared = [tuple(line.split(",")[0:5:4]) for line in lines["comparison.csv"][1:]]
    each = [(link, metric) for link in LINKS for metric in METRICS]
    assert list(dict.fromkeys(compared)) == each


def test_one_replication_has_no_intervals(tmp_path):
    result = study(tmp_path)
    results = result.tables["results"]
    assert results["n"].eq(1).all()
    assert results[["efficiency_lo", "fairness_hi"]].isna().all(axis=None)
    content = files_of(result, tmp_path)["results.csv"].decode().splitlines()
    assert content[1].endswith(",1,,,,,0.000000,0")


def test_results_have_the_mean_and_the_most_starved_servers_of_a_run():
    example = published("results").assign(seed=1)
    runs = pd.concat([example.assign(replication=k, starved_servers=0) for k in range(3)])
    runs.loc[7, "starved_servers"] = [1, 0, 5]
    results = tables(made_of(STUDY, {RUNS: runs.reset_index(drop=True)}), None)["results"]
    found = results[["starved_servers", "starved_servers_most"]]
    assert list(found.loc[7]) == [2, 5]
    assert (found.drop(7) == 0).all(axis=None)
    assert list(results[POINT].loc[7]) == list(example[POINT].loc[7])


def test_points_that_a_setting_makes_equal_share_their_runs(tmp_path):
    table = runs(tmp_path, sets=("topology.port.buffer=531 cells",))
    assert len(UBR_WEB.core.calls) == 4
    assert len(table) == 12
    assert table.groupby(["drop_policy", "tcp_flavor"])["efficiency"].nunique().eq(1).all()


def test_runs_that_have_failed_are_made_again(tmp_path, monkeypatch):
    monkeypatch.setattr(UBR_WEB.core, "refusal", "`tick_ps` must be positive")
    events = []
    with pytest.raises(InputError):
        study(tmp_path, on_progress=events.append)
    # And the one that is traced.
    assert sum(isinstance(event, Failed) for event in events) == 12 + 1
    assert not list(tmp_path.glob("*.csv"))
    monkeypatch.undo()
    assert len(study(tmp_path).runs) == 12


def test_without_a_full_factorial_no_claim_is_decided(tmp_path):
    result = study(tmp_path)
    assert len(result.tables["results"]) == len(result.tables["comparison"]) / 2 == 12
    assert set(result.claims["holds"]) == {""}


def test_levels_are_run_in_the_order_of_the_published_tables(tmp_path):
    table = runs(tmp_path, levels={"links": ("WAN", "GEO"), "flavors": ("SACK",)})
    assert list(table[POINT].itertuples(index=False, name=None)) == [
        (link, policy, "SACK", buffer)
        for link in ("WAN", "GEO")
        for policy in ("EPD", "SD")
        for buffer in (0.5, 1.0, 2.0)
    ]
    assert len(set(POINTS)) == 72


def test_a_trace_for_each_link(tmp_path):
    traces = study(tmp_path, levels={}, seed=3).traces
    points = ["WAN EPD SACK 1 RTT", "MEO EPD SACK 1 RTT", "GEO EPD SACK 1 RTT"]
    assert [str(trace.point) for trace in traces] == points
    assert {trace.end_s for trace in traces} == {100}
    assert {"link", "time_s", "max_length"} <= set(traces[0].tables["queue"])
    assert list(traces[0].tables["cwnd"]["flow"]) == [0, 0, 1, 1, 2, 2]
    watched = [call for call in UBR_WEB.core.calls if call[0]["probes"]["queue_bin_ps"]]
    probes = {
        "queue_bin_ps": 10**11,
        "goodput_bin_ps": None,
        "cwnd_of": [0, 1, 2],
        "acr_bin_ps": None,
        "transport_bin_ps": None,
    }
    assert [plan["probes"] for plan, _ in watched] == [probes] * 3
    assert {seed for _, seed in watched} == {seed_of("ackclock/3/0")}


def test_of_the_levels_that_are_run_a_trace_has_the_larger_buffer_in_the_middle(tmp_path):
    levels = {"links": ("GEO",), "policies": ("SD",), "buffers": (0.5, 1.0)}
    (trace,) = study(tmp_path, levels=levels).traces
    assert str(trace.point) == "GEO SD SACK 1 RTT"


@pytest.mark.parametrize("pairs", [1, 2, 4])
def test_as_many_connections_are_watched_as_there_are(tmp_path, pairs):
    sets = (f"topology.pairs={pairs}", "duration=500 ps")
    (trace,) = study(tmp_path, sets=sets).traces
    assert sorted(set(trace.tables["cwnd"]["flow"])) == list(range(min(pairs, 3)))


def test_the_command_has_the_levels_in_their_shortest_form():
    levels = {"links": ("WAN", "GEO"), "buffers": (0.5, 1.0)}
    request = Request(STUDY, ("tcp.min_rto=400 ms", "topology.port.z=0.5"), levels, 30, 7)
    assert request.command == (
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
    results = means_table(table, POINT, METRICS)
    row = results.iloc[0]
    half = 12.7062047 * 0.02  # t[0.975; 1] s / sqrt 2
    assert row["efficiency"] == pytest.approx(0.42)
    assert row["efficiency_hi"] == pytest.approx(0.42 + half)
    assert row["efficiency_lo"] == pytest.approx(0.42 - half)
    assert math.isnan(row["fairness"])
    compared = comparison(results).set_index("metric").loc["efficiency"]
    # One run more: t s sqrt(1 + 1/2), with s = 0.04 / sqrt 2.
    assert compared["run_hi"] - 0.42 == pytest.approx(12.7062047 * 0.02 * 3**0.5)
    assert compared["run_lo"] + compared["run_hi"] == pytest.approx(0.84)
    assert compared["published"] == 0.4245
    assert compared["delta"] == pytest.approx(0.42 - 0.4245)


def test_a_link_without_fairness_or_without_a_buffer_is_not_analysed():
    table = published("results").assign(replication=0, seed=1)
    table.loc[0, "fairness"] = math.nan
    table = table.query("link != 'GEO' or buffer_rtt < 2")
    assert {link for link, _ in analyses(made_of(STUDY, {RUNS: table}))} == {"MEO"}


def test_the_tables_fit_a_terminal(tmp_path):
    text = shown(study(tmp_path, levels={"links": ("WAN",)}, replications=2))
    assert "EPD Vanilla" in text
    assert ".424" in text
    assert "…" not in text
    assert "of the paper's 27 conclusions hold" in text
