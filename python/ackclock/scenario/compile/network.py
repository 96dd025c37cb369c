"""Nodes, links and flows of packets, before they have become numbers in a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.members import Joined, Numbered, Repeated, Same
from ackclock.scenario.compile.packet_sizes import HEADER_BYTES, largest_packet
from ackclock.scenario.compile.paths import Change
from ackclock.scenario.compile.queue_checks import parameter_problems, too_small
from ackclock.scenario.compile.red import held, red_of
from ackclock.scenario.keys import Path
from ackclock.scenario.model.links import Impairment
from ackclock.scenario.model.queues import DEFAULT, PPB, PPM, QueueTable
from ackclock.scenario.plan import GROUP
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import AVERAGE, show

PS_PER_S = 10**12
NEVER_FULL = 10**9
"""Packets that a queue holds which is never to drop."""
LEAST_PACKETS = 4
"""Full packets that a queue in round-trip times holds at least: one that is lost and three after
it, whose duplicate ACKs reveal the loss to the sender before a time-out does."""
_LARGEST_CONTROL_PACKET = HEADER_BYTES + 36
"""A SYN or an ACK with all its options, bytes."""


class Line(NamedTuple):
    """A link in one direction.

    Attributes:
        start: node at which it begins.
        end: node at which it ends.
        rate: bit/s.
        delay: one-way propagation delay, ps.
        queue: none if it never drops.
        impairments: in their order.
        cost: of a route over it.
        path: key of its queue's limit, for messages.
        draw: number of the flow whose draw says how much longer it is; none if it has no spread.
        spread: so much longer at most, ps.
        change: how it changes; none if it does not.
    """

    start: int
    end: int
    rate: int
    delay: int
    queue: QueueTable | None
    impairments: tuple[Impairment, ...] = ()
    cost: int = 1
    path: Path = ()
    draw: int | None = None
    spread: int = 0
    change: Change | None = None


class Hosts(Repeated[Line]):
    """The links of hosts that are alike: of each host the one from it, then the one to it."""

    def __init__(self, links: tuple[Line, Line], count: int) -> None:
        """Know the links of the first host; the others follow it, and draw in their order."""
        super().__init__(count, 2)
        self.links = links

    def member(self, time: int, place: int) -> Line:
        """A link of a host."""
        line = self.links[place]
        draw = None if line.draw is None else line.draw + time
        if place == 0:
            return line._replace(start=line.start + time, draw=draw)
        return line._replace(end=line.end + time, draw=draw)


class InTurn(NamedTuple):
    """Numbers of nodes for the flows of a group, as the core reads them.

    Flow number k of the group has ``first + (begin + k) // each % count``.

    Attributes:
        first: the smallest number.
        count: how many nodes there are; after the last one comes the first again.
        each: how many flows in a row have the same one.
        begin: flows that are skipped at the beginning.
    """

    first: int
    count: int = 1
    each: int = 1
    begin: int = 0

    def of(self, flow: int) -> int:
        """The node of a flow of the group."""
        return self.first + (self.begin + flow) // self.each % self.count

    def all(self) -> range:
        """All nodes, where each of them has a flow."""
        return range(self.first, self.first + self.count)

    def shares(self, flows: int) -> Iterator[tuple[int, int, int]]:
        """How many of so many flows have each node: first node, nodes, flows of each."""
        if self.count == 1:
            yield self.first, 1, flows
            return
        if self.each > 1:
            whole, rest = divmod(flows, self.each)
            shares = [(self.first, whole, self.each), (self.first + whole, 1, rest)]
        else:
            rounds, rest = divmod(flows, self.count)
            start = self.begin % self.count
            wraps = max(start + rest - self.count, 0)
            cuts = [(0, wraps, 1), (wraps, start, 0), (start, start + rest - wraps, 1)]
            cuts.append((start + rest - wraps, self.count, 0))
            shares = [(self.first + at, until - at, rounds + more) for at, until, more in cuts]
        yield from (share for share in shares if share[1] > 0 and share[2] > 0)

    def plan(self) -> int | dict[str, int]:
        """As the core reads it."""
        return self.first if self.count == 1 else self._asdict()


class Flow(NamedTuple):
    """A connection, or a stream of datagrams, and its path through the network.

    Attributes:
        name: of the flow.
        group: that it belongs to.
        sender: node from which the data comes.
        receiver: node to which it goes.
        way: numbers of the links that the data takes.
        back: numbers of the links that the ACKs take, if there are any.
    """

    name: str
    group: Group
    sender: int
    receiver: int
    way: tuple[int, ...] = ()
    back: tuple[int, ...] = ()


class GroupFlows(Repeated[Flow]):
    """The flows of a group. Where each has hosts of its own, its first and last links are theirs.

    Attributes:
        group: whose.
        names: of the flows.
        sender: nodes from which the data comes.
        receiver: nodes to which it goes.
        way: links of the first flow's data.
        back: links of its ACKs.
    """

    def __init__(
        self,
        group: Group,
        ends: tuple[InTurn, InTurn],
        ways: tuple[tuple[int, ...], tuple[int, ...]],
    ) -> None:
        """Know the nodes of both ends, and the links of the first flow."""
        super().__init__(group.count)
        self.group = group
        self.names = group.names
        self.sender, self.receiver = ends
        self.way, self.back = ways

    def member(self, time: int, place: int) -> Flow:
        """A flow."""
        sender, receiver = self.sender.of(time), self.receiver.of(time)
        # Two links a host.
        from_sender = 2 * (sender - self.sender.of(0))
        to_receiver = 2 * (receiver - self.receiver.of(0))
        way, back = self.way, self.back
        if from_sender or to_receiver:
            way = (way[0] + from_sender, *way[1:-1], way[-1] + to_receiver)
            back = (back[0] + to_receiver, *back[1:-1], back[-1] + from_sender)
        return Flow(self.names[time], self.group, sender, receiver, way, back)

    def loads(self, links: tuple[int, ...], *, data: bool) -> Iterator[tuple[int, int, int]]:
        """How many flows cross the links of one direction: first link, hosts, flows of each."""
        ends = (self.sender, self.receiver) if data else (self.receiver, self.sender)
        for place, number in enumerate(links):
            at_end = {0: ends[0], len(links) - 1: ends[1]}.get(place)
            if at_end is None or at_end.count == 1:
                yield number, 1, self.times
            else:
                for node, nodes, flows in at_end.shares(self.times):
                    yield number + 2 * (node - at_end.of(0)), nodes, flows


@dataclass
class Network:
    """The whole of it.

    Attributes:
        nodes: their names.
        lines: the links.
        flows: the connections; the flows of each group are a part.
        bottleneck: number of the link that the results describe; none if there is no such.
        reverse: number of the link beside it.
        shared: whether all data goes over the bottleneck, or over the link beside it.
    """

    nodes: Sequence[str] = ()
    lines: Joined[Line] = field(default_factory=Joined)
    flows: Joined[Flow] = field(default_factory=Joined)
    bottleneck: int | None = None
    reverse: int | None = None
    shared: bool = True

    @property
    def groups(self) -> list[GroupFlows]:
        """The parts of the flows."""
        return [part for part in self.flows.parts if isinstance(part, GroupFlows)]

    def line_names(self) -> Joined[str]:
        """Names of the links: where they begin and end."""
        return Joined(map(self._names_of, self.lines.parts))

    def _names_of(self, part: Sequence[Line]) -> Sequence[str]:
        if not isinstance(part, Hosts) or not isinstance(self.nodes, Joined):
            return [f"{self.nodes[line.start]} -> {self.nodes[line.end]}" for line in part]
        host, router = part[0].start, self.nodes[part[0].end]
        at, within = self.nodes.place(host)
        named = self.nodes.parts[at]
        assert isinstance(named, Numbered), "hosts that are alike have names with numbers"
        [(before, after)] = named.around
        around = [(before, f"{after} -> {router}"), (f"{router} -> {before}", after)]
        return Numbered(around, named.first + within, part.times)

    def base_rtt(self, flow: Flow) -> int:
        """Two-way propagation delay of a flow, ps; the shortest that may be drawn."""
        return sum(self.lines[number].delay for number in (*flow.way, *flow.back))

    def rtt_spread(self, flow: Flow) -> int:
        """How much longer it may be drawn, ps."""
        return sum(self.lines[number].spread for number in (*flow.way, *flow.back))

    @cached_property
    def crossings(self) -> Joined[Crossing]:
        """What crosses each link, when all links and flows are there."""
        # Of hosts that are alike the links of one.
        found = [
            [_NOTHING] * (part.width if isinstance(part, Hosts) else len(part))
            for part in self.lines.parts
        ]
        for its in self.groups:
            packet = max(largest_packet(its.group), _LARGEST_CONTROL_PACKET)
            rtt = self.base_rtt(its[0]) + self.rtt_spread(its[0])
            loads = [*its.loads(its.way, data=True)]
            if its.group.is_tcp:
                loads += its.loads(its.back, data=False)
            for number, hosts, flows in loads:
                crossing = Crossing(flows, rtt, packet)
                until = number + 2 * hosts - 1
                # Parts end where the numbers of flows of hosts differ.
                while number < until:
                    at, within = self.lines.place(number)
                    part = self.lines.parts[at]
                    place = within % part.width if isinstance(part, Hosts) else within
                    found[at][place] = found[at][place].and_also(crossing)
                    number += 2 * part.times if isinstance(part, Hosts) else 2
        return Joined(
            Same(its, part.times) if isinstance(part, Hosts) else its
            for its, part in zip(found, self.lines.parts, strict=True)
        )


class Crossing(NamedTuple):
    """What crosses a link.

    Attributes:
        flows: how many flows, with their data or their ACKs.
        longest_rtt: their longest two-way propagation delay that may be drawn, ps.
        largest_packet: their largest packet, bytes.
    """

    flows: int
    longest_rtt: int
    largest_packet: int

    def and_also(self, other: Crossing) -> Crossing:
        """What crosses when both do."""
        return Crossing(
            self.flows + other.flows,
            max(self.longest_rtt, other.longest_rtt),
            max(self.largest_packet, other.largest_packet),
        )


_NOTHING = Crossing(0, 0, _LARGEST_CONTROL_PACKET)


def link_plans(network: Network) -> list[dict[str, Any]]:
    """The links as the core reads them."""
    plans: list[dict[str, Any]] = []
    for part, crossings in zip(network.lines.parts, network.crossings.parts, strict=True):
        if isinstance(part, Hosts) and part.times > 1:
            links = [_plan(*each, part.times) for each in zip(part[:2], crossings[:2], strict=True)]
            for link, end in zip(links, ("from", "to"), strict=True):
                link[end] = InTurn(link[end], part.times).plan()
            plans.append({"kind": GROUP, "count": part.times, "links": links})
        else:
            plans += [_plan(*each, 1) for each in zip(part, crossings, strict=True)]
    return plans


def _plan(line: Line, crossing: Crossing, times: int) -> dict[str, Any]:
    """A link as the core reads it, or the first one of so many."""
    plan = {
        "kind": "packets",
        "from": line.start,
        "to": line.end,
        "cost": line.cost,
        "rate_bps": line.rate,
        "delay_ps": line.delay,
        "delay_draw": draw_plan(line, times),
        "queue": queue_plan(line, crossing),
        "impairments": [impairment_plan(each) for each in line.impairments],
    }
    if line.change:
        plan["varies"] = line.change.plan(line.rate, line.delay)
    return plan


def draw_plan(line: Line, times: int = 1) -> dict[str, Any] | None:
    """How much longer a link is drawn to be; links of one number share the draw."""
    if line.draw is None or not line.spread:
        return None
    return {"number": InTurn(line.draw, times).plan(), "spread_ps": line.spread}


def queue_plan(line: Line, crossing: Crossing) -> dict[str, Any]:
    """The queue of a link as the core reads it."""
    packets, size = limits(line, crossing)
    plan: dict[str, Any] = {"name": DEFAULT, "limit_packets": packets, "limit_bytes": size}
    if line.queue is None:
        return plan
    values = queue_parameters(line, crossing)
    its = line.queue.discipline
    return {
        **plan,
        "name": its.name,
        **{each.key: each.to_plan(values[each.name]) for each in its.parameters},
    }


def queue_parameters(line: Line, crossing: Crossing) -> dict[str, Any]:
    """The parameters of a link's queue, as written or as they follow the link."""
    queue = line.queue
    assert queue is not None
    values = {each.name: getattr(queue, each.name) for each in queue.discipline.parameters}
    follow = _FOLLOW.get(queue.kind)
    if follow is None:
        return values
    rtt, largest_packet = crossing.longest_rtt, crossing.largest_packet
    followed = follow(queue, line.rate, rtt, largest_packet, limits(line, crossing))
    return {**values, **followed._asdict()}


