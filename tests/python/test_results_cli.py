"""``show``, ``compare``, ``plot`` and ``export``: what they print, write and refuse."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from ackclock.cli import main
from ackclock.plots.pgf import in_tex
from ackclock.results import METRICS
from ackclock.results.flavors import DUMBBELL, compare_flavors
from ackclock.scenario import load
from results_campaigns import LAB, lab


def said(capsys, *words):
    assert main(list(words)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys, *words):
    assert main(list(words)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert all(line.startswith("ackclock: ") for line in err.splitlines())
    return err


def test_show_means_with_intervals(lab_folder, capsys):
    text = said(capsys, "show", "lab.results")
    assert text == said(capsys, "show", "lab.toml")
    lines = text.splitlines()
    assert lines[0] == "Two <TCPs> & a bottleneck"
    assert " ".join(lines[2].split()) == "TCP flavor Bottleneck delay Goodput (Mbit/s) Time-outs"
    assert lines[4].startswith("  reno         10 ms  ")
    assert sum("±" in line for line in lines) == 4
    assert lines[-1].endswith("seed 1 · n = 3 · 95 % intervals")


def test_show_other_metrics_with_another_confidence(lab_folder, capsys):
    words = ["--metric", "drops,mean_queue", "utilisation", "--confidence", "0.5"]
    text = said(capsys, "show", "lab.toml", *words)
    for head in ("Drops", "Mean queue", "Utilisation", "50 % intervals"):
        assert head in text
    assert "Goodput" not in text


def test_show_flows(lab_folder, capsys):
    text = said(capsys, "show", "lab.toml", "--flows")
    rows = [line for line in text.splitlines() if line.startswith(("  reno", "  sack"))]
    assert len(rows) == 12
    for row, flow in zip(rows, ["a 1", "a 2", "b"] * 4, strict=True):
        assert f" ms              {flow} " in row
    assert "Completion" not in text
    assert "Time-outs" in said(capsys, "show", "lab.toml", "--flows", "--metric", "timeouts")


def test_a_pipe_has_room_for_everything(lab_folder, capsys):
    text = said(capsys, "show", "lab.toml", "--metric", ",".join(METRICS))
    assert "…" not in text
    assert "Max-min fairness" in text
    assert max(map(len, text.splitlines())) > 200


def test_compare_within_a_campaign(lab_folder, capsys):
    words = ["compare", "lab.toml", "--by", "tcp_flavor"]
    text = said(capsys, *words, "--baseline", "sack", "--metric", "goodput_bit_s,drops")
    assert "goodput against sack" in text
    assert "drops against sack" in text
    rows = [line.split()[:3] for line in text.splitlines() if " ms " in line]
    expected = [
        ["10", "ms", "sack"],
        ["10", "ms", "reno"],
        ["20", "ms", "sack"],
        ["20", "ms", "reno"],
    ]
    assert rows == expected * 2
    pooled = said(capsys, *words, "--pooled")
    assert [line.split()[0] for line in pooled.splitlines() if "±" in line] == ["reno", "sack"]
    assert "paired differences" in pooled


def test_compare_flavors_on_the_dumbbell(lab_folder, capsys):
    began = time.monotonic()
    assert main(["compare", "newreno", "reno", "--jobs", "2"]) == 0
    took = time.monotonic() - began
    text = capsys.readouterr().out
    rows = [line.split()[0] for line in text.splitlines() if "±" in line]
    assert rows == ["newreno", "reno"]
    assert "Goodput against newreno (Mbit/s)" in text
    assert "cwnd and queue over time: out/compare/compare.svg\n" in text
    # In packets and in ms, of each flavor.
    assert (lab_folder / "out/compare/compare.svg").read_text().count("Queue") == 4
    assert took < 20, "a few seconds on an idle machine"
    assert not (lab_folder / "out/compare/compare.png").exists()
    # What is there is not run again, and other flavors go into the same folder.
    assert main(["compare", "reno", "--format", "png"]) == 0
    printed = capsys.readouterr()
    assert "8 of 8 runs were made earlier" in printed.err
    assert "cwnd and queue over time: out/compare/compare.png\n" in printed.out
    assert (lab_folder / "out/compare/compare.png").read_bytes().startswith(b"\x89PNG")


def test_the_flavors_of_the_dumbbell_differ(tmp_path):
    table = compare_flavors(["reno", "newreno", "sack"], tmp_path).results.compare("tcp_flavor")
    assert table["tcp_flavor"].tolist() == ["newreno", "sack"]
    assert (table["simultaneous_lo"] > 1e6).all()
    assert (table["p_holm"] < 0.01).all()


def test_the_dumbbell_is_a_scenario_like_any_other():
    scenario = load(DUMBBELL)
    assert [point.levels["tcp_flavor"] for point in scenario.points()] == [
        "cubic",
        "reno",
        "newreno",
        "sack",
    ]


def test_compare_without_names_compares_the_dumbbells_own(lab_folder, capsys):
    assert main(["compare", "--jobs", "2"]) == 0
    text = capsys.readouterr().out
    rows = [line.split()[0] for line in text.splitlines() if "±" in line]
    assert rows == ["cubic", "reno", "newreno", "sack"]
    assert "Goodput against cubic (Mbit/s)" in text


def test_compare_knows_the_old_name_of_cubic(lab_folder, capsys):
    assert main(["compare", "modern", "cubic"]) == 2
    told = capsys.readouterr().err
    assert "'cubic' is named twice" in told
    assert told.count('"modern" is called "cubic" now') == 1


def test_plot_what_the_scenario_describes(lab_folder, capsys):
    text = said(capsys, "plot", "lab.toml")
    path = lab_folder / "lab.results" / "figures" / "goodput.svg"
    assert text == "Losses cost more on a longer path: lab.results/figures/goodput.svg\n"
    assert "Losses cost more on a longer path" in path.read_text()
    assert said(capsys, "plot", "lab.results", "--figure", "goodput", "--out", "its.png")
    assert (lab_folder / "its.png").read_bytes().startswith(b"\x89PNG")


def test_what_is_not_there_over_time_is_told_as_it_is(lab_folder, tmp_path, capsys):
    asked = ["plot", "lab.results", "--over-time", "--point", "3", "--replication"]
    assert "nothing was recorded in replication 2 of point 3, but in 0; [probes] repl" in refused(
        capsys, *asked, "2"
    )
    assert "replication 3 of point 3 is not there; there are 0 to 2\n" in refused(
        capsys, *asked, "3"
    )
    text = LAB.replace("replications = 3", "replications = 1")
    lab(tmp_path / "one", text=text)
    assert "there is only 0\n" in refused(
        capsys, "plot", "one", "--over-time", "--replication", "1"
    )
    lab(tmp_path / "bare", text=text.partition("[probes]")[0])
    err = refused(capsys, "plot", "bare", "--over-time")
    assert "nothing was recorded over time in these runs; set [probes] cwnd" in err


def test_a_metric_without_a_value_is_no_empty_picture(lab_folder, capsys):
    says = {
        "cells_lost": "(it has none in packet networks); the nearest that has one is drops",
        "offered_load": "(it is infinite in all runs); the nearest that has one is goodput_bit_s",
        "completion_s": "(it has none if no flow is complete); the nearest that has one is goodput",
    }
    for metric, why in says.items():
        err = refused(capsys, "plot", "lab.results", "--y", metric)
        assert f"ackclock: {metric}: has no value in this campaign {why}" in err
    assert not (lab_folder / "lab.results/figures").exists()


def test_what_cannot_be_drawn_is_told_when_all_else_is_there(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    figure = '[[figures]]\nname = "{}"\nx = "tcp_flavor"\ny = "{}"\ny_scale = "log"\n'
    figures = figure.format("losses", "losses") + figure.format("sent", "segments_sent")
    text = LAB.partition("[[figures]]")[0].replace('loss = "1 %"', 'loss = "0 %"')
    (tmp_path / "lab.toml").write_text(text + figures)
    assert main(["run", "lab.toml", "--replications", "1"]) == 2
    out, err = capsys.readouterr()
    assert "Goodput" in out
    assert "lab.results/figures/sent.svg" in out
    assert "ackclock: figure losses: losses: a log scale cannot show 0; use linear\n" in err
    assert main(["plot", "lab.toml"]) == 2
    assert "lab.results/figures/sent.svg" in capsys.readouterr().out
    # A report shows the rest, and why this is missing.
    assert main(["report", "lab.toml", "--out", "report.html"]) == 0
    page = (tmp_path / "report.html").read_text()
    assert "not drawn. losses: a log scale cannot show 0; use linear." in page


@pytest.mark.parametrize("words", [[], ["--over-time"]])
def test_a_figure_for_latex_needs_no_latex_to_be_written(words, lab_folder, capsys, monkeypatch):
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", "")
    (lab_folder / "lab.toml").write_text(LAB)
    for name in ("a.pgf", "b.pgf"):
        said(capsys, "plot", "lab.toml", *words, "--out", name)
    text = (lab_folder / "a.pgf").read_text()
    assert text == (lab_folder / "b.pgf").read_text()
    assert r"\begin{pgfpicture}" in text
    assert r"Two \textless{}TCPs\textgreater{} \& a bottleneck" in text
    assert str(Path.home()) not in text
    assert "DejaVu" not in text
    assert "{-0.000000in}" not in text
    monkeypatch.setenv("PATH", path)
    if shutil.which("pdflatex") is None:
        return
    document = r"\documentclass{article}\usepackage{pgf}\begin{document}\input{a.pgf}\end{document}"
    (lab_folder / "document.tex").write_text(document)
    subprocess.run(["pdflatex", "-halt-on-error", "document.tex"], check=True, capture_output=True)
    assert (lab_folder / "document.pdf").read_bytes().startswith(b"%PDF")


def test_a_text_has_no_meaning_in_tex():
    assert in_tex(r"a_b & 5 % of $1 \alpha {x} #2 ~^") == (
        r"a\_b \& 5 \% of \$1 \textbackslash{}alpha \{x\} \#2 \textasciitilde{}\textasciicircum{}"
    )
    assert in_tex("--set x · 3 µs – 4 µs") == (
        r"-{}-set x \ensuremath{\cdot} 3 \ensuremath{\mu}s -- 4 \ensuremath{\mu}s"
    )


def test_plot_a_figure_of_ones_own(lab_folder, capsys):
    words = ["--x", "tcp_flavor", "--y", "losses", "--facet", "topology_bottleneck_delay_s"]
    said(capsys, "plot", "lab.toml", *words, "--y-scale", "log", "--out", "new/own.pdf")
    assert (lab_folder / "new" / "own.pdf").read_bytes().startswith(b"%PDF")
    said(capsys, "plot", "lab.toml", "--y", "drops")
    assert (lab_folder / "lab.results" / "figures" / "drops.svg").is_file()


def test_export(lab_folder, capsys):
    text = said(capsys, "export", "lab.toml", "--csv", "runs.csv", "--parquet", "runs.parquet")
    assert text == "12 rows are in runs.csv and runs.parquet\n"
    assert len((lab_folder / "runs.csv").read_text().splitlines()) == 13
    assert said(capsys, "export", "lab.toml", "--csv", "f.csv", "--what", "flows").startswith("36")
    said(capsys, "export", "lab.results", "--csv", "s.csv", "--what", "summary")
    assert (
        (lab_folder / "s.csv").read_text().startswith("tcp_flavor,topology_bottleneck_delay_s,n,")
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["show", "nothing"], "nothing: contains no campaign"),
        (["show", "nothing.toml"], "has no results yet; make them with: ackclock run nothing.toml"),
        (["show", "lab.toml", "--metric", "goodput"], "did you mean 'goodput_bit_s'"),
        (["show", "lab.toml", "--metric", ""], "'' is not a metric; there are goodput_bit_s, "),
        (["report", "lab.toml", "--metric", ", ,"], "'' is not a metric; there are goodput_bit_s"),
        (["show", "lab.toml", "--flows", "--metric", "drops"], "'drops' is not a metric of flows"),
        (["show", "lab.toml", "--confidence", "95"], "between 0 and 1"),
        (["show", "lab.toml", "--flows", "--confidence", "95"], "between 0 and 1"),
        (["compare", "lab.toml", "--by", "flavor"], "did you mean 'tcp_flavor'"),
        (["compare", "lab.toml", "--by", "tcp_flavor", "--baseline", "x"], "there are reno, sack"),
        (["compare", "lab.toml"], "name the factor to compare, for example --by tcp_flavor"),
        (["compare", "a", "b", "--by", "tcp_flavor"], "name one folder or scenario file"),
        (["compare", "lab.toml", "--by", "tcp_flavor", "--out", "x"], "--out: applies only to"),
        (["compare", "reno", "newrno"], "did you mean 'newreno'"),
        (["compare", "reno", "reno"], "'reno' is named twice"),
        (["compare", "reno", "--baseline", "reno"], "--baseline: applies only to"),
        (["plot", "lab.toml", "--figure", "goodputs"], "did you mean 'goodput'"),
        (["plot", "lab.toml", "--figure", "goodput", "--x", "a"], "leave out --x"),
        (
            ["plot", "lab.toml", "--out", "figure.gif"],
            "end the name of a figure in .png, .svg, .pdf, .pgf",
        ),
        (["plot", "lab.toml", "--x", "tcp"], "did you mean 'tcp_flavor'"),
        (["export", "lab.toml"], "name a file: --csv results.csv"),
        (["export", "lab.toml", "--csv", "p.csv", "--what", "pages"], "no flow fetches pages"),
    ],
)
def test_bad_input_is_told_in_one_line(words, says, lab_folder, capsys):
    before = sorted(lab_folder.rglob("*"))
    err = refused(capsys, *words)
    assert says in err
    assert err.count("\n") == 1
    assert sorted(lab_folder.rglob("*")) == before


def test_several_figures_do_not_fit_into_one_file(lab_folder, capsys):
    text = LAB + '[[figures]]\nx = "tcp_flavor"\ny = "drops"\n'
    (lab_folder / "two.toml").write_text(text)
    lab(lab_folder / "two.results", text=text, sets=["duration=1 s", "replications=1"])
    err = refused(capsys, "plot", "two.toml", "--out", "x.svg")
    assert "name one with --figure: goodput, drops-tcp_flavor" in err
    assert said(capsys, "plot", "two.toml").count("\n") == 2


def test_what_is_to_be_checked_is_told(lab_folder, capsys):
    journal = lab_folder / "lab.results" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-2]))
    assert main(["show", "lab.toml"]) == 0
    out, err = capsys.readouterr()
    assert err == "ackclock: warning: lab.results: 2 runs are not made yet\n"
    assert "Time-outs" in out
    assert out.splitlines()[2].endswith("  n")


def test_time_is_cut(lab_folder, capsys):
    words = ["plot", "lab.toml", "--over-time", "--point", "1"]
    said(capsys, *words)
    assert "over-time-1-0-1s-2.5s.svg" in said(capsys, *words, "--from", "1 s", "--to", "2500 ms")
    whole, cut = (
        (lab_folder / "lab.results" / "figures" / f"over-time-1-0{name}.svg").read_text()
        for name in ("", "-1s-2.5s")
    )
    assert "replication 0" in whole
    assert "replication 0" in cut
    assert len(cut) < len(whole)
    for change, says in (
        (["--from", "3 s", "--to", "2 s"], "from 3 s to 2 s is not within a run of 4 s"),
        (["--to", "5 s"], "from 0 s to 5 s is not within a run of 4 s"),
        (["--from", "1", "--to", "soon"], '--from: "1" has no unit'),
        (["--from", "1", "--to", "soon"], "--to: "),
    ):
        assert says in refused(capsys, *words, *change)
    assert "--from: needs --over-time" in refused(capsys, "plot", "lab.toml", "--from", "1 s")
