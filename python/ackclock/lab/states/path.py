"""The network of a scenario for the picture of the path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ackclock.errors import InputError
from ackclock.scenario import Scenario
from ackclock.scenario.compile.atm import dumbbell
from ackclock.scenario.compile.atm.network import cell_network
from ackclock.scenario.compile.compiler import network_of
from ackclock.scenario.compile.groups import Group, groups
from ackclock.scenario.compile.members import Joined
from ackclock.scenario.compile.network import NEVER_FULL, PS_PER_S, Flow, Line, Network, limits
from ackclock.scenario.model.topology import AtmClients, AtmDumbbell, AtmNetwork
from ackclock.scenario.summary import impairments_text, queue_text
from ackclock.scenario.summary_of_paths import change_text
from ackclock.scenario.units import RATE, TIME, show
from ackclock.scenario.workload_text import workload_text

MOST_LINKS = 200
"""Largest number of links in a picture; else only the paths of each group's first flows."""


NOTHING: Mapping[str, Any] = {"nodes": [], "links": [], "flows": [], "hidden_links": 0}
"""The description of a network that is not shown."""


def path(scenario: Scenario, *, whole: bool = False) -> dict[str, Any]:
    """Return nodes, links and groups of flows of a scenario at a point.

    Args:
        scenario: scenario at the point.
        whole: whether to return all links, without a limit.
    """
    found = groups(scenario)
    if isinstance(scenario.topology, AtmDumbbell):
        return _of_atm_dumbbell(scenario.topology, found)
    network, hosts = _network(scenario, found)
    return _of_network(network, found, hosts, len(network.lines) if whole else MOST_LINKS)


def sender_of(scenario: Scenario, flow: int) -> str:
    """Return the node that sends the data of a flow."""
    found = groups(scenario)
    if isinstance(scenario.topology, AtmDumbbell):
        at, _ = Joined(group.names for group in found).place(flow)
        group = found[at]
        return f"{'client' if group.written.reverse else 'server'} {flow + 1}"
    network, _ = _network(scenario, found)
    return network.nodes[network.flows[flow].sender]


def _network(scenario: Scenario, found: list[Group]) -> tuple[Network, int | None]:
    """Return the network, and the number of hosts of an ATM network; none for packets."""
    topology = scenario.topology
    if isinstance(topology, AtmClients | AtmNetwork):
        cells = cell_network(topology, found)
        return cells.network, cells.hosts
    assert not isinstance(topology, AtmDumbbell)
    return network_of(topology, found), None


def _of_network(
    network: Network, found: list[Group], hosts: int | None, most: int
) -> dict[str, Any]:
    """Return the description of a network.

    Args:
        network: network of packets or cells.
        found: groups of flows.
        hosts: number of hosts of an ATM network; none for a network of packets.
        most: largest number of links.
    """
    names = network.line_names()
    shown = range(len(names))
    first = {its.group.written.name: its[0] for its in network.groups}
    if len(names) > most:
        shown = sorted({link for flow in first.values() for link in (*flow.way, *flow.back)})
        shown = shown[:most]
    ends = [nodes.all() for its in network.groups for nodes in (its.sender, its.receiver)]
    nodes = sorted({node for at in shown for node in _ends(network.lines[at])})
    return {
        "nodes": [
            {"name": network.nodes[node], "kind": _kind(node, ends, hosts)} for node in nodes
        ],
        "links": [_link(network, at, names[at], hosts is not None) for at in shown],
        "flows": [
            _flow(group, network.nodes, names, first[group.written.name])
            for group in found
            if group.written.name in first
        ],
        "hidden_links": len(names) - len(shown),
    }


def _ends(line: Line) -> tuple[int, int]:
    return line.start, line.end


def _kind(node: int, ends: Sequence[range], hosts: int | None) -> str:
    if hosts is not None:
        return "host" if node < hosts else "switch"
    return "host" if any(node in some for some in ends) else "router"


