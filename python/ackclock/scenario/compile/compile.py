"""A settled scenario becomes a plan."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from ackclock.scenario.compile.atm import (
    LINK_NAMES,
    atm_problems,
    cell_link_plans,
    payload_capacity,
)
from ackclock.scenario.compile.facts import Compiled, Facts
from ackclock.scenario.compile.graph import graph, graph_problems, path_problems
from ackclock.scenario.compile.groups import Group, group_problems, groups
from ackclock.scenario.compile.network import (
    PS_PER_S,
    Network,
    link_plans,
    queue_problems,
)
from ackclock.scenario.compile.packets import counted_share
from ackclock.scenario.compile.probes import probe_problems, probes_plan
from ackclock.scenario.compile.row import row, row_problems
from ackclock.scenario.compile.tcp import tcp_plan, tcp_problems
from ackclock.scenario.compile.workloads import workload_plan, workload_problems
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.topology import AtmDumbbell, Graph
from ackclock.scenario.plan import SCHEMA
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import TIME, show


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
        names: of the flows.
        network: of packets; none for cells, or if its structure has conflicts.
        problems: each with the key that is to be changed.
    """

    found: list[Group]
    names: list[str]
    network: Network | None
    problems: list[Problem]


def compile_scenario(scenario: Scenario) -> Compiled:
    """The plan of the runs of a settled scenario.

    Raises:
        ConflictError: values that are right by themselves do not agree.
    """
    parts = _parts(scenario)
    if parts.problems:
        raise ConflictError(parts.problems)
    return _compiled(scenario, parts.found, parts.names, parts.network)


def conflicts(scenario: Scenario) -> list[Problem]:
    """What does not agree in a settled scenario, for which there is no plan then."""
    return _parts(scenario).problems


def _parts(scenario: Scenario) -> _Parts:
    found = groups(scenario)
    problems = [*_own_problems(scenario), *group_problems(scenario, found)]
    problems += tcp_problems(found, scenario.clock.tick)
    problems += workload_problems(found, scenario.duration)
    topology = scenario.topology
    network = None
    if isinstance(topology, AtmDumbbell):
        problems += atm_problems(topology, found)
    else:
        structure = _structure_problems(scenario, found)
        problems += structure
        if not structure and found:
            network = network_of(scenario, found)
            broken = list(path_problems(network))
            problems += broken or queue_problems(network)
    names = [name for group in found for name in group.names]
    problems += probe_problems(scenario, found)
    return _Parts(found, names, network, problems)


def network_of(scenario: Scenario, found: list[Group]) -> Network:
    """Nodes, links and flows of packets of a scenario without conflicts in its structure."""
    topology = scenario.topology
    assert not isinstance(topology, AtmDumbbell)
    return graph(topology, found) if isinstance(topology, Graph) else row(topology, found)


def _structure_problems(scenario: Scenario, found: list[Group]) -> list[Problem]:
    topology = scenario.topology
    assert not isinstance(topology, AtmDumbbell)
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
                "[precision] says how often a point is run; remove one of the two",
            )
        low, high = scenario.precision.minimum, scenario.precision.maximum
        if low > high:
            yield Problem(
                ("precision", "minimum"),
                f"is above precision.maximum = {high}; write {high} or less",
            )


def _compiled(
    scenario: Scenario, found: list[Group], names: list[str], network: Network | None
) -> Compiled:
    tcps, workloads = _Distinct(), _Distinct()
    settings = [
        {
            "sender_tcp": tcps.number(tcp_plan(group.sender_tcp)),
            "receiver_tcp": tcps.number(tcp_plan(group.receiver_tcp)),
            "workload": workloads.number(workload_plan(group.workload)),
            "foreground": group.written.foreground,
        }
        for group in found
    ]
    of_flow = [each for each, group in zip(settings, found, strict=True) for _ in group.names]
    nodes, links, ends = _wiring(scenario, found, network)
    flows = [
        {"sender": sender, "receiver": receiver, **each}
        for (sender, receiver), each in zip(ends, of_flow, strict=True)
    ]
    plan = {
        "schema": SCHEMA,
        "duration_ps": scenario.duration,
        "warm_up_ps": scenario.warm_up,
        "nodes": nodes,
        "links": links,
        "clock": {"tick_ps": scenario.clock.tick, "phase": _phase(scenario)},
        "tcps": tcps.values,
        "workloads": workloads.values,
        "flows": flows,
        "probes": probes_plan(scenario.probes, found),
    }
    return Compiled(plan, _facts(scenario, found, names, network))


class _Distinct:
    """Values in the order of their first use, each once."""

    def __init__(self) -> None:
        self.values: list[dict[str, Any]] = []
        self._numbers: dict[str, int] = {}

    def number(self, value: dict[str, Any]) -> int:
        key = json.dumps(value, sort_keys=True)
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
        return self._numbers[key]


def _wiring(
    scenario: Scenario, found: list[Group], network: Network | None
) -> tuple[int, list[dict[str, Any]], list[tuple[int, int]]]:
    """How many nodes there are, the links, and each flow's sender and receiver."""
    if network is not None:
        ends = [(flow.sender, flow.receiver) for flow in network.flows]
        return len(network.nodes), link_plans(network), ends
    assert isinstance(scenario.topology, AtmDumbbell)
    reversed_ = [group.written.reverse for group in found for _ in group.names]
    hosts = len(reversed_)
    ends = [(at, hosts + at) if back else (hosts + at, at) for at, back in enumerate(reversed_)]
    return 2 * hosts, cell_link_plans(scenario.topology, hosts), ends


def _phase(scenario: Scenario) -> dict[str, Any]:
    phase = scenario.clock.phase
    if phase.kind == "open":
        return {"kind": "open"}
    return {"kind": "uniform", "spread_ps": phase.spread_ps}


def _facts(
    scenario: Scenario, found: list[Group], names: list[str], network: Network | None
) -> Facts:
    bottleneck: int | None = 0
    reverse: int | None = 1
    capacity = float("nan")
    link_names: tuple[str, ...] = LINK_NAMES
    if network is not None:
        bottleneck, reverse = network.bottleneck, network.reverse
        link_names = tuple(network.line_names())
        if network.shared and bottleneck is not None:
            rate = network.lines[bottleneck].rate
            capacity = float(rate * counted_share(found))
    elif isinstance(scenario.topology, AtmDumbbell):
        directions = {group.written.reverse for group in found}
        if directions == {True}:
            bottleneck, reverse = 1, 0
        if len(directions) == 1:
            capacity = payload_capacity(scenario.topology, found)
    return Facts(
        duration_s=(scenario.duration - scenario.warm_up) / PS_PER_S,
        flow_names=tuple(names),
        flow_groups=tuple(group.written.name for group in found for _ in group.names),
        flow_workloads=tuple(group.workload.kind for group in found for _ in group.names),
        bottleneck_link=bottleneck,
        payload_capacity_bit_s=capacity,
        link_names=link_names,
        reverse_link=reverse,
        foreground=tuple(group.written.foreground for group in found for _ in group.names),
    )
