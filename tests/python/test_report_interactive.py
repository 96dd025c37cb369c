"""The bytes of interactive reports: their data are the results, and they may run one script."""

import base64
import hashlib
import re

import numpy as np
import pytest

from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.lab import bundle
from ackclock.lab.embedded import reports
from ackclock.lab.embedded.reports import ReportComponents
from ackclock.lab.frame import Words, read
from ackclock.report.campaigns import write_report
from ackclock.results import run
from interactive_campaign import CLOSED, TEXT
from report_page import Page

POINTS = 4
FLOW = "a 1"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return run(TEXT, tmp_path_factory.mktemp("interactive") / "lab.results")


def text_of(results, folder, components=None):
    path = folder / "report.html"
    write_report([results], path, components=components)
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def text(results, tmp_path_factory):
    return text_of(results, tmp_path_factory.mktemp("page"), ReportComponents())


@pytest.fixture(scope="module")
def figures(text):
    """The frames of each figure, by its id."""
    found = re.findall(
        r'<script type="application/x-ackclock-columns" id="([\w-]+)-data">([^<]*)</script>', text
    )
    return {id: read(base64.b64decode(data, validate=True)) for id, data in found}


def frame_of(frames, kind):
    (found,) = [frame for frame in frames if frame[0]["kind"] == kind]
    return found


def words(column):
    return [column.words[number] for number in column.numbers]


def test_the_same_results_give_the_same_bytes(text, results, tmp_path):
    assert text_of(results, tmp_path, ReportComponents()) == text


def test_without_components_the_page_has_no_script_and_the_same_drawings(text, results, tmp_path):
    plain = text_of(results, tmp_path)
    assert "<script" not in plain
    assert "data-figure" not in plain
    drawings = re.findall(r"<svg.*?</svg>", plain, re.DOTALL)
    assert drawings == re.findall(r"<svg.*?</svg>", text, re.DOTALL)


def test_each_drawing_with_data_is_a_figure_and_has_them(text, figures):
    page = Page(text)
    page.check_references()
    assert sorted(page.values("data-figure")) == sorted(figures)
    runs = [f"over-time-{point}-0" for point in range(POINTS)]
    assert set(runs) | {"figure-0-drawing", "delays-queue-0", "delays-rtt-0"} <= set(figures)
    for id in figures:
        assert re.search(f'<div data-figure="{id}"><svg', text)


def hashes_of(contents):
    return {
        "'sha256-" + base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() + "'"
        for each in contents
    }


def test_the_policy_names_the_script_and_the_styles_of_the_page(text):
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    rules = dict(rule.split(" ", 1) for rule in policy.replace("&#39;", "'").split("; "))
    assert rules["default-src"] == "'none'"
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert len(scripts) == 1
    assert set(rules["script-src"].split()) == hashes_of(scripts)
    styles = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert len(styles) == 2
    assert set(rules["style-src-elem"].split()) == hashes_of(styles)


def test_the_policy_comes_before_all_that_it_rules(text):
    assert text.index("Content-Security-Policy") < min(text.index("<style>"), text.index("<script"))


def test_no_title_ends_a_script(text, figures):
    # Those of the data, and that of the page.
    assert text.count("<script") == text.count("</script>") == len(figures) + 1
    assert CLOSED not in text
    assert CLOSED in Page(re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)).text


def test_nothing_is_asked_of_another_place(text):
    for attribute in ("src", "action", "srcset"):
        assert attribute not in {name for _, each in Page(text).elements for name in each}
    assert all(target.startswith("#") for target in Page(text).values("href"))


def test_the_licences_of_what_is_in_the_script_are_with_it(text):
    for name in ("preact", "@preact/signals", "uplot"):
        assert re.search(rf"^{name} [\d.]+ \(MIT\)$", text, re.MULTILINE)
    assert text.count("Permission is hereby granted") >= 3


def test_means_are_those_of_the_results(figures, results):
    ((head, arrays),) = figures["figure-0-drawing"]
    assert (head["kind"], head["of"]) == ("chart", "means")
    assert head["series"] == ["reno", "sack"]
    assert head["levels"] == ["10 ms", "20 ms"]
    assert head["y"]["unit"] == "Mbit/s"
    table = results.summary(["goodput_bit_s"])
    (panel,) = head["panels"]
    for line in panel["lines"]:
        rows = table[table["tcp_flavor"] == head["series"][line["series"]]]
        for column, name in (("mean", "y"), ("lo", "lo"), ("hi", "hi")):
            np.testing.assert_allclose(arrays[line[name]] * 1e6, rows[column], rtol=1e-12)
        assert arrays[line["n"]].tolist() == [3, 3]
        assert arrays[line["levels"]].tolist() == [0, 1]


