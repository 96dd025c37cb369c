"""A readable summary of the ATM part of a scenario: ports, end systems, sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from ackclock.plurals import counted
from ackclock.scenario.compile.atm import dumbbell
from ackclock.scenario.compile.atm.capacity import mean_rate
from ackclock.scenario.compile.atm.gfr import Contract, contract, faster_link
from ackclock.scenario.compile.atm.network import (
    PRIORITIES,
    CellNetwork,
    Source,
    category,
    cell_network,
)
from ackclock.scenario.compile.atm.plan import crm, pcr, port_plan
from ackclock.scenario.compile.groups import groups
from ackclock.scenario.compile.network import PS_PER_S, Flow
from ackclock.scenario.model.atm import (
    ABR,
    EFCI,
    ERICA,
    ERICA_PLUS,
    GFR,
    PARETO,
    PER_VC,
    UBR,
    Abr,
    Switch,
)
from ackclock.scenario.model.base import Table, keys
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.topology import AtmClients, AtmDumbbell, AtmNetwork
from ackclock.scenario.units import CELLS, RATE, TIME, show
from ackclock.scenario.values.kind import decimal, shown

_Row = TypeVar("_Row", bound=Any)


class LinkRow(NamedTuple):
    """Links that are alike.

    Attributes:
        name: of the first of them, and how many more there are.
        rate: in each.
        delay: one-way, or from which to which it is drawn.
        queue: how much may wait.
        impairments: what happens to packets.
        flows: how many cross it with data or ACKs; of an ATM network VCs.
    """

    name: str
    rate: str
    delay: str
    queue: str
    impairments: str
    flows: str


class SourceRow(NamedTuple):
    """Sources of cells that are alike.

    Attributes:
        name: of the first, and the number of the last.
        ends: where the first one sends, and where to.
        way: over which switches.
        service: its category.
        sends: when it makes cells, and from when to when it is there.
    """

    name: str
    ends: str
    way: str
    service: str
    sends: str


class ContractRow(NamedTuple):
    """Flows whose GFR VCs have the same contract.

    Attributes:
        name: of the first, and the number of the last.
        mcr: minimum cell rate of each VC.
        pcr: peak cell rate.
        mbs: maximum burst size.
        mfs: maximum frame size.
        cdvt: cell delay variation tolerance.
        beyond: what becomes of frames beyond MCR.
    """

    name: str
    mcr: str
    pcr: str
    mbs: str
    mfs: str
    cdvt: str
    beyond: str


class KeyRow(NamedTuple):
    """A key of the ABR end systems or of the switch ports, and the value that holds."""

    key: str
    value: str


def alike(rows: Iterable[tuple[_Row, int]]) -> list[_Row]:
    """Rows of so many links each; those that differ in the name, which is first, are one row."""
    first: dict[tuple[str, ...], _Row] = {}
    links: Counter[tuple[str, ...]] = Counter()
    for row, times in rows:
        first.setdefault(row[1:], row)
        links[row[1:]] += times
    return [
        row._replace(name=f"{row[0]} and {links[its] - 1} more") if links[its] > 1 else row
        for its, row in first.items()
    ]


def short(number: Fraction) -> str:
    """A number with as few digits as represent it."""
    return decimal(number) if (number * 1000).denominator == 1 else f"{float(number):.3g}"


def dumbbell_rows(topology: AtmDumbbell) -> list[LinkRow]:
    """The links of an atm_dumbbell."""
    product = Fraction(
        topology.trunk.rate * dumbbell.base_rtt(topology), dumbbell.CELL_BITS * PS_PER_S
    )
    queue = _buffer_text(dumbbell.buffer_cells(topology), product)
    policy = _policy_text(dumbbell.port_plan(topology)["policy"])
    return [
        LinkRow(
            "host - switch",
            show(topology.access.rate, RATE),
            show(topology.access.delay, TIME),
            "none",
            "",
            "1",
        ),
        LinkRow(
            "trunk",
            show(topology.trunk.rate, RATE),
            show(topology.trunk.delay, TIME),
            f"{queue}, {policy}",
            "",
            "all",
        ),
    ]


def line_rows(cells: CellNetwork) -> list[LinkRow]:
    """The lines of an ATM network, with the ports before them."""
    lines = enumerate(zip(cells.network.lines, cells.network.line_names(), strict=True))
    rows = (
        LinkRow(
            name,
            show(line.rate, RATE),
            show(line.delay, TIME),
            _port_text(cells, number) if cells.has_port(number) else "of the VCs",
            "",
            counted(len(cells.crossing(number)), "VC"),
        )
        for number, (line, name) in lines
    )
    return alike((row, 1) for row in rows)


def _port_text(cells: CellNetwork, line: int) -> str:
    """The buffers before a line of the categories of the VCs that cross it."""
    services = {vc.service for vc in cells.crossing(line)}
    if not services:
        return "unused"
    plan, texts = port_plan(cells, line), []
    for served in PRIORITIES:
        names = [each for each in (*PRIORITIES, GFR) if category(each) == served]
        names = [each for each in names if each in services]
        if names:
            held = plan[f"{served}_buffer_cells"]
            texts.append(f"{' and '.join(names)} {_buffer_text(held, cells.product(line))}")
    if services & {UBR, GFR}:
        texts[-1] += f", {_policy_text(plan['policy'])}{_queueing_text(cells.topology.switch)}"
    if ABR in services:
        texts.append(str(cells.topology.switch.rate_control))
    return "; ".join(texts)


def _buffer_text(cells: int | None, product: Fraction) -> str:
    if cells is None:
        return "unlimited"
    return f"{counted(cells, 'cell')}" + (f" = {short(cells / product)} rtt" if product else "")


def _queueing_text(switch: Switch) -> str:
    """How UBR and GFR cells wait and are served, where it is not one queue that comes last."""
    text = ""
    if switch.ubr_queueing == PER_VC:
        text += f", a queue for each VC, {switch.excess} excess"
    if switch.ubr_share:
        text += f", {short(100 * switch.ubr_share)} % of the line guaranteed"
    return text


def _policy_text(policy: dict[str, Any]) -> str:
    parameters = "".join(f", {name} {value}" for name, value in policy.items() if name != "name")
    return f"{policy['name']}{parameters}"


def source_rows(scenario: Scenario) -> list[SourceRow]:
    """The sources of cells, those of a table together; none if there is no such."""
    cells = _cells(scenario)
    if cells is None:
        return []
    tables: dict[tuple[str | int, ...], list[Source]] = {}
    for source in cells.sources:
        tables.setdefault(source.path, []).append(source)
    return [_source_row(cells, sources) for sources in tables.values()]


def _source_row(cells: CellNetwork, sources: Sequence[Source]) -> SourceRow:
    first, nodes = sources[0], cells.network.nodes
    last = sources[-1].name.rpartition(" ")[2]
    inner = [nodes[cells.network.lines[number].end] for number in first.way[:-1]]
    return SourceRow(
        first.name + (f" to {last}" if len(sources) > 1 else ""),
        f"{nodes[first.sender]} -> {nodes[first.receiver]}",
        " ".join(inner),
        first.table.service,
        _law_text(first),
    )


def _law_text(source: Source) -> str:
    """When a source makes cells."""
    table = source.table
    rest = table.model_dump(
        mode="json",
        by_alias=True,
        include=set(type(table).model_fields) - _OF_ANY_SOURCE,
    )
    if getattr(table, "times", PARETO) != PARETO:
        del rest["shape"]
    values = ", ".join(f"{key} {value}" for key, value in rest.items())
    mean = mean_rate(source)
    parts = [f"{table.kind}: {values}" if values else table.kind]
    if mean is not None and table.kind != "cbr":
        parts.append(f"{short(mean / 10**6)} Mbit/s on average")
    if table.start:
        parts.append(f"from {show(table.start, TIME)} on")
    if table.stop is not None:
        parts.append(f"until {show(table.stop, TIME)}")
    return ", ".join(parts)


_OF_ANY_SOURCE = {
    "kind",
    "name",
    "count",
    "source",
    "target",
    "direction",
    "service",
    "start",
    "stop",
}


def contract_rows(scenario: Scenario) -> list[ContractRow]:
    """The contracts of the GFR VCs, those of a group together; none if there is no such VC."""
    cells = _cells(scenario)
    if cells is None:
        return []
    flows = [flow for flow in cells.network.flows if cells.service(flow.group) == GFR]
    users: dict[tuple[str, Contract], list[Flow]] = {}
    for flow in flows:
        key = (flow.group.written.name, contract(cells, flow))
        users.setdefault(key, []).append(flow)
    return [_contract_row(cells, of, its) for (_, its), of in users.items()]


def _contract_row(cells: CellNetwork, flows: Sequence[Flow], its: Contract) -> ContractRow:
    """A row of flows with one contract."""
    last = flows[-1].name.rpartition(" ")[2]
    line = f"{show(faster_link(cells, flows[0]), RATE)} (line)"
    return ContractRow(
        flows[0].name + (f" to {last}" if len(flows) > 1 else ""),
        show(its.mcr, RATE),
        line if cells.topology.gfr.pcr is None else show(its.pcr, RATE),
        show(its.mbs, CELLS),
        show(its.mfs, CELLS),
        show(its.cdvt, TIME),
        "tagged" if its.tagging else "not tagged",
    )


def abr_rows(scenario: Scenario) -> list[KeyRow]:
    """The parameters of the ABR end systems; none if there is no ABR VC."""
    cells = _cells(scenario)
    if cells is None or not any(vc.service == ABR for vc in cells.vcs):
        return []
    abr = cells.topology.abr
    rows = dict(_key_rows(abr))
    ends = [flow for flow in cells.network.flows if cells.service(flow.group) == ABR]
    ends += [source for source in cells.sources if source.table.service == ABR]
    if abr.pcr is None:
        rows["pcr"] = _spanned([pcr(cells, each) for each in ends], RATE, rows["pcr"])
    if abr.frtt is None:
        rtts = [vc.rtt for vc in cells.vcs if vc.service == ABR]
        rows["frtt"] = _spanned(rtts, TIME, rows["frtt"])
    rows["crm"] = _crm_text(abr)
    return [KeyRow(*row) for row in rows.items()]


def _spanned(values: Sequence[int], dimension: Any, word: str) -> str:
    """Values from the least to the largest, and the word that was written for them."""
    ends = dict.fromkeys(show(value, dimension) for value in (min(values), max(values)))
    return f"{' to '.join(ends)} ({word})"


def _crm_text(abr: Abr) -> str:
    number = crm(abr)
    return "off" if number is None else f"{number}" + (f" ({abr.crm})" if number != abr.crm else "")


_OF_ERICA = {
    "interval_cells",
    "interval",
    "delta",
    "ccr",
    "load_average",
    "vc_decay",
    "immediate_fair_share",
    "count_both_directions",
    "limit_jump",
}
_OF_CURVE = {
    "hyperbolic": {"a", "b", "qdlf"},
    "inverse_hyperbolic": {"a", "b", "qdlf"},
    "linear": {"slope_under", "slope_over", "qdlf"},
    "step": {"b", "step", "step_ratio", "qdlf"},
}


def switch_rows(scenario: Scenario) -> list[KeyRow]:
    """How switches control the rates of ABR sources, if they do; none without an ABR VC."""
    cells = _cells(scenario)
    if cells is None or not any(vc.service == ABR for vc in cells.vcs):
        return []
    used = _used(cells.topology.switch)
    return [KeyRow(key, text) for key, text in _key_rows(cells.topology.switch) if key in used]


def _used(switch: Switch) -> set[str]:
    """The keys of the rate control that have an effect."""
    used = {"rate_control"}
    if switch.rate_control == EFCI:
        used.add("efci_threshold")
    if switch.rate_control in (ERICA, ERICA_PLUS):
        used |= _OF_ERICA
        if switch.load_average != "none":
            used.add("load_weight")
    if switch.rate_control == ERICA:
        used.add("target_utilisation")
    if switch.rate_control == ERICA_PLUS:
        used |= {"queue_control", "target_delay", *_OF_CURVE[switch.queue_control]}
    return used


def _key_rows(table: Table) -> list[tuple[str, str]]:
    rows = []
    for name, key in keys(type(table)).items():
        assert key.kind is not None
        value = key.kind.write(getattr(table, key.attribute))
        rows.append((name, value if isinstance(value, str) else shown(value)))
    return rows


def _cells(scenario: Scenario) -> CellNetwork | None:
    """The ATM network of a scenario, if it has one of switches and lines."""
    topology = scenario.topology
    if isinstance(topology, AtmClients | AtmNetwork):
        return cell_network(topology, groups(scenario))
    return None
