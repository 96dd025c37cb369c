"""What is special to the study of initial windows, on a core that answers at once."""

from dataclasses import replace

import pytest

from ackclock.results.pages import CLOCKS
from ackclock.studies.rfc2415.levels import HALF, RED, REVERSE, TABLES, Point
from ackclock.studies.rfc2415.study import STUDY
from rfc2415_runs import points_of
from study_cases import RFC2415, files_of, seed_of, shown


@pytest.fixture(autouse=True)
def no_calls():
    RFC2415.core.calls.clear()


def test_runs_come_part_by_part_in_the_order_of_the_published_tables(tmp_path):
    chosen = {"webs": (8, 32), "ftps": (1,), "iw": (1, 4)}
    levels = {"parts": (TABLES, REVERSE, RED), **chosen}
    table = RFC2415.runs(tmp_path, levels=levels, replications=2, seed=5).frame
    found = [Point(*row) for row in table[list(Point._fields)].itertuples(index=False)]
    points = [point for part in (TABLES, REVERSE, RED) for point in points_of(part, **chosen)]
    assert found == [point for point in points for _ in range(2)]
    assert list(table["seed"][:2]) == [seed_of("ackclock/5/0"), seed_of("ackclock/5/1")]
    assert {path.name for path in tmp_path.iterdir()} == {RED, TABLES, REVERSE}


def test_the_whole_study_compares_every_published_number(tmp_path):
    result = RFC2415.run(tmp_path, levels={}, replications=2)
    written = files_of(result, tmp_path)
    parts = [part.name for part in STUDY.parts]
    tables = {f"{name}.csv" for name in RFC2415.headers}
    campaigns = {f"{part}/{file}" for part in parts for file in ("scenario.toml", "design.json")}
    assert set(written) == tables | campaigns | {"report.html"}
    counts = {name: len(written[f"{name}.csv"].splitlines()) - 1 for name in RFC2415.headers}
    assert counts == {
        "results": 225,
        "comparison": 264,
        "changes": 72,
        "half_and_half": 42,
        "claims": 13,
        "runs": 450,
    }


def test_one_replication_has_no_intervals(tmp_path):
    result = RFC2415.run(tmp_path)
    comparison = result.tables["comparison"]
    assert result.tables["results"]["n"].eq(1).all()
    assert comparison[["lo", "hi"]].isna().all(axis=None)
    assert comparison["simulated"].notna().all()


def test_the_page_clock_changes_the_delays(tmp_path):
    (option,) = STUDY.options
    clocks = option.type.__args__
    assert set(clocks) == set(CLOCKS)
    assert clocks[0] == option.default
    delays = [
        RFC2415.run(tmp_path, options={"page-clock": clock}).tables["results"]["page_delay_s"]
        for clock in clocks
    ]
    assert (delays[0] < delays[1]).all()
    assert (delays[1] < delays[2]).all()


def test_the_command_has_the_page_clock():
    request = RFC2415.request(sets=("tcp.min_rto=400 ms",), options={"page-clock": "open"})
    assert request.command == (
        "ackclock reproduce rfc2415 --replications 1 --seed 1 --parts tables,half-and-half "
        "--webs 8 --ftps 0,1 --iw 1,3 --http 1.0 --page-clock open --set 'tcp.min_rto=400 ms'"
    )
    whole = replace(request, levels={}, sets=(), options={"page-clock": "no_setup"})
    assert whole.command == "ackclock reproduce rfc2415 --replications 1 --seed 1"


def test_the_tables_fit_a_terminal(tmp_path):
    text = shown(RFC2415.run(tmp_path, levels={}))
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
    text = shown(RFC2415.run(tmp_path, levels={"parts": (HALF,)}))
    assert "Table" not in text
    assert "nan" not in text
    levels = {"parts": (TABLES,), "iw": (2,)}
    text = shown(RFC2415.run(tmp_path, levels=levels))
    assert "Table 2" in text
    assert "Table 1" not in text
    assert "nan" not in text
