"""The plan of a run with the probes that a picture needs.

Probes do not change results, so the numbers equal those of ``ackclock run``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from ackclock.code_permission import check_code
from ackclock.errors import InputError
from ackclock.lab.runs.picture_request import PictureRequest
from ackclock.lab.settings import MOST_ROWS
from ackclock.lab.states.cost import JOB, REFUSED, Cost, cost_of
from ackclock.lab.states.path import flavor_of
from ackclock.lab.states.state import State
from ackclock.plurals import counted
from ackclock.scenario import Facts, Scenario
from ackclock.scenario.compile.compiler import ConflictError, compile_scenario
from ackclock.scenario.compile.groups import Group, groups
from ackclock.scenario.compile.network import NEVER_FULL, PS_PER_S
from ackclock.scenario.compile.probes import probes_plan
from ackclock.scenario.loading import OnePoint
from ackclock.scenario.model.probes import OFF, Probes
from ackclock.scenario.model.topology import AtmClients, AtmDumbbell, AtmNetwork
from ackclock.scenario.plan import canonical_json, written_link
from ackclock.scenario.units import TIME
from ackclock.scenario.units import show as show_quantity
from ackclock.suggestions import nearest, there_are

_DRAWN = 4
"""Number of flows that are drawn by default."""
_BINS = 1000
"""Smallest number of bins of a queue in a window; the largest is ten times this."""
_OF_GOODPUT = 10
"""Number of bins of a queue in a bin of goodput."""
_LEAST_BIN = 10**6
_BY_CELLS = (AtmDumbbell, AtmClients, AtmNetwork)
_MOST_THINGS = 16
"""Largest number of names of a list in a sentence."""


@dataclass(frozen=True)
class Recording:
    """A run to make, and the content of its picture.

    Attributes:
        plan: text of the plan.
        seed: seed of the run.
        scenario: scenario at the point, with these probes.
        facts: facts of the plan.
        wanted: requested content of the picture.
        flows: numbers of the drawn flows.
        groups: groups of these flows.
        link: number of the link with the drawn queue; none without one.
        limit: limit of that queue, packets; none without a limit in packets.
        rate: rate of that link, bit/s.
        notes: notes on data that are not drawn, with reasons.
        cost: cost of the run.
        drawn_until_s: end of the picture without a window, s; none for the whole run.
    """

    plan: str
    seed: int
    scenario: Scenario
    facts: Facts
    wanted: PictureRequest
    flows: tuple[int, ...]
    groups: tuple[Group, ...]
    link: int | None
    limit: float | None
    rate: int | None
    notes: tuple[str, ...]
    cost: Cost
    drawn_until_s: float | None = None

    @property
    def duration_s(self) -> float:
        """The duration of the run, s."""
        return self.scenario.duration / PS_PER_S

    @property
    def queue_unit(self) -> str:
        """The unit of queues."""
        return "cells" if self.scenario.topology.kind.startswith("atm_") else "packets"

    @property
    def window(self) -> tuple[float, float]:
        """Start and end of the picture, s."""
        begin, end = self.wanted.window or (0.0, self.drawn_until_s or self.duration_s)
        return min(begin, self.duration_s * 0.999), min(end, self.duration_s)


def recording(
    one: OnePoint,
    state: State,
    wanted: PictureRequest,
    probes: Mapping[str, Any] | None = None,
    until_s: float = inf,
) -> Recording:
    """Return the run of a state with probes.

    Args:
        one: point of the state.
        state: state of the lab.
        wanted: requested content of the picture.
        probes: values of [probes] by key; by default those that the picture needs.
        until_s: end of the simulation, s.

    Raises:
        InputError: the run is too large, or has no such flow or link.
    """
    cost = cost_of(one.scenario, until_s)
    if cost.verdict in (JOB, REFUSED):
        raise InputError(cost.sentence)
    scenario = _with(one.scenario, Probes.model_validate(probes or {}))
    try:
        compiled = compile_scenario(scenario)
    except ConflictError as error:
        raise InputError([each.reason for each in error.problems]) from None
    facts, found = compiled.facts, groups(scenario)
    by_flow = [group for group in found for _ in group.names]
    missing: list[str] = []
    if probes is None:
        wanted, missing = _there(wanted, facts)
    flows, notes = drawn_flows(wanted, facts)
    notes += missing
    link = link_of(wanted, facts)
    plan = compiled.plan
    if probes is None:
        scenario = _with(
            scenario, _probes(scenario, facts, wanted, flows, by_flow, link, cost, notes)
        )
        # Compiled separately: the probes depend on the facts of the plan.
        its = probes_plan(scenario.probes, found, facts.link_names, facts.bottleneck_link)
        plan = {**plan, "probes": its}
    seed = state.seed(scenario)
    return of_plan(plan, seed, scenario, facts, wanted, flows, link, notes, cost)


def of_plan(
    plan: Mapping[str, Any],
    seed: int,
    scenario: Scenario,
    facts: Facts,
    wanted: PictureRequest,
    flows: Sequence[int],
    link: int | None,
    notes: Sequence[str],
    cost: Cost,
) -> Recording:
    """Return the run of a plan, with attributes derived from its flows and its link."""
    by_flow = [group for group in groups(scenario) for _ in group.names]
    limit, rate = queue_of(plan, link)
    return Recording(
        plan=_allowed(canonical_json(plan)),
        seed=seed,
        scenario=scenario,
        facts=facts,
        wanted=wanted,
        flows=tuple(flows),
        groups=tuple(by_flow[number] for number in flows),
        link=link,
        limit=limit,
        rate=rate,
        notes=tuple(notes),
        cost=cost,
    )


def _with(scenario: Scenario, probes: Probes) -> Scenario:
    return scenario.model_copy(update={"probes": probes})


def described_flows(recording: Recording, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Return the description of flows for a head."""
    facts = recording.facts
    by_name = {group.written.name: group for group in groups(recording.scenario)}
    return [
        {
            "number": number,
            "name": facts.flow_names[number],
            "group": facts.flow_groups[number],
            "flavor": flavor_of(by_name[facts.flow_groups[number]]),
        }
        for number in numbers
    ]