def _link(network: Network, at: int, name: str, by_cells: bool) -> dict[str, Any]:
    line = network.lines[at]
    packets = None
    queue = "a port of cells"
    if not by_cells:
        crossing = network.crossings[at]
        queue = queue_text(line, crossing)
        packets, size = limits(line, crossing)
        if packets is None and size is not None:
            packets = size // crossing.largest_packet
    return {
        "name": name,
        "from": network.nodes[line.start],
        "to": network.nodes[line.end],
        "rate": show(line.rate, RATE),
        "delay": show(line.delay, TIME),
        "queue": queue,
        "notes": list(_notes(line)),
        "bottleneck": at == network.bottleneck,
        "rate_bit_s": line.rate,
        "delay_s": line.delay / PS_PER_S,
        "limit_packets": None if packets is None or packets >= NEVER_FULL else packets,
    }


def _notes(line: Line) -> Iterator[str]:
    """Yield notes on a link, for example on impairments."""
    if line.spread:
        yield f"delay up to {show(line.delay + line.spread, TIME)}, drawn in each run"
    if line.change:
        yield change_text(line.change)
    if line.impairments:
        yield impairments_text(line.impairments)


def _flow(group: Group, nodes: list[str], names: list[str], flow: Flow) -> dict[str, Any]:
    return {
        "name": group.names[0],
        "group": group.written.name,
        "from": nodes[flow.sender],
        "to": nodes[flow.receiver],
        "by": [names[at] for at in flow.way],
        **_carried(group),
    }


def _carried(group: Group) -> dict[str, Any]:
    return {
        "flavor": flavor_of(group),
        "workload": workload_text(group.workload),
        "count": group.count,
    }


def _of_atm_dumbbell(topology: AtmDumbbell, found: list[Group]) -> dict[str, Any]:
    """Return the trunk of an ATM dumbbell, with all servers and all clients as one host."""
    hosts = ("servers", "clients")
    links = []
    for at, (name, ends) in enumerate(zip(dumbbell.LINK_NAMES, (hosts, hosts[::-1]), strict=True)):
        links.append(
            {
                "name": name,
                "from": ends[0],
                "to": ends[1],
                "rate": show(topology.trunk.rate, RATE),
                "delay": show(topology.trunk.delay, TIME),
                "queue": f"{dumbbell.buffer_cells(topology)} cells, {topology.port.policy}",
                "notes": ["an ATM switch at each end"],
                "bottleneck": at == 0,
                "rate_bit_s": topology.trunk.rate,
                "delay_s": topology.trunk.delay / PS_PER_S,
                "limit_packets": None,
            }
        )
    flows = [
        {
            "name": group.names[0],
            "group": group.written.name,
            "from": hosts[group.written.reverse],
            "to": hosts[not group.written.reverse],
            "by": [dumbbell.LINK_NAMES[group.written.reverse]],
            **_carried(group),
        }
        for group in found
    ]
    nodes = [{"name": name, "kind": "host"} for name in hosts]
    return {"nodes": nodes, "links": links, "flows": flows, "hidden_links": 0}


def links_of(scenario: Scenario, flows: Sequence[int]) -> list[str]:
    """Return the distinct links on both directions of flows' paths, in the network's order.

    Raises:
        InputError: there are no such links, because the lines of an ATM network carry cells.
    """
    if isinstance(scenario.topology, AtmDumbbell | AtmClients | AtmNetwork):
        raise InputError(
            "an ATM network carries cells between its switches, and so no packets to show"
        )
    network = network_of(scenario.topology, groups(scenario))
    names = network.line_names()
    taken = {
        link
        for number in flows
        for link in (*network.flows[number].way, *network.flows[number].back)
    }
    return [names[link] for link in sorted(taken)]


def flavor_of(group: Group) -> str:
    """Return the flavor of the sender of a group's data."""
    return group.sender_tcp.flavor if group.is_tcp else "UDP"
