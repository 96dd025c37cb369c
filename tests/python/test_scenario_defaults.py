"""Defaults that follow the path: rates of access links, least queues, RED, receive buffers."""

import math

import pytest

from ackclock import _core
from ackclock.errors import InputError
from ackclock.results.metrics import METRICS
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.summary import link_rows
from plan_checker import check_plan
from scenario_texts import DUMBBELL

PARKING_LOT = """
duration = "10 s"
[topology]
kind = "parking_lot"
bottleneck = { rate = "10 Mbit/s", delay = "20 ms" }
"""
RATE, QUEUE = "topology.bottleneck.rate", "topology.bottleneck.queue"


def plan_of(text, *sets):
    (point,) = load(text, sets).points()
    plan = point.compile().plan
    check_plan(plan)
    return plan


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
    links = plan_of(text, f"{RATE}={bottleneck}")["links"]
    assert links[-1]["rate_bps"] == access >= links[0]["rate_bps"]
    row = link_rows(load(text, [f"{RATE}={bottleneck}"]).points()[0].scenario)[-1]
    assert row.rate == f"{access // 10**9} Gbit/s"


def test_a_written_access_rate_is_kept_and_a_group_has_its_own():
    slow = plan_of(DUMBBELL, f"{RATE}=1 Gbit/s", "topology.access.rate=1 Gbit/s")["links"]
    assert slow[-1]["rate_bps"] == 10**9
    groups = '[[flows]]\nname = "a"\naccess = { delay = "1 ms" }\n'
    groups += '[[flows]]\nname = "b"\naccess = { rate = "2 Gbit/s" }\n'
    links = plan_of(DUMBBELL + groups, f"{RATE}=1 Gbit/s")["links"]
    # Clients a and b, then servers a and b; two links each.
    assert [link["rate_bps"] // 10**9 for link in links[2:]] == [10, 10, 2, 2] * 2


def test_a_queue_in_round_trip_times_holds_four_packets_at_least():
    for sets in (
        [f"{RATE}=1 Mbit/s", "topology.bottleneck.delay=1 ms"],
        ["topology.bottleneck.delay=0 ms"],
        [f"{QUEUE}.limit=0.001 rtt"],
    ):
        assert plan_of(DUMBBELL, *sets)["links"][0]["queue"]["limit_bytes"] == 4 * 1500
        assert "6 kB = 4 packets (the least)" in queue_text(DUMBBELL, *sets)
    assert plan_of(DUMBBELL)["links"][0]["queue"]["limit_bytes"] == 50_000
    assert "the least" not in queue_text(DUMBBELL)


def test_a_queue_in_packets_or_bytes_holds_what_is_written():
    assert plan_of(DUMBBELL, f"{QUEUE}.limit=1 packet")["links"][0]["queue"]["limit_packets"] == 1
    assert plan_of(DUMBBELL, f"{QUEUE}.limit=1.5 kB")["links"][0]["queue"]["limit_bytes"] == 1500
    assert "the least" not in queue_text(DUMBBELL, f"{QUEUE}.limit=1.5 kB")


RED = [f"{QUEUE}.kind=red"]


def red_of(rate, delay, *sets):
    sets = [f"{RATE}={rate}", f"topology.bottleneck.delay={delay}", *RED, *sets]
    return plan_of(DUMBBELL, *sets)["links"][0]["queue"], queue_text(DUMBBELL, *sets)


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


def test_the_link_stays_busy_with_red():
    """The thresholds of 5 and 15 packets gave 66 to 90 % here, with up to 139 time-outs."""
    for rate, delay in (("50 Mbit/s", "20 ms"), ("100 Mbit/s", "5 ms")):
        for flavor, pairs, least in (("sack_rfc6675", 4, 0.9), ("modern", 1, 0.9)):
            sets = [f"{RATE}={rate}", f"topology.bottleneck.delay={delay}", *RED]
            sets += [f"topology.pairs={pairs}", f"tcp.flavor={flavor}"]
            (point,) = load(DUMBBELL, [*sets, "duration=20 s", "warm_up=5 s"]).points()
            compiled = point.compile()
            columns = _core.run(canonical_json(compiled.plan), 1)
            assert METRICS["utilisation"].of(columns, compiled.facts) >= least, (rate, flavor)