def _there(wanted: PictureRequest, facts: Facts) -> tuple[PictureRequest, list[str]]:
    """Return the available content of a picture at this point, and notes on the rest.

    A page keeps its selection at a point with fewer flows or another network.
    """
    flows, notes = wanted.flows, []
    if flows is not None:
        gone = [name for name in flows if name not in facts.flow_names]
        notes += [_no_such("flow", name, facts.flow_names) for name in gone[:1]]
        flows = tuple(name for name in flows if name not in gone) or None
    link = wanted.link
    if link is not None and link not in facts.link_names:
        notes.append(_no_such("link", link, facts.link_names))
        link = None
    return replace(wanted, flows=flows, link=link), notes


def drawn_flows(wanted: PictureRequest, facts: Facts) -> tuple[list[int], list[str]]:
    """Return the numbers of the drawn flows, and notes on the others.

    Raises:
        InputError: there is no flow with a name.
    """
    names = facts.flow_names
    if wanted.flows is None:
        flows = list(range(min(_DRAWN, len(names))))
        more = f"{len(flows)} of {counted(len(names), 'flow')} are drawn"
        return flows, [more] if len(names) > len(flows) else []
    numbers = {name: number for number, name in enumerate(names)}
    missing = [name for name in wanted.flows if name not in numbers]
    if missing:
        raise InputError(_no_such("flow", missing[0], names))
    return sorted({numbers[name] for name in wanted.flows}), []


def link_of(wanted: PictureRequest, facts: Facts) -> int | None:
    """Return the number of the link with the drawn queue; none without one.

    Raises:
        InputError: there is no link with the name.
    """
    names = facts.link_names
    if wanted.link is None:
        return facts.bottleneck_link if facts.bottleneck_link is not None else 0 if names else None
    if wanted.link not in names:
        raise InputError(_no_such("link", wanted.link, names))
    return names.index(wanted.link)


