"""Defaults that follow the path: rates of access links, least queues, RED, receive buffers."""

import math

import numpy as np
import pytest

from ackclock import _core
from ackclock.errors import InputError
from ackclock.results.metrics import METRICS
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.summary import link_rows, tcp_columns
from scenario_calls import plan
from scenario_texts import ATM, DUMBBELL

PARKING_LOT = """
duration = "10 s"
[topology]
kind = "parking_lot"
bottleneck = { rate = "10 Mbit/s", delay = "20 ms" }
"""
TCP_FLAVORS = [row[0] for row in _core.flavors()]
RATE, QUEUE = "topology.bottleneck.rate", "topology.bottleneck.queue"


def queue_text(text, *sets):
    return link_rows(load(text, sets).points()[0].scenario)[0].queue


@pytest.mark.parametrize("text", [DUMBBELL, PARKING_LOT])
@pytest.mark.parametrize(
    ("bottleneck", "access"),
    [
        ("56 kbit/s", 10**9),
        ("100 Mbit/s", 10**9),
        ("1 Gbit/s", 10**10),
        ("10 Gbit/s", 10**11),
        ("100000 Gbit/s", 10**14),
    ],
)
def test_packets_queue_at_the_bottleneck_and_not_at_the_hosts(text, bottleneck, access):
    links = plan(text, f"{RATE}={bottleneck}")["links"]
    assert links[-1]["rate_bps"] == access >= links[0]["rate_bps"]
    row = link_rows(load(text, [f"{RATE}={bottleneck}"]).points()[0].scenario)[-1]
    assert row.rate == f"{access // 10**9} Gbit/s"


