"""``ackclock reproduce newreno`` as it is typed; short runs of the real core."""

import csv

from ackclock.cli import main

QUICK = ["--set", "duration=12 s"]


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_study_leaves_its_files_and_says_where(tmp_path, capsys):
    out = tmp_path / "new" / "out"
    parts = "bernoulli,background,udp,emulation,internet"
    assert main(["reproduce", "newreno", "--out", str(out), "--parts", parts, *QUICK]) == 0
    names = {path.name for path in out.iterdir()}
    tables = {"results", "runs", "errors", "trust", "emulation", "internet", "claims"}
    campaigns = set(parts.split(",")) - {"internet"}
    assert names == {f"{name}.csv" for name in tables} | campaigns | {"report.html"}
    said = capsys.readouterr()
    assert "Mean prediction errors" in said.out
    assert f"the report is {out / 'report.html'}" in said.out
    runs = rows(out / "runs.csv")
    assert len(runs) == 16 + 12 + 8 + 6
    for run in runs:
        assert float(run["newreno_throughput_bit_s"]) > 0
        assert (run["reno_throughput_bit_s"] == "") == (run["part"] == "emulation")
        assert float(run["newreno_rtt_s"]) >= 0.05
    lossy = next(run for run in runs if run["part"] == "bernoulli" and run["x"] == "10.000000")
    share = float(lossy["newreno_segments_lost"]) / float(lossy["newreno_segments_sent"])
    assert 0.05 < share < 0.15


def test_the_part_without_runs_needs_none(tmp_path, capsys):
    assert main(["reproduce", "newreno", "--parts", "internet", "--out", str(tmp_path / "a")]) == 0
    assert {path.name for path in (tmp_path / "a").iterdir()} == {
        "internet.csv",
        "claims.csv",
        "report.html",
    }
    assert "12 need parts that were not run" in " ".join(capsys.readouterr().out.split())