def _no_such(what: str, name: str, names: tuple[str, ...]) -> str:
    close = nearest(name, names)
    meant = f'did you mean "{close}"?' if close else there_are(names[:_MOST_THINGS])
    return f'there is no {what} "{name[:100]}"; {meant}'


def _probes(
    scenario: Scenario,
    facts: Facts,
    wanted: PictureRequest,
    flows: list[int],
    by_flow: list[Group],
    link: int | None,
    cost: Cost,
    notes: list[str],
) -> Probes:
    """Return the probes for a picture; add notes on data that do not fit."""
    show = set(wanted.show)
    tcp = tuple(facts.flow_names[number] for number in flows if by_flow[number].is_tcp)
    bin_ps = _bin(scenario, wanted)
    probes: dict[str, Any] = {}
    for name in ("cwnd", "rtt", "states"):
        if name in show:
            probes[name] = list(tcp) or OFF
    if "queue" in show and link is not None:
        probes |= {"queue": _time(bin_ps), "queue_links": [facts.link_names[link]]}
    if "drops" in show and link is not None and not isinstance(scenario.topology, _BY_CELLS):
        probes["packets"] = [facts.link_names[link]]
    if "goodput" in show:
        # For all flows, because the core cannot record only some of them.
        probes["goodput"] = _time(_within(bin_ps * _OF_GOODPUT, scenario, len(by_flow)))
    if "delays" in show:
        probes["delays"] = scenario.queue_delays
        if not scenario.queue_delays:
            notes.append("no delays are measured with queue_delays = false")
    share = len(flows) / max(1, len(by_flow))
    if "packets" in probes:
        share = 1.0
    if tcp and cost.segments * share > MOST_ROWS:
        begin, until = _that_fits(scenario, wanted, cost.segments * share)
        probes |= {"from": _time(begin), "until": _time(until)}
        notes.append(
            f"cwnd, RTT and states are recorded from {begin / PS_PER_S:.6g} s to "
            f"{until / PS_PER_S:.6g} s; a longer time would record too much"
        )
    return Probes.model_validate(probes)


def _time(ps: int) -> str:
    return show_quantity(ps, TIME)


def _that_fits(scenario: Scenario, wanted: PictureRequest, rows: float) -> tuple[int, int]:
    """Return the part of a window whose number of rows is within the limit, ps."""
    longest = int(scenario.duration * MOST_ROWS / rows)
    begin, end = wanted.window or (0.0, scenario.duration / PS_PER_S)
    first = min(int(begin * PS_PER_S), scenario.duration - longest)
    return first, min(int(end * PS_PER_S), first + longest, scenario.duration)


def _bin(scenario: Scenario, wanted: PictureRequest) -> int:
    """Return the width of a queue's bins, a power of ten of ps, so that a zoom can keep the run."""
    begin, end = wanted.window or (0.0, scenario.duration / PS_PER_S)
    width = _LEAST_BIN
    while width * 10 * _BINS <= (end - begin) * PS_PER_S:
        width *= 10
    return _within(width, scenario, 1)


def _within(width: int, scenario: Scenario, things: int) -> int:
    """Increase a width of bins by factors of ten until the number of rows is within the limit."""
    while scenario.duration / width * things > MOST_ROWS / 10:
        width *= 10
    return width


def _allowed(plan: str) -> str:
    check_code(plan)
    return plan


def queue_of(plan: dict[str, Any], link: int | None) -> tuple[float | None, int | None]:
    """Return the limit of a link's queue, packets, and its rate, bit/s; none for a missing one."""
    its = None if link is None else written_link(plan, link)
    if its is None:
        return None, None
    if its["kind"] != "packets":
        return None, its.get("rate_bps")
    packets, size = its["queue"]["limit_packets"], its["queue"]["limit_bytes"]
    if packets is None and size is not None:
        packet = max((tcp["smss_bytes"] + 40 for tcp in plan["tcps"]), default=1500)
        packets = size / packet
    unlimited = packets is None or packets >= NEVER_FULL
    return (None if unlimited else float(packets)), its["rate_bps"]
