"""A readable summary of a scenario: numbers of runs, the network, the flows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import nan
from typing import Any, NamedTuple

from ackclock.plurals import counted
from ackclock.scenario.compile.atm.dumbbell import base_rtt
from ackclock.scenario.compile.atm.network import cell_network
from ackclock.scenario.compile.compiler import buffer_of, compile_scenario, network_of
from ackclock.scenario.compile.groups import Group, groups
from ackclock.scenario.compile.network import (
    PS_PER_S,
    Crossing,
    Line,
    bandwidth_delay_bytes,
    is_least,
    limits,
    queue_parameters,
)
from ackclock.scenario.compile.packet_sizes import data_packet
from ackclock.scenario.compile.receive_buffers import AutoBuffer
from ackclock.scenario.compile.tcp import window_scale
from ackclock.scenario.model.base import Table, keys
from ackclock.scenario.model.links import ALL_PACKETS, Impairment
from ackclock.scenario.model.queues import QueueTable
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.tcp import Tcp
from ackclock.scenario.model.topology import AtmClients, AtmDumbbell, AtmNetwork
from ackclock.scenario.model.workload import Arrivals
from ackclock.scenario.presets import OPTIONS, is_preset, uses, with_presets
from ackclock.scenario.summary_of_cells import LinkRow, alike, dumbbell_rows, line_rows, short
from ackclock.scenario.units import RATE, SIZE, TIME, show
from ackclock.scenario.values.dscp import DSCP
from ackclock.scenario.values.kind import decimal, shown
from ackclock.scenario.values.quantities import AUTO, OFF
from ackclock.scenario.workload_text import arrivals_text, workload_text

_PS_PER_HOUR = 3600 * PS_PER_S


class GroupRow(NamedTuple):
    """A group of flows.

    Attributes:
        name: of its flows.
        ends: the first one's sender and receiver.
        way: how many links its data takes, and over which routers.
        rtt: two-way propagation delay, or from which to which it is drawn.
        product: bandwidth-delay product of its narrowest link.
        tcp: flavors of the sender, and of the receiver if it is another one; or "UDP".
        workload: what it carries.
    """

    name: str
    ends: str
    way: str
    rtt: str
    product: str
    tcp: str
    workload: str


class ApartRow(NamedTuple):
    """A group of flows that is measured separately, is marked, or whose links lose packets.

    Attributes:
        name: of its flows.
        foreground: "yes" if it is measured separately.
        dscp: of its packets, if it is not that of best effort.
        arriving: what happens to packets on the links to its receivers.
        leaving: what happens to packets on the links from them.
    """

    name: str
    foreground: str
    dscp: str
    arriving: str
    leaving: str


class Extent(NamedTuple):
    """How much a scenario is to run; with [precision] from the fewest to the most.

    Attributes:
        points: of its sweep.
        replications: of each point.
        runs: of all points.
        simulated_ps: of all runs.
    """

    points: int
    replications: tuple[int, int]
    runs: tuple[int, int]
    simulated_ps: tuple[int, int]


def extent(scenario: Scenario) -> Extent:
    """How much there is to run."""
    points = scenario.points()
    if scenario.replications is not None:
        fewest, most = scenario.replications, scenario.replications
    else:
        assert scenario.precision is not None
        fewest, most = scenario.precision.minimum, scenario.precision.maximum
    n, total = len(points), sum(point.scenario.duration for point in points)
    return Extent(n, (fewest, most), (n * fewest, n * most), (total * fewest, total * most))


def one_line(scenario: Scenario) -> str:
    """How many points, replications and runs, and how much simulated time."""
    its = extent(scenario)
    parts = [counted(its.points, "point")]
    for (least, most), what in ((its.replications, "replication"), (its.runs, "run")):
        parts.append(counted(most, what) if least == most else f"{least} to {counted(most, what)}")
    times = dict.fromkeys(map(simulated_time, its.simulated_ps))
    return f"{', '.join(parts)}, {' to '.join(times)} of simulated time"


def simulated_time(ps: int) -> str:
    """A long time as people say it."""
    if ps >= _PS_PER_HOUR:
        return f"{float(Fraction(ps, _PS_PER_HOUR)):.4g} h"
    return show(ps, TIME)


def link_rows(scenario: Scenario) -> list[LinkRow]:
    """The links, those that are alike together."""
    topology = scenario.topology
    if isinstance(topology, AtmDumbbell):
        return dumbbell_rows(topology)
    if isinstance(topology, AtmClients | AtmNetwork):
        return line_rows(cell_network(topology, groups(scenario)))
    network = network_of(topology, groups(scenario))
    names = network.line_names()
    rows = []
    for number, line, times in network.lines.distinct():
        crossing = network.crossings[number]
        row = LinkRow(
            names[number],
            show(line.rate, RATE),
            _span(line.delay, line.spread),
            queue_text(line, crossing),
            impairments_text(line.impairments),
            str(crossing.flows),
        )
        rows.append((row, times))
    return alike(rows)


def queue_text(line: Line, crossing: Crossing) -> str:
    """How much may wait for a link, in packets, in time and in round-trip times."""
    if line.queue is None:
        return "never full"
    if not crossing.flows:
        return "unused"
    packets, size = limits(line, crossing)
    if packets is None:
        assert size is not None
        packets = size // crossing.largest_packet
        text = f"{show(size, SIZE)} = {counted(packets, 'packet')}"
        if is_least(line, crossing):
            text += " (the least)"
    else:
        text = counted(packets, "packet")
        size = packets * crossing.largest_packet
    text += f" = {short(Fraction(size * 8 * 1000, line.rate))} ms"
    product = bandwidth_delay_bytes(line.rate, crossing.longest_rtt)
    if product:
        text += f" = {short(size / product)} rtt"
    write = _TEXTS.get(line.queue.kind, _parameters_text)
    return text + write(line.queue, queue_parameters(line, crossing))


def _parameters_text(queue: QueueTable, values: Mapping[str, Any]) -> str:
    """The parameters of a queue but those that are off; a flag by its name if it is on."""
    its = queue.discipline
    texts = []
    for each in its.parameters:
        written = each.kind.write(values[each.name])
        if written is not False and written != OFF:
            texts.append(each.name if written is True else f"{each.name} {written}")
    return f"; {' '.join([its.name, ', '.join(texts)])}" if texts else ""


def _red_text(queue: QueueTable, values: Mapping[str, Any]) -> str:
    """The parameters of RED, and which of them follow the link."""
    auto = [each.name for each in queue.discipline.parameters if getattr(queue, each.name) is None]
    on = "".join(f", {name}" for name in ("gentle", "adaptive", "ecn") if values[name])
    low, high = short(values["min_thresh"]), short(values["max_thresh"])
    numbers = f"max_p {decimal(values['max_p'])}, weight {short(values['weight'])}"
    text = f"; red from {low} to {high} packets, {numbers}{on}"
    return f"{text} ({AUTO}: {', '.join(auto)})" if auto else text


_TEXTS = {"red": _red_text}
"""The function that describes a kind of queue whose parameters need sentences of their own."""


def impairment_text(impairment: Impairment) -> str:
    """An impairment and its values; of which packets, if not of all."""
    return f"{impairment.kind} {values_text(impairment)}"


def values_text(table: Table) -> str:
    """The values of a table with a kind; of which packets, if not of all."""
    written = table.model_dump(mode="json", exclude={"kind"})
    if written.get("of") == ALL_PACKETS:
        del written["of"]
    texts = {
        name: value if isinstance(value, str) else shown(value) for name, value in written.items()
    }
    return ", ".join(f"{name} {text}" for name, text in texts.items())


def impairments_text(impairments: Sequence[Impairment]) -> str:
    """Impairments in their order; empty if there is none."""
    return "; ".join(impairment_text(each) for each in impairments)


def _span(least: int, spread: int) -> str:
    """A time that may be drawn."""
    text = show(least, TIME)
    return f"{text} to {show(least + spread, TIME)}" if spread else text


def group_rows(scenario: Scenario) -> list[GroupRow]:
    """The groups of flows."""
    found = groups(scenario)
    topology = scenario.topology
    capacity = capacity_for_arrivals(scenario, found)
    if isinstance(topology, AtmDumbbell):
        rtt = base_rtt(topology)
        names = ("client", "server")
        ends = [names if group.written.reverse else names[::-1] for group in found]
        return [
            _group_row(
                group, " -> ".join(pair), "the trunk", (rtt, 0), topology.trunk.rate, capacity
            )
            for group, pair in zip(found, ends, strict=True)
        ]
    by_cells = isinstance(topology, AtmClients | AtmNetwork)
    network = cell_network(topology, found).network if by_cells else network_of(topology, found)
    rows = []
    for group, flow in ((its.group, its[0]) for its in network.groups):
        inner = [network.nodes[network.lines[number].end] for number in flow.way[:-1]]
        ends_text = f"{network.nodes[flow.sender]} -> {network.nodes[flow.receiver]}"
        narrowest = min(network.lines[number].rate for number in flow.way)
        way = " ".join(inner) or "direct"
        rtt = (network.base_rtt(flow), network.rtt_spread(flow))
        rows.append(_group_row(group, ends_text, way, rtt, narrowest, capacity))
    return rows


def capacity_for_arrivals(scenario: Scenario, found: Sequence[Group]) -> float:
    """Payload that the bottleneck carries, bit/s; nan without arrivals, which need it."""
    if not any(isinstance(group.workload, Arrivals) for group in found):
        return nan
    return compile_scenario(scenario).facts.payload_capacity_bit_s


def arrival_notes(scenario: Scenario) -> list[str]:
    """For each group of arrivals at the first point, what arrives: the notes of ``check``."""
    first = scenario.points()[0].scenario
    found = groups(first)
    capacity = capacity_for_arrivals(first, found)
    several = " at the first point" if len(scenario.points()) > 1 else ""
    return [
        f"arrivals of {group.written.name}{several}: {arrivals_text(group.workload, capacity)}"
        for group in found
        if isinstance(group.workload, Arrivals)
    ]


def _group_row(
    group: Group, ends: str, way: str, rtt: tuple[int, int], rate: int, capacity: float
) -> GroupRow:
    """The row of a group whose RTT is from its first number to so much more."""
    flavors = dict.fromkeys((group.sender_tcp.flavor, group.receiver_tcp.flavor))
    products = dict.fromkeys((_product(group, rate, rtt[0]), _product(group, rate, sum(rtt))))
    return GroupRow(
        _flows_text(group),
        ends,
        way,
        _span(*rtt),
        " to ".join(products),
        " / ".join(flavors) if group.is_tcp else "UDP",
        workload_text(group.workload, capacity),
    )


def _flows_text(group: Group) -> str:
    """The first of its flows, and the number of the last."""
    names = group.names
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1].rpartition(' ')[2]}"


def _product(group: Group, rate: int, rtt: int) -> str:
    """A bandwidth-delay product, in packets of the group too."""
    product = bandwidth_delay_bytes(rate, rtt)
    packets = short(product / data_packet(group))
    return f"{show(round(product), SIZE)} = {packets} packets" if product else "0"


def apart_rows(scenario: Scenario) -> list[ApartRow]:
    """The groups that have a foreground, a DSCP or impairments of their own; often none."""
    rows = [
        ApartRow(
            _flows_text(group),
            "yes" if group.written.foreground else "",
            str(DSCP.write(group.written.dscp)) if group.written.dscp else "",
            impairments_text(group.written.impairments),
            impairments_text(group.written.reverse_impairments),
        )
        for group in groups(scenario)
    ]
    return [row for row in rows if any(row[1:])]


def tcp_columns(scenario: Scenario) -> dict[str, dict[str, str]]:
    """The TCPs by whom they serve, each key as it would be written; none without a TCP flow."""
    users: dict[tuple[tuple[str, str], ...], list[str]] = {}
    auto = buffer_of(scenario)
    for group in groups(scenario):
        if not group.is_tcp:
            continue
        sides = {"": group.sender_tcp}
        if group.receiver_tcp != group.sender_tcp:
            sides = {" (sender)": group.sender_tcp, " (receiver)": group.receiver_tcp}
        for side, tcp in sides.items():
            users.setdefault(tuple(_tcp_texts(tcp, auto).items()), []).append(
                group.written.name + side
            )
    return {", ".join(names): dict(texts) for texts, names in users.items()}


def _texts(table: Table, within: str = "") -> dict[str, str]:
    """The values of a table and of the tables in it, as they would be written, by their keys."""
    texts = {}
    for name, key in keys(type(table)).items():
        value = getattr(table, key.attribute)
        if isinstance(value, Table):
            texts |= _texts(value, f"{within}{name}.")
        else:
            assert key.kind is not None
            written = key.kind.write(value)
            texts[within + name] = written if isinstance(written, str) else shown(written)
    return texts


def _tcp_texts(tcp: Tcp, auto: AutoBuffer) -> dict[str, str]:
    texts = _texts(with_presets(tcp))
    for name in texts:
        if not uses(tcp.flavor, name):
            texts[name] = "not used"
        elif name in OPTIONS and is_preset(tcp, name):
            texts[name] += " (preset)"
    if tcp.window_scale == AUTO:
        texts["window_scale"] = f"{window_scale(tcp, auto)} (auto)"
    if tcp.receive_buffer is None:
        sizes = (show(auto.initial, SIZE), show(auto.most, SIZE))
        texts["receive_buffer"] = f"{' to '.join(dict.fromkeys(sizes))} (auto)"
    return texts
