"""ATM networks: hosts with a network card each, switches, lines between them, VCs over them.

Nodes: the hosts, then the switches; only hosts are nodes of the plan. Lines are in one direction,
and are the links of the results. VCs have the numbers that the core gives them: of each flow that
back to the sender, then of each flow that with the data, then of each source there and back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from ackclock.scenario.compile.atm.dumbbell import CELL_BITS
from ackclock.scenario.compile.graph import Routes, beside, bottleneck_of, directions
from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.network import PS_PER_S, Flow, GroupFlows, InTurn, Line, Network
from ackclock.scenario.compile.router_row import clients_and_servers
from ackclock.scenario.keys import Path
from ackclock.scenario.model.atm import ABR, GFR, REVERSE, UBR, VBR, CellSource
from ackclock.scenario.model.flows import FlowGroup
from ackclock.scenario.model.topology import AtmClients, AtmLink, AtmNetwork
from ackclock.scenario.values.quantities import Amount

ByCells = AtmClients | AtmNetwork
PRIORITIES = (VBR, ABR, UBR)
"""Service categories, the first first; their numbers are the core's. GFR is served as UBR."""
TO_CLIENTS, TO_SERVERS = 0, 1
"""Lines of the trunk of atm_clients."""


@dataclass(frozen=True)
class Source:
    """A source of cells and its path through the network.

    Attributes:
        name: of the source.
        table: what is written of it.
        path: the key of that.
        sender: the host where it is.
        receiver: the host to which it sends.
        way: numbers of the lines that its cells take.
        back: numbers of the lines that its RM cells take back.
    """

    name: str
    table: CellSource
    path: Path
    sender: int
    receiver: int
    way: tuple[int, ...]
    back: tuple[int, ...]


@dataclass(frozen=True)
class Vc:
    """A virtual circuit.

    Attributes:
        name: of its flow or source; with " (back)" if the data goes the other way.
        service: its category, or "gfr".
        way: numbers of its lines.
        rtt: two-way propagation delay of its path and its opposite's, ps.
        group: of its flow; none of a source.
        carries_data: whether it goes with the data.
    """

    name: str
    service: str
    way: tuple[int, ...]
    rtt: int
    group: Group | None
    carries_data: bool

    @property
    def category(self) -> str:
        """The category in which ports serve it."""
        return category(self.service)


@dataclass
class CellNetwork:
    """The whole of it.

    Attributes:
        topology: as it is written.
        hosts: how many of the nodes are hosts.
        network: nodes, lines (in place of links) and flows.
        sources: of cells.
    """

    topology: ByCells
    hosts: int
    network: Network
    sources: list[Source]

    def service(self, group: Group) -> str:
        """The service of the VCs of a group's flows."""
        return group.written.service or self.topology.service

    @cached_property
    def vcs(self) -> list[Vc]:
        """All VCs by their numbers, when all lines, flows and sources are there."""
        flows = self.network.flows
        back = [self._vc_of_flow(flow, carries_data=False) for flow in flows]
        data = [self._vc_of_flow(flow, carries_data=True) for flow in flows]
        return back + data + [vc for source in self.sources for vc in self._vcs_of_source(source)]

    def _vc_of_flow(self, flow: Flow, *, carries_data: bool) -> Vc:
        way, name = (flow.way, flow.name) if carries_data else (flow.back, back_name(flow.name))
        rtt = self.network.base_rtt(flow)
        return Vc(name, self.service(flow.group), way, rtt, flow.group, carries_data)

    def _vcs_of_source(self, source: Source) -> Iterator[Vc]:
        rtt, service = self.rtt_of(source), source.table.service
        yield Vc(source.name, service, source.way, rtt, None, carries_data=True)
        name = back_name(source.name)
        yield Vc(name, service, source.back, rtt, None, carries_data=False)

    def rtt_of(self, source: Source) -> int:
        """Two-way propagation delay of a source's path, ps."""
        return sum(self.network.lines[number].delay for number in (*source.way, *source.back))

    def crossing(self, line: int) -> list[Vc]:
        """The VCs that cross a line."""
        return self._crossings[line]

    @cached_property
    def _crossings(self) -> list[list[Vc]]:
        found: list[list[Vc]] = [[] for _ in self.network.lines]
        for vc in self.vcs:
            for number in vc.way:
                found[number].append(vc)
        return found

    def has_port(self, line: int) -> bool:
        """Whether a line begins at a switch."""
        return self.network.lines[line].start >= self.hosts

    def product(self, line: int) -> Fraction:
        """Cells that a line sends in the longest two-way propagation delay of its VCs."""
        rtt = max((vc.rtt for vc in self.crossing(line)), default=0)
        return Fraction(self.network.lines[line].rate * rtt, CELL_BITS * PS_PER_S)

    def buffer_cells(self, line: int, buffer: Amount | None) -> int | None:
        """How many cells a buffer before a line holds; none if there is no limit.

        In round-trip times it is rounded up to whole cells; where no VC crosses it is one cell.
        """
        if buffer is None or buffer.unit == "cells":
            return buffer and int(buffer.number)
        return max(1, ceil(self.product(line) * buffer.number))

    def link_rate(self, host: int) -> int:
        """The rate of a host's link, bit/s."""
        return self._rates[host]

    @cached_property
    def _rates(self) -> dict[int, int]:
        return {line.start: line.rate for line in self.network.lines if line.start < self.hosts}


