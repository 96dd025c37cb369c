"""Flows that are measured apart, and delays that each flow draws."""

import pytest

from ackclock import _core
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.summary import apart_rows, group_rows, link_rows
from scenario_calls import compiled, refused
from scenario_texts import ATM, DUMBBELL, GRAPH, PARKING_LOT

MS = 10**9
QUEUE = "topology.bottleneck.queue.limit"
SPREAD = DUMBBELL + '[topology.access]\ndelay = "1 ms"\ndelay_spread = "110 ms"\n'
GROUPS = """
[[flows]]
name = "back"
count = 2
[[flows]]
name = "watched"
foreground = true
access = { delay = "2 ms", delay_spread = "0 s" }
"""


def draws(made):
    """What each link draws, by name."""
    links = zip(made.facts.link_names, made.plan["links"], strict=True)
    return {name: link["delay_draw"] for name, link in links}


@pytest.mark.parametrize("text", [DUMBBELL, PARKING_LOT, GRAPH, ATM.replace("pairs = 3\n", "")])
def test_foreground_flows_are_marked_in_every_topology(text):
    ends = 'from = "a"\nto = "b"\n' if text == GRAPH else ""
    group = f'\n[[flows]]\nname = "watched"\ncount = 2\nforeground = true\n{ends}'
    made = compiled(f'{text}\n[[flows]]\nname = "back"\n{ends}{group}')
    marks = [flow["foreground"] for flow in made.plan["flows"]]
    assert marks == [name.startswith("watched") for name in made.facts.flow_names]
    assert made.facts.foreground == tuple(marks)
    assert sum(marks) == 2


def test_no_flow_is_a_foreground_by_itself():
    assert compiled(DUMBBELL, "topology.pairs=2").facts.foreground == (False, False)


def test_a_mark_changes_nothing_else():
    plain, marked = (
        compiled(DUMBBELL + GROUPS, f"flows[1].foreground={mark}").plan
        for mark in ("false", "true")
    )
    for plan in (plain, marked):
        for flow in plan["flows"]:
            del flow["foreground"]
    assert plain == marked


def test_udp_is_no_foreground():
    sets = ["flows[1].workload.kind=on_off"]
    assert refused(DUMBBELL + GROUPS, *sets) == [
        'scenario: flows[1].foreground = true: a flow of kind "on_off" is UDP, and this measures'
        " TCP flows only; remove it"
    ]
    assert compiled(DUMBBELL + GROUPS, *sets, "flows[1].foreground=false")
    (told,) = refused(DUMBBELL + GROUPS, "flows[1].foreground=yes")
    assert told == "--set flows[1].foreground=yes: must be true or false, without quotes"


def test_the_four_links_of_a_flow_share_a_draw():
    made = compiled(SPREAD + GROUPS)
    first, second = ({"number": number, "spread_ps": 110 * MS} for number in (0, 1))
    assert draws(made) == {
        "r1 -> r2": None,
        "r2 -> r1": None,
        "client 1 -> r2": first,
        "r2 -> client 1": first,
        "client 2 -> r2": second,
        "r2 -> client 2": second,
        "client 3 -> r2": None,
        "r2 -> client 3": None,
        "server 1 -> r1": first,
        "r1 -> server 1": first,
        "server 2 -> r1": second,
        "r1 -> server 2": second,
        "server 3 -> r1": None,
        "r1 -> server 3": None,
    }
    delays = {link["delay_ps"] for link in made.plan["links"] if link["delay_draw"]}
    assert delays == {MS}


def test_a_group_may_draw_where_others_do_not():
    text = DUMBBELL + GROUPS.replace("0 s", "5 ms")
    assert {
        name: draw["number"] for name, draw in draws(compiled(text)).items() if draw
    } == dict.fromkeys(
        ["client 3 -> r2", "r2 -> client 3", "server 3 -> r1", "r1 -> server 3"],
        2,
    )


def test_flows_of_a_parking_lot_draw_too():
    drawn = draws(compiled(PARKING_LOT, "topology.access.delay_spread=7 ms"))
    assert sorted(draw["number"] for draw in drawn.values() if draw) == sorted([0, 1, 2, 3] * 4)


def test_a_queue_in_round_trip_times_counts_the_longest_that_can_be_drawn():
    plan = compiled(SPREAD).plan
    # 2 x (20 + 2 x 1) ms and 4 x 110 ms at 10 Mbit/s.
    assert plan["links"][0]["queue"]["limit_bytes"] == 10**4 * (44 + 440) // 8


def test_links_that_flows_share_cannot_be_drawn_for_each():
    told = (
        "each flow would draw a delay, but topology.{} lets flows share links; "
        "remove one of the two"
    )
    key = 'scenario: topology.access.delay_spread = "110 ms": '
    for shared in ("hosts = 2", "clients_per_server = 2"):
        sets = [f"topology.{shared.replace(' ', '')}", 'topology.access.delay="0 ms"']
        assert refused(SPREAD, *sets) == [key + told.format(shared)]
    own = "topology.clients_per_server=2", "flows[1].access.delay_spread=9 ms"
    assert refused(DUMBBELL + GROUPS, *own) == [
        "--set flows[1].access.delay_spread=9 ms: " + told.format("clients_per_server = 2")
    ]
    assert compiled(SPREAD, "topology.hosts=2", "topology.access.delay_spread=0 s")


def test_a_spread_is_a_time():
    (told,) = refused(SPREAD, "topology.access.delay_spread=110")
    assert told == '--set topology.access.delay_spread=110: 110 has no unit; write it like "110 ms"'
    (told,) = refused(ATM, "topology.access.delay_spread=1 ms")
    assert "unknown key; the keys of topology.access are rate, delay" in told


def test_explain_tells_of_draws_and_of_the_foreground():
    scenario = load(SPREAD + GROUPS)
    rows = {row.name: (row.rtt, row.product) for row in group_rows(scenario)}
    assert rows["back 1 to 2"] == (
        "44 ms to 484 ms",
        "55 kB = 36.7 packets to 605 kB = 403 packets",
    )
    assert rows["watched"] == ("48 ms", "60 kB = 40 packets")
    delays = {row.name: row.delay for row in link_rows(scenario)}
    assert delays["client 1 -> r2 and 7 more"] == "1 ms to 111 ms"
    assert delays["client 3 -> r2 and 3 more"] == "2 ms"
    assert apart_rows(scenario) == [("watched", "yes", "", "", "")]


def test_the_core_draws_a_delay_in_each_run_and_the_same_at_every_point():
    text = SPREAD.replace('"10 s"', '"3 s"')
    sets = ["workload.size=1 kB", "tcp.delayed_ack=off", f"{QUEUE}=9 packets"]

    def last_s(seed, *more):
        plan = canonical_json(compiled(text, *sets, *more).plan)
        return _core.run(plan, seed)["flows"]["last_delivery_s"][0]

    # The SYN, its answer and the data cross two of these links each: one and a half round trips.
    least = last_s(0, "topology.access.delay_spread=0 s")
    drawn = [(last_s(seed) - least) / (1.5 * 4 * 0.11) for seed in range(20)]
    assert all(0 <= each < 1 for each in drawn)
    assert max(drawn) - min(drawn) > 0.5
    # At another point of a sweep it is the same part of the spread.
    for seed in range(3):
        half = last_s(seed, "topology.access.delay_spread=55 ms")
        assert half - least == pytest.approx(drawn[seed] * 1.5 * 4 * 0.055)
