"""Any graph: nodes and links as listed, packets on the path of the least cost."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.network import Flow, Line, Network
from ackclock.scenario.keys import Path
from ackclock.scenario.model.topology import Graph, GraphLink
from ackclock.scenario.problems import Problem
from ackclock.scenario.values.kind import nearest

_NODES: Path = ("topology", "nodes")


def graph(topology: Graph, groups: list[Group]) -> Network:
    """The network of a graph without problems; a flow without a path has no way."""
    network = Network(nodes=list(topology.nodes))
    numbers = {name: number for number, name in enumerate(topology.nodes)}
    for at, link in enumerate(topology.links):
        for start, end in _directions(link):
            network.lines.append(
                Line(
                    numbers[start],
                    numbers[end],
                    link.rate,
                    link.delay,
                    link.queue,
                    link.impairments,
                    link.cost,
                    ("topology", "links", at, "queue", "limit"),
                )
            )
    routes = Routes(network)
    for group in groups:
        sender = numbers[str(group.written.source)]
        receiver = numbers[str(group.written.target)]
        way, back = routes.way(sender, receiver), routes.way(receiver, sender)
        network.flows += [Flow(name, group, sender, receiver, way, back) for name in group.names]
    network.bottleneck = _bottleneck(network)
    network.shared = network.bottleneck is not None
    if network.bottleneck is not None:
        narrow = network.lines[network.bottleneck]
        beside = [(line.start, line.end) == (narrow.end, narrow.start) for line in network.lines]
        network.reverse = beside.index(True) if any(beside) else None
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


def _directions(link: GraphLink) -> list[tuple[str, str]]:
    if link.between is not None:
        first, second = link.between
        return [(first, second), (second, first)]
    return [(str(link.source), str(link.target))]


def _bottleneck(network: Network) -> int | None:
    """The link over which all data goes and which is the narrowest of every flow."""
    common = set(network.flows[0].way)
    for flow in network.flows:
        common &= set(flow.way)
    if not common:
        return None
    rate, narrowest = min((network.lines[number].rate, number) for number in common)
    crossed = {number for flow in network.flows for number in flow.way}
    return narrowest if all(network.lines[number].rate >= rate for number in crossed) else None


def graph_problems(topology: Graph, groups: list[Group]) -> Iterator[Problem]:
    """Nodes and links that are not there, are there twice, or lead nowhere."""
    seen = set()
    for at, name in enumerate(topology.nodes):
        if name in seen:
            yield Problem(
                (*_NODES, at), "the node is named twice; give each node a name of its own"
            )
        seen.add(name)
    if not topology.links:
        yield Problem(
            ("topology", "links"),
            'there is no link; write each as [[topology.links]] with between = ["a", "r"] in it',
        )
    yield from _link_problems(topology)
    for group in groups:
        ends = {"from": group.written.source, "to": group.written.target}
        for key, name in ends.items():
            if name is None:
                yield Problem((*group.path, key), f'is missing; write for example {key} = "h1"')
            elif name not in seen:
                yield Problem((*group.path, key), _no_node(name, topology))
        if ends["from"] is not None and ends["from"] == ends["to"]:
            yield Problem((*group.path, "to"), "is where the flow begins; name another node")


def _link_problems(topology: Graph) -> Iterator[Problem]:
    taken: dict[tuple[str, str], int] = {}
    for at, link in enumerate(topology.links):
        path: Path = ("topology", "links", at)
        both = link.between is not None
        ends_given = (link.source is not None) + (link.target is not None)
        if ends_given != (0 if both else 2):
            yield Problem(
                path,
                'write either between = ["a", "r"], or from = "a" and to = "r" for one direction',
            )
            continue
        for start, end in _directions(link)[: 1 if both else None]:
            keys: tuple[Path, Path] = ((*path, "from"), (*path, "to"))
            if both:
                keys = ((*path, "between", 0), (*path, "between", 1))
            for key, name in zip(keys, (start, end), strict=True):
                if name not in topology.nodes:
                    yield Problem(key, _no_node(name, topology))
            if start == end:
                yield Problem(keys[1], "the link would join a node to itself; name another node")
        for ends in dict.fromkeys(_directions(link)):
            other = taken.setdefault(ends, at)
            if other != at:
                yield Problem(
                    path,
                    f'topology.links[{other}] already leads from "{ends[0]}" to "{ends[1]}"; '
                    "remove one of the two",
                )
                break


def _no_node(name: str, topology: Graph) -> str:
    close = nearest(name, list(topology.nodes))
    hint = f'did you mean "{close}"?' if close else "add it to topology.nodes"
    return f"there is no such node; {hint}"


def path_problems(network: Network) -> Iterator[Problem]:
    """Flows whose ends no path joins."""
    for group in dict.fromkeys(flow.group.path for flow in network.flows):
        flow = next(each for each in network.flows if each.group.path == group)
        for way, (start, end) in (
            (flow.way, (flow.sender, flow.receiver)),
            (flow.back, (flow.receiver, flow.sender)),
        ):
            if not way:
                names = f'"{network.nodes[start]}" to "{network.nodes[end]}"'
                yield Problem(
                    (*group, "to"), f"no path leads from {names}; add a link to [[topology.links]]"
                )
