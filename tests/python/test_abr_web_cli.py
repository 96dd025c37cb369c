"""``ackclock reproduce abr-web`` as it is typed; short runs of the real core."""

import csv

import pytest

from ackclock.cli import main

QUICK = ["--set", "duration=2 s"]


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_study_leaves_its_files_and_says_where(tmp_path, capsys):
    out = tmp_path / "new" / "out"
    words = [*QUICK, "--servers", "1,3"]
    assert main(["reproduce", "abr-web", "--out", str(out), *words]) == 0
    names = {path.name for path in out.iterdir()}
    tables = {"results", "runs", "comparison", "services", "claims"}
    campaigns = {"table2", "service", "watched"}
    assert names == {f"{name}.csv" for name in tables} | campaigns | {"report.html"}
    said = capsys.readouterr()
    assert "Table 2" in said.out
    assert f"the report is {out / 'report.html'}" in said.out
    runs = rows(out / "runs.csv")
    assert [run["part"] for run in runs] == ["table2"] * 2 + ["service"] * 13
    for run in runs:
        assert float(run["throughput_bit_s"]) > 0
        assert int(run["requests"]) >= int(run["answered"]) > 0
        if run["service"] == "ABR":
            assert run["cells_lost"] == "0"


def test_every_service_sees_the_same_first_requests(tmp_path):
    words = [*QUICK, "--servers", "3", "--parts", "service"]
    assert main(["reproduce", "abr-web", "--out", str(tmp_path), *words]) == 0
    assert len({run["seed"] for run in rows(tmp_path / "runs.csv")}) == 1


def test_the_same_bytes_with_any_number_of_jobs(tmp_path):
    written = []
    for jobs in ("1", "2"):
        out = tmp_path / jobs
        words = ["--servers", "3", "--jobs", jobs, *QUICK]
        assert main(["reproduce", "abr-web", "--out", str(out), *words]) == 0
        written.append({path.name: path.read_bytes() for path in out.iterdir() if path.is_file()})
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["--replications", "0"], ["--replications 0: at least 1 is needed"]),
        (["--parts", "table"], ["--parts table: choose from table2, service; did you mean table2"]),
        (["--servers", "16"], ["--servers 16: choose from 1, 2, 3, 4, 5, 6"]),
        (["--set", "topology.abr.irc=1 Mbit/s"], ["unknown key; did you mean topology.abr.icr?"]),
        (["--parts", "service", "--servers", "2"], ["there is no such point"]),
        (["--servers", "0", "--set", "a=1", "--jobs", "0"], ["--jobs 0", "--servers 0", "a=1"]),
    ],
)
def test_bad_input_is_told_and_nothing_is_written(words, messages, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["reproduce", "abr-web", "--out", str(out), *words]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(messages)
    for line, message in zip(lines, messages, strict=True):
        assert line.startswith("ackclock: ")
        assert message in line
    assert not out.exists()


def test_all_settings_are_listed(capsys):
    assert main(["reproduce", "abr-web", "--list-settings"]) == 0
    said = capsys.readouterr().out
    assert "topology.abr.icr" in said
    assert "workload.first_alone" in said