def test_shares_are_those_of_the_recorded_delays(figures, results):
    ((head, arrays),) = figures["delays-rtt-0"]
    assert (head["of"], head["rises"]) == ("shares", True)
    rows = results.delays[results.delays["what"] == "rtt"]
    totals = [int(arrays[line["n"]][0]) for panel in head["panels"] for line in panel["lines"]]
    assert sum(totals) == rows["count"].sum()
    for panel in head["panels"]:
        for line in panel["lines"]:
            assert arrays[line["y"]][-1] == pytest.approx(100)
            assert (np.diff(arrays[line["y"]]) >= 0).all()


def test_curves_of_a_run_are_those_that_were_recorded(figures, results):
    head, arrays = frame_of(figures["over-time-0-0"], "run")
    flows = {flow["name"]: flow["number"] for flow in head["flows"]}
    panels = {panel["id"]: panel["series"] for panel in head["panels"]}
    assert list(panels) == ["cwnd", "rtt", "queue", "goodput"]
    (cwnd,) = [
        series
        for series in panels["cwnd"]
        if series["name"] == "cwnd" and series["flow"] == flows[FLOW]
    ]
    recorded = results.trace(FLOW, point=0).cwnd
    assert arrays[cwnd["y"]].max() == recorded["cwnd_bytes"].max()
    assert set(arrays[cwnd["y"]]) <= set(recorded["cwnd_bytes"].astype(np.float32))
    assert set(arrays[cwnd["x"]]) <= set(recorded["time_s"].astype(np.float32))
    (queue,) = panels["queue"]
    assert arrays[queue["y"]].max() == results.queue(point=0)["max_length"].max()
    assert not set(head) & {"metrics", "flow_metrics", "distributions"}


def test_a_curve_has_no_more_points_than_the_columns_show(results, monkeypatch):
    monkeypatch.setattr(reports, "COLUMNS", 10)
    head, arrays = frame_of(read(ReportComponents().run(results, 0, 0)), "run")
    recorded = results.trace(FLOW, point=0).cwnd["cwnd_bytes"]
    series = head["panels"][0]["series"]
    assert len(recorded) > 60
    assert max(len(arrays[each["x"]]) for each in series) <= 4 * 10 + 2
    assert arrays[series[0]["y"]].max() == recorded.max()


def test_the_diagram_has_each_segment(figures, results):
    head, arrays = frame_of(figures["over-time-0-0"], "segments")
    rows = results.segments(FLOW, point=0)
    assert (head["flow"], head["connection"], head["note"]) == (FLOW, 0, None)
    assert arrays["time_s"].tolist() == rows["time_s"].tolist()
    for name in ("low", "high", "sent_again", "lost"):
        assert arrays[name].tolist() == rows[name].astype(int).tolist()
    assert isinstance(arrays["kind"], Words)
    assert words(arrays["kind"]) == rows["kind"].tolist()


def test_a_long_diagram_ends_early_and_says_so(results, monkeypatch):
    monkeypatch.setattr(reports, "MOST_ROWS", 100)
    head, arrays = frame_of(read(ReportComponents().run(results, 0, 0)), "segments")
    assert len(arrays["time_s"]) == 100
    assert head["window"] == [0, arrays["time_s"][-1]]
    assert head["note"].startswith("This page has the first 100 events, until ")


def test_the_state_gives_the_run_again(figures, results):
    for point in range(POINTS):
        about, _ = frame_of(figures[f"over-time-{point}-0"], "about")
        assert about["lab"] == "http://127.0.0.1:8737/"
        assert about["note"] is None
        state = about["state"]
        assert state["source"].strip() == TEXT.strip()
        assert (state["point"], state["replication"]) == (point, 0)


def test_a_run_with_curves_that_panels_do_not_have_stays_as_printed(tmp_path):
    sets = ["probes.transport=100 ms", "replications=1"]
    with_rates = run(TEXT, tmp_path / "rates.results", sets=sets)
    assert ReportComponents().run(with_rates, 0, 0) is None


def test_what_was_not_recorded_has_no_data(results):
    assert ReportComponents().run(results, 0, 2) is None
    assert ReportComponents().run(results, 99, 0) is None


def test_the_command_says_how_the_page_was_made(results, tmp_path, capsys):
    path = tmp_path / "page.html"
    words = ["report", str(results.campaign.folder), "--interactive", "--out", str(path)]
    assert main(words) == 0
    assert "--interactive" in Page(path.read_text(encoding="utf-8")).text
    assert "data-figure" in path.read_text(encoding="utf-8")
    capsys.readouterr()


def test_without_the_bundle_there_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    with pytest.raises(InputError, match="make page"):
        ReportComponents()
