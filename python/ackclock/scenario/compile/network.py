"""Nodes, links and flows of packets, before they have become numbers in a plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.packet_sizes import HEADER_BYTES, largest_packet
from ackclock.scenario.compile.paths import Change
from ackclock.scenario.compile.queue_checks import parameter_problems, too_small
from ackclock.scenario.compile.red import held, red_of
from ackclock.scenario.keys import Path
from ackclock.scenario.model.links import Impairment
from ackclock.scenario.model.queues import DEFAULT, PPB, PPM, QueueTable
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


@dataclass
class Network:
    """The whole of it.

    Attributes:
        nodes: their names.
        lines: the links.
        flows: the connections.
        bottleneck: number of the link that the results describe; none if there is no such.
        reverse: number of the link beside it.
        shared: whether all data goes over the bottleneck, or over the link beside it.
    """

    nodes: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    flows: list[Flow] = field(default_factory=list)
    bottleneck: int | None = None
    reverse: int | None = None
    shared: bool = True

    def line_names(self) -> list[str]:
        """Names of the links: where they begin and end."""
        return [f"{self.nodes[line.start]} -> {self.nodes[line.end]}" for line in self.lines]

    def base_rtt(self, flow: Flow) -> int:
        """Two-way propagation delay of a flow, ps; the shortest that may be drawn."""
        return sum(self.lines[number].delay for number in (*flow.way, *flow.back))

    def rtt_spread(self, flow: Flow) -> int:
        """How much longer it may be drawn, ps."""
        return sum(self.lines[number].spread for number in (*flow.way, *flow.back))

    @cached_property
    def crossings(self) -> list[Crossing]:
        """What crosses each link, when all links and flows are there."""
        found = [_NOTHING] * len(self.lines)
        longest = [line.delay + line.spread for line in self.lines]
        for group, flows in groupby(self.flows, attrgetter("group")):
            packet, is_tcp = max(largest_packet(group), _LARGEST_CONTROL_PACKET), group.is_tcp
            for flow in flows:
                both = (*flow.way, *flow.back)
                alone = Crossing(1, sum([longest[number] for number in both]), packet)
                for number in both if is_tcp else flow.way:
                    others = found[number]
                    found[number] = alone if others is _NOTHING else others.and_also(alone)
        return found


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
    plans = []
    for line, crossing in zip(network.lines, network.crossings, strict=True):
        plan = {
            "kind": "packets",
            "from": line.start,
            "to": line.end,
            "cost": line.cost,
            "rate_bps": line.rate,
            "delay_ps": line.delay,
            "delay_draw": draw_plan(line),
            "queue": queue_plan(line, crossing),
            "impairments": [impairment_plan(each) for each in line.impairments],
        }
        if line.change:
            plan["varies"] = line.change.plan(line.rate, line.delay)
        plans.append(plan)
    return plans


def draw_plan(line: Line) -> dict[str, int] | None:
    """How much longer a link is drawn to be; links of one number share the draw."""
    if line.draw is None or not line.spread:
        return None
    return {"number": line.draw, "spread_ps": line.spread}


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
    for line, crossing in zip(network.lines, network.crossings, strict=True):
        # Most of many links are never full.
        if line.queue is None:
            continue
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
