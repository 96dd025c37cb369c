"""``show``, ``compare``, ``check``, ``explain`` with ``--json``: a document, the same numbers."""

import json
import re
import shutil
from pathlib import Path

import pytest

from ackclock.cli import main
from ackclock.results import Results
from ackclock.scenario import load
from results_campaigns import LAB

WRONG = """duration = "2 s"
warm = 1

[topology]
kind = "dumbbell"
bottleneck = { rate = "2 mbit/s", delay = "5 ms" }
"""


@pytest.fixture
def document(capsys):
    """The document that a command prints, twice the same, with nothing beside it."""

    def no_number(token):
        raise AssertionError(token)

    def printed(*words, code=0):
        texts = []
        for _ in range(2):
            assert main([*words, "--json"]) == code
            texts.append(capsys.readouterr().out)
        assert texts[0] == texts[1]
        return json.loads(texts[0], parse_constant=no_number)

    return printed


def table(capsys, *words):
    """The cells of the rows of a table, without the levels' units."""
    assert main(list(words)) == 0
    return [line.split() for line in capsys.readouterr().out.splitlines() if " ms " in line]


def test_show_has_the_numbers_of_the_table(lab_folder, document, capsys):
    its = document("show", "lab.toml")
    assert its["units"] == {"goodput_bit_s": "bit/s", "timeouts": "1"}
    assert (its["title"], its["seeds"], its["confidence"]) == (
        "Two <TCPs> & a bottleneck",
        [1],
        0.95,
    )
    assert its["runs"] == {"made": 12, "failed": 0, "missing": 0}
    assert its["factors"] == ["tcp_flavor", "topology_bottleneck_delay_s"]
    rows = table(capsys, "show", "lab.toml")
    assert len(rows) == len(its["points"]) == 4
    for point, (flavor, delay, _, goodput, _, half, *timeouts) in zip(
        its["points"], rows, strict=True
    ):
        levels = {"tcp_flavor": flavor, "topology_bottleneck_delay_s": int(delay) / 1000}
        assert (point["levels"], point["n"]) == (levels, 3)
        found = point["metrics"]["goodput_bit_s"]
        decimals = len(goodput.partition(".")[2])
        assert f"{found['mean'] / 1e6:.{decimals}f}" == goodput
        assert f"{(found['hi'] - found['lo']) / 2e6:.{decimals}f}" == half
        decimals = len(timeouts[0].partition(".")[2])
        assert f"{point['metrics']['timeouts']['mean']:.{decimals}f}" == timeouts[0]


def test_show_other_metrics_and_what_has_no_value(lab_folder, document):
    its = document("show", "lab.toml", "--metric", "page_delay_s,goodput_bit_s")
    assert list(its["units"]) == ["page_delay_s", "goodput_bit_s"]
    nothing = {"mean": None, "lo": None, "hi": None}
    assert [point["metrics"]["page_delay_s"] for point in its["points"]] == [nothing] * 4


def test_show_flows(lab_folder, document):
    its = document("show", "lab.toml", "--flows", "--metric", "goodput_bit_s")
    assert [each["flow"] for each in its["flows"]] == ["a 1", "a 2", "b"] * 4
    flows = Results.open(lab_folder / "lab.results").flows
    first = flows[(flows["flow"] == "a 1") & (flows["tcp_flavor"] == "reno")]
    means = first.groupby("topology_bottleneck_delay_s")["goodput_bit_s"].mean().tolist()
    told = [each for each in its["flows"] if each["flow"] == "a 1"]
    reno = [each for each in told if each["levels"]["tcp_flavor"] == "reno"]
    assert [each["metrics"]["goodput_bit_s"]["mean"] for each in reno] == pytest.approx(means)


def test_compare_levels_has_the_numbers_of_the_table(lab_folder, document, capsys):
    words = ["compare", "lab.toml", "--by", "tcp_flavor", "--baseline", "sack"]
    its = document(*words, "--metric", "goodput_bit_s,drops")
    assert (its["by"], its["baseline"], its["pooled"]) == ("tcp_flavor", "sack", False)
    assert [each["metric"] for each in its["comparisons"]] == ["goodput_bit_s", "drops"]
    rows = its["comparisons"][0]["rows"]
    assert [row["levels"]["tcp_flavor"] for row in rows] == ["sack", "reno"] * 2
    lines = table(capsys, *words)
    for row, line in zip(rows, lines, strict=True):
        if row["levels"]["tcp_flavor"] == "sack":
            assert [row[name] for name in ("difference", "relative", "pairs", "p_holm")] == [
                None
            ] * 4
            continue
        difference = line[6]
        decimals = len(difference.partition(".")[2])
        assert f"{row['difference']['mean'] / 1e6:+.{decimals}f}" == difference
        relative = line[9]
        decimals = len(relative.partition(".")[2])
        assert f"{100 * row['relative']['mean']:+.{decimals}f}" == relative
        assert row["pairs"] == row["n"] == 3


def test_compare_folders(lab_folder, document):
    shutil.copytree("lab.results", "other")
    its = document("compare", "lab.results", "other", "--metric", "goodput_bit_s")
    assert its["folders"] == {"lab.results": "lab.results", "other": "other"}
    rows = its["comparisons"][0]["rows"]
    assert len(rows) == 4
    assert all(row["runs"] == "other" and row["baseline_mean"] == row["mean"] for row in rows)
    assert rows[0]["difference"] == {"mean": 0.0, "lo": 0.0, "hi": 0.0}
    assert "levels" in rows[0]
    pooled = document("compare", "lab.results", "other", "--metric", "goodput_bit_s", "--pooled")
    assert len(pooled["comparisons"][0]["rows"]) == 1


