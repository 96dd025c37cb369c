"""``ackclock reproduce rfc2415`` as it is typed; short runs of the real core."""

import csv

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
