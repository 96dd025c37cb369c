"""The report of campaigns that were simulated: description, metrics, runs over time, notes."""

import re

import pytest

from ackclock.report.campaigns import over_time
from ackclock.results import run
from report_page import page_of_campaigns
from results_campaigns import LAB

DESCRIPTION = "Which <TCP> & delay?"
METRICS = ("goodput_bit_s", "timeouts", "utilisation", "drops", "retransmitted_share", "max_queue")
TEXT = LAB.replace(
    'metrics = ["goodput_bit_s", "timeouts"]',
    f'description = "{DESCRIPTION}"\nmetrics = [{", ".join(map(repr, METRICS))}]',
)
HEADS = ("Goodput", "Time-outs", "Utilisation", "Drops", "Retransmitted share", "queue")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("campaigns")


@pytest.fixture(scope="module")
def results(folder):
    return run(TEXT, folder / "lab.results")


@pytest.fixture(scope="module")
def page(results, folder):
    return page_of_campaigns(folder, results)


def test_it_is_whole(page):
    page.check_that_it_needs_no_other_file()
    page.check_references()


def test_the_description_stands_above_the_results(page):
    assert DESCRIPTION in page.text.partition("What was run")[0]


def test_every_metric_that_is_named_has_a_column_and_a_figure(page):
    table = re.search(r'<figure class="tabular" id="metrics">.*?</figure>', page.source, re.S)[0]
    captions = re.findall(r'id="figure-\d".*?<figcaption>(.*?) <span', page.source, re.S)
    assert len(captions) == len(METRICS)
    # The scenario's own figure is the first, and shows the goodput.
    assert captions[0].startswith("Losses cost more on a longer path")
    for head in HEADS:
        assert re.search(f"(?i){head}", table), head
        assert head == "Goodput" or re.search(f"(?i){head}", " ".join(captions)), head


def test_recorded_runs_are_drawn_over_time(page, results):
    captions = re.findall(r'id="over-time-\d".*?<figcaption>(.*?) <span', page.source, re.S)
    assert len(captions) == len(results.campaign.design.points) == 4
    assert captions[0] == "Point 0 (TCP flavor reno, bottleneck delay 10 ms), replication 0."
    drawing = re.search(r'<svg[^>]* id="over-time-0-0"(.*?)</svg>', page.source, re.S)[1]
    assert ">cwnd" in drawing
    assert ">Queue" in drawing


def test_of_many_points_the_first_are_drawn(results, folder, monkeypatch):
    monkeypatch.setattr(over_time, "_MOST", 1)
    page = page_of_campaigns(folder, results)
    assert "Shown: the first 1 of 4 recorded runs" in page.text
    assert "--over-time --point 1 draws any other" in page.text


def test_campaigns_side_by_side_have_a_drawing_each(results, folder):
    other = run(TEXT, folder / "other.results", sets=["tcp.delayed_ack=off"])
    with pytest.warns(match="check that this is what you compare"):
        page = page_of_campaigns(folder, results, other)
    page.check_references()
    assert {"over-time-3-0", "over-time-3-1"} <= set(page.values("id"))
    assert "replication 0, of lab.results, other.results." in page.text


def test_without_probes_there_is_nothing_over_time(folder):
    text = TEXT.partition("[probes]")[0] + '[sweep.factors]\n"tcp.flavor" = ["reno", "sack"]\n'
    page = page_of_campaigns(folder, run(text, folder / "plain.results", replications=1))
    assert "over time" not in page.text


def test_equal_replications_are_no_interval(folder):
    text = TEXT.partition("[sweep.factors]")[0]
    changes = ["workload.start_spread=0 s", "topology.bottleneck.impairments=[]"]
    changes += ["tcp.timers=fine", 'flows=[{ name = "a" }]', 'probes.cwnd=["a"]']
    page = page_of_campaigns(folder, run(text, folder / "equal.results", sets=changes))
    assert "In this scenario nothing is random, so that all replications give the same" in page.text
    assert "which are equal and so have no intervals" in page.text
    assert "±" not in page.text.partition("How this page was made")[0].partition("Results")[2]