def test_compare_flavors(lab_folder, document):
    its = document("compare", "reno", "sack")
    assert [point["levels"]["tcp_flavor"] for point in its["points"]] == ["reno", "sack"]
    (compared,) = its["comparisons"]
    means = [point["metrics"]["goodput_bit_s"]["mean"] for point in its["points"]]
    assert [row["mean"] for row in compared["rows"]] == means
    assert compared["rows"][1]["difference"]["mean"] == pytest.approx(means[1] - means[0])
    assert its["figures"] == ["out/compare/compare.svg"]
    assert "comparisons" not in document("compare", "reno")


def test_check_tells_how_much_there_is_to_run(lab_folder, document):
    (lab_folder / "precise.toml").write_text(
        LAB.replace("replications = 3", "") + "[precision]\ntarget = 0.1\nmetrics = ['drops']\n"
    )
    its = document("check", "lab.toml", "precise.toml")
    assert its["ok"]
    first, second = its["files"]
    assert (first["file"], first["ok"], first["number_of_points"]) == ("lab.toml", True, 4)
    assert first["runs"] == {"minimum": 12, "maximum": 12}
    assert first["simulated_s"] == {"minimum": 48.0, "maximum": 48.0}
    assert second["replications"]["minimum"] < second["replications"]["maximum"]


def test_check_has_all_problems_in_the_document_too(lab_folder, document, capsys):
    (lab_folder / "wrong.toml").write_text(WRONG)
    (lab_folder / "broken.toml").write_text('duration = "2 s"\nseed = = 1\n')
    words = ["check", "lab.toml", "wrong.toml", "broken.toml", "none.toml"]
    words += ["--set", "tcp.smss=1", "tcp.nonsense"]
    its = document(*words, code=2)
    assert not its["ok"]
    assert [each["ok"] for each in its["files"]] == [False] * 4
    problems = [problem for each in its["files"] for problem in each["problems"]]
    places = {(each["file"], each["line"], each["key"]) for each in problems}
    assert {
        ("lab.toml", None, "tcp.smss"),
        ("wrong.toml", 2, "warm"),
        ("wrong.toml", 6, "topology.bottleneck.rate"),
        ("wrong.toml", None, "tcp.smss"),
        ("broken.toml", 2, None),
        ("none.toml", None, None),
    } <= places
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [f"ackclock: {problem['message']}" for problem in problems]


def test_explain_has_si_units_and_every_default(lab_folder, document):
    its = document("explain", "lab.toml", "--point", "3")
    point = its["point"]
    levels = {"tcp_flavor": "sack", "topology_bottleneck_delay_s": 0.02}
    assert (point["number"], point["levels"]) == (3, levels)
    assert [each["number"] for each in its["points"]] == [0, 1, 2, 3]
    scenario = load(lab_folder / "lab.toml").points()[3].scenario
    settings = point["settings"]
    assert settings["duration_s"] == scenario.duration / 1e12
    assert settings["topology"]["bottleneck"]["delay_s"] == 0.02
    bottleneck = point["links"][0]
    assert bottleneck["name"] == "r1 -> r2"
    assert (bottleneck["rate_bit_s"], bottleneck["delay_s"]) == (
        scenario.topology.bottleneck.rate,
        0.02,
    )
    assert [each["name"] for each in point["flows"]] == ["a", "b"]
    assert all(each["base_rtt_s"] >= 0.04 for each in point["flows"])
    tcp, vanilla = point["tcps"]
    assert {end["flows"] for end in vanilla["of"]} == {"b"}
    assert tcp["settings"]["flavor"] == "sack"
    assert tcp["settings"]["smss_bytes"] == 1460
    assert "min_rto" in tcp["presets"]
    assert "preset" not in tcp["settings"].values()


def test_explain_tells_what_expressions_give(lab_folder, document):
    text = LAB.replace('duration = "4 s"', 'duration = "= 4 * k"')
    (lab_folder / "computed.toml").write_text(f'{text}\n[variables]\nk = "1 s"\n')
    point = document("explain", "computed.toml")["point"]
    assert point["expressions"] == [{"key": "duration", "expression": "= 4 * k", "value": 4}]
    assert point["settings"]["variables"] == {"k_s": 1}


def test_errors_stay_out_of_the_document(lab_folder, capsys):
    for words in (["show", "nothing"], ["compare", "renno"], ["explain", "none.toml"], ["check"]):
        assert main([*words, "--json"]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("ackclock: ")


def test_the_page_shows_what_is_printed(document, tmp_path, monkeypatch, capsys):
    """The blocks of the reference; of the points of ``show`` it has the first."""
    page = (Path(__file__).parents[2] / "docs/reference/json.md").read_text(encoding="utf-8")
    show, check = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    monkeypatch.chdir(tmp_path)
    assert main(["new", "--out", "lab.toml"]) == 0
    sets = [word for text in show["sets"] for word in ("--set", text)]
    assert main(["run", "lab.toml", *sets]) == 0
    capsys.readouterr()
    its = document("show", "lab.toml", "--metric", "goodput_bit_s,utilisation")
    assert {**its, "points": its["points"][:1]} == show
    text = Path("lab.toml").read_text().replace('duration = "30 s"', 'duration = "5 m"')
    Path("lab.toml").write_text(text)
    assert document("check", "lab.toml", code=2) == check
