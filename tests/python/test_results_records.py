"""What probes recorded, by name, and the figures of it."""

import json

import numpy as np
import pyarrow as pa
import pytest

from ackclock import _core
from ackclock.errors import InputError
from ackclock.results.traces import tables
from ackclock.scenario import load
from results_campaigns import LAB, lab

RENO = {"tcp_flavor": "reno", "topology_bottleneck_delay_s": "20 ms"}
ATM = """
duration = "300 ms"
[topology]
kind = "atm_dumbbell"
pairs = 2
trunk = { rate = "45 Mbit/s", delay = "1 ms" }
port = { buffer = "100 cells" }
[probes]
queue = "10 ms"
"""


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    return lab(tmp_path_factory.mktemp("lab") / "runs")


@pytest.fixture(scope="module")
def columns():
    """Of the first run at ``RENO``, straight from the core."""
    compiled = load(LAB).points()[1].compile()
    seed = 7092028254175800402  # of replication 0 with seed 1
    return _core.run(json.dumps(compiled.plan), seed)


def test_traces_are_what_the_core_recorded(columns):
    found = tables(columns)
    assert list(found) == ["queue", "goodput", "cwnd"]
    assert found["queue"].column_names == ["link", "time_s", "max_length"]
    assert found["cwnd"].num_rows == len(columns["cwnd"]["time_s"])
    assert tables({**columns, "queue": {}, "cwnd": {}}).keys() == {"goodput"}
    assert all(isinstance(table, pa.Table) for table in found.values())


def test_a_flow_over_time(real, columns):
    trace = real.trace("a 1", point=RENO)
    values = ["cwnd_bytes", "ssthresh_bytes", "flight_size_bytes"]
    assert list(trace.cwnd) == ["connection", "time_s", *values]
    assert set(trace.cwnd["connection"]) == {0}
    mine = columns["cwnd"]["flow"] == 0
    for name in ("time_s", "cwnd_bytes"):
        assert np.array_equal(trace.cwnd[name], columns["cwnd"][name][mine])
    assert list(trace.goodput) == ["time_s", "goodput_bit_s"]
    assert len(trace.goodput) == 80
    delivered = columns["goodput"]["delivered_bytes"][columns["goodput"]["flow"] == 0]
    assert trace.goodput["goodput_bit_s"].to_numpy() == pytest.approx(delivered * 8 / 0.05)
    assert real.trace("a 1", point=1).cwnd.equals(trace.cwnd)


def test_the_goodput_over_time_is_that_of_the_run(real):
    """But for what came before the end of the warm-up and waited for a gap to be filled."""
    after = real.trace("a 2", point=0).goodput.query("time_s >= 0.5")
    row = real.flows.query("flow == 'a 2' and replication == 0").iloc[0]
    columns = _core.run(json.dumps(load(LAB).points()[0].compile().plan), int(row["seed"]))
    waited = columns["flows"]["delivered_early_bytes"][1]
    assert waited > 0
    assert after["goodput_bit_s"].mean() == pytest.approx(
        row["goodput_bit_s"] + waited * 8 / 3.5, rel=1e-3
    )


def test_a_flow_whose_cwnd_was_not_recorded_has_its_goodput(real):
    trace = real.trace("a 2", point=RENO)
    assert trace.cwnd.empty
    assert not trace.goodput.empty


def test_a_bin_that_the_end_of_the_run_cuts(tmp_path):
    sets = ["probes.goodput=70 ms", "replications=1", "warm_up=0 s"]
    cut = lab(tmp_path / "cut", text=LAB.split("[sweep.factors]")[0], sets=sets)
    goodput = cut.trace("a 1").goodput
    assert len(goodput) == 58
    widths = np.array([0.07] * 57 + [0.01])
    delivered = (goodput["goodput_bit_s"] * widths).sum()
    assert delivered == pytest.approx(4 * cut.flows["goodput_bit_s"][0])


def test_the_queue_of_the_bottleneck(real, columns):
    queue = real.queue(point=RENO)
    assert list(queue) == ["time_s", "max_length"]
    mine = columns["queue"]["link"] == 0
    assert np.array_equal(queue["max_length"], columns["queue"]["max_length"][mine])
    assert real.queue("r1 -> r2", point=RENO).equals(queue)
    assert real.queue("r2 -> r1", point=RENO)["max_length"].max() < queue["max_length"].max()


def test_what_was_recorded_elsewhere_is_told(real):
    with pytest.raises(InputError, match="not recorded in replication 2 of point 1, but in 0"):
        real.queue(point=RENO, replication=2)
    with pytest.raises(InputError, match="did you mean 'r1 -> r2'"):
        real.queue("r1->r2", point=RENO)


def test_a_switch_has_a_queue_of_cells(tmp_path):
    its = lab(tmp_path / "runs", text=ATM)
    longest = its.queue()["max_length"].max()
    assert 10 < longest <= 100
    assert its.metrics["max_queue"][0] >= longest
    assert its.grid(["max_queue"]).heads == ["Longest queue (cells)"]
    assert "Queue\n(cells)" in {ax.get_ylabel() for ax in its.plot.traces().area.axes}


