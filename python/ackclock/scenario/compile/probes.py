"""What is recorded over time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ackclock import _core
from ackclock.scenario.compile.atm.network import CellNetwork
from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.network import Network
from ackclock.scenario.model.atm import ABR
from ackclock.scenario.model.probes import ALL, OFF, Probes
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.topology import AtmClients, AtmNetwork
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import TIME, rounded_up, show
from ackclock.suggestions import nearest, there_are

MOST_ROWS: int = _core.most_probe_rows()


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
            yield Problem(
                ("probes", key),
                f"gives more than {MOST_ROWS} values in a run; "
                f'write "{show(enough, TIME)}" or more',
            )


def _recorded(
    found: list[Group], network: Network | None, cells: CellNetwork | None
) -> dict[str, int]:
    """How many things each probe records in each bin, as the core counts them."""
    flows = sum(len(group.names) for group in found)
    if cells is not None:
        queues = sum(map(cells.has_port, range(len(cells.network.lines))))
        rates = sum(vc.service == ABR for vc in cells.vcs)
        return {"queue": queues, "goodput": flows, "acr": rates}
    # An atm_dumbbell has a link in each direction.
    return {"queue": 2 if network is None else len(network.lines), "goodput": flows, "acr": 0}


def _hint(name: str, names: list[str]) -> str:
    """Which flow was meant, or some that there are."""
    close = nearest(name, names)
    if close:
        return f'did you mean "{close}"?'
    some = there_are([f'"{each}"' for each in names[:3]])
    return f"{some}{', ...' if len(names) > 3 else ''}"
