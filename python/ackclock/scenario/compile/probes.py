"""Records over time."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ackclock import _core
from ackclock.scenario.compile.atm.network import CellNetwork
from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.network import PS_PER_S, Flow, Network
from ackclock.scenario.compile.packets import data_packet
from ackclock.scenario.compile.tcp import receive_buffer_bytes
from ackclock.scenario.model.atm import ABR
from ackclock.scenario.model.probes import ALL, OFF, Probes
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.topology import AtmClients, AtmNetwork
from ackclock.scenario.model.workload import Bulk
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import TIME, rounded_up, show
from ackclock.suggestions import nearest, there_are

MOST_ROWS: int = _core.most_probe_rows()
_TOO_MANY = f"gives more than {MOST_ROWS} values in a run"


def probes_plan(probes: Probes, found: list[Group]) -> dict[str, Any]:
    """The probes as the core reads them; of all flows those that are TCP have a cwnd."""
    flows = [(name, group.is_tcp) for group in found for name in group.names]
    named = () if probes.cwnd in (ALL, OFF) else set(probes.cwnd)
    cwnd_of = [
        number
        for number, (name, is_tcp) in enumerate(flows)
        if name in named or (probes.cwnd == ALL and is_tcp)
    ]
    return {
        "queue_bin_ps": probes.queue,
        "goodput_bin_ps": probes.goodput,
        "cwnd_of": cwnd_of,
        "acr_bin_ps": probes.acr,
        "transport_bin_ps": probes.transport,
    }


def probe_problems(
    scenario: Scenario, found: list[Group], network: Network | None, cells: CellNetwork | None
) -> Iterator[Problem]:
    """Flows that are not there or have no cwnd, an ACR that nothing has, and too narrow bins.

    Args:
        scenario: whose.
        found: its groups of flows.
        network: its network of packets, if it has one whose structure has no problem.
        cells: its ATM network, if it has one whose structure has no problem.
    """
    probes = scenario.probes
    groups = {name: group for group in found for name in group.names}
    if not isinstance(probes.cwnd, str):
        for at, name in enumerate(probes.cwnd):
            path = ("probes", "cwnd", at)
            if name not in groups:
                yield Problem(path, f"there is no such flow; {_hint(name, list(groups))}")
            elif not groups[name].is_tcp:
                yield Problem(path, "is a UDP flow, which has no cwnd; remove it")
    if probes.acr is not None and not isinstance(scenario.topology, AtmClients | AtmNetwork):
        yield Problem(
            ("probes", "acr"),
            f'there is no ABR VC with topology.kind = "{scenario.topology.kind}"; write "off"',
        )
    for key, things in _recorded(found, network, cells).items():
        width = getattr(probes, key)
        if width is not None and -(-scenario.duration // width) * things > MOST_ROWS:
            enough = rounded_up(-(-scenario.duration // (MOST_ROWS // things)))
            yield Problem(("probes", key), f'{_TOO_MANY}; write "{show(enough, TIME)}" or more')
    rows = _changes_of_cwnd(scenario, network)
    if sum(rows) > MOST_ROWS:
        remedy = "write a shorter duration"
        if max(rows) < MOST_ROWS:
            remedy = f"name at most {int(MOST_ROWS // max(rows))} flows, or {remedy}"
        yield Problem(("probes", "cwnd"), f"{_TOO_MANY} if the flows fill their links; {remedy}")


def _changes_of_cwnd(scenario: Scenario, network: Network | None) -> list[Fraction]:
    """How often cwnd or the flight size of each recorded flow changes, as far as that shows.

    A flow that sends all the time, and loses nothing but in queues, has its share of its slowest
    link, or of its window. Every other packet then comes back as an ACK that is a change.
    """
    cwnd = scenario.probes.cwnd
    if network is None or cwnd == OFF:
        return []
    return [
        _rate_of(network, flow) * scenario.duration / (2 * 8 * PS_PER_S * data_packet(flow.group))
        for flow in network.flows
        if (cwnd == ALL or flow.name in cwnd) and _never_pauses(network, flow)
    ]


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
    found: list[Group], network: Network | None, cells: CellNetwork | None
) -> dict[str, int]:
    """How many things each probe records in each bin, as the core counts them."""
    flows = sum(len(group.names) for group in found)
    if cells is not None:
        queues = sum(map(cells.has_port, range(len(cells.network.lines))))
        rates = sum(vc.service == ABR for vc in cells.vcs)
        return {"queue": queues, "goodput": flows, "acr": rates, "transport": flows}
    # An atm_dumbbell has a link in each direction.
    queues = 2 if network is None else len(network.lines)
    return {"queue": queues, "goodput": flows, "acr": 0, "transport": flows}


def _hint(name: str, names: list[str]) -> str:
    """Which flow was meant, or some that there are."""
    close = nearest(name, names)
    if close:
        return f'did you mean "{close}"?'
    some = there_are([f'"{each}"' for each in names[:3]])
    return f"{some}{', ...' if len(names) > 3 else ''}"
