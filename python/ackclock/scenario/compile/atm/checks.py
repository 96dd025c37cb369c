"""Contradictions in an ATM network."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ackclock.scenario.compile.atm.dumbbell import CELL_BITS
from ackclock.scenario.compile.atm.gfr import (
    group_contract_problems,
    largest_frame,
    sum_problems,
    threshold_problems,
)
from ackclock.scenario.compile.atm.network import (
    ByCells,
    CellNetwork,
    back_name,
    source_names,
)
from ackclock.scenario.compile.atm.plan import pcr
from ackclock.scenario.compile.atm.source_checks import rate_problems, source_problems
from ackclock.scenario.compile.graph import (
    Nodes,
    end_problems,
    link_problems,
    path_problems,
    pathless,
)
from ackclock.scenario.compile.groups import Group
from ackclock.scenario.keys import Path
from ackclock.scenario.model.atm import ABR, EFCI, UBR
from ackclock.scenario.model.names import MOST_FLOWS_OF_CELLS
from ackclock.scenario.model.topology import AtmNetwork, sources_of
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import CELLS, RATE, show

_ABR: Path = ("topology", "abr")
_GFR: Path = ("topology", "gfr")
_SWITCH: Path = ("topology", "switch")
SLOWEST_LINE, FASTEST_LINE = CELL_BITS, 10**12
"""Rates of lines, bit/s."""
SHORTEST_INTERVAL = 10**6
"""Between two measurements of a port, ps."""
SMALLEST_STEP = Fraction(1, 1000)
MOST_SWITCHES = 1000


def structure_problems(topology: ByCells, groups: list[Group], duration: int) -> list[Problem]:
    """What keeps the network from being joined together, and what is wrong with its sources."""
    problems = list(_list_problems(topology, groups)) if isinstance(topology, AtmNetwork) else []
    key, tables = sources_of(topology)
    for at, table in enumerate(tables):
        path: Path = ("topology", key, at)
        problems += source_problems(topology, path, table, duration)
    problems += _line_problems(topology)
    problems += _switch_problems(topology)
    return problems + list(_name_problems(topology, groups))


def _line_problems(topology: ByCells) -> Iterator[Problem]:
    """Rates at which a cell takes longer than a second, or next to no time."""
    if isinstance(topology, AtmNetwork):
        rates = [(("links", at), link.rate) for at, link in enumerate(topology.links)]
    else:
        rates = [(("trunk",), topology.trunk.rate), (("access",), topology.access.rate)]
    slowest, fastest = show(SLOWEST_LINE, RATE), show(FASTEST_LINE, RATE)
    for path, rate in rates:
        if not SLOWEST_LINE <= rate <= FASTEST_LINE:
            yield Problem(
                ("topology", *path, "rate"),
                f'must be from "{slowest}", a cell a second, to "{fastest}"',
            )


def _switch_problems(topology: ByCells) -> Iterator[Problem]:
    """Values that are too fine for a switch."""
    switch = topology.switch
    if switch.interval < SHORTEST_INTERVAL:
        yield Problem((*_SWITCH, "interval"), 'is too short; write "1 us" or more')
    if switch.step < SMALLEST_STEP:
        yield Problem((*_SWITCH, "step"), "is too small; write 0.001 or more")
    for path, peak in ((_ABR, topology.abr.pcr), (_GFR, topology.gfr.pcr)):
        if peak is not None and peak > FASTEST_LINE:
            most = show(FASTEST_LINE, RATE)
            yield Problem(
                (*path, "pcr"), f'must be at most "{most}"; write "line" for that of the link'
            )


def _list_problems(topology: AtmNetwork, groups: list[Group]) -> Iterator[Problem]:
    """Of the lists of an atm_network."""
    nodes = Nodes([*topology.hosts, *topology.switches], "topology.hosts or topology.switches")
    yield from nodes.problems(("topology", "hosts"), topology.hosts)
    yield from nodes.problems(("topology", "switches"), topology.switches)
    for key, names, most in (
        ("hosts", topology.hosts, MOST_FLOWS_OF_CELLS),
        ("switches", topology.switches, MOST_SWITCHES),
    ):
        if len(names) > most:
            yield Problem(("topology", key), f"there are more than {most} {key}; name fewer")
    wrong = list(link_problems(topology.links, nodes))
    yield from wrong or _host_problems(topology)
    hosts = Nodes(topology.hosts, "topology.hosts", topology.switches)
    for group in groups:
        yield from end_problems(group.path, group.written, hosts)


def _host_problems(topology: AtmNetwork) -> Iterator[Problem]:
    """A host has one network card, so it has one link; cells are switched in switches only."""
    hosts = set(topology.hosts)
    first: dict[str, int] = {}
    for at, link in enumerate(topology.links):
        path: Path = ("topology", "links", at)
        ends = link.between or (str(link.source), str(link.target))
        known = [name for name in ends if name in hosts]
        if len(known) == 2:
            yield Problem(path, "joins two hosts; put a switch between them")
        elif known and link.between is None:
            yield Problem(
                path,
                f'"{known[0]}" is a host, whose link leads both ways; '
                f'write between = ["{ends[0]}", "{ends[1]}"]',
            )
        elif known and first.setdefault(known[0], at) != at:
            yield Problem(
                path,
                f'the host "{known[0]}" has a link already, topology.links[{first[known[0]]}]; '
                "remove one of the two, or name another host",
            )
    ends = (link.between or (link.source, link.target) for link in topology.links)
    linked = {name for pair in ends for name in pair}
    for at, name in enumerate(topology.hosts):
        if name not in linked:
            yield Problem(
                ("topology", "hosts", at),
                f'has no link; write [[topology.links]] with between = ["{name}", '
                f'"{topology.switches[0]}"] in it, or remove the host',
            )


def _name_problems(topology: ByCells, groups: list[Group]) -> Iterator[Problem]:
    """Names that two VCs would have."""
    flows = [name for group in groups for name in group.names]
    taken = {name: "flow" for flow in flows for name in (flow, back_name(flow))}
    total = 0
    key, tables = sources_of(topology)
    for at, table in enumerate(tables):
        path: Path = ("topology", key, at)
        total += table.count
        if total > MOST_FLOWS_OF_CELLS:
            yield Problem(
                (*path, "count"),
                f"there are more than {MOST_FLOWS_OF_CELLS} sources; write a smaller number",
            )
            return
        names = [each for name in source_names(table) for each in (name, back_name(name))]
        other = next((name for name in names if name in taken), None)
        if other is not None:
            yield Problem(
                (*path, "name"),
                f'there is already a {taken[other]} "{other}"; give each a name of its own',
            )
        taken |= dict.fromkeys(names, "source")


def network_problems(cells: CellNetwork) -> list[Problem]:
    """What does not agree in a network whose structure has no problem."""
    problems = list(path_problems(cells.network))
    for source in {source.path: source for source in reversed(cells.sources)}.values():
        ends = (source.sender, source.receiver)
        problems += pathless(cells.network, source.path, ends, (source.way, source.back))
    if cells.hosts > MOST_FLOWS_OF_CELLS:
        what = "clients, servers and hosts of background sources"
        problems.append(
            Problem(
                ("topology",),
                f"there are more than {MOST_FLOWS_OF_CELLS} {what}; write smaller numbers",
            )
        )
    if problems:
        return problems
    problems += _ways_back(cells)
    problems += _abr_problems(cells)
    broken = list(group_contract_problems(cells))
    problems += broken or sum_problems(cells)
    problems += threshold_problems(cells)
    problems += _buffer_problems(cells)
    problems += rate_problems(cells)
    return list(dict.fromkeys(problems))


def _ways_back(cells: CellNetwork) -> Iterator[Problem]:
    """Switches that ABR cells pass and that their RM cells do not pass on the way back."""
    network = cells.network
    for ways, path, service in (
        *(
            ((flow.way, flow.back), flow.group.path, cells.service(flow.group))
            for flow in network.flows
        ),
        *(((each.way, each.back), each.path, each.table.service) for each in cells.sources),
    ):
        there, back = ({network.lines[number].end for number in way[:-1]} for way in ways)
        if service == ABR and there != back:
            name = network.nodes[min(there ^ back)]
            yield Problem(
                (*path, "to"),
                f'the path back is different, and only one of the two crosses "{name}"; ABR '
                "needs the same switches: give the links of both directions the same cost",
            )


def _abr_problems(cells: CellNetwork) -> Iterator[Problem]:
    """Rates that are not in their order: MCR, ICR, PCR."""
    abr = cells.topology.abr
    peaks = {
        pcr(cells, each): name
        for each, service, name in (
            *((flow, cells.service(flow.group), flow.name) for flow in cells.network.flows),
            *((source, source.table.service, source.name) for source in cells.sources),
        )
        if service == ABR
    }
    if not peaks:
        return
    least = min(peaks)
    most = show(least, RATE)
    of = f'topology.abr.pcr = "{most}"'
    if abr.pcr is None:
        of = f'the rate of the link of a host of "{peaks[least]}", "{most}"'
    if abr.mcr > least:
        yield Problem((*_ABR, "mcr"), f'is above {of}; write "{most}" or less')
    elif abr.icr is not None and abr.icr < abr.mcr:
        low = show(abr.mcr, RATE)
        yield Problem((*_ABR, "icr"), f'is below topology.abr.mcr = "{low}"; write "{low}" or more')
    if abr.icr is not None and abr.icr > least:
        yield Problem((*_ABR, "icr"), f'is above {of}; write "{most}" or less, or "pcr"')


def _buffer_problems(cells: CellNetwork) -> Iterator[Problem]:
    """Buffers without room for a frame, and queues that are never long enough to be marked."""
    switch = cells.topology.switch
    for number in range(len(cells.network.lines)):
        if not cells.has_port(number):
            continue
        crossing = cells.crossing(number)
        frame = max(
            (
                largest_frame(vc.group)
                for vc in crossing
                if vc.category == UBR and vc.group is not None
            ),
            default=0,
        )
        held = cells.buffer_cells(number, switch.ubr_buffer)
        if held is not None and held < frame:
            yield Problem(
                (*_SWITCH, "ubr_buffer"),
                f'cannot hold one frame, which takes {frame} cells; write "{frame} cells" or more',
            )
        held = cells.buffer_cells(number, switch.abr_buffer)
        marks = switch.rate_control == EFCI and any(vc.service == ABR for vc in crossing)
        if marks and held is not None and held <= switch.efci_threshold:
            least = show(switch.efci_threshold + 1, CELLS)
            yield Problem(
                (*_SWITCH, "efci_threshold"),
                f'is not below abr_buffer = "{show(held, CELLS)}", so that nothing is marked; '
                f'write less, or abr_buffer = "{least}" or more',
            )
