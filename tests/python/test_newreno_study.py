"""What of the whole study is special: counts of rows, runs that two parts share, the terminal."""

import pytest

from ackclock.campaign import Campaign, Started
from ackclock.studies.newreno.levels import (
    BERNOULLI,
    BUFFER,
    BURSTY,
    INTERNET,
    NAMES,
    POINT,
    RUN_PARTS,
    SCALING,
    VARIANTS,
    Point,
    points_of,
)
from study_cases import NEWRENO, files_of, shown


@pytest.fixture(autouse=True)
def no_calls():
    NEWRENO.core.calls.clear()


def of(*parts):
    return {"parts": parts}


def test_points_come_in_the_order_of_the_curves(tmp_path):
    parts = (BERNOULLI, SCALING, INTERNET, VARIANTS)
    table = NEWRENO.runs(tmp_path, levels=of(*parts), replications=2, seed=5).frame
    found = [Point(*row) for row in table[POINT].itertuples(index=False)]
    in_order = [name for name in NAMES if name in parts]
    points = [point for name in in_order for point in points_of(name)]
    assert found == [point for point in points for _ in range(2)]
    assert {path.name for path in tmp_path.iterdir()} == {SCALING, BERNOULLI, VARIANTS}


def test_the_whole_study_has_so_many_rows(tmp_path):
    written = files_of(NEWRENO.run(tmp_path, levels={}), tmp_path)
    tables = {f"{name}.csv" for name in NEWRENO.headers}
    campaigns = {f"{p}/{f}" for p in RUN_PARTS for f in ("scenario.toml", "design.json")}
    assert set(written) == tables | campaigns | {"report.html"}
    lines = {name: written[f"{name}.csv"].decode().splitlines() for name in NEWRENO.headers}
    counts = {name: len(table) - 1 for name, table in lines.items() if name != "trust"}
    points = sum(len(points_of(name)) for name in NAMES)
    assert counts == {
        "runs": points,
        "results": points + 16 + 12 + 12 + 8 + 4 + 6,
        "errors": 10 * (12 + 9),
        "emulation": 6,
        "internet": 7,
        "claims": 12,
    }


def test_the_part_without_runs_has_a_table(tmp_path):
    alone = NEWRENO.run(tmp_path, levels=of(INTERNET))
    none = {name for name in files_of(alone, tmp_path) if "/" not in name}
    assert none == {"internet.csv", "claims.csv", "report.html"}
    assert not alone.runs.size


def test_a_run_of_two_parts_is_made_once_and_kept_by_both(tmp_path):
    both, events = (BURSTY, VARIANTS), []
    NEWRENO.run(tmp_path, 1, on_progress=events.append, levels=of(*both), replications=2)
    shared = 17 * 2
    points = sum(len(points_of(name)) for name in both)
    assert len(NEWRENO.core.calls) == 2 * points - shared
    (started,) = (event for event in events if isinstance(event, Started))
    assert (started.total, started.done, started.made) == (2 * points, 0, 0)
    assert (events[-1].done, events[-1].made) == (2 * points, 2 * points - shared)
    for part in both:
        folder = tmp_path / f"only {part}"
        NEWRENO.runs(folder, levels=of(part), replications=2)
        ours, theirs = (Campaign.open(each / part) for each in (tmp_path, folder))
        assert (ours.design, ours.rows()) == (theirs.design, theirs.rows())


def test_the_terminal_shows_an_error_a_formula(tmp_path):
    text = shown(NEWRENO.run(tmp_path, levels={}, replications=2))
    assert "Mean prediction errors (%, mean of 2 replications)" in text
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80
    rows = [line for line in text.splitlines() if " drop-tail " in line or " RED " in line]
    assert len(rows) == 12 + 9
    assert "(9.9)" in text
    assert "of the paper's 12 conclusions hold" in text


def test_the_terminal_shows_no_more_than_was_run(tmp_path):
    text = shown(NEWRENO.run(tmp_path, levels=of(INTERNET)))
    assert "None of the paper's 12 conclusions can be decided without parts" in text
    text = shown(NEWRENO.run(tmp_path, levels=of(BUFFER)))
    words = " ".join(text.split())
    assert "0 of the paper's 12 conclusions hold with one run a cell, 0 fail and 1 is unde" in words
    assert "11 cannot be decided without parts that were not run." in words
    assert "bernoulli" not in text
    assert "nan" not in text
