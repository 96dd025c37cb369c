"""Dumbbell and parking lot: routers in a row, and each host on a link of its own.

Nodes: the clients, the servers, the routers. Links: from router to router as the servers' data
goes, back, and then for each host one to its router and one from it. Data goes from the servers to
the clients, or the other way in a group that is reversed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ackclock.scenario.compile.groups import IMPAIRMENTS, Group
from ackclock.scenario.compile.members import Joined, Numbered
from ackclock.scenario.compile.network import GroupFlows, Hosts, InTurn, Line, Network
from ackclock.scenario.compile.paths import Change, change_problems
from ackclock.scenario.keys import Path
from ackclock.scenario.model.flows import LONG
from ackclock.scenario.model.links import Access, Impairment
from ackclock.scenario.model.topology import Dumbbell, ParkingLot
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import RATE

LEAST_ACCESS_RATE = 10**9
"""Of the links of the hosts that have no rate of their own, bit/s."""
ACCESS_RATIO = 10
"""How much faster they are than the bottleneck, so that packets wait there and not at the hosts."""
_BOTTLENECK = ("topology", "bottleneck")
_ACCESS: Path = ("topology", "access", "queue", "limit")


class _Host(NamedTuple):
    """A host and its links, as all hosts at one end of a group have them.

    Attributes:
        router: at which it is.
        links: to the router and from it; their rate is known.
        path: key of their queues' limit.
        arriving: what happens to packets on their way to the host.
        leaving: what happens to packets that come from it.
    """

    router: int
    links: Access
    path: Path
    arriving: tuple[Impairment, ...] = ()
    leaving: tuple[Impairment, ...] = ()

    def several(self, first: int, count: int, draw: int | None) -> Hosts:
        """The links of so many such hosts.

        Args:
            first: node of the first of them.
            count: how many there are.
            draw: number of the first one's flow, which draws how much longer its links are; none
                if several flows share a host.
        """
        links, router = self.links, self.router
        rate, delay, queue = links.rate, links.delay, links.queue
        same = (1, self.path, draw, links.delay_spread)
        return Hosts(
            (
                Line(first, router, rate, delay, queue, self.leaving, *same),
                Line(router, first, rate, delay, queue, self.arriving, *same),
            ),
            count,
        )


def row(topology: Dumbbell | ParkingLot, groups: list[Group]) -> Network:
    """The network of a dumbbell or a parking lot."""
    hops = topology.hops if isinstance(topology, ParkingLot) else 1
    clients, servers, ends = _ends_of(topology, groups)
    routers = clients + servers
    reverse = {group.written.reverse for group in groups}
    network = Network(bottleneck=0, reverse=hops, shared=hops == 1 and len(reverse) == 1)
    if reverse == {True}:
        network.bottleneck, network.reverse = hops, 0
    network.nodes = Joined(
        [
            Numbered([("client ", "")], 1, clients),
            Numbered([("server ", "")], 1, servers),
            [f"r{number}" for number in range(1, hops + 2)],
        ]
    )
    network.lines.add(_between_routers(topology, hops, routers))
    for group, (client, server) in zip(groups, ends, strict=True):
        first, last = _routers_of(group, hops)
        way = tuple(range(first, last))
        back = tuple(range(hops + last - 1, hops + first - 1, -1))
        network.flows.add(_flows(group, (client, server), (way, back), 2 * hops))
    shared = isinstance(topology, Dumbbell) and topology.hosts is not None
    at_routers = _shared_hosts if shared else _own_hosts
    for hosts in at_routers(topology, network.groups, routers, hops):
        network.lines.add(hosts)
    return network


def _own_hosts(
    topology: Dumbbell | ParkingLot, flows: list[GroupFlows], routers: int, hops: int
) -> Iterator[Hosts]:
    """The links of the hosts that each group has of its own: all clients, then all servers."""
    servers: list[Hosts] = []
    begin = 0
    for its in flows:
        first, last = _routers_of(its.group, hops)
        at_ends = _hosts_of(its.group, topology, (routers + last, routers + first))
        # Of clients, then of servers.
        ends = (
            (its.sender, its.receiver) if its.group.written.reverse else (its.receiver, its.sender)
        )
        for host, nodes, links in zip(at_ends, ends, ([], servers), strict=True):
            draw = begin if nodes.each == 1 else None
            found = [host.several(node, count, draw) for node, count, _ in nodes.shares(its.times)]
            links += found
            if links is not servers:
                yield from found
        begin += its.times
    yield from servers


def _shared_hosts(
    topology: Dumbbell, flows: list[GroupFlows], routers: int, hops: int
) -> Iterator[Hosts]:
    """The links of hosts that all groups share; they are there whether flows use them or not."""
    assert topology.hosts is not None
    links = _with_rate(topology.access, topology.bottleneck.rate)
    cuts = {0, topology.hosts, 2 * topology.hosts}
    for its in flows:
        for nodes in (its.sender, its.receiver):
            for node, count, _ in nodes.shares(its.times):
                cuts |= {node, node + count}
    for first, until in pairwise(sorted(cuts)):
        router = routers + (hops if first < topology.hosts else 0)
        yield _Host(router, links, _ACCESS).several(first, until - first, None)


def _hosts_of(
    group: Group, topology: Dumbbell | ParkingLot, routers: tuple[int, int]
) -> tuple[_Host, _Host]:
    """A client and a server of a group, whose routers are known."""
    links, path = _access(topology, group)
    links = _with_rate(links, topology.bottleneck.rate)
    client, server = (_Host(router, links, path) for router in routers)
    # They are those of the receiver.
    own = {"arriving": group.written.impairments, "leaving": group.written.reverse_impairments}
    if group.written.reverse:
        return client, server._replace(**own)
    return client._replace(**own), server


def _ends_of(
    topology: Dumbbell | ParkingLot, groups: list[Group]
) -> tuple[int, int, list[tuple[InTurn, InTurn]]]:
    """How many clients and how many servers there are, and the nodes of both for each group."""
    counts = [group.count for group in groups]
    shared = topology.hosts if isinstance(topology, Dumbbell) else None
    if shared is None:
        per_server = topology.clients_per_server if isinstance(topology, Dumbbell) else 1
        return clients_and_servers(counts, per_server)
    ends = []
    begin = 0
    for count in counts:
        in_turn = [InTurn(first, shared, 1, begin % shared) for first in (0, shared)]
        ends.append((in_turn[0], in_turn[1]))
        begin += count
    return shared, shared, ends


def clients_and_servers(
    counts: list[int], per_server: int
) -> tuple[int, int, list[tuple[InTurn, InTurn]]]:
    """How many clients and servers groups of so many flows have, and the nodes of both.

    Each flow has a client of its own; so many flows of a group share a server.
    """
    client, server = 0, sum(counts)
    clients = server
    ends = []
    for count in counts:
        servers = -(-count // per_server)
        each = per_server if servers > 1 else 1
        ends.append((InTurn(client, count), InTurn(server, servers, each)))
        client += count
        server += servers
    return clients, server - clients, ends


def _routers_of(group: Group, hops: int) -> tuple[int, int]:
    """The routers, from 0 on, of the servers and of the clients of a group."""
    path = group.written.path
    return (0, hops) if path == LONG else (int(path) - 1, int(path))


def _access(topology: Dumbbell | ParkingLot, group: Group) -> tuple[Access, Path]:
    """The links of the hosts of a group, and the key of their queues' limit."""
    own = group.written.access
    if own is None:
        return topology.access, _ACCESS
    table: Path = (*group.path,) if "queue" in own.model_fields_set else ("topology",)
    return own.over(topology.access), (*table, "access", "queue", "limit")


