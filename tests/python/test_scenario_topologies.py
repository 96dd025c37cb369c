"""Topologies: parking lots, graphs and ATM dumbbells; and any of them, at random."""

import cProfile
import math
import pstats
import tomllib
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock import _core
from ackclock.scenario import load
from ackclock.scenario.model.links import CONTRACT_POLICIES
from plan_checker import has_keys
from scenario_calls import compiled, compiled_or_refused, plan, written
from scenario_texts import ATM, DUMBBELL, GRAPH, PARKING_LOT

MS = 10**9
S = 10**12
PLAIN_POLICIES = [row for row in _core.frame_policies() if row[0] not in CONTRACT_POLICIES]
"""Those that the trunk of an atm_dumbbell knows."""


def test_the_plan_of_an_atm_dumbbell():
    port = {
        "buffer_cells": 531,
        "policy": {"name": "selective_drop", "r_cells": 424, "z_ppm": 800_000},
        "eom": "keep",
    }
    link = {
        "kind": "cells",
        "hosts": 3,
        "cost": 1,
        "access": {"cell_time_ps": 2_831_197, "delay_ps": 5 * 10**6},
        "trunk": {"cell_time_ps": 9_422_222, "delay_ps": 5 * MS},
        "port": port,
    }
    made = compiled(ATM)
    assert made.plan["nodes"] == 6
    assert made.plan["links"] == [
        {**link, "from_first": 3, "to_first": 0},
        {**link, "from_first": 0, "to_first": 3},
    ]
    assert [(flow["sender"], flow["receiver"]) for flow in made.plan["flows"]] == [
        (3, 0),
        (4, 1),
        (5, 2),
    ]
    assert made.plan["tcps"][0]["initial_ssthresh_bytes"] == 56_250
    assert made.plan["tcps"][0]["window_scale"] == 0
    assert made.plan["tcps"][0]["options"]["max_rto_ps"] == 64 * 10**12
    assert made.plan["workloads"] == [
        {
            "kind": "www_batches",
            "request_bytes": 128,
            "period_ps": 10 * S,
            "period_from": "first_request",
            "start_spread_ps": 0,
            "requests": "poisson_truncated",
            "gap_min_ps": 100 * MS,
            "gap_max_ps": 500 * MS,
            "file_index": "poisson_truncated",
            "class_ppm": [200_000, 280_000, 400_000, 112_000, 8_000],
            "first_is_class_0": False,
            "first_alone": False,
        }
    ]
    assert made.facts.link_names == ("servers -> clients", "clients -> servers")
    assert made.facts.payload_capacity_bit_s == pytest.approx(45e6 * 1024 * 8 / (23 * 424))


def test_an_atm_buffer_in_round_trip_times_is_rounded_up():
    made = plan(ATM, "topology.port.buffer=0.5 rtt", "topology.access.delay=0 us")
    assert made["links"][0]["port"]["buffer_cells"] == 531  # of 530.66


def test_a_policy_has_its_own_thresholds():
    policies = {
        name: set(plan(ATM, f"topology.port.policy={name}")["links"][0]["port"]["policy"])
        for name, _ in PLAIN_POLICIES
    }
    assert policies == {name: {"name", *keys} for name, keys in PLAIN_POLICIES}


def test_reversed_atm_flows_send_the_other_way():
    made = compiled(ATM.replace("pairs = 3\n", "") + '[[flows]]\nname = "up"\nreverse = true\n')
    assert made.plan["flows"][0]["sender"] == 0
    assert (made.facts.bottleneck_link, made.facts.reverse_link) == (1, 0)


def test_a_parking_lot_has_long_and_cross_flows():
    made = compiled(PARKING_LOT)
    assert made.facts.flow_names == ("long", "cross 1", "cross 2", "cross 3")
    names = made.facts.link_names
    assert names[:6] == (
        "r1 -> r2",
        "r2 -> r3",
        "r3 -> r4",
        "r2 -> r1",
        "r3 -> r2",
        "r4 -> r3",
    )
    assert names[6:8] == ("client 1 -> r4", "r4 -> client 1")
    assert "client 2 -> r2" in names
    assert "server 2 -> r1" in names
    assert (made.facts.bottleneck_link, made.facts.reverse_link) == (0, 3)
    assert math.isnan(made.facts.payload_capacity_bit_s)


def test_a_parking_lot_of_one_hop_is_a_dumbbell():
    row = compiled(PARKING_LOT, "topology.hops=1", "topology.cross_flows=0")
    dumbbell = compiled(DUMBBELL, "topology.bottleneck.delay=8 ms", "topology.access.delay=1 ms")
    assert row.plan == dumbbell.plan
    assert row.facts.payload_capacity_bit_s == dumbbell.facts.payload_capacity_bit_s


