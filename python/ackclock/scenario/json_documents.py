"""Scenarios as documents for programs: what ``check`` and ``explain`` print with ``--json``.

A quantity is a number in s, bit/s or bytes, and the name of its key ends in the unit, as columns of
results do: ``delay_s``. Words and lists are as in the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ackclock.errors import PlacedMessage
from ackclock.scenario.compile.atm import dumbbell
from ackclock.scenario.compile.atm.network import cell_network
from ackclock.scenario.compile.compiler import buffer_of, network_of
from ackclock.scenario.compile.groups import Group, groups
from ackclock.scenario.compile.network import (
    PS_PER_S,
    Crossing,
    Line,
    Network,
    bandwidth_delay_bytes,
    limits,
    queue_parameters,
)
from ackclock.scenario.compile.receive_buffers import AutoBuffer
from ackclock.scenario.compile.tcp import window_scale
from ackclock.scenario.evaluation import VARIABLES
from ackclock.scenario.model.base import Table, keys
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.tcp import Tcp
from ackclock.scenario.model.topology import AtmClients, AtmDumbbell, AtmNetwork
from ackclock.scenario.points import Point
from ackclock.scenario.presets import OPTIONS, is_preset, uses, with_presets
from ackclock.scenario.randomness import replications_note
from ackclock.scenario.summary import arrival_notes, extent
from ackclock.scenario.summary_of_probes import probe_documents, probe_rows
from ackclock.scenario.sweep.columns import of_variable
from ackclock.scenario.values.quantities import AUTO

_APART = ("sweep", "figures", "files", "tcp", "workload", "flows")
"""Keys that are not of a point, or whose value each group of flows describes for itself."""
_LINE = re.compile(r"\A:(\d+): |\(at line (\d+), column \d+\)")
_SET = re.compile(r"\A--set ([^=]*[^= ]) *=")


def checked_document(file: str, scenario: Scenario) -> dict[str, Any]:
    """What ``check`` reports about a valid file."""
    notes = [*arrival_notes(scenario), *filter(None, [replications_note(scenario)])]
    probes = probe_documents(probe_rows(scenario.points()))
    return {"file": file, "ok": True, **_extent(scenario), "probes": probes, "notes": notes}


def problems_document(file: str, messages: Sequence[str]) -> dict[str, Any]:
    """What is wrong with a file."""
    return {"file": file, "ok": False, "problems": [_problem(file, each) for each in messages]}


def _problem(file: str, message: str) -> dict[str, Any]:
    line, key = None, None
    if isinstance(message, PlacedMessage):
        line, key = message.line, message.key or None
    elif found := _LINE.search(message.removeprefix(file)):
        # The file is no TOML, so that it has no keys.
        line = int(found[1] or found[2])
    elif found := _SET.search(message):
        key = found[1]
    return {"file": file, "line": line, "key": key, "message": str(message)}


def point_document(scenario: Scenario, point: Point) -> dict[str, Any]:
    """What ``explain`` reports about a scenario and one of its points."""
    its, auto = point.scenario, buffer_of(point.scenario)
    return {
        "title": scenario.title,
        "description": scenario.description,
        "seed": scenario.seed,
        **_extent(scenario),
        "point": {
            "number": point.number,
            "levels": point.levels,
            "links": list(_links(its)),
            "flows": list(_flows(its)),
            "tcps": list(_tcps(its, auto)),
            "probes": probe_documents(probe_rows([point])),
            "expressions": [
                {"key": key, "expression": text, "value": computed.value}
                for key, text, computed in point.computed()
            ],
            "settings": _in_si(its),
        },
        "points": [{"number": each.number, "levels": each.levels} for each in scenario.points()],
    }


def _extent(scenario: Scenario) -> dict[str, Any]:
    its = extent(scenario)
    return {
        "number_of_points": its.points,
        "replications": _span(its.replications),
        "runs": _span(its.runs),
        "simulated_s": _span([ps / PS_PER_S for ps in its.simulated_ps]),
    }


def _span(ends: Sequence[float]) -> dict[str, float]:
    return {"minimum": ends[0], "maximum": ends[1]}


def _in_si(table: Table) -> dict[str, Any]:
    """All keys of a table, with what holds if nothing is written."""
    found: dict[str, Any] = {}
    for name, key in keys(type(table)).items():
        value = getattr(table, key.attribute)
        if isinstance(table, Scenario) and name in _APART:
            continue
        if isinstance(value, Table):
            found[name] = _in_si(value)
        elif key.many and key.tables:
            found[name] = [_in_si(each) for each in value or ()]
        elif name == VARIABLES:
            found[name] = dict(_variable(*each) for each in value.items())
        elif key.kind is None or not key.is_value(value):
            found[name] = None
        elif (unit := key.kind.unit(value)) is None:
            found[name] = key.kind.write(value)
        else:
            found[_with_unit(name, unit)] = key.kind.number(value)
    return found


def _variable(name: str, raw: Any) -> tuple[str, Any]:
    number, unit, text = of_variable(raw)
    return (name, text) if unit is None else (_with_unit(name, unit), number)


def _with_unit(name: str, unit: str) -> str:
    return f"{name}_{unit}" if unit else name


def _links(scenario: Scenario) -> Iterator[dict[str, Any]]:
    """The links, those that are alike together."""
    topology = scenario.topology
    if isinstance(topology, AtmDumbbell):
        for name, link in (("host - switch", topology.access), ("trunk", topology.trunk)):
            yield {"name": name, "rate_bit_s": link.rate, "delay_s": _s(link.delay)}
        return
    network = _network(scenario)
    first: dict[tuple[Any, ...], tuple[str, Line, Crossing | None]] = {}
    links: Counter[tuple[Any, ...]] = Counter()
    by_cells = isinstance(topology, AtmClients | AtmNetwork)
    names = network.line_names()
    for number, line, times in network.lines.distinct():
        crossing = None if by_cells else network.crossings[number]
        its = (line.rate, line.delay, line.spread, line.path, line.impairments, crossing)
        alike = (*its, line.change and line.change._replace(number=0))
        first.setdefault(alike, (names[number], line, crossing))
        links[alike] += times
    for alike, (name, line, crossing) in first.items():
        yield {
            "name": name,
            "links_like_it": links[alike],
            "rate_bit_s": line.rate,
            "delay_s": _s(line.delay),
            "delay_spread_s": _s(line.spread),
            "flows": None if crossing is None else crossing.flows,
            "queue": None if crossing is None else _queue(line, crossing),
            "impairments": [_in_si(each) for each in line.impairments],
            **_change(line, scenario.duration),
        }


def _change(line: Line, until: int) -> dict[str, Any]:
    """What a link does over time, under the keys of the scenario."""
    change = line.change or None
    schedule = change.schedule if change and change.varies is None else ()
    steps = (_in_si(each).items() for each in schedule)
    return {
        "schedule": [{key: value for key, value in its if value is not None} for its in steps],
        "schedule_period_s": _s(change.period) if change and schedule and change.period else None,
        "varies": _in_si(change.varies) if change and change.varies else None,
        "mean_rate_bit_s": float(change.mean_rate(line.rate, until)) if change else line.rate,
    }


def _queue(line: Line, crossing: Crossing) -> dict[str, Any] | None:
    """How much may wait; none if the queue is never full or nothing goes through it."""
    if line.queue is None or not crossing.flows:
        return None
    packets, size = limits(line, crossing)
    its: dict[str, Any] = {"kind": line.queue.kind, "limit_packets": packets, "limit_bytes": size}
    values = queue_parameters(line, crossing)
    for each in line.queue.discipline.parameters:
        value = values[each.name]
        unit = each.kind.unit(value)
        if unit is None:
            its[each.name] = each.kind.write(value)
        else:
            its[_with_unit(each.name, unit)] = each.kind.number(value)
    return its


def _flows(scenario: Scenario) -> Iterator[dict[str, Any]]:
    """The groups of flows; the path of each is that of its first flow."""
    ways = {}
    if not isinstance(scenario.topology, AtmDumbbell):
        network = _network(scenario)
        ways = {its.group.written.name: its[0] for its in network.groups}
    for group in groups(scenario):
        its = {
            "name": group.written.name,
            "flows": group.written.count,
            "foreground": group.written.foreground,
            "dscp": group.written.dscp,
            "workload": _in_si(group.workload),
            "impairments": [_in_si(each) for each in group.written.impairments],
            "reverse_impairments": [_in_si(each) for each in group.written.reverse_impairments],
            "flavor": group.sender_tcp.flavor if group.is_tcp else None,
        }
        if isinstance(scenario.topology, AtmDumbbell):
            yield its | _path(scenario.topology.trunk.rate, dumbbell.base_rtt(scenario.topology))
            continue
        flow = ways[group.written.name]
        narrowest = min(network.lines[number].rate for number in flow.way)
        yield {
            **its,
            "from": network.nodes[flow.sender],
            "to": network.nodes[flow.receiver],
            "by_way_of": [network.nodes[network.lines[number].end] for number in flow.way[:-1]],
            **_path(narrowest, network.base_rtt(flow), network.rtt_spread(flow)),
        }


def _path(rate: int, rtt: int, spread: int = 0) -> dict[str, Any]:
    return {
        "base_rtt_s": _s(rtt),
        "base_rtt_spread_s": _s(spread),
        "narrowest_rate_bit_s": rate,
        "bandwidth_delay_bytes": bandwidth_delay_bytes(rate, rtt),
    }


def _tcps(scenario: Scenario, auto: AutoBuffer) -> Iterator[dict[str, Any]]:
    """The different TCPs, and whose they are."""
    users: dict[Tcp, list[dict[str, str]]] = {}
    for group in groups(scenario):
        for end, tcp in _ends(group):
            users.setdefault(tcp, []).append({"flows": group.written.name, "end": end})
    for tcp, ends in users.items():
        settings = _in_si(with_presets(tcp))
        if tcp.window_scale == AUTO:
            settings["window_scale"] = window_scale(tcp, auto)
        if tcp.receive_buffer is None:
            settings |= {
                "receive_buffer_initial_bytes": auto.initial,
                "receive_buffer_most_bytes": auto.most,
            }
        yield {
            "of": ends,
            "settings": settings,
            "presets": [name for name in OPTIONS if is_preset(tcp, name)],
            "not_used": [name for name in OPTIONS if not uses(tcp.flavor, name)],
        }


def _ends(group: Group) -> Iterator[tuple[str, Tcp]]:
    if group.is_tcp:
        yield "sender", group.sender_tcp
        yield "receiver", group.receiver_tcp


def _network(scenario: Scenario) -> Network:
    topology, found = scenario.topology, groups(scenario)
    if isinstance(topology, AtmClients | AtmNetwork):
        return cell_network(topology, found).network
    assert not isinstance(topology, AtmDumbbell)
    return network_of(topology, found)


def _s(ps: int) -> float:
    return ps / PS_PER_S