def _with_rate(links: Access, bottleneck: int) -> Access:
    """The links of a host, with the rate that "auto" stands for.

    Args:
        links: of the host.
        bottleneck: rate of the bottleneck, bit/s.
    """
    if links.rate is not None:
        return links
    rate = min(max(LEAST_ACCESS_RATE, ACCESS_RATIO * bottleneck), RATE.maximum)
    return links.model_copy(update={"rate": rate})


def _between_routers(topology: Dumbbell | ParkingLot, hops: int, routers: int) -> list[Line]:
    link = topology.bottleneck
    reverse = "queue" if link.reverse_queue is None else "reverse_queue"
    forward = [
        Line(
            routers + hop,
            routers + hop + 1,
            link.rate,
            link.delay,
            link.queue,
            link.impairments,
            path=(*_BOTTLENECK, "queue", "limit"),
            change=Change(link.schedule, link.schedule_period, link.varies, hop),
        )
        for hop in range(hops)
    ]
    return forward + [
        Line(
            routers + hop + 1,
            routers + hop,
            link.rate,
            link.delay,
            link.reverse_queue or link.queue,
            link.reverse_impairments,
            path=(*_BOTTLENECK, reverse, "limit"),
            change=Change(
                link.schedule, link.schedule_period, link.reverse_varies or link.varies, hop
            ),
        )
        for hop in range(hops)
    ]