def limits(line: Line, crossing: Crossing) -> tuple[int | None, int | None]:
    """How many packets and how many bytes may wait for a link.

    A limit in round-trip times is that many bandwidth-delay products of the longest two-way
    propagation delay of the flows that cross the link, and one in time is what the link sends in
    it; both are at least ``LEAST_PACKETS``. Of a link that changes, the ``rate`` and the ``delay``
    of the scenario count: a limit is the same bytes at any time, and the same for all paths.
    """
    if line.queue is None:
        return NEVER_FULL, None
    limit = line.queue.limit
    if limit.unit == "packets":
        return int(limit.number), None
    if limit.unit == "bytes":
        return None, int(limit.number)
    return None, max(_bytes_of(line, crossing), LEAST_PACKETS * crossing.largest_packet)


def is_least(line: Line, crossing: Crossing) -> bool:
    """Whether a queue in round-trip times or in time would hold less than it does."""
    if line.queue is None or line.queue.limit.unit not in ("rtt", "s"):
        return False
    return _bytes_of(line, crossing) < LEAST_PACKETS * crossing.largest_packet


def _bytes_of(line: Line, crossing: Crossing) -> int:
    """The bytes that a limit in round-trip times or in time comes to."""
    assert line.queue is not None
    limit = line.queue.limit
    if limit.unit == "s":
        return int(bandwidth_delay_bytes(line.rate, int(limit.number)))
    return int(bandwidth_delay_bytes(line.rate, crossing.longest_rtt) * limit.number)


