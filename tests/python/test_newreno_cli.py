"""``ackclock reproduce newreno`` as it is typed; short runs of the real core."""

import csv

import pytest

from ackclock.cli import main
from ackclock.studies.newreno.levels import NAMES

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


def test_the_same_bytes_with_any_number_of_jobs(tmp_path):
    written = []
    for jobs in ("1", "2"):
        out = tmp_path / jobs
        words = ["--parts", "buffer,bursty", "--jobs", jobs, *QUICK]
        assert main(["reproduce", "newreno", "--out", str(out), *words]) == 0
        written.append({path.name: path.read_bytes() for path in out.iterdir() if path.is_file()})
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["--replications", "0"], ["--replications 0: at least 1 is needed"]),
        (["--parts", "burst"], [f"--parts burst: choose from {', '.join(NAMES)}; did you mean"]),
        (["--set", "tcp.minrto=1 s"], ["unknown key; did you mean tcp.min_rto?"]),
        (["--set", "variables.rate=20 Mbit/s"], ["the parts bursty, variants, scaling"]),
        (
            ["--parts", "burst", "--set", "a=1", "--jobs", "0"],
            ["--jobs 0", "--parts burst", "a=1"],
        ),
    ],
)
def test_bad_input_is_told_and_nothing_is_written(words, messages, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["reproduce", "newreno", "--out", str(out), *words]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("ackclock: ")
    assert messages[0] in lines[0]
    assert len(lines) == len(messages)
    assert not out.exists()


def test_all_settings_are_listed(capsys):
    assert main(["reproduce", "newreno", "--list-settings"]) == 0
    said = capsys.readouterr().out
    assert "variables.udp_off" in said
    assert "tcp.recovery_samples" in said
    assert "topology.long_flows" not in said