SENDERS = """
duration = "4 s"
warm_up = "1 s"
[topology]
kind = "dumbbell"
bottleneck = { rate = "10 Mbit/s", delay = "10 ms" }
[tcp]
flavor = "vegas"
[[flows]]
name = "a"
[[flows]]
name = "udp"
workload = { kind = "cbr", rate = "1 Mbit/s" }
[probes]
transport = "100 ms"
"""


@pytest.fixture(scope="module")
def senders(tmp_path_factory):
    return lab(tmp_path_factory.mktemp("senders") / "runs", text=SENDERS)


def test_how_a_sender_stands_over_time(senders):
    rows = senders.transport("a")
    rates = ["pacing_rate_bit_s", "delivery_rate_bit_s"]
    assert list(rows) == [
        *("connection", "time_s", *rates),
        *("min_rtt_s", "in_flight_bytes", "state"),
    ]
    assert list(np.floor(rows["time_s"] * 10)) == list(range(40)), "a row a bin"
    assert rows["pacing_rate_bit_s"].isna().all()
    assert rows["state"].isna().all()
    assert rows["min_rtt_s"][1:].between(0.02, 0.024).all()
    later = rows[rows["time_s"] > 1]
    assert later["delivery_rate_bit_s"].between(8e6, 10e6).all()
    assert (later["in_flight_bytes"] > 10 * 1460).all()


def test_the_state_of_a_sender_is_a_word(columns):
    none = {"state": [None, "drain"], "in_flight_bytes": np.array([1, 2])}
    table = tables({**columns, "transport": none})["transport"]
    assert table["state"].to_pylist() == [None, "drain"]


def test_what_has_no_state_says_so(senders, real):
    with pytest.raises(InputError, match="'udp' has no sender with a state"):
        senders.transport("udp")
    with pytest.raises(InputError, match="did you mean 'a'"):
        senders.transport("aa")
    wanted = r'set \[probes\] transport = "10 ms" and run it again'
    with pytest.raises(InputError, match=wanted):
        real.transport("a 1", point=RENO)


def test_rates_and_data_in_flight_are_drawn(senders):
    figure = senders.plot.traces()
    assert figure.title == "rates and data in flight over time"
    axes = axes_of(figure)
    assert list(axes) == ["Rate (Mbit/s)", "In flight\n(kB)"]
    (delivery,) = axes["Rate (Mbit/s)"].lines  # Vegas does not pace.
    assert 8 < np.nanmax(delivery.get_ydata()) <= 10
    texts = [text.get_text() for text in figure.area.legends[0].get_texts()]
    assert texts == ["a", "delivery rate"]
    assert axes_of(senders.plot.traces(["a"])).keys() == axes.keys()


def test_a_sender_without_rates_has_data_in_flight_alone(tmp_path):
    its = lab(tmp_path / "runs", text=SENDERS, sets=["tcp.flavor=reno", 'probes.cwnd="all"'])
    figure = its.plot.traces()
    assert list(axes_of(figure)) == ["cwnd (kB)", "In flight\n(kB)"]
    assert its.plot.traces(from_s=1, to_s=2).title == "cwnd and data in flight over time"


def axes_of(figure):
    return {ax.get_ylabel(): ax for ax in figure.area.axes}


def test_cwnd_and_queue_stand_on_one_axis_of_time(real):
    figure = real.plot.traces(point=RENO)
    axes = axes_of(figure)
    assert list(axes) == ["cwnd (kB)", "Queue\n(packets)"]
    assert {ax.get_xlim() for ax in axes.values()} == {(0, 4)}
    assert [line.get_label() for line in figure.area.legends[0].get_lines()] == ["a 1", "b"]
    highest = max(line.get_ydata().max() for line in axes["cwnd (kB)"].lines)
    cwnd = real.records.table("cwnd", 1, 0)["cwnd_bytes"]
    assert highest == pytest.approx(cwnd.max() / 1000)
    assert "replication 0: 7092028254175800402" in figure.source


def test_one_flow_is_shown_with_its_ssthresh(real):
    figure = real.plot.traces(["a 1"], point=RENO)
    (cwnd, ssthresh) = axes_of(figure)["cwnd (kB)"].lines
    assert cwnd.get_xdata()[-1] == 4
    assert len(ssthresh.get_xdata()) == len(cwnd.get_xdata())
    texts = [text.get_text() for text in figure.area.legends[0].get_texts()]
    assert texts == ["cwnd of a 1", "ssthresh"]


def test_several_points_have_a_panel_each(real):
    points = [{**RENO, "tcp_flavor": name} for name in ("reno", "sack")]
    figure = real.plot.traces(point=points)
    titles = [ax.get_title(loc="left") for ax in figure.area.axes]
    assert titles == [
        "TCP flavor: reno; bottleneck delay: 20 ms;\nreplication 0",
        "",
        "TCP flavor: sack; bottleneck delay: 20 ms;\nreplication 0",
        "",
    ]
    assert len({ax.get_ylim() for ax in figure.area.axes[::2]}) == 1


def test_only_the_queue_was_recorded(tmp_path):
    figure = lab(tmp_path / "runs", text=ATM).plot.traces()
    assert len(figure.area.axes) == 1
    assert not figure.area.legends
