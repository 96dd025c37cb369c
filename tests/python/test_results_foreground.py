"""Flows that are measured apart, through the real core: what is kept, shown and written of them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ackclock.cli import main
from ackclock.results.comparisons import flow_grid
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.frames import flows_frame
from ackclock.scenario.compile.facts import MOST_FLOWS_KEPT
from results_campaigns import lab

BACKGROUND = MOST_FLOWS_KEPT
TEXT = f"""
title = "Two flows before many"
duration = "6 s"
warm_up = "1 s"
replications = 2

[topology]
kind = "dumbbell"
access = {{ rate = "100 Mbit/s", delay = "1 ms" }}

[topology.bottleneck]
rate = "10 Mbit/s"
delay = "20 ms"
queue = {{ limit = "2 rtt" }}

[workload]
kind = "bulk"

[[flows]]
name = "back"
count = {BACKGROUND}
workload = {{ kind = "bulk", size = "20 kB", start_spread = "5 s" }}

[[flows]]
name = "new"
foreground = true
tcp = {{ flavor = "newreno" }}
impairments = [{{ kind = "bernoulli", loss = "2 %", of = "data" }}]

[[flows]]
name = "old"
foreground = true
tcp = {{ flavor = "reno" }}
impairments = [{{ kind = "loss_events", rate = "1 %", losses = 2, of = "data" }}]
"""
LOSSES = ["segments_lost", "loss_events", "loss_event_rate", "loss_rate"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return lab(tmp_path_factory.mktemp("foreground") / "runs", text=TEXT)


def test_only_foreground_flows_have_rows(made):
    flows = made.flows
    assert flows["flow"].tolist() == ["new", "old"] * 2
    assert flows["group"].tolist() == ["new", "old"] * 2
    assert list(flows)[-len(FLOW_METRICS) :] == list(FLOW_METRICS)


def test_what_is_told_of_them_fits_together(made):
    flows = made.flows
    assert (flows["segments_lost"] >= flows["loss_events"]).all()
    assert (flows["loss_events"] > 0).all()
    assert (flows["loss_rate"] == flows["segments_lost"] / flows["segments_sent"]).all()
    assert (flows["loss_event_rate"] == flows["loss_events"] / flows["segments_sent"]).all()
    # Twice 22 ms of propagation, and a queue that is 2 RTT long when it is full.
    assert flows["rtt_s"].between(0.044, 0.15).all()
    assert (flows["first_rto_s"].isna() == (flows["timeouts"] == 0)).all()
    together = flows.groupby("replication")["goodput_bit_s"].sum().tolist()
    assert made.metrics["foreground_goodput_bit_s"].tolist() == pytest.approx(together)
    assert (made.metrics["foreground_goodput_bit_s"] < made.metrics["goodput_bit_s"]).all()


def test_models_take_what_is_shown(made):
    heads = flow_grid(made, None, 0.95).heads
    assert [head for head in heads if head.startswith(("Loss", "RTT"))] == [
        "Loss event rate",
        "Loss rate",
        "RTT (ms)",
    ]


def test_the_command_shows_and_writes_them(made, tmp_path, capsys):
    folder = str(made.campaign.folder)
    assert main(["show", folder, "--flows", "--metric", "loss_events,loss_rate"]) == 0
    assert "Loss events" in capsys.readouterr().out
    out = tmp_path / "flows.csv"
    assert main(["export", folder, "--what", "flows", "--csv", str(out)]) == 0
    table = pd.read_csv(out)
    assert table["flow"].tolist() == ["new", "old"] * 2
    assert table["loss_events"].tolist() == made.flows["loss_events"].tolist()
    assert table["loss_events"].dtype.kind == "i"


def test_without_a_foreground_no_loss_is_told(tmp_path):
    text = TEXT.replace("foreground = true", "").replace(f"count = {BACKGROUND}", "count = 1")
    flows = lab(tmp_path / "runs", text=text).flows
    assert flows["flow"].tolist() == ["back", "new", "old"] * 2
    assert flows[LOSSES].isna().all(axis=None)
    assert (flows["rtt_s"][flows["flow"] != "back"] > 0.044).all()


def test_a_campaign_of_an_earlier_version_tells_all_flows(made):
    """Its facts say nothing of a foreground, and its rows nothing of losses."""
    campaign = made.campaign
    facts = [
        {name: value for name, value in each.items() if name != "foreground"}
        for each in campaign.design.facts
    ]
    flows = BACKGROUND + 2
    earlier = {"goodput_bit_s": [1.0] * flows}
    campaign = replace(
        campaign,
        design=replace(campaign.design, facts=tuple(facts)),
        runs=tuple(run._replace(row={**run.row, "flows": earlier}) for run in campaign.runs),
    )
    frame = flows_frame(campaign, ())
    assert len(frame) == 2 * flows
    assert np.isnan(frame[LOSSES].to_numpy(dtype=float)).all()
