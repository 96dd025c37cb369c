"""``ackclock reproduce rfc2415`` as it is typed; short runs of the real core."""

import csv

import pytest

from ackclock.cli import main

QUICK = ["--set", "duration=20 s", "--webs", "8", "--iw", "1,3"]


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_study_leaves_its_files_and_says_where(tmp_path, capsys):
    out = tmp_path / "new" / "out"
    words = [*QUICK, "--ftps", "0,1", "--http", "1.0", "--parts", "tables,half-and-half,red"]
    assert main(["reproduce", "rfc2415", "--out", str(out), *words]) == 0
    names = {path.name for path in out.iterdir()}
    tables = {"results", "runs", "comparison", "changes", "half_and_half", "claims"}
    campaigns = {"tables", "half-and-half", "red"}
    assert names == {f"{name}.csv" for name in tables} | campaigns | {"report.html"}
    said = capsys.readouterr()
    assert "Table 1, HTTP/1.0" in said.out
    assert f"the report is {out / 'report.html'}" in said.out
    assert said.err == "0 of 4 runs done\n"
    runs = rows(out / "runs.csv")
    assert [run["part"] for run in runs] == ["tables"] * 4 + ["half-and-half"] * 9 + ["red"] * 6
    for run in runs:
        assert float(run["goodput_mb"]) > 0
        assert float(run["page_delay_no_setup_s"]) < float(run["page_delay_open_s"])
        assert (run["ftps"] != "0") == (float(run["ftp_goodput_mb"]) > 0)
        assert (run["variant"] == "half at IW 3") == (float(run["new_goodput_mb"]) > 0)


def test_both_versions_of_http_and_all_windows_see_the_same_pages(tmp_path):
    words = ["--set", "duration=20 s", "--webs", "8", "--ftps", "0", "--parts", "tables"]
    assert main(["reproduce", "rfc2415", "--out", str(tmp_path), *words]) == 0
    runs = rows(tmp_path / "runs.csv")
    assert len({run["seed"] for run in runs}) == 1
    goodputs = [float(run["goodput_mb"]) for run in runs]
    # The pages are the same; how many of them are asked for in 20 s is not.
    assert max(goodputs) < 1.5 * min(goodputs)


def test_the_same_bytes_with_any_number_of_jobs(tmp_path):
    written = []
    for jobs in ("1", "2"):
        out = tmp_path / jobs
        words = ["--parts", "tables,reverse", "--ftps", "1", "--jobs", jobs, *QUICK]
        assert main(["reproduce", "rfc2415", "--out", str(out), *words]) == 0
        written.append({path.name: path.read_bytes() for path in out.iterdir() if path.is_file()})
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["--replications", "0"], ["--replications 0: at least 1 is needed"]),
        (
            ["--parts", "table"],
            ["--parts table: choose from tables, half-and-half, reverse, red; "],
        ),
        (
            ["--parts", "table", "--set", "tcp.flavour=reno"],
            ["--parts table: choose from", "--set tcp.flavour=reno: unknown key"],
        ),
        (["--webs", "9"], ["--webs 9: choose from 8, 16, 32"]),
        (["--iw", "5"], ["--iw 5: choose from 1, 2, 3, 4"]),
        (["--http", "2"], ["--http 2: choose from 1.0, 1.1"]),
        (["--page-clock", "syn"], ["Invalid value"]),
        (["--set", "tcp.minrto=1 s"], ["unknown key; did you mean tcp.min_rto?"]),
        (["--set", "variables.reverse=2"], ["the part reverse sets it itself"]),
        (["--webs", "9", "--set", "a=1", "--jobs", "0"], ["--jobs 0", "--webs 9", "a=1"]),
    ],
)
def test_bad_input_is_told_and_nothing_is_written(words, messages, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["reproduce", "rfc2415", "--out", str(out), *words]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(messages)
    for line, message in zip(lines, messages, strict=True):
        assert line.startswith("ackclock: ")
        assert message in line
    assert not out.exists()


def test_all_settings_are_listed(capsys):
    assert main(["reproduce", "rfc2415", "--list-settings"]) == 0
    said = capsys.readouterr().out
    assert "tcp.min_rto" in said
    assert "workload.sizes_interpolation" in said
    assert "topology.pairs" not in said
