"""Any graph: nodes and links as listed, packets on the path of the least cost."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.network import GroupFlows, InTurn, Line, Network
from ackclock.scenario.compile.paths import Change, change_problems
from ackclock.scenario.keys import Path
from ackclock.scenario.model.atm import CellSource
from ackclock.scenario.model.flows import FlowGroup
from ackclock.scenario.model.topology import AtmLink, Graph, GraphLink
from ackclock.scenario.problems import Problem
from ackclock.suggestions import nearest


def graph(topology: Graph, groups: list[Group]) -> Network:
    """The network of a graph without problems; a flow without a path has no links."""
    network = Network(nodes=topology.nodes)
    numbers = {name: number for number, name in enumerate(topology.nodes)}
    lines: list[Line] = []
    for at, link in enumerate(topology.links):
        for start, end in directions(link):
            lines.append(
                Line(
                    numbers[start],
                    numbers[end],
                    link.rate,
                    link.delay,
                    link.queue,
                    link.impairments,
                    link.cost,
                    ("topology", "links", at, "queue", "limit"),
                    change=Change(link.schedule, link.schedule_period, link.varies, at),
                )
            )
    network.lines.add(lines)
    routes = Routes(network)
    for group in groups:
        sender = numbers[str(group.written.source)]
        receiver = numbers[str(group.written.target)]
        ways = routes.way(sender, receiver), routes.way(receiver, sender)
        network.flows.add(GroupFlows(group, (InTurn(sender), InTurn(receiver)), ways))
    network.bottleneck = bottleneck_of(network)
    network.shared = network.bottleneck is not None
    network.reverse = beside(network, network.bottleneck)
    return network


class Routes:
    """Paths of the least total cost; of equal ones, that whose next link is named first."""

    def __init__(self, network: Network) -> None:
        """Know the links of a network."""
        self._lines = network.lines
        self._into: list[list[int]] = [[] for _ in network.nodes]
        self._out: list[list[int]] = [[] for _ in network.nodes]
        for number, line in enumerate(network.lines):
            self._into[line.end].append(number)
            self._out[line.start].append(number)
        self._costs: dict[int, list[float]] = {}

    def way(self, start: int, end: int) -> tuple[int, ...]:
        """Numbers of the links from one node to another; none if there is no path."""
        if end not in self._costs:
            self._costs[end] = self._costs_to(end)
        costs = self._costs[end]
        if costs[start] == float("inf"):
            return ()
        way = []
        while start != end:
            number = next(
                number
                for number in self._out[start]
                if self._lines[number].cost + costs[self._lines[number].end] == costs[start]
            )
            way.append(number)
            start = self._lines[number].end
        return tuple(way)

    def _costs_to(self, end: int) -> list[float]:
        """Least cost from every node, by Dijkstra's method."""
        costs = [float("inf")] * len(self._into)
        costs[end] = 0
        heap: list[tuple[float, int]] = [(0, end)]
        while heap:
            cost, node = heapq.heappop(heap)
            if cost > costs[node]:
                continue
            for number in self._into[node]:
                line = self._lines[number]
                if cost + line.cost < costs[line.start]:
                    costs[line.start] = cost + line.cost
                    heapq.heappush(heap, (costs[line.start], line.start))
        return costs


def directions(link: GraphLink | AtmLink) -> list[tuple[str, str]]:
    """Where each of its lines begins and ends."""
    if link.between is not None:
        first, second = link.between
        return [(first, second), (second, first)]
    return [(str(link.source), str(link.target))]


def beside(network: Network, number: int | None) -> int | None:
    """The link in the opposite direction, if there is one."""
    if number is None:
        return None
    line = network.lines[number]
    ends = (line.end, line.start)
    return next((at for at, its in enumerate(network.lines) if (its.start, its.end) == ends), None)


def bottleneck_of(network: Network, ways: Sequence[tuple[int, ...]] = ()) -> int | None:
    """The link over which all data goes and which is the narrowest of every flow.

    Args:
        network: in which.
        ways: of what is looked at; by default of all flows.
    """
    ways = ways or [its.way for its in network.groups]
    common = set(ways[0]).intersection(*ways)
    if not common:
        return None
    rate, narrowest = min((network.lines[number].rate, number) for number in common)
    crossed = {number for way in ways for number in way}
    return narrowest if all(network.lines[number].rate >= rate for number in crossed) else None


