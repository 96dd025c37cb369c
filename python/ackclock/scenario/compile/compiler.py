"""A settled scenario becomes a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

from ackclock.scenario.compile.atm.capacity import capacity_of_cells
from ackclock.scenario.compile.atm.checks import network_problems, structure_problems
from ackclock.scenario.compile.atm.dumbbell import (
    LINK_NAMES,
    atm_problems,
    cell_link_plans,
    payload_capacity,
)
from ackclock.scenario.compile.atm.gfr import vc_mcrs
from ackclock.scenario.compile.atm.network import CellNetwork, cell_network
from ackclock.scenario.compile.atm.plan import atm_plan
from ackclock.scenario.compile.facts import (
    Compiled,
    Facts,
    Playback,
    flows_with_delays,
)
from ackclock.scenario.compile.graph import graph, graph_problems, path_problems
from ackclock.scenario.compile.groups import Group, are_too_many, group_problems, groups
from ackclock.scenario.compile.idle_paths import idle_paths
from ackclock.scenario.compile.members import Joined, Same
from ackclock.scenario.compile.network import (
    PS_PER_S,
    InTurn,
    Network,
    link_plans,
    queue_problems,
)
from ackclock.scenario.compile.numbered_parts import Distinct
from ackclock.scenario.compile.packet_sizes import counted_share
from ackclock.scenario.compile.probes import probe_problems, probes_plan, recorded_links
from ackclock.scenario.compile.receive_buffers import (
    AutoBuffer,
    auto_buffer,
    longest_of_cells,
    longest_of_dumbbell,
    longest_of_packets,
)
from ackclock.scenario.compile.router_row import row, row_problems
from ackclock.scenario.compile.tcp import tcp_plan, tcp_problems
from ackclock.scenario.compile.workload_checks import workload_problems
from ackclock.scenario.compile.workloads import workload_plan
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.topology import (
    AtmClients,
    AtmDumbbell,
    AtmNetwork,
    Dumbbell,
    Graph,
    ParkingLot,
    has_sources,
)
from ackclock.scenario.model.workload import Bulk, Video
from ackclock.scenario.plan import SCHEMA
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import TIME, show

T = TypeVar("T")


class ConflictError(Exception):
    """What does not agree in a scenario.

    Attributes:
        problems: each with the key that is to be changed.
    """

    def __init__(self, problems: list[Problem]) -> None:
        """Hold the problems."""
        super().__init__(problems)
        self.problems = problems


class _Parts(NamedTuple):
    """What a plan is made of, and what does not agree in it.

    Attributes:
        found: the groups of flows.
        network: of packets; none of cells, or if its structure has conflicts.
        cells: an ATM network other than an atm_dumbbell; none if its structure has conflicts.
        problems: each with the key that is to be changed.
    """

    found: list[Group]
    network: Network | None
    cells: CellNetwork | None
    problems: list[Problem]


def compile_scenario(scenario: Scenario) -> Compiled:
    """The plan of the runs of a settled scenario.

    Raises:
        ConflictError: values that are right by themselves do not agree.
    """
    parts = _parts(scenario)
    if parts.problems:
        raise ConflictError(parts.problems)
    return _compiled(scenario, parts)


def conflicts(scenario: Scenario) -> list[Problem]:
    """What does not agree in a settled scenario, for which there is no plan then."""
    return _parts(scenario).problems


def _parts(scenario: Scenario) -> _Parts:
    found = groups(scenario)
    problems = [*_own_problems(scenario), *group_problems(scenario, found)]
    if are_too_many(found):
        return _Parts([], None, None, problems)
    problems += tcp_problems(found, scenario.clock.tick)
    problems += workload_problems(found, scenario.duration)
    topology = scenario.topology
    network, cells = None, None
    if isinstance(topology, AtmDumbbell):
        problems += atm_problems(topology, found)
    elif isinstance(topology, AtmClients | AtmNetwork):
        structure = structure_problems(topology, found, scenario.duration)
        problems += structure
        if not structure and (found or has_sources(topology)):
            cells = cell_network(topology, found)
            problems += network_problems(cells)
    else:
        structure = _structure_problems(topology, found)
        problems += structure
        if not structure and found:
            network = network_of(topology, found)
            broken = list(path_problems(network))
            problems += broken or queue_problems(network)
    problems += probe_problems(scenario, found, network, cells)
    return _Parts(found, network, cells, problems)


def network_of(topology: Dumbbell | ParkingLot | Graph, found: list[Group]) -> Network:
    """Nodes, links and flows of packets of a topology without conflicts in its structure."""
    return graph(topology, found) if isinstance(topology, Graph) else row(topology, found)


def _structure_problems(
    topology: Dumbbell | ParkingLot | Graph, found: list[Group]
) -> list[Problem]:
    if isinstance(topology, Graph):
        return list(graph_problems(topology, found))
    return row_problems(topology, found)


def _own_problems(scenario: Scenario) -> Iterator[Problem]:
    if scenario.warm_up >= scenario.duration:
        yield Problem(
            ("warm_up",),
            f'leaves nothing of duration = "{show(scenario.duration, TIME)}"; '
            'write for example "0 s"',
        )
    if scenario.precision is not None:
        if scenario.replications is not None:
            yield Problem(
                ("replications",),
                "[precision] sets the number of replications; remove one of the two",
            )
        low, high = scenario.precision.minimum, scenario.precision.maximum
        if low > high:
            yield Problem(
                ("precision", "minimum"),
                f"is above precision.maximum = {high}; write {high} or less",
            )


def _compiled(scenario: Scenario, parts: _Parts) -> Compiled:
    found = parts.found
    tcps, workloads = Distinct(), Distinct()
    auto = _auto_buffer(scenario, parts)
    settings = [
        {
            "sender_tcp": tcps.number(tcp_plan(group.sender_tcp, auto)),
            "receiver_tcp": tcps.number(tcp_plan(group.receiver_tcp, auto)),
            "workload": workloads.number(workload_plan(group.workload, group.count)),
            "foreground": group.written.foreground,
            **({"dscp": group.written.dscp} if group.written.dscp else {}),
        }
        for group in found
    ]
    wiring = _wiring(scenario, parts)
    flows = [
        {
            **({"count": group.count} if group.count > 1 else {}),
            "sender": sender.plan(),
            "receiver": receiver.plan(),
            **each,
        }
        for group, (sender, receiver), each in zip(found, wiring.ends, settings, strict=True)
    ]
    plan = {
        "schema": SCHEMA,
        "duration_ps": scenario.duration,
        "warm_up_ps": scenario.warm_up,
        "nodes": wiring.nodes,
        "links": wiring.links,
        "clock": {"tick_ps": scenario.clock.tick, "phase": _phase(scenario)},
        "tcps": tcps.values,
        "workloads": workloads.values,
        "flows": flows,
        "probes": probes_plan(scenario.probes, found, wiring.link_names, wiring.bottleneck),
    }
    if measured := _measured_links(scenario, wiring):
        plan["queue_delays_of"] = measured
    facts = _facts(scenario, parts, wiring)
    if scenario.queue_delays and (measured_flows := flows_with_delays(facts.foreground)):
        plan["delays_of_flows"] = measured_flows
    return Compiled(plan, facts)


def buffer_of(scenario: Scenario) -> AutoBuffer:
    """The receive buffer that "auto" stands for in a settled scenario without conflicts."""
    return _auto_buffer(scenario, _parts(scenario))


def _auto_buffer(scenario: Scenario, parts: _Parts) -> AutoBuffer:
    if parts.network is not None:
        longest = longest_of_packets(parts.network)
    elif parts.cells is not None:
        longest = longest_of_cells(parts.cells)
    else:
        assert isinstance(scenario.topology, AtmDumbbell)
        longest = longest_of_dumbbell(scenario.topology)
    return auto_buffer(parts.found, longest)


def _measured_links(scenario: Scenario, wiring: _Wiring) -> list[int]:
    """Numbers of the links whose waiting times are measured: the bottleneck, and those recorded."""
    if not scenario.queue_delays:
        return []
    wanted = recorded_links(scenario.probes, wiring.link_names)
    if wiring.bottleneck is not None:
        wanted.add(wiring.bottleneck)
    return sorted(number for number in wanted if _has_queue(wiring.links, number))


def _has_queue(links: list[dict[str, Any]], number: int) -> bool:
    """Whether a link has one; of an ATM network, a line that a switch port feeds."""
    return links[0]["kind"] != "atm" or links[0]["lines"][number]["port"] is not None


class _Wiring(NamedTuple):
    """How the hosts are joined.

    Attributes:
        nodes: how many there are.
        links: as the core reads them.
        ends: of each group of flows, the nodes of its senders and its receivers.
        link_names: as in ``Facts``, like those that follow.
        bottleneck: ``Facts.bottleneck_link``.
        reverse: ``Facts.reverse_link``.
        capacity: ``Facts.payload_capacity_bit_s``.
        vc_names: as in ``Facts``.
    """

    nodes: int
    links: list[dict[str, Any]]
    ends: list[tuple[InTurn, InTurn]]
    link_names: Sequence[str]
    bottleneck: int | None
    reverse: int | None
    capacity: float
    vc_names: tuple[str, ...] = ()


def _wiring(scenario: Scenario, parts: _Parts) -> _Wiring:
    if parts.network is not None:
        measured = (scenario.warm_up, scenario.duration)
        return _packet_wiring(parts.network, parts.found, measured)
    if parts.cells is not None:
        return _cell_wiring(scenario, parts.cells)
    assert isinstance(scenario.topology, AtmDumbbell)
    return _dumbbell_wiring(scenario.topology, parts.found)


def _packet_wiring(network: Network, found: list[Group], measured: tuple[int, int]) -> _Wiring:
    """The hosts of a network of packets, measured from one time to another, ps."""
    capacity = float("nan")
    if network.shared and network.bottleneck is not None:
        line = network.lines[network.bottleneck]
        begins, until = measured
        rate = line.rate if line.change is None else line.change.mean_rate(line.rate, until, begins)
        capacity = float(rate * counted_share(found))
    return _Wiring(
        len(network.nodes),
        link_plans(network),
        [(its.sender, its.receiver) for its in network.groups],
        network.line_names(),
        network.bottleneck,
        network.reverse,
        capacity,
    )


def _cell_wiring(scenario: Scenario, cells: CellNetwork) -> _Wiring:
    """Lines stand where links stand in others: there is one link, the network."""
    network = cells.network
    measured = (scenario.warm_up, scenario.duration)
    return _Wiring(
        cells.hosts,
        [atm_plan(cells)],
        [(its.sender, its.receiver) for its in network.groups],
        network.line_names(),
        network.bottleneck,
        network.reverse,
        capacity_of_cells(cells, measured),
        tuple(vc.name for vc in cells.vcs),
    )


def _dumbbell_wiring(topology: AtmDumbbell, found: list[Group]) -> _Wiring:
    hosts = sum(group.count for group in found)
    begins = accumulate((group.count for group in found), initial=0)
    ends = []
    for group, begin in zip(found, begins, strict=False):
        client, server = (InTurn(first + begin, group.count) for first in (0, hosts))
        ends.append((client, server) if group.written.reverse else (server, client))
    directions = {group.written.reverse for group in found}
    capacity = payload_capacity(topology, found) if len(directions) == 1 else float("nan")
    lines = (1, 0) if directions == {True} else (0, 1)
    return _Wiring(2 * hosts, cell_link_plans(topology, hosts), ends, LINK_NAMES, *lines, capacity)


def _phase(scenario: Scenario) -> dict[str, Any]:
    phase = scenario.clock.phase
    if phase.kind == "open":
        return {"kind": "open"}
    return {"kind": "uniform", "spread_ps": phase.spread_ps}


def _facts(scenario: Scenario, parts: _Parts, wiring: _Wiring) -> Facts:
    return Facts(
        duration_s=(scenario.duration - scenario.warm_up) / PS_PER_S,
        flow_names=Joined(group.names for group in parts.found),
        flow_groups=_of_groups(parts, lambda group: group.written.name),
        flow_workloads=_of_groups(parts, lambda group: group.workload.kind),
        bottleneck_link=wiring.bottleneck,
        payload_capacity_bit_s=wiring.capacity,
        link_names=wiring.link_names,
        reverse_link=wiring.reverse,
        foreground=_of_groups(parts, lambda group: group.written.foreground),
        vc_names=wiring.vc_names,
        vc_mcr_bit_s=() if parts.cells is None else vc_mcrs(parts.cells),
        idle_paths={} if parts.network is None else idle_paths(parts.network),
        bulk_bytes={
            group.written.name: int(group.workload.size)
            for group in parts.found
            if isinstance(group.workload, Bulk) and group.workload.size
        },
        playbacks={
            group.written.name: _playback(group.workload)
            for group in parts.found
            if isinstance(group.workload, Video)
        },
        warm_up_s=scenario.warm_up / PS_PER_S,
    )


def _of_groups(parts: _Parts, of: Callable[[Group], T]) -> Sequence[T]:
    """What the flows of each group have in common, of each flow."""
    return Joined(Same([of(group)], group.count) for group in parts.found)


def _playback(workload: Video) -> Playback:
    return Playback(
        workload.chunk / PS_PER_S,
        workload.start_up / PS_PER_S,
        tuple(workload.ladder),
    )
