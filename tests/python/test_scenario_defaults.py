"""Defaults that follow the path of a scenario: rates of access links, least queues, RED, buffers."""

import pytest

from ackclock.scenario import load
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