def test_a_written_access_rate_is_kept_and_a_group_has_its_own():
    slow = plan(DUMBBELL, f"{RATE}=1 Gbit/s", "topology.access.rate=1 Gbit/s")["links"]
    assert slow[-1]["rate_bps"] == 10**9
    groups = '[[flows]]\nname = "a"\naccess = { delay = "1 ms" }\n'
    groups += '[[flows]]\nname = "b"\naccess = { rate = "2 Gbit/s" }\n'
    links = plan(DUMBBELL + groups, f"{RATE}=1 Gbit/s")["links"]
    # Clients a and b, then servers a and b; two links each.
    assert [link["rate_bps"] // 10**9 for link in links[2:]] == [10, 10, 2, 2] * 2


def test_a_queue_in_round_trip_times_holds_four_packets_at_least():
    for sets in (
        [f"{RATE}=1 Mbit/s", "topology.bottleneck.delay=1 ms"],
        ["topology.bottleneck.delay=0 ms"],
        [f"{QUEUE}.limit=0.001 rtt"],
    ):
        assert plan(DUMBBELL, *sets)["links"][0]["queue"]["limit_bytes"] == 4 * 1500
        assert "6 kB = 4 packets (the least)" in queue_text(DUMBBELL, *sets)
    assert plan(DUMBBELL)["links"][0]["queue"]["limit_bytes"] == 50_000
    assert "the least" not in queue_text(DUMBBELL)


def test_a_queue_in_packets_or_bytes_holds_what_is_written():
    assert plan(DUMBBELL, f"{QUEUE}.limit=1 packet")["links"][0]["queue"]["limit_packets"] == 1
    assert plan(DUMBBELL, f"{QUEUE}.limit=1.5 kB")["links"][0]["queue"]["limit_bytes"] == 1500
    assert "the least" not in queue_text(DUMBBELL, f"{QUEUE}.limit=1.5 kB")


RED = [f"{QUEUE}.kind=red"]


def red_of(rate, delay, *sets):
    sets = [f"{RATE}={rate}", f"topology.bottleneck.delay={delay}", *RED, *sets]
    return plan(DUMBBELL, *sets)["links"][0]["queue"], queue_text(DUMBBELL, *sets)


def test_red_follows_the_link():
    """C is 50 Mbit/s / 12 kbit = 4166.67 packets/s; the target delay a quarter of 40 ms."""
    plan, text = red_of("50 Mbit/s", "20 ms")
    assert plan["min_thresh_ppm"] == round(4166.666667 * 0.005 * 10**6)
    assert plan["max_thresh_ppm"] == round(4166.666667 * 0.015 * 10**6)
    assert plan["weight_ppb"] == round((1 - math.exp(-1 / (4166.666667 * 0.04))) * 10**9)
    assert (plan["mean_packet_bytes"], plan["adaptive"], plan["gentle"]) == (1500, True, True)
    assert text.endswith(
        "; red from 20.8 to 62.5 packets, max_p 0.1, weight 0.00598, gentle, adaptive "
        "(auto: min_thresh, max_thresh, weight, mean_packet)"
    )


def test_red_on_a_slow_a_short_and_a_long_path():
    def thresholds(*args):
        plan = red_of(*args)[0]
        return plan["min_thresh_ppm"] / 10**6, plan["max_thresh_ppm"] / 10**6

    assert thresholds("10 Mbit/s", "20 ms") == (5, 15)
    # 5 ms are the least target: a round trip of 10 ms asks for 2.5 ms.
    assert thresholds("120 Mbit/s", "5 ms") == (25, 75)
    assert thresholds("120 Mbit/s", "100 ms") == (250, 750)
    # The limit holds fewer: four packets are the least queue.
    assert thresholds("1 Mbit/s", "1 ms") == (1.333333, 4)
    assert red_of("10 Mbit/s", "0 ms")[0]["weight_ppb"] == 10**9
    assert red_of("100000 Gbit/s", "1 s")[0]["weight_ppb"] == 1


def test_a_threshold_that_is_written_decides_about_the_other():
    low = red_of("50 Mbit/s", "20 ms", f"{QUEUE}.min_thresh=8 packets")
    assert (low[0]["min_thresh_ppm"], low[0]["max_thresh_ppm"]) == (8_000_000, 24_000_000)
    assert low[1].endswith("(auto: max_thresh, weight, mean_packet)")
    high = red_of("50 Mbit/s", "20 ms", f"{QUEUE}.max_thresh=24 packets")[0]
    assert (high["min_thresh_ppm"], high["max_thresh_ppm"]) == (8_000_000, 24_000_000)
    with pytest.raises(InputError) as error:
        red_of("50 Mbit/s", "20 ms", f"{QUEUE}.min_thresh=60 packets")
    assert error.value.messages == [
        'scenario: topology.bottleneck.queue.max_thresh (not given: "auto"): "180 packets" is '
        'above the limit, which holds 166 packets; write "166 packets" or less, or raise the limit'
    ]


RED_PATHS = (("50 Mbit/s", "20 ms"), ("100 Mbit/s", "5 ms"))
WITH_RED = {
    # Each loss waits for the timer, a second at least.
    "vanilla": ((0.70, 0.70), (0.47, 0.70)),
    "reno": ((0.75, 0.95), (0.87, 0.98)),
    # The timer ends its longest recovery.
    "newreno": ((0.80, 0.93), (0.79, 0.98)),
    "newreno_hoe": ((0.79, 0.94), (0.88, 0.98)),
    "newreno_full": ((0.80, 0.95), (0.88, 0.98)),
    "sack": ((0.82, 0.95), (0.88, 0.98)),
    "sack_rfc6675": ((0.82, 0.95), (0.88, 0.98)),
    "cubic": ((0.90, 0.98), (0.98, 0.99)),
    "vegas": ((0.98, 0.98), (0.98, 0.98)),
}
"""Least utilisation of the `RED_PATHS` with one flow and with four, measured with five seeds.

One flow alone has a queue that RED keeps shorter than what a loss takes off its window."""


@pytest.mark.parametrize("path", range(2))
@pytest.mark.parametrize("pairs", [1, 4])
@pytest.mark.parametrize("flavor", TCP_FLAVORS)
def test_the_link_stays_busy_with_red(flavor, pairs, path):
    """With ssthresh from flight size alone, one flow of reno had 6 %, of newreno_full 1 %."""
    rate, delay = RED_PATHS[path]
    sets = [f"{RATE}={rate}", f"topology.bottleneck.delay={delay}", *RED]
    sets += [f"topology.pairs={pairs}", f"tcp.flavor={flavor}", "duration=35 s", "warm_up=5 s"]
    columns, compiled = run(DUMBBELL, *sets)
    utilisation = METRICS["utilisation"].of(columns, compiled.facts)
    # Of a flavor that was not measured as much is asked as of the slowest.
    assert utilisation >= WITH_RED.get(flavor, WITH_RED["vanilla"])[path][pairs == 4]
    if flavor != "vanilla":
        assert columns["flows"]["timeouts"].sum() <= pairs


def run(text, *sets):
    compiled = load(text, sets).points()[0].compile()
    return _core.run(canonical_json(compiled.plan), 1), compiled


def buffer_of(text, *sets):
    tcp = plan(text, *sets)["tcps"][0]
    return tcp["receive_buffer_initial_bytes"], tcp["receive_buffer_bytes"], tcp["window_scale"]


def test_a_receive_buffer_is_far_beyond_the_longest_path():
    """Linux' 6 MiB, or four times what path and queues hold, or all that a window can tell."""
    assert buffer_of(DUMBBELL) == (65_535, 6 * 2**20, 7)
    # 1 Gbit/s in 600 ms, and what the queues of 1 rtt there and back add: 225 MB.
    long = [f"{RATE}=1 Gbit/s", "topology.bottleneck.delay=300 ms"]
    assert buffer_of(DUMBBELL, *long) == (65_535, 900_000_000, 14)
    assert buffer_of(DUMBBELL, *long, f"{QUEUE}.limit=75 MB") == (65_535, 900_000_000, 14)
    assert buffer_of(DUMBBELL, *long, f"{QUEUE}.limit=10 packets")[1] == 4 * (75_000_000 + 30_000)
    longest = [f"{RATE}=100 Gbit/s", "topology.bottleneck.delay=1 s"]
    assert buffer_of(DUMBBELL, *longest) == (65_535, 65_535 << 14, 14)
    # The trunk of the ATM scenario: both ports' buffers, and the round trip.
    assert buffer_of(ATM, "tcp.receive_buffer=auto")[1] == 6 * 2**20


def test_a_receive_buffer_has_room_for_a_large_first_flight():
    assert buffer_of(DUMBBELL, "tcp.initial_window=100")[0] == 2 * 100 * 1460
    groups = '[[flows]]\nname = "a"\nsender_tcp = { initial_window = 300 }\n'
    receiver = plan(DUMBBELL + groups)["tcps"][1]
    assert receiver["receive_buffer_initial_bytes"] == 2 * 300 * 1460


def test_a_written_receive_buffer_does_not_grow():
    tcp = plan(DUMBBELL, "tcp.receive_buffer=1 MiB")["tcps"][0]
    assert tcp["receive_buffer_bytes"] == 2**20
    assert "receive_buffer_initial_bytes" not in tcp


def test_explain_tells_what_a_receive_buffer_comes_to():
    point = load(DUMBBELL, [f"{RATE}=1 Gbit/s", "topology.bottleneck.delay=300 ms"]).points()[0]
    (column,) = tcp_columns(point.scenario).values()
    assert column["receive_buffer"] == "65535 B to 900 MB (auto)"
    assert column["window_scale"] == "14 (auto)"


@pytest.mark.parametrize("flavor", ["reno", "newreno", "sack", "sack_rfc6675", "cubic"])
@pytest.mark.parametrize(
    ("rate", "delay", "duration"),
    [
        ("1 Mbit/s", "10 ms", "20 s"),
        ("50 Mbit/s", "40 ms", "12 s"),
        ("1 Gbit/s", "20 ms", "2 s"),
        ("1 Gbit/s", "100 us", "500 ms"),
    ],
)
def test_a_growing_buffer_does_what_the_largest_one_does(flavor, rate, delay, duration):
    """Nothing that a sender does can tell it from one that is as large from the beginning."""
    sets = [f"{RATE}={rate}", f"topology.bottleneck.delay={delay}", f"tcp.flavor={flavor}"]
    sets += [f"duration={duration}"]
    grown, compiled = run(DUMBBELL, *sets)
    most = compiled.plan["tcps"][0]["receive_buffer_bytes"]
    fixed, _ = run(DUMBBELL, *sets, f"tcp.receive_buffer={most} B")
    for table in ("flows", "links"):
        for name, values in fixed[table].items():
            assert np.array_equal(grown[table][name], values, equal_nan=True), name
    # A recovery of newreno that lasts long inflates cwnd beyond any window.
    assert flavor == "newreno" or grown["flows"]["rwnd_limited_s"][0] == 0