def bandwidth_delay_bytes(rate: int, rtt_ps: int) -> Fraction:
    """What a path holds, bytes."""
    return Fraction(rate * rtt_ps, 8 * PS_PER_S)


def queue_problems(network: Network) -> list[Problem]:
    """Queues that cannot hold one packet, and thresholds that lie wrong."""
    problems = []
    for number, line, _ in network.lines.distinct():
        if line.queue is None:
            continue
        crossing = network.crossings[number]
        kind, values = line.queue.kind, queue_parameters(line, crossing)
        largest_packet = crossing.largest_packet if crossing.flows else None
        problems += parameter_problems(kind, values, line.path[:-1], largest_packet)
        if kind in _PROBLEMS:
            problems += _PROBLEMS[kind](line, crossing)
        limit = limits(line, crossing)[1]
        if limit is not None and limit < crossing.largest_packet:
            problems.append(Problem(line.path, too_small(crossing.largest_packet)))
    return list(dict.fromkeys(problems))


def _red_problems(line: Line, crossing: Crossing) -> Iterator[Problem]:
    """Thresholds that cross, or that the average of a queue of this limit never reaches."""
    table = line.path[:-1]
    values = queue_parameters(line, crossing)
    least, most = values["min_thresh"], values["max_thresh"]
    low, high = (show(each, AVERAGE) for each in (least, most))
    if round(least * PPM) >= round(most * PPM):
        yield Problem(
            (*table, "min_thresh"),
            f'"{low}" is not below max_thresh = "{high}"; write less, or raise max_thresh',
        )
    has_room_for = held(limits(line, crossing), values["mean_packet"])
    if crossing.flows and most > has_room_for:
        fits = show(int(has_room_for) or 1, AVERAGE)
        yield Problem(
            (*table, "max_thresh"),
            f'"{high}" is above the limit, which holds {fits}; write "{fits}" or less, or raise '
            "the limit",
        )


