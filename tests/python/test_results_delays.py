"""Delays of real runs against what can be worked out by hand, and their list of metrics."""

import json
from pathlib import Path

import pytest

from ackclock import _core
from ackclock.cli import main
from ackclock.results.delays import with_waits
from ackclock.results.metrics import METRICS, measure
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.queue_time import seconds_of_one
from results_campaigns import lab

WINDOW, PACKET_MS, BASE_MS = 60, 1.2, 40.0
FULL_WINDOW = f"""
duration = "20 s"
warm_up = "5 s"
metrics = ["rtt_s", "mean_queue_delay_s", "mean_queue"]
topology = {{ kind = "dumbbell", bottleneck = {{ rate = "10 Mbit/s", delay = "20 ms" }} }}
tcp = {{ receive_buffer = "{WINDOW} segments", timestamps = false, ack_every = 1 }}
"""


def test_a_window_that_fills_the_queue_waits_as_long_as_it_must(tmp_path):
    """Of a full window, what the path does not hold waits: each round trip takes 60 x 1.2 ms."""
    its = lab(tmp_path / "runs", text=FULL_WINDOW).metrics.iloc[0]
    assert its["rtt_s"] == pytest.approx(WINDOW * PACKET_MS / 1e3, rel=0.01)
    on_the_way_ms = BASE_MS + PACKET_MS
    waits_ms = WINDOW * PACKET_MS - on_the_way_ms
    assert its["mean_queue_delay_s"] == pytest.approx(waits_ms / 1e3, rel=0.02)
    assert its["mean_queue"] == pytest.approx(waits_ms / PACKET_MS, rel=0.02)
    # A percentile is at most 1.6 % too long.
    for percent in (50, 95, 99):
        assert its[f"queue_delay_p{percent}_s"] == pytest.approx(waits_ms / 1e3, rel=0.02)


@pytest.mark.parametrize("name", ["atm_ubr", "web_over_abr"])
def test_percentiles_of_cells_lie_around_their_mean_and_below_the_longest_queue(name):
    compiled = load(Path(f"scenarios/{name}.toml")).points()[0].compile()
    columns = _core.run(canonical_json(compiled.plan), 1)
    row = measure(columns, compiled.facts)
    delays = [row[f"queue_delay_p{percent}_s"] for percent in (50, 95, 99)]
    longest = row["max_queue"] * seconds_of_one(compiled, compiled.facts.bottleneck_link)
    assert delays == sorted(delays)
    assert 0 < row["mean_queue_delay_s"] < delays[-1] <= longest * (1 + 1 / 64)


def test_a_queue_is_shown_with_its_delay(tmp_path, capsys):
    text = FULL_WINDOW.replace(
        '"rtt_s", "mean_queue_delay_s", "mean_queue"', '"max_queue", "rtt_s"'
    )
    its = lab(tmp_path / "runs", text=text)
    assert its.grid().heads == ["Longest queue (packets)", "Mean queue delay (ms)", "RTT (ms)"]
    # Whoever asks for metrics gets these.
    assert its.grid(["max_queue"]).heads == ["Longest queue (packets)"]
    folder = str(its.campaign.folder)
    assert main(["report", folder, "--out", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Mean queue delay" in page
    measured = [*its.measured]
    assert with_waits(["mean_queue", "max_queue"], measured) == [
        "mean_queue",
        "max_queue",
        "mean_queue_delay_s",
    ]
    assert with_waits(["mean_queue_delay_s", "drops", "mean_queue"], measured)[0] == (
        "mean_queue_delay_s"
    )
    assert with_waits(["abr_max_queue_cells"], measured)[1] == "abr_mean_queue_delay_s"
    assert with_waits(["max_queue"], ["max_queue"]) == ["max_queue"]


def test_a_queue_over_time_has_an_axis_of_times(tmp_path):
    """At the right stands what a full packet takes, 1.2 ms, times what the left says."""
    probes = '\nprobes = { queue = "100 ms", cwnd = "all" }\n'
    figure = lab(tmp_path / "runs", text=FULL_WINDOW + probes).plot.traces()
    figure.draw_without_rendering()
    queue = figure.area.axes[1]
    (waits,) = queue.child_axes
    assert waits.get_ylabel() == "Queue\n(ms)"
    assert waits.get_ylim() == pytest.approx([PACKET_MS * end for end in queue.get_ylim()])
    assert "times of queues: of full packets" in figure.source


OTHERS = """
duration = "1 s"
topology = { kind = "dumbbell", bottleneck = { rate = "10 Mbit/s", delay = "20 ms" } }
[[flows]]
name = "tcp"
[[flows]]
name = "udp"
workload = { kind = "cbr", rate = "1 Mbit/s", packet_size = "200 B" }
"""


def test_how_long_a_cell_or_a_full_packet_takes():
    (point,) = load(FULL_WINDOW).points()
    compiled = point.compile()
    of_links = [seconds_of_one(compiled, link) for link in range(len(compiled.facts.link_names))]
    assert of_links.count(None) == len(of_links) - 1
    assert of_links[compiled.facts.bottleneck_link] == pytest.approx(PACKET_MS / 1e3)
    # Full packets of two sizes, or ACKs, would make another axis wrong.
    compiled = load(OTHERS).points()[0].compile()
    assert seconds_of_one(compiled, compiled.facts.bottleneck_link) is None
    for name in ("atm_ubr", "web_over_abr"):
        compiled = load(Path(f"scenarios/{name}.toml")).points()[0].compile()
        rate = {"atm_ubr": 45e6, "web_over_abr": 10e6}[name]
        took = seconds_of_one(compiled, compiled.facts.bottleneck_link)
        assert took == pytest.approx(53 * 8 / rate, rel=1e-3)


def test_tables_of_points_and_of_flows_have_delays(tmp_path, capsys):
    folder = str(lab(tmp_path / "runs", text=FULL_WINDOW).campaign.folder)
    for words, head in (
        (["show", folder], "RTT (ms)   Mean queue delay (ms)"),
        (["show", folder, "--flows"], "RTT (ms)"),
    ):
        assert main(words) == 0
        assert head in capsys.readouterr().out


def test_the_metrics_are_listed(capsys):
    assert main(["metrics"]) == 0
    said = capsys.readouterr().out
    for name, metric in METRICS.items():
        never = f"; no value {metric.undefined}" if metric.undefined else ""
        (line,) = (line for line in said.splitlines() if line.split()[:1] == [name])
        assert f"{metric.meaning}{never}" in line
    assert main(["metrics", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in listed] == [*METRICS]
    assert listed[0] == {
        "name": "goodput_bit_s",
        "unit": "bit/s",
        "meaning": METRICS["goodput_bit_s"].meaning,
        "undefined": "",
    }