def _flows(
    group: Group,
    ends: tuple[InTurn, InTurn],
    ways: tuple[tuple[int, ...], tuple[int, ...]],
    first_access: int,
) -> GroupFlows:
    """The flows of a group, whose clients and servers, and ways between the routers, are known."""
    (client, server), (way, back) = ends, ways
    from_client, from_server = (first_access + 2 * nodes.of(0) for nodes in ends)
    to_client = (from_server, *way, from_client + 1)
    to_server = (from_client, *back, from_server + 1)
    if group.written.reverse:
        return GroupFlows(group, (client, server), (to_server, to_client))
    return GroupFlows(group, (server, client), (to_client, to_server))


def row_problems(topology: Dumbbell | ParkingLot, groups: list[Group]) -> list[Problem]:
    """Hops that are not there, wrong changes, and delays that flows on one link would draw."""
    problems = list(change_problems(topology.bottleneck, _BOTTLENECK))
    hops = topology.hops if isinstance(topology, ParkingLot) else 1
    for group in groups:
        path = group.written.path
        if isinstance(topology, ParkingLot) and path != LONG and int(path) > hops:
            problems.append(
                Problem(
                    (*group.path, "path"),
                    f'there are {hops} hops; write a number from 1 to {hops}, or "{LONG}"',
                )
            )
    if isinstance(topology, Dumbbell):
        problems += _shared_link_problems(topology, groups)
    return problems


def _shared_link_problems(topology: Dumbbell, groups: list[Group]) -> Iterator[Problem]:
    """What each flow would have of its own, on a link that it shares with others."""
    several = topology.clients_per_server
    if topology.hosts is None and several == 1:
        return
    sharing = f"topology.clients_per_server = {several}"
    if topology.hosts is not None:
        sharing = f"topology.hosts = {topology.hosts}"
    described: set[Path] = set()
    for group in groups:
        own = group.written.access
        spread = _access(topology, group)[0].delay_spread
        is_own = own is not None and "delay_spread" in own.model_fields_set
        path: Path = (*(group.path if is_own else ("topology",)), "access", "delay_spread")
        if spread and path not in described:
            described.add(path)
            yield Problem(
                path,
                f"each flow would draw a delay, but {sharing} lets flows share links; "
                "remove one of the two",
            )
    # A client has a link of its own in any case; the servers receive the data of reversed groups.
    for group in groups if topology.hosts is None else ():
        for key in IMPAIRMENTS if group.written.reverse else ():
            if getattr(group.written, key):
                yield Problem(
                    (*group.path, key),
                    f"each receiver would have a link of its own, but {sharing} lets flows "
                    "share those of the servers; remove one of the two",
                )