_FOLLOW = {"red": red_of}
"""What the parameters are that follow the link, by the kind of queue."""
_PROBLEMS = {"red": _red_problems}
"""What is wrong with parameters beside each other or the limit, by the kind of queue."""


def impairment_plan(impairment: Impairment) -> dict[str, Any]:
    """An impairment as the core reads it."""
    plan: dict[str, Any] = {"kind": impairment.kind}
    if impairment.kind == "bernoulli":
        plan |= {"loss_ppb": int(impairment.loss * PPB), "of": impairment.of}
    elif impairment.kind == "gilbert_elliott":
        for key in ("good_to_bad", "bad_to_good", "loss_good", "loss_bad"):
            plan[f"{key}_ppb"] = int(getattr(impairment, key) * PPB)
        plan["of"] = impairment.of
    elif impairment.kind == "loss_events":
        plan["rate_ppb"] = int(impairment.rate * PPB)
        plan |= {"losses": impairment.losses, "of": impairment.of}
    elif impairment.kind == "two_parameter":
        plan |= {"event_ppb": int(impairment.p * PPB), "loss_ppb": int(impairment.q * PPB)}
        plan |= {"span_ps": impairment.span, "of": impairment.of}
    elif impairment.kind == "scripted":
        plan["lost"] = sorted(set(impairment.lost))
    elif impairment.kind == "jitter":
        plan["spread_ps"] = impairment.spread
    else:
        plan["ppb"] = int(impairment.probability * PPB)
    return plan
