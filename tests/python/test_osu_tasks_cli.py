"""``ackclock reproduce osu-tasks`` as it is typed; short runs of the real core."""

import csv

import pytest

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


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["--parts", "windos"], ["--parts windos: choose from policies, buffers"]),
        (["--replications", "0"], ["--replications 0: at least 1 is needed"]),
        (["--set", "tcp.smss=512"], ["--set tcp.smss=512: the parts policies and "]),
        (["--parts", "windows", "--set", "foo=1"], ["--set foo=1"]),
        (
            ["--parts", "buffers", "--set", "tcp.min_rto=1", "--set", "seed=2"],
            ["--set seed=2: the option --seed gives it"],
        ),
    ],
)
def test_bad_input_has_its_message_and_nothing_is_written(words, messages, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["reproduce", "osu-tasks", "--out", str(out), *words]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(messages)
    assert messages[0] in lines[0]
    assert not out.exists()


def test_all_settings_are_listed(capsys):
    assert main(["reproduce", "osu-tasks", "--list-settings"]) == 0
    said = capsys.readouterr().out
    assert "variables.measured_rtts" in said
    assert "tcp.historic.retransmit_wait" in said
