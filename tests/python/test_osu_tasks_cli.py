"""``ackclock reproduce osu-tasks`` as it is typed; short runs of the real core."""

import csv

from ackclock.cli import main

QUICK = ["--parts", "windows,retransmit", "--set", "duration=3 s", "warm_up=0 s"]


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_study_leaves_its_files_and_says_where(tmp_path, capsys):
    out = tmp_path / "new" / "out"
    assert main(["reproduce", "osu-tasks", "--out", str(out), *QUICK]) == 0
    tables = {"windows-results", "windows-runs", "retransmit-results", "retransmit-runs", "claims"}
    assert {path.name for path in out.iterdir()} == {
        *(f"{name}.csv" for name in tables),
        "windows",
        "retransmit",
        "report.html",
    }
    said = capsys.readouterr().out
    assert "14 need parts or replications that were not" in " ".join(said.split())
    assert f"the report is {out / 'report.html'}" in said
    runs = rows(out / "windows-runs.csv")
    assert len(runs) == 8
    for run in runs:
        # Three seconds are some five round trips of slow start.
        assert 1024 <= float(run["max_cwnd_bytes"]) <= 65536
        assert 0 < float(run["efficiency"]) < 0.01
    assert len(rows(out / "retransmit-runs.csv")) == 24
    assert len(rows(out / "claims.csv")) == 14
