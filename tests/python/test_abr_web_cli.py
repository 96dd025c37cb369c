"""``ackclock reproduce abr-web`` as it is typed; short runs of the real core."""

import csv

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
