"""``[[figures]]`` of all kinds: as the methods of ``Results.plot`` draw them, and in reports."""

import re

import pytest

from ackclock.campaign.events import CampaignWarning
from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.report.campaigns import write_report
from ackclock.results import run
from ackclock.results.export import write_figure
from ackclock.results.flows import FLOW_METRICS
from ackclock.scenario import load
from ackclock.scenario.metric_names import FLOW_METRIC_NAMES
from report_page import Page
from results_campaigns import LAB

FLAVOR, DELAY = "tcp_flavor", "topology_bottleneck_delay_s"
FIGURES = """
[[figures]]
kind = "box"
name = "box"
title = "Of runs"
x = "tcp_flavor"
y = "drops"
series = "topology_bottleneck_delay_s"

[[figures]]
kind = "box"
name = "waits"
of = "queue"
x = "group"
flows = ["a 1", "b"]
y_scale = "log"

[[figures]]
kind = "heatmap"
name = "map"
title = "Drops"
x = "topology_bottleneck_delay_s"
y = "drops"
series = "tcp_flavor"

[[figures]]
kind = "cdf"
title = "How long packets wait"
series = "group"
facet = "tcp_flavor"

[[figures]]
kind = "cdf"
name = "back"
link = "r2 -> r1"
series = "link"
x_scale = "linear"

[[figures]]
kind = "ccdf"
of = "rtt"
series = "flow"

[[figures]]
kind = "cdf"
of = "flows"
y = "segments_retransmitted"
series = "group"
"""
TEXT = LAB.replace("[probes]", '[probes]\ndelays = "all"').replace("20 ms", "15 ms") + FIGURES


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return run(TEXT, tmp_path_factory.mktemp("figures") / "lab.results")


def drawn(figure, folder):
    return write_figure(figure, folder / "figure.svg").read_bytes()


@pytest.mark.parametrize(
    ("name", "method", "options"),
    [
        ("box", "box", {"x": FLAVOR, "y": "drops", "series": DELAY, "title": "Of runs"}),
        ("waits", "box", {"of": "queue", "x": "group", "flows": ["a 1", "b"], "y_scale": "log"}),
        ("map", "heatmap", {"x": DELAY, "y": "drops", "series": FLAVOR, "title": "Drops"}),
        (
            f"cdf-queue-group-{FLAVOR}",
            "cdf",
            {"series": "group", "facet": FLAVOR, "title": "How long packets wait"},
        ),
        ("back", "cdf", {"link": "r2 -> r1", "series": "link", "x_scale": "linear"}),
        ("ccdf-rtt-flow", "cdf", {"of": "rtt", "series": "flow", "complementary": True}),
        (
            "cdf-flows-segments_retransmitted-group",
            "cdf",
            {"of": "flows", "y": "segments_retransmitted", "series": "group"},
        ),
    ],
)
def test_each_kind_is_drawn_as_its_method_draws_it(name, method, options, results, tmp_path):
    expected = getattr(results.plot, method)(**options)
    assert drawn(results.plot.figure(name), tmp_path) == drawn(expected, tmp_path)


def test_a_plot_of_the_scenario_draws_all(results, capsys):
    assert main(["plot", str(results.campaign.folder)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 8
    written = {path.stem for path in (results.campaign.folder / "figures").iterdir()}
    assert written >= {"goodput", *results.plot.names}


def test_the_report_has_them_before_the_metrics_that_have_none(results, tmp_path):
    path = tmp_path / "report.html"
    write_report([results], path)
    captions = captions_of(path)
    assert captions[0] == "Losses cost more on a longer path."
    assert captions[1:8] == [
        "Of runs.",
        "Queue delay against group.",
        "Drops.",
        "How long packets wait.",
        "Queue delay.",
        "RTT.",
        "Segments retransmitted.",
    ]
    assert captions[8].startswith("Time-outs against")
    assert len(captions) == 9


def test_side_by_side_there_is_a_drawing_a_campaign_that_has_the_values(results, tmp_path):
    text = TEXT.partition("[[figures]]")[0].replace('delays = "all"', "")
    path = tmp_path / "report.html"
    with pytest.warns(CampaignWarning, match="the scenario files differ"):
        write_report([results, run(text, tmp_path / "other.results")], path)
    page = Page(path.read_text(encoding="utf-8"))
    page.check_references()
    assert "not drawn" not in page.source
    shown = re.findall(r'<figure[^>]* id="figure-\d".*?</figure>', page.source, re.S)
    # Means have a line a campaign; the other has recorded no delays.
    assert [each.count("<svg") for each in shown] == [1, 2, 1, 2, 1, 1, 1, 2, 1]
    assert all(f"Of runs: {name}" in shown[1] for name in ("lab", "other"))


def captions_of(path):
    source = path.read_text(encoding="utf-8")
    found = re.findall(r'id="figure-\d".*?<figcaption>(.*?)\s*<span', source, re.S)
    return [re.sub(r"\s+", " ", each).strip() for each in found]


def test_what_is_recorded_at_one_point_is_enough():
    swept = LAB.replace("[sweep.factors]", '[sweep.factors]\n"probes.delays" = [false, true]')
    scenario = load(swept + '[[figures]]\nkind = "cdf"\nseries = "flow"\n')
    assert scenario.figures[-1].values_of == "queue"
    with pytest.raises(InputError, match=r"figures\[1\].of: no run records delays"):
        load(LAB + '[[figures]]\nkind = "cdf"\n')


def test_without_a_bottleneck_a_figure_of_waits_names_links():
    graph = """
duration = "5 s"
[topology]
kind = "graph"
nodes = ["a", "b", "c", "d"]
[[topology.links]]
between = ["a", "b"]
rate = "1 Mbit/s"
delay = "1 ms"
[[topology.links]]
between = ["c", "d"]
rate = "1 Mbit/s"
delay = "1 ms"
[[flows]]
name = "one"
from = "a"
to = "b"
[[flows]]
from = "c"
to = "d"
[probes]
delays = "all"
[[figures]]
kind = "cdf"
"""
    with pytest.raises(InputError, match="there is no single bottleneck"):
        load(graph)
    assert load(graph + 'series = "link"\n').figures[0].file_name == "cdf-queue-link"
    assert load(graph + 'link = "a -> b"\n').figures[0].link == "a -> b"


def test_the_metrics_of_flows_are_those_that_are_computed():
    assert tuple(FLOW_METRICS) == FLOW_METRIC_NAMES