def category(service: str) -> str:
    """The category in which ports serve a VC: a GFR VC is a UBR VC with a contract."""
    return UBR if service == GFR else service


def back_name(name: str) -> str:
    """The name of the VC that goes against the data."""
    return f"{name} (back)"


def cell_network(topology: ByCells, groups: list[Group]) -> CellNetwork:
    """The network of a topology without problems; a pair that no path joins has no lines."""
    if isinstance(topology, AtmClients):
        return _clients(topology, groups)
    return _listed(topology, groups)


def source_names(table: CellSource) -> list[str]:
    """The names of the sources of a table."""
    count = table.count
    return [table.name] if count == 1 else [f"{table.name} {at}" for at in range(1, count + 1)]


def _clients(topology: AtmClients, groups: list[Group]) -> CellNetwork:
    """Lines: the trunk to the clients' side and back, then each host's to its switch and back."""
    counts = [group.count for group in groups]
    clients, servers, ends = clients_and_servers(counts, topology.clients_per_server)
    nodes = [f"client {number}" for number in range(1, clients + 1)]
    nodes += [f"server {number}" for number in range(1, servers + 1)]
    at_servers = [host >= clients for host in range(len(nodes))]
    named = [
        (name, table, ("topology", "background", at))
        for at, table in enumerate(topology.background)
        for name in source_names(table)
    ]
    for name, table, _ in named:
        nodes += [f"{name} sender", f"{name} receiver"]
        reverse = table.direction == REVERSE
        at_servers += [not reverse, reverse]
    hosts = len(nodes)
    trunk, access = topology.trunk, topology.access
    network = Network(nodes=[*nodes, "SW1", "SW2"])
    sw1, sw2 = hosts, hosts + 1
    lines = [
        Line(start, end, trunk.rate, trunk.delay, None) for start, end in ((sw2, sw1), (sw1, sw2))
    ]
    for host, at_server in enumerate(at_servers):
        switch = sw2 if at_server else sw1
        lines += [
            Line(start, end, access.rate, access.delay, None)
            for start, end in ((host, switch), (switch, host))
        ]
    network.lines.add(lines)

    def way(sender: int, receiver: int) -> tuple[int, ...]:
        trunk_line = TO_CLIENTS if at_servers[sender] else TO_SERVERS
        return 2 + 2 * sender, trunk_line, 3 + 2 * receiver

    for group, (client, server) in zip(groups, ends, strict=True):
        its = (client, server) if group.written.reverse else (server, client)
        sender, receiver = (nodes.of(0) for nodes in its)
        network.flows.add(GroupFlows(group, its, (way(sender, receiver), way(receiver, sender))))
    first = clients + servers
    sources = [
        Source(name, table, path, host, host + 1, way(host, host + 1), way(host + 1, host))
        for host, (name, table, path) in zip(range(first, hosts, 2), named, strict=True)
    ]
    directions_taken = {group.written.reverse for group in groups}
    network.bottleneck, network.reverse = TO_CLIENTS, TO_SERVERS
    if directions_taken == {True}:
        network.bottleneck, network.reverse = TO_SERVERS, TO_CLIENTS
    network.shared = len(directions_taken) == 1
    return CellNetwork(topology, hosts, network, sources)


def _listed(topology: AtmNetwork, groups: list[Group]) -> CellNetwork:
    """Lines in the order in which the links are listed."""
    names = [*topology.hosts, *topology.switches]
    numbers = {name: number for number, name in enumerate(names)}
    network = Network(nodes=names)
    network.lines.add(
        [
            _line(link, numbers[start], numbers[end])
            for link in topology.links
            for start, end in directions(link)
        ]
    )
    routes = Routes(network)
    for group in groups:
        sender, receiver = (numbers[name] for name in _ends(group.written))
        ways = routes.way(sender, receiver), routes.way(receiver, sender)
        network.flows.add(GroupFlows(group, (InTurn(sender), InTurn(receiver)), ways))
    sources = []
    for at, table in enumerate(topology.sources):
        sender, receiver = (numbers[name] for name in _ends(table))
        ways = routes.way(sender, receiver), routes.way(receiver, sender)
        path = ("topology", "sources", at)
        sources += [
            Source(name, table, path, sender, receiver, *ways) for name in source_names(table)
        ]
    # Without flows, the bottleneck is what the sources share.
    ways = [each.way for each in network.groups or sources]
    network.bottleneck = bottleneck_of(network, ways)
    network.reverse = beside(network, network.bottleneck)
    network.shared = network.bottleneck is not None
    return CellNetwork(topology, len(topology.hosts), network, sources)


def _ends(written: FlowGroup | CellSource) -> tuple[str, str]:
    return str(written.source), str(written.target)


def _line(link: AtmLink, start: int, end: int) -> Line:
    return Line(start, end, link.rate, link.delay, None, cost=link.cost)
