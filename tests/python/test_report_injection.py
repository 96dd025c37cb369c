"""What a scenario calls things is text in every page and picture, as a browser has them."""

import json
import re
import subprocess
from html import escape

import pytest

from ackclock.report.campaigns import write_report
from ackclock.results import run
from ackclock.results.export import write_figure
from capture_packets import tool

IMAGE = "<img src=x onerror=this.id=9>"
DRAWING = '"><svg onload=this.id=9>'
CLOSED = "</title></svg>]]>--><script>document.body.id=9</script>"
FORMULA = "$\\frac{1$"
"""In which matplotlib finds a formula, and a wrong one."""


def toml(text):
    return json.dumps(text)


SCENARIO = f"""
title = {toml(CLOSED)}
description = {toml(IMAGE + DRAWING + CLOSED)}
duration = "1 s"
replications = 2

[variables]
word = "x"

[topology]
kind = "graph"
nodes = [{toml(IMAGE)}, "r", {toml(DRAWING)}]

[[topology.links]]
between = [{toml(IMAGE)}, "r"]
rate = "1 Mbit/s"
delay = "5 ms"

[[topology.links]]
between = ["r", {toml(DRAWING)}]
rate = "1 Mbit/s"
delay = "5 ms"

[[flows]]
name = {toml(IMAGE)}
from = {toml(IMAGE)}
to = {toml(DRAWING)}
foreground = true

[probes]
cwnd = "all"
queue = "50 ms"

[sweep.factors]
word = [{toml(IMAGE)}, {toml(FORMULA)}]

[sweep.factors.level]
{toml(DRAWING)} = {{ "tcp.flavor" = "reno" }}
{toml(FORMULA)} = {{ "tcp.flavor" = "sack" }}

[[figures]]
name = "figure"
title = {toml(CLOSED)}
x = "word"
y = "goodput_bit_s"
series = "level"
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return run(SCENARIO, tmp_path_factory.mktemp("injection") / "results")


@pytest.fixture
def opened(tmp_path):
    """What a browser makes of a page, its scripts run."""
    chromium = tool("chromium")
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000"]

    def dom(path):
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        command = [chromium, *words, profile, "--dump-dom", path.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        assert "<html" in done.stdout or "<svg" in done.stdout
        return done.stdout

    return dom


HIT = re.compile(r'<(img|script)\b|<svg[^>]* onload|id="9"')


def test_the_browser_runs_what_it_is_given(opened, tmp_path):
    page = tmp_path / "page.html"
    for text in (IMAGE, DRAWING, CLOSED):
        page.write_text(f"<!doctype html><title>x</title><body>{text}", encoding="utf-8")
        assert HIT.search(opened(page))


def test_a_report_runs_nothing(opened, results, tmp_path):
    page = tmp_path / "report.html"
    write_report([results], page)
    dom = opened(page)
    assert not HIT.search(dom)
    shown = " ".join(re.sub("<[^>]*>", " ", dom).split())
    for text in (IMAGE, DRAWING, CLOSED, FORMULA):
        assert escape(text, quote=False) in shown


def test_reports_side_by_side_run_nothing(opened, results, tmp_path):
    other = run(SCENARIO, tmp_path / IMAGE)
    page = tmp_path / "report.html"
    write_report([results, other], page)
    assert not HIT.search(opened(page))


def test_a_notebook_runs_nothing(opened, results, tmp_path):
    page = tmp_path / "notebook.html"
    page.write_text(f"<!doctype html><title>x</title><body>{results._repr_html_()}", "utf-8")
    assert not HIT.search(opened(page))


def test_pictures_run_nothing(opened, results, tmp_path):
    for at, figure in enumerate([results.plot.figure("figure"), results.plot.traces(point=0)]):
        path = write_figure(figure, tmp_path / f"{at}.svg")
        dom = opened(path)
        assert not HIT.search(dom)
        assert escape(IMAGE, quote=False) in dom
