"""Groups of flows: what a plan says once has the members that it would have written out."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.scenario import load
from ackclock.scenario.compile.groups import groups
from ackclock.scenario.compile.members import Joined, Numbered, Same, distinct, from_json, to_json
from ackclock.scenario.compile.network import HEADER_BYTES, Crossing, InTurn
from ackclock.scenario.compile.router_row import row
from ackclock.scenario.plan import canonical_json, written_out
from scenario_calls import refused
from scenario_texts import DUMBBELL

MILLION = 10**6


@st.composite
def joined(draw):
    """A sequence of parts, and the same as a list."""
    parts, whole = [], []
    for _ in range(draw(st.integers(0, 4))):
        times = draw(st.integers(0, 4))
        kind = draw(st.sampled_from(["list", "same", "numbered"]))
        if kind == "list":
            part = draw(st.lists(st.sampled_from("abc")))
            items = part
        elif kind == "same":
            values = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=2))
            part, items = Same(values, times), values * times
        else:
            first = draw(st.integers(0, 11))
            around = [("n ", ""), ("", " n")][: draw(st.integers(1, 2))]
            part = Numbered(around, first, times)
            items = [f"{a}{first + at}{b}" for at in range(times) for a, b in around]
        parts.append(part)
        whole += items
    return Joined(parts), whole


@given(joined(), st.integers(-30, 30), st.sampled_from(["a", "n 1", "n 01", "10 n", "n", "n 12"]))
def test_joined_parts_are_one_sequence(both, number, item):
    sequence, whole = both
    assert list(sequence) == whole == [sequence[at] for at in range(len(sequence))]
    assert sequence == whole
    assert sequence[number:] == tuple(whole[number:])
    assert (item in sequence) == (item in whole)
    if item in whole:
        assert sequence.index(item) == whole.index(item)
        assert sequence.count(item) == whole.count(item)
    if -len(whole) <= number < len(whole):
        assert sequence[number] == whole[number]
    assert distinct(from_json(to_json(sequence))) == distinct(sequence)
    assert list(from_json(to_json(sequence))) == whole


def test_a_name_with_a_number_is_found_by_its_text():
    names = Numbered([("client ", " -> r2"), ("r2 -> client ", "")], 1, MILLION)
    assert names.index("r2 -> client 1000000") == 2 * MILLION - 1
    for wrong in ("client 0 -> r2", "client 1000001 -> r2", "client 01 -> r2", "client ² -> r2", 1):
        assert wrong not in names
    with pytest.raises(ValueError, match="is not in it"):
        names.index("client x -> r2")


@given(
    st.lists(st.integers(1, 12), min_size=1, max_size=4),
    st.integers(1, 5),
    st.integers(1, 7) | st.none(),
    st.booleans(),
)
def test_crossings_are_those_of_a_plain_count(counts, per_server, hosts, reverse):
    shared = {"hosts": hosts} if hosts else {"clients_per_server": per_server}
    flows = [
        {"name": f"g{at}", "count": count, "tcp": {"smss": f"{1000 + at} B"}}
        for at, count in enumerate(counts)
    ]
    flows[-1]["reverse"] = reverse
    link = {"rate": "10 Mbit/s", "delay": "20 ms", "queue": {"limit": "10 packets"}}
    document = {
        "duration": "10 s",
        "topology": {"kind": "dumbbell", "bottleneck": link, **shared},
        "flows": flows,
    }
    scenario = load(document).points()[0].scenario
    network = row(scenario.topology, groups(scenario))
    found = [(0, 0, 0)] * len(network.lines)
    for flow in network.flows:
        both = (*flow.way, *flow.back)
        its = sum(network.lines[number].delay for number in both)
        size = flow.group.sender_tcp.smss + HEADER_BYTES
        for number in both:
            flows_so_far, rtt, packet = found[number]
            found[number] = flows_so_far + 1, max(rtt, its), max(packet, size)
    crossed = [crossing for crossing in network.crossings if crossing.flows]
    assert crossed == [Crossing(*each) for each in found if each[0]]
    assert [crossing.flows for crossing in network.crossings] == [each[0] for each in found]
    ends = [
        (network.lines[flow.way[0]].start, network.lines[flow.way[-1]].end)
        for flow in network.flows
    ]
    assert ends == [(flow.sender, flow.receiver) for flow in network.flows]


@given(st.integers(1, 9), st.integers(1, 4), st.integers(0, 9), st.integers(1, 30))
def test_shares_are_those_of_a_plain_count(count, each, begin, flows):
    """Flows share either so many in a row, from the first on, or in turn."""
    nodes = InTurn(5, -(-flows // each), each) if each > 1 else InTurn(5, count, 1, begin)
    found = {}
    for node, number, of_each in nodes.shares(flows):
        for at in range(node, node + number):
            assert at not in found
            found[at] = of_each
    plain = [nodes.of(flow) for flow in range(flows)]
    assert found == {node: plain.count(node) for node in plain}


def test_a_million_flows_are_a_short_plan():
    text = (
        DUMBBELL
        + f"""
[[flows]]
name = "many"
count = {MILLION}
[[flows]]
name = "watched"
foreground = true
"""
    )
    tracemalloc.start()
    compiled = load(text).points()[0].compile()
    plan = canonical_json(compiled.plan)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(plan) < 10_000
    assert most < 30 * 10**6
    facts = compiled.facts
    assert facts.flow_names[MILLION - 1 :] == ("many 1000000", "watched")
    assert facts.link_names.index("client 1000001 -> r2") == 2 + 2 * MILLION
    assert compiled.plan["delays_of_flows"] == [MILLION]


def test_numbers_of_flows_have_a_limit_that_is_told_before_anything_is_made():
    (told,) = refused(DUMBBELL, "topology.pairs=2000001")
    assert told.startswith("--set topology.pairs=2000001: must be")
    (told,) = refused(DUMBBELL, 'flows=[{name="a", count=2000000}, {name="b"}]')
    assert "there are more than 2000000 flows; write a smaller number" in told
    assert "flows[0].count" in told


def test_written_out_is_what_is_meant():
    plan = load(DUMBBELL, ["topology.pairs=3"]).points()[0].compile().plan
    out = written_out(plan)
    assert [(flow["sender"], flow["receiver"]) for flow in out["flows"]] == [(3, 0), (4, 1), (5, 2)]
    hosts = [(link["from"], link["to"]) for link in out["links"][2:]]
    assert hosts == [
        each
        for host, router in ((0, 7), (1, 7), (2, 7), (3, 6), (4, 6), (5, 6))
        for each in ((host, router), (router, host))
    ]
    assert written_out(out) == out


@pytest.mark.parametrize(
    ("flows", "taken"),
    [
        ('{name="a", count=2}, {name="a", count=3}', "a 1"),
        ('{name="a", count=2}, {name="a 2"}', "a 2"),
        ('{name="a 2"}, {name="a", count=2}', "a 2"),
        ('{name="a"}, {name="a"}', "a"),
        ('{name="a", count=2}, {name="a"}, {name="a 3"}, {name="a 01"}', None),
    ],
)
def test_no_two_flows_have_one_name(flows, taken):
    if taken is None:
        load(DUMBBELL, [f"flows=[{flows}]"])
        return
    (told,) = refused(DUMBBELL, f"flows=[{flows}]")
    assert f'there is already a flow "{taken}"; give each group a name of its own' in told
