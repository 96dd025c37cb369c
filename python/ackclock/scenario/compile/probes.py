"""Records over time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from ackclock import _core
from ackclock.scenario.compile.atm.dumbbell import LINK_NAMES
from ackclock.scenario.compile.atm.network import CellNetwork
from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.members import Joined
from ackclock.scenario.compile.network import PS_PER_S, Flow, Network
from ackclock.scenario.compile.packet_sizes import data_packet
from ackclock.scenario.compile.tcp import receive_buffer_bytes
from ackclock.scenario.model.atm import ABR
from ackclock.scenario.model.probes import ALL, OFF, Probes
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.topology import AtmClients, AtmDumbbell, AtmNetwork
from ackclock.scenario.model.workload import Bulk
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import TIME, rounded_up, show
from ackclock.suggestions import nearest, there_are

MOST_ROWS: int = _core.most_probe_rows()
MOST_LINKS = 1000
"""Links whose delays may be recorded: each needs 30 kB at most."""
_TOO_MANY = f"gives more than {MOST_ROWS} values in a run"


IN_BINS = ("queue", "goodput", "acr")
"""Probes that have a row for each link, flow or VC in each bin."""
EVENTS = ("cwnd", "rtt", "states", "segments", "packets")
"""Probes that have a row an event."""
_ROWS_OF_AN_ACK = {"cwnd": 1, "rtt": 1, "segments": 4}
"""Of a flow that sends all the time: two segments, their ACK, and a move of the window."""
_OF_FLOWS = EVENTS[:-1]


def probes_plan(
    probes: Probes, found: list[Group], links: Sequence[str], bottleneck: int | None
) -> dict[str, Any]:
    """The probes as the core reads them.

    Args:
        probes: of a scenario.
        found: its groups of flows.
        links: names of all links.
        bottleneck: number of the one that the results describe, if there is such.
    """
    plan = {
        "queue_bin_ps": probes.queue,
        "goodput_bin_ps": probes.goodput,
        "cwnd_of": _tcp_flows(probes.cwnd, found),
        "acr_bin_ps": probes.acr,
        "transport_bin_ps": probes.transport,
    }
    # What is not recorded stands in no plan, so that the text of earlier plans stays.
    if probes.delays:
        plan["delays"] = True
    if not isinstance(probes.queue_links, bool) and probes.queue is not None:
        plan["queue_of"] = _numbers_of(probes.queue_links, links)
    further = {name: _tcp_flows(getattr(probes, name), found) for name in _OF_FLOWS[1:]}
    further["packets"] = _links(probes.packets, links, bottleneck)
    plan |= {f"{name}_of": numbers for name, numbers in further.items() if numbers}
    if plan["cwnd_of"] or any(further.values()):
        if probes.since:
            plan["from_ps"] = probes.since
        if probes.until is not None:
            plan["until_ps"] = probes.until
    return plan


def _links(
    wanted: bool | str | Collection[str], names: Sequence[str], one: int | None
) -> list[int]:
    """Numbers of the links that a probe wants: true means this one."""
    if isinstance(wanted, bool):
        return [one] if wanted and one is not None else []
    return _numbers_of(names if wanted == ALL else wanted, names)


def _numbers_of(wanted: Collection[str], names: Sequence[str]) -> list[int]:
    return [number for number, name in enumerate(names) if name in wanted]


def _tcp_flows(wanted: str | Collection[str], found: list[Group]) -> list[int]:
    """Numbers of the flows that a probe wants, of all those that are TCP.

    Args:
        wanted: "off", "all" or names.
        found: the groups of flows.
    """
    if wanted == OFF:
        return []
    numbers: list[int] = []
    begin = 0
    for group in found:
        if wanted == ALL:
            numbers += range(begin, begin + group.count) if group.is_tcp else ()
        else:
            names = group.names
            numbers += sorted(begin + names.index(name) for name in {*wanted} if name in names)
        begin += group.count
    return numbers


def probe_problems(
    scenario: Scenario, found: list[Group], network: Network | None, cells: CellNetwork | None
) -> Iterator[Problem]:
    """Flows and links that are not there, an ACR that nothing has, and too narrow bins.

    Args:
        scenario: whose.
        found: its groups of flows.
        network: its network of packets, if it has one whose structure has no problem.
        cells: its ATM network, if it has one whose structure has no problem.
    """
    probes = scenario.probes
    names = Joined(group.names for group in found)
    for key in _OF_FLOWS:
        wanted = getattr(probes, key)
        for at, name in enumerate(() if isinstance(wanted, str) else wanted):
            path = ("probes", key, at)
            if name not in names:
                yield Problem(path, f"there is no such flow; {_hint(name, names)}")
            elif not found[names.place(names.index(name))[0]].is_tcp:
                yield Problem(path, f"is a UDP flow, which has no {key}; remove it")
    begin, until = _window(scenario)
    has_events = any(getattr(probes, key) not in (OFF, False) for key in EVENTS)
    if has_events and not begin < until <= scenario.duration:
        yield Problem(
            ("probes", "from" if until <= scenario.duration else "until"),
            f'"{show(begin, TIME)}" to "{show(until, TIME)}" is not within a run of'
            f' "{show(scenario.duration, TIME)}"; write times within it, the earlier one first',
        )
    yield from _link_problems(scenario, network, cells)
    if probes.acr is not None and not isinstance(scenario.topology, AtmClients | AtmNetwork):
        yield Problem(
            ("probes", "acr"),
            f'there is no ABR VC with topology.kind = "{scenario.topology.kind}"; write "off"',
        )
    for key, things in _recorded(probes, found, network, cells).items():
        width = getattr(probes, key)
        if width is not None and -(-scenario.duration // width) * things > MOST_ROWS:
            enough = rounded_up(-(-scenario.duration // (MOST_ROWS // things)))
            yield Problem(("probes", key), f'{_TOO_MANY}; write "{show(enough, TIME)}" or more')
    rows = [] if network is None else _acks(scenario, network, probes.cwnd)
    if sum(each * flows for each, flows in rows) > MOST_ROWS:
        remedy = "write a shorter time from probes.from to probes.until"
        most, _ = max(rows)
        if most < MOST_ROWS:
            remedy = f"name at most {int(MOST_ROWS // most)} flows, or {remedy}"
        yield Problem(("probes", "cwnd"), f"{_TOO_MANY} if the flows fill their links; {remedy}")


def recorded_links(probes: Probes, names: Sequence[str]) -> set[int]:
    """Numbers of the links whose delays are recorded besides those of the bottleneck.

    Args:
        probes: of a scenario.
        names: of all links.
    """
    wanted = probes.delays
    if isinstance(wanted, bool):
        return set()
    return {number for number, name in enumerate(names) if wanted == ALL or name in wanted}


def _window(scenario: Scenario) -> tuple[int, int]:
    """From when until when events are recorded, ps."""
    until = scenario.probes.until
    return scenario.probes.since, scenario.duration if until is None else until


def _link_problems(
    scenario: Scenario, network: Network | None, cells: CellNetwork | None
) -> Iterator[Problem]:
    """Links that are not there, or too many; and what they do not have."""
    probes, path = scenario.probes, ("probes", "delays")
    if probes.delays and not scenario.queue_delays:
        yield Problem(path, "nothing is measured with queue_delays = false; write true there")
    if probes.packets and isinstance(scenario.topology, AtmClients | AtmNetwork):
        yield Problem(
            ("probes", "packets"),
            f'the links of topology.kind = "{scenario.topology.kind}" carry cells; write false',
        )
    names = _names_of_links(scenario, network, cells)
    if names is None:
        return
    if probes.packets is True and network is not None and network.bottleneck is None:
        yield Problem(
            ("probes", "packets"),
            f'there is no single bottleneck; name links, like ["{names[0]}"]',
        )
    if probes.delays == ALL and len(names) > MOST_LINKS:
        yield Problem(
            path,
            f"there are {len(names)} links, and {MOST_LINKS} may be recorded; name some of them",
        )
    for key in ("queue_links", "delays", "packets"):
        wanted = getattr(probes, key)
        for at, name in enumerate(wanted if isinstance(wanted, tuple) else ()):
            if name not in names:
                yield Problem(("probes", key, at), f"there is no such link; {_hint(name, names)}")
            elif key == "queue_links" and cells and not cells.has_port(names.index(name)):
                yield Problem(
                    ("probes", key, at), "begins at a host and not at a switch port; remove it"
                )


def _names_of_links(
    scenario: Scenario, network: Network | None, cells: CellNetwork | None
) -> Sequence[str] | None:
    """Names of the links, or of the lines of an ATM network; none if their structure is wrong."""
    if network is not None:
        return network.line_names()
    if cells is not None:
        return cells.network.line_names()
    return LINK_NAMES if isinstance(scenario.topology, AtmDumbbell) else None


def records_anything(probes: Probes) -> bool:
    """Whether any probe is on."""
    names = (*IN_BINS, "transport", "delays", *EVENTS)
    return any(getattr(probes, name) not in (None, OFF, False) for name in names)


def rows_when_full(scenario: Scenario, network: Network) -> dict[str, int]:
    """About how many rows probes record if flows fill their links, as far as that shows.

    Args:
        scenario: whose.
        network: its network of packets.
    """
    probes = scenario.probes
    begin, until = _window(scenario)
    found = {
        name: rows
        * sum(each * flows for each, flows in _acks(scenario, network, getattr(probes, name)))
        for name, rows in _ROWS_OF_AN_ACK.items()
    }
    recorded = _links(probes.packets, network.line_names(), network.bottleneck)
    found["packets"] = sum(
        Fraction(network.lines[number].rate * (until - begin), 8 * PS_PER_S)
        / network.crossings[number].largest_packet
        for number in recorded
    )
    return {name: ceil(rows) for name, rows in found.items() if rows > 0}


def _acks(
    scenario: Scenario, network: Network, wanted: str | Collection[str]
) -> list[tuple[Fraction, int]]:
    """How many ACKs come to a recorded sender that sends all the time, and how many such flows.

    A flow that loses nothing but in queues has its share of its slowest link, or of its window.
    Every other packet then comes back as an ACK, which changes cwnd or the flight size.

    Args:
        scenario: whose.
        network: its network of packets.
        wanted: the flows, as a probe names them.
    """
    if wanted == OFF:
        return []
    begin, until = _window(scenario)
    recorded = max(until - begin, 0)
    found = []
    for its in network.groups:
        # Flows of a group are alike, unless one host serves more of them than another.
        some = [(its[0], its.times)]
        if wanted != ALL:
            names = its.group.names
            some = [(its[names.index(name)], 1) for name in sorted({*wanted}) if name in names]
        for flow, flows in some:
            if _never_pauses(network, flow):
                bits = 2 * 8 * PS_PER_S * data_packet(its.group)
                found.append((_rate_of(network, flow) * recorded / bits, flows))
    return found


def _never_pauses(network: Network, flow: Flow) -> bool:
    group = flow.group
    endless = isinstance(group.workload, Bulk) and group.workload.size is None
    lines = (network.lines[number] for number in (*flow.way, *flow.back))
    return group.is_tcp and endless and not any(line.impairments for line in lines)


def _rate_of(network: Network, flow: Flow) -> Fraction:
    """A flow's share of its slowest link, or what its window allows if that is less, bit/s."""
    share = min(
        Fraction(network.lines[number].rate, network.crossings[number].flows) for number in flow.way
    )
    receiver = flow.group.receiver_tcp
    if receiver.receive_buffer is None:
        return share
    bits = 8 * PS_PER_S * receive_buffer_bytes(receiver)
    return min(share, Fraction(bits, max(network.base_rtt(flow), 1)))


def _recorded(
    probes: Probes, found: list[Group], network: Network | None, cells: CellNetwork | None
) -> dict[str, int]:
    """How many things each probe records in each bin, as the core counts them."""
    flows = sum(group.count for group in found)
    named = None if isinstance(probes.queue_links, bool) else len(set(probes.queue_links))
    if cells is not None:
        queues = named or sum(map(cells.has_port, range(len(cells.network.lines))))
        rates = sum(vc.service == ABR for vc in cells.vcs)
        return {"queue": queues, "goodput": flows, "acr": rates, "transport": flows}
    # An atm_dumbbell has a link in each direction.
    queues = named or (2 if network is None else len(network.lines))
    return {"queue": queues, "goodput": flows, "acr": 0, "transport": flows}


def _hint(name: str, names: Sequence[str]) -> str:
    """Which flow was meant, or some that there are."""
    close = nearest(name, names)
    if close:
        return f'did you mean "{close}"?'
    some = there_are([f'"{each}"' for each in names[:3]])
    return f"{some}{', ...' if len(names) > 3 else ''}"