def test_flows_of_a_parking_lot_may_be_listed():
    text = PARKING_LOT + (
        '[[flows]]\nname = "all the way"\ncount = 2\n[[flows]]\nname = "last"\npath = 3\n'
    )
    facts = compiled(text).facts
    assert facts.flow_names == ("all the way 1", "all the way 2", "last")
    assert "server 3 -> r3" in facts.link_names


def test_a_graph_takes_the_links_as_they_are_listed():
    made = compiled(GRAPH)
    assert made.facts.link_names == (
        "a -> r",
        "r -> a",
        "r -> s",
        "s -> r",
        "s -> b",
        "b -> s",
    )
    assert [link["delay_ps"] // MS for link in made.plan["links"]] == [1, 1, 5, 5, 2, 3]
    assert [(flow["sender"], flow["receiver"]) for flow in made.plan["flows"]] == [
        (0, 3),
        (3, 1),
        (3, 1),
    ]
    assert made.facts.flow_names == ("one", "two 1", "two 2")
    # The flows go both ways, so no link is crossed by all data.
    assert made.facts.bottleneck_link is None
    assert math.isnan(made.facts.payload_capacity_bit_s)
    # r -> s: 2 x the longest RTT of 1 + 5 + 2 + 3 + 5 + 1 = 17 ms at 10 Mbit/s
    assert made.plan["links"][2]["queue"]["limit_bytes"] == 2 * 17 * 10**4 // 8


def test_the_bottleneck_of_a_graph_is_the_narrowest_link_that_all_cross():
    text = GRAPH[: GRAPH.index('[[flows]]\nname = "two"')]
    facts = compiled(text).facts
    assert facts.link_names[facts.bottleneck_link] == "r -> s"
    assert facts.link_names[facts.reverse_link] == "s -> r"
    assert facts.payload_capacity_bit_s == pytest.approx(10**7 * 1460 / 1500)


def test_packets_of_a_graph_take_the_cheapest_path():
    text = """
duration = "1 s"
[topology]
kind = "graph"
nodes = ["a", "up", "down", "b"]
[[topology.links]]
between = ["a", "up"]
rate = "3 Mbit/s"
delay = "1 ms"
cost = 3
[[topology.links]]
between = ["up", "b"]
rate = "3 Mbit/s"
delay = "1 ms"
[[topology.links]]
between = ["a", "down"]
rate = "5 Mbit/s"
delay = "2 ms"
cost = 2
[[topology.links]]
between = ["down", "b"]
rate = "5 Mbit/s"
delay = "2 ms"
cost = COST
[[flows]]
from = "a"
to = "b"
"""
    ways = {}
    for cost in ("1", "2", "3"):
        facts = compiled(text.replace("COST", cost)).facts
        ways[cost] = facts.link_names[facts.bottleneck_link]
    # With equal costs the link that is named first decides.
    assert ways == {"1": "a -> down", "2": "a -> up", "3": "a -> up"}


TIMES = st.sampled_from(["0 ms", "1 us", "3.5 ms", "20 ms", "0.25 s"])
RATES = st.sampled_from(["64 kbit/s", "1.5 Mbit/s", "10 Mbit/s", "1 Gbit/s"])
LIMITS = st.sampled_from(["1 packet", "50 packets", "64 KiB", "0.1 rtt", "1 rtt", "3 rtt"])
KINDS = st.sampled_from(
    [{}, {"kind": "red", "min_thresh": "0.5 packets", "max_thresh": "1 packet"}]
)
QUEUES = st.builds(lambda limit, kind: {"limit": limit, **kind}, LIMITS, KINDS)
LINKS = st.fixed_dictionaries({"rate": RATES, "delay": TIMES}, optional={"queue": QUEUES})
ACCESS = st.builds(
    lambda link, spread: {**link, **spread},
    LINKS,
    st.fixed_dictionaries({}, optional={"delay_spread": TIMES}),
)
LOSSES = st.lists(
    st.sampled_from(
        [
            {"kind": "bernoulli", "loss": "1 %", "of": "acks"},
            {"kind": "loss_events", "rate": 0.001, "losses": 3, "of": "data"},
            {"kind": "two_parameter", "p": 0.001, "q": 0.5, "span": "50 ms"},
        ]
    ),
    max_size=2,
)
GROUPS = st.fixed_dictionaries(
    {"count": st.integers(0, 4)},
    optional={
        "reverse": st.booleans(),
        "access": ACCESS,
        "impairments": LOSSES,
        "reverse_impairments": LOSSES,
        "foreground": st.booleans(),
        "tcp": st.fixed_dictionaries(
            {}, optional={"smss": st.sampled_from(["536 B", "9180 B"]), "nagle": st.booleans()}
        ),
        "workload": st.sampled_from(
            [
                {"size": "1 MB"},
                *({"kind": kind} for kind in ("www_batches", "http10", "http11", "ftp")),
                *({"kind": kind} for kind in ("http_sessions", "cbr", "on_off")),
            ]
        ),
    },
)


@given(
    link=LINKS,
    access=ACCESS,
    groups=st.lists(GROUPS, min_size=1, max_size=4).filter(
        lambda groups: any(group["count"] for group in groups)
    ),
    per_server=st.integers(1, 3),
    hops=st.integers(0, 3),
    hosts=st.none() | st.integers(1, 5),
)
def test_any_row_of_routers_compiles(link, access, groups, per_server, hops, hosts):
    named = [{**group, "name": f"g{at}"} for at, group in enumerate(groups)]
    for group in named:
        if group.get("workload", {}).get("kind") in ("cbr", "on_off"):
            group.pop("foreground", None)
    topology = {"kind": "dumbbell", "clients_per_server": per_server}
    if hosts or (per_server > 1 and not hops):
        # Flows that share links have none of their own.
        access = {key: value for key, value in access.items() if key != "delay_spread"}
        own = {"access", "impairments", "reverse_impairments"}
        named = [{key: group[key] for key in group if key not in own} for group in named]
    if hosts:
        topology = {"kind": "dumbbell", "hosts": hosts}
    elif hops:
        topology = {"kind": "parking_lot", "hops": hops}
        named[0]["path"] = hops
    topology |= {"bottleneck": link, "access": {"rate": "1 Gbit/s", **access}}
    scenario = load({"duration": "10 s", "topology": topology, "flows": named})
    made = written(scenario.points()[0].compile())
    assert len(made.facts.flow_names) == sum(group["count"] for group in groups)
    assert len(made.facts.link_names) == len(made.plan["links"])
    drawn = [link["delay_draw"]["number"] for link in made.plan["links"] if link["delay_draw"]]
    assert all(drawn.count(flow) == 4 for flow in drawn)


@st.composite
def graphs(draw):
    """A connected graph: a tree, and some links more, not all of them both ways."""
    count = draw(st.integers(2, 8))
    nodes = [f"n{number}" for number in range(count)]
    links = [
        {"between": [nodes[at], nodes[draw(st.integers(0, at - 1))]], **draw(LINKS)}
        for at in range(1, count)
    ]
    taken = {frozenset(link["between"]) for link in links}
    for _ in range(draw(st.integers(0, 4))):
        ends = draw(st.permutations(nodes))[:2]
        if frozenset(ends) not in taken:
            taken.add(frozenset(ends))
            link = {"from": ends[0], "to": ends[1], **draw(LINKS)}
            links.append({**link, "cost": draw(st.integers(1, 5))})
    flows = []
    for at in range(draw(st.integers(1, 4))):
        ends = draw(st.permutations(nodes))[:2]
        flows.append({"name": f"f{at}", "from": ends[0], "to": ends[1], "count": at + 1})
    return {
        "duration": "10 s",
        "topology": {"kind": "graph", "nodes": nodes, "links": links},
        "flows": flows,
    }


@given(graphs())
def test_any_connected_graph_compiles(document):
    made = written(load(document).points()[0].compile())
    assert len(made.plan["flows"]) == sum(flow["count"] for flow in document["flows"])


@given(graphs(), st.data())
def test_a_graph_without_a_link_compiles_or_is_refused(document, data):
    links = document["topology"]["links"]
    links.remove(data.draw(st.sampled_from(links)))
    _, told = compiled_or_refused(document)
    assert all("no path" in message or "no link" in message for message in told)


@given(
    pairs=st.integers(1, 5),
    buffer=st.integers(32, 10**6),
    share=st.fractions(min_value=Fraction(1, 1000), max_value=1, max_denominator=1000),
    policy=st.sampled_from([name for name, _ in PLAIN_POLICIES]),
)
@settings(max_examples=50)
def test_any_atm_dumbbell_compiles(pairs, buffer, share, policy):
    made = plan(
        ATM,
        f"topology.pairs={pairs}",
        f"topology.port.buffer={buffer} cells",
        f"topology.port.r== {share}",
        f"topology.port.policy={policy}",
    )
    has_keys(made["links"][0]["port"], "buffer_cells policy eom")
    r_cells = made["links"][0]["port"]["policy"].get("r_cells")
    if r_cells is not None:
        assert abs(r_cells - buffer * share) <= 1


@pytest.mark.parametrize(
    "flows",
    [
        "[topology]\npairs = {0}\n",
        "[[flows]]\ncount = {0}\n",
        "".join(f'[[flows]]\nname = "g{at}"\ncount = {{1}}\n' for at in range(100)),
    ],
)
def test_what_a_check_does_for_each_flow_of_many(flows):
    tables = tomllib.loads(DUMBBELL)

    def calls(number):
        its = tomllib.loads(flows.format(number, number // 100))
        document = tables | its | {"topology": tables["topology"] | its.get("topology", {})}
        profile = cProfile.Profile()
        profile.runcall(load, document)
        return pstats.Stats(profile).total_calls

    # 100,000 are to take less than 2 s: a few hosts, links and crossings for each, once.
    calls(2_000)
    assert calls(6_000) - calls(2_000) < 32 * 4_000
