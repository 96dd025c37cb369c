"""Metrics of ATM networks and of web batches by hand; recorded rates and queues by name."""

from math import isnan, nan

import numpy as np
import pandas as pd
import pytest

from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.plots.windows import Panel, windows
from ackclock.results import Results, run
from ackclock.results.cells import CELL_METRICS, data_vcs
from ackclock.results.responses import RESPONSE_METRICS, response_times
from results_campaigns import Facts, table

# Two flows and two sources: VCs 0, 1 go back, 2, 3 with the data, 4 and 6 are the sources' own.
VCS = ("a (back)", "b (back)", "a", "b", "s", "s (back)", "t", "t (back)")
PORTS = {
    "link": [4, 7],
    "cells_refused": [100, 0],
    "cells_overflowed": [20, 3],
    "cells_cut": [0, 5],
}
CLASSES = {
    "port": [4, 4, 4, 7, 7],
    "service": [0, 1, 2, 1, 2],
    "cells_offered": [10, 1000, 300, 520, 8],
    "cells_carried": [10, 1000, 180, 500, 0],
    "cells_lost": [0, 0, 120, 3, 5],
    "max_queued": [2, 400, 9000, 700, 8],
    "mean_queued": [0.5, 25.0, 80.0, 60.0, 0.25],
}
RECEIVED = [5, 6, 1000, 500, 250, 0, 4000, 0]
MEAN_ACR = [1e6, 1e6, 8e6, 4e6, 3e6, 1e6, nan, nan]


def columns(**changed):
    vcs = {"vc": list(range(8)), "cells_received": RECEIVED, "mean_acr_bit_s": MEAN_ACR}
    return {"ports": table(PORTS), "classes": table(CLASSES), "vcs": table(vcs), **changed}


FACTS = Facts(vc_names=VCS)


def metric(name, run=None, facts=FACTS):
    return {**CELL_METRICS, **RESPONSE_METRICS}[name].of(run or columns(), facts)


def test_the_vcs_that_go_with_the_data():
    assert [VCS[at] for at in data_vcs(FACTS)] == ["a", "b", "s", "t"]
    alone = Facts(flow_names=(), vc_names=("s", "s (back)", "t", "t (back)"))
    assert data_vcs(alone).tolist() == [0, 2]


def test_queues_are_those_of_the_port_where_abr_was_longest():
    assert metric("abr_max_queue_cells") == 700
    assert metric("abr_mean_queue_cells") == 60.0
    # 60 cells wait while 50 a second leave.
    assert metric("abr_mean_queue_delay_s") == pytest.approx(60 * 10 / 500)
    idle = columns(classes=table({**CLASSES, "cells_carried": [10, 1000, 180, 0, 0]}))
    assert isnan(metric("abr_mean_queue_delay_s", idle))


def test_losses_are_those_of_all_ports():
    assert metric("cells_lost") == 128


def test_rates_of_vcs():
    # t is no ABR VC; of the others a, b and s go with the data.
    assert metric("mean_acr_bit_s") == pytest.approx(5e6)
    assert metric("abr_fairness") == pytest.approx(1750**2 / (3 * (1000**2 + 500**2 + 250**2)))
    assert metric("source_rate_bit_s") == pytest.approx((250 + 4000) * 424 / 10)


def test_a_network_without_abr_has_no_metric_of_it():
    classes = {name: [values[2], values[4]] for name, values in CLASSES.items()}
    ubr = columns(classes=table(classes))
    ubr["vcs"]["mean_acr_bit_s"][:] = nan
    for name in CELL_METRICS:
        told = name in ("cells_lost", "source_rate_bit_s")
        assert isnan(metric(name, ubr)) != told


def test_other_networks_have_none():
    empty = {name: np.array([], dtype=np.uint64) for name in PORTS}
    run = {"ports": empty, "classes": table({"service": [0]}), "vcs": {}}
    run["classes"] = {name: np.array([], dtype=np.uint64) for name in CLASSES}
    for name in CELL_METRICS:
        assert isnan(metric(name, run, Facts()))
    assert isnan(metric("abr_max_queue_cells", {"ports": empty}, Facts()))


