"""Delays of real runs against what can be worked out by hand, and their list of metrics."""

import json

import pytest

from ackclock.cli import main
from ackclock.results.metrics import METRICS
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