def graph_problems(topology: Graph, groups: list[Group]) -> Iterator[Problem]:
    """Nodes and links that are not there, are there twice, or lead nowhere."""
    nodes = Nodes(topology.nodes, "topology.nodes")
    yield from nodes.problems(("topology", "nodes"), topology.nodes)
    yield from link_problems(topology.links, nodes)
    for at, link in enumerate(topology.links):
        yield from change_problems(link, ("topology", "links", at))
    for group in groups:
        yield from end_problems(group.path, group.written, nodes)


class Nodes:
    """The nodes that may be named."""

    def __init__(self, names: Sequence[str], listed: str, others: Sequence[str] = ()) -> None:
        """Know them.

        Args:
            names: of the nodes.
            listed: the key in which a further one would be listed.
            others: switches, which may not stand here.
        """
        self.names = names
        self._listed = listed
        self._others = others
        self._seen: set[str] = set()

    def problems(self, path: Path, names: Sequence[str]) -> Iterator[Problem]:
        """Names in a list that have been there before, in this list or another one."""
        for at, name in enumerate(names):
            if name in self._seen:
                yield Problem(
                    (*path, at), "the node is named twice; give each node a name of its own"
                )
            self._seen.add(name)

    def missing(self, name: str) -> str | None:
        """What to say of a name that none of them has."""
        if name in self.names:
            return None
        if name in self._others:
            return f"is a switch; name one of {self._listed}"
        close = nearest(name, list(self.names))
        hint = f'did you mean "{close}"?' if close else f"add it to {self._listed}"
        return f"there is no such node; {hint}"


def end_problems(path: Path, written: FlowGroup | CellSource, nodes: Nodes) -> Iterator[Problem]:
    """Ends of flows or sources that are missing, not there, or the same."""
    ends = {"from": written.source, "to": written.target}
    for key, name in ends.items():
        if name is None:
            yield Problem((*path, key), f'is missing; write for example {key} = "h1"')
        elif wrong := nodes.missing(name):
            yield Problem((*path, key), wrong)
    if ends["from"] is not None and ends["from"] == ends["to"]:
        yield Problem((*path, "to"), "is where the flow begins; name another node")


def link_problems(links: Sequence[GraphLink | AtmLink], nodes: Nodes) -> Iterator[Problem]:
    """Links that do not say where they lead, lead nowhere, or are there twice."""
    if not links:
        yield Problem(
            ("topology", "links"),
            'there is no link; write each as [[topology.links]] with between = ["a", "r"] in it',
        )
    taken: dict[tuple[str, str], int] = {}
    for at, link in enumerate(links):
        path: Path = ("topology", "links", at)
        both = link.between is not None
        ends_given = (link.source is not None) + (link.target is not None)
        if ends_given != (0 if both else 2):
            yield Problem(
                path,
                'write either between = ["a", "r"], or from = "a" and to = "r" for one direction',
            )
            continue
        for start, end in directions(link)[: 1 if both else None]:
            keys: tuple[Path, Path] = ((*path, "from"), (*path, "to"))
            if both:
                keys = ((*path, "between", 0), (*path, "between", 1))
            for key, name in zip(keys, (start, end), strict=True):
                if wrong := nodes.missing(name):
                    yield Problem(key, wrong)
            if start == end:
                yield Problem(keys[1], "the link would join a node to itself; name another node")
        for ends in dict.fromkeys(directions(link)):
            other = taken.setdefault(ends, at)
            if other != at:
                yield Problem(
                    path,
                    f'topology.links[{other}] already leads from "{ends[0]}" to "{ends[1]}"; '
                    "remove one of the two",
                )
                break


def path_problems(network: Network) -> Iterator[Problem]:
    """Flows whose ends no path joins."""
    for its in network.groups:
        ends = (its.sender.of(0), its.receiver.of(0))
        yield from pathless(network, its.group.path, ends, (its.way, its.back))


def pathless(
    network: Network, path: Path, ends: tuple[int, int], ways: tuple[Sequence[int], Sequence[int]]
) -> Iterator[Problem]:
    """What to say of two nodes that no path joins, there or back."""
    for way, (start, end) in zip(ways, (ends, ends[::-1]), strict=True):
        if not way:
            names = f'"{network.nodes[start]}" to "{network.nodes[end]}"'
            yield Problem(
                (*path, "to"), f"no path leads from {names}; add a link to [[topology.links]]"
            )