def responses(*times):
    requested = np.arange(len(times), dtype=float)
    return {"requested_s": requested, "completed_s": requested + np.array(times)}


@pytest.mark.parametrize(
    ("times", "answered", "median"),
    [
        ((1.0, 3.0, 2.0), 3, 2.0),
        ((1.0, 3.0), 2, 2.0),
        ((1.0, nan, 2.0), 2, 2.0),
        ((1.0, 2.0, nan, nan), 2, nan),
        ((1.0, nan), 1, nan),
        ((nan,), 0, nan),
        ((), 0, nan),
    ],
)
def test_a_request_without_an_answer_counts_as_longer_than_all_others(times, answered, median):
    run = {"responses": responses(*times)}
    assert metric("responses", run) == answered
    assert metric("response_s", run) == pytest.approx(median, nan_ok=True)


def test_without_web_batches_there_is_no_response():
    assert response_times({}).size == 0
    assert metric("responses", {"responses": {}}) == 0
    assert isnan(metric("response_s", {"responses": {}}))


LAB = """
title = "Two VCs"
duration = "200 ms"
warm_up = "100 ms"

[topology]
kind = "atm_network"
hosts = ["a", "b", "c"]
switches = ["S1", "S2"]
links = [
    { between = ["a", "S1"], rate = "155.52 Mbit/s", delay = "10 us" },
    { between = ["b", "S1"], rate = "155.52 Mbit/s", delay = "10 us" },
    { between = ["S1", "S2"], rate = "45 Mbit/s", delay = "100 us" },
    { between = ["S2", "c"], rate = "155.52 Mbit/s", delay = "10 us" },
]
abr = { rif = 1, icr = "5 Mbit/s" }
switch = { interval = "1 ms", interval_cells = 100 }

[[topology.sources]]
name = "one"
kind = "greedy"
from = "a"
to = "c"

[[topology.sources]]
name = "two"
kind = "greedy"
from = "b"
to = "c"

[[topology.sources]]
name = "voice"
kind = "cbr"
rate = "1 Mbit/s"
from = "b"
to = "c"

[probes]
queue = "1 ms"
acr = "1 ms"

[sweep.factors]
"topology.switch.rate_control" = ["erica", "erica_plus"]
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return run(LAB, tmp_path_factory.mktemp("cells") / "lab.results")


def test_rates_come_by_the_names_of_vcs(lab):
    rates = lab.acr("one", point=1)
    assert rates.columns.tolist() == ["time_s", "acr_bit_s"]
    assert len(rates) == 200
    assert rates["time_s"].iloc[-1] == pytest.approx(0.199)
    assert rates["acr_bit_s"].iloc[-1] == pytest.approx(22e6, rel=0.05)
    with pytest.raises(InputError, match="'voice' is not an ABR VC"):
        lab.acr("voice", point=1)
    with pytest.raises(InputError, match="'three' is not a VC"):
        lab.acr("three", point=1)
    with pytest.raises(InputError, match="2 points match"):
        lab.acr("one")


def test_vcs_and_queues_come_by_name(lab):
    vcs = lab.vcs(point=1).set_index("vc")
    assert list(vcs.index) == [
        *("one", "one (back)", "two", "two (back)", "voice", "voice (back)"),
    ]
    sent = vcs["cells_sent"].astype(float)
    assert sent["one"] == pytest.approx(sent["two"], rel=0.05)
    assert sent["voice"] == pytest.approx(0.1 * 1e6 / 424, abs=2)
    assert vcs["mean_acr_bit_s"].isna().tolist() == [False] * 4 + [True] * 2
    classes = lab.classes(point=1)
    queues = classes.set_index(["port", "service"])["max_queued"]
    assert queues["S1 -> S2", "abr"] > queues["S1 -> S2", "vbr"]
    (row,) = lab.metrics[lab.metrics["topology_switch_rate_control"] == "erica_plus"].to_dict(
        "records"
    )
    assert row["abr_max_queue_cells"] == classes["max_queued"].max()
    assert row["abr_fairness"] > 0.999
    assert row["cells_lost"] == 0
    assert row["goodput_bit_s"] == 0


def test_a_queue_is_that_of_a_port_by_its_line(lab):
    assert lab.queue(point=0).equals(lab.queue("S1 -> S2", point=0))
    assert lab.queue("S2 -> c", point=0)["max_length"].max() <= 3
    assert lab.queue("a -> S1", point=0).empty  # a network card, which is no port
    with pytest.raises(InputError, match="is not a link"):
        lab.queue("S1 -> S3", point=0)


def test_rates_are_drawn_over_the_queue(lab):
    figure = lab.plot.traces(point=1)
    rates, queue = figure.area.axes
    assert rates.get_ylabel() == "ACR (Mbit/s)"
    assert [line.get_drawstyle() for line in rates.lines] == ["steps-post"] * 2
    assert queue.get_ylabel() == "Queue\n(cells)"
    assert queue.get_title(loc="right") == "S1 -> S2"
    assert figure.title == "ACR and queue over time"
    (legend,) = figure.area.legends
    assert [text.get_text() for text in legend.get_texts()] == ["one", "two"]
    back = lab.plot.traces(vcs=["one", "one (back)"], point=[0, 1], link="S2 -> c")
    assert len(back.area.axes) == 4


def test_a_flow_and_its_vc_have_one_colour():
    times = {"time_s": [0.0, 0.5]}
    window = pd.DataFrame(times | {"cwnd_bytes": [1e3, 2e3], "ssthresh_bytes": [9e3, 9e3]})
    rate = pd.DataFrame(times | {"acr_bit_s": [1e6, 2e6]})

    def drawn(**acr):
        figure = windows([Panel("", {"f": window}, acr=acr)], end_s=1.0, source="x")
        (legend,) = figure.area.legends
        return figure, [text.get_text() for text in legend.get_texts()]

    figure, names = drawn(f=rate, g=rate)
    assert names == ["f", "ssthresh", "g"]
    cwnd, acr = figure.area.axes
    assert cwnd.lines[0].get_color() == acr.lines[0].get_color() != acr.lines[1].get_color()
    assert figure.title == "cwnd and ACR over time"
    figure, names = drawn()
    assert names == ["cwnd of f", "ssthresh"]
    assert figure.title == "cwnd over time"


def test_the_command_draws_them(lab, tmp_path, capsys):
    folder = str(lab.campaign.folder)
    file = tmp_path / "rates.svg"
    words = ["plot", folder, "--over-time", "--vc", "two", "--link", "S2 -> c", "--point", "1"]
    assert main([*words, "--out", str(file)]) == 0
    assert capsys.readouterr().out == f"ACR and queue over time: {file}\n"
    assert file.stat().st_size > 0
    assert main(["plot", folder, "--over-time"]) == 0
    assert "figures/over-time-0-0.svg" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--vc", "one"], "--vc: needs --over-time; add it"),
        (["--over-time", "--x", "a"], "--x: leave it out with --over-time"),
        (["--over-time", "--vc", "four"], "'four' is not a VC"),
        (["--over-time", "--point", "2"], "point 2: there are points 0 to 1"),
        (
            ["--over-time", "--replication", "3"],
            "replication 3 of point 0 is not there; there is only 0",
        ),
        (["--over-time", "--flow", "f"], "'f' is not a flow: there is none"),
    ],
)
def test_wrong_options_are_told(lab, words, message, capsys):
    assert main(["plot", str(lab.campaign.folder), *words]) == 2
    assert message in capsys.readouterr().err


def test_sources_are_no_flows(lab, capsys):
    assert lab.flows.empty
    assert main(["show", str(lab.campaign.folder), "--flows"]) == 2
    assert "there is no flow, but sources of cells only" in capsys.readouterr().err


def test_results_read_again_are_the_same(lab):
    again = Results.open(lab.campaign.folder)
    assert again.metrics.equals(lab.metrics)
    assert again.unit_of("max_queue") == "cells"
