"""Contracts of GFR VCs, and their contradictions.

Both VCs of a flow have its contract, the one with the ACKs too. Source: ATM Forum, Traffic
Management 4.1 (af-tm-0121).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

from ackclock.scenario.compile.atm.dumbbell import CELL_BITS, cell_link_plan, frame_cells
from ackclock.scenario.compile.atm.network import CellNetwork
from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.network import PS_PER_S, Flow
from ackclock.scenario.compile.packet_sizes import largest_packet
from ackclock.scenario.keys import Path
from ackclock.scenario.model.atm import GFR, UBR, Switch
from ackclock.scenario.model.links import CONTRACT_POLICIES
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import CELLS, RATE, show
from ackclock.scenario.values.cells import FRAME, TWO_FRAMES
from ackclock.scenario.values.kind import shown

_GFR: Path = ("topology", "gfr")
LEAST_FRAMES = 2
"""Frames of MFS in the MBS: a source within MCR may begin one while the last is not paid for."""


class Contract(NamedTuple):
    """What a VC is promised, and what it must keep to.

    Attributes:
        pcr: peak cell rate, bit/s of whole cells.
        mcr: minimum cell rate, bit/s of whole cells.
        mbs: maximum burst size, cells.
        mfs: maximum frame size, cells.
        cdvt: cell delay variation tolerance, ps.
        tagging: whether frames that are not eligible get CLP = 1.
    """

    pcr: int
    mcr: int
    mbs: int
    mfs: int
    cdvt: int
    tagging: bool


def contract(cells: CellNetwork, flow: Flow) -> Contract:
    """The contract of both VCs of a GFR flow."""
    gfr = cells.topology.gfr
    mfs = largest_frame(flow.group) if gfr.mfs is None else gfr.mfs
    return Contract(
        pcr=gfr.pcr or _sent_rate(faster_link(cells, flow)),
        mcr=mcr(cells, flow.group),
        mbs=LEAST_FRAMES * mfs if gfr.mbs is None else gfr.mbs,
        mfs=mfs,
        cdvt=gfr.cdvt,
        tagging=gfr.tagging,
    )


def contract_plan(its: Contract) -> dict[str, Any]:
    """A contract as the core reads it."""
    return {
        "name": GFR,
        "pcr_bps": its.pcr,
        "mcr_bps": its.mcr,
        "mbs_cells": its.mbs,
        "mfs_cells": its.mfs,
        "cdvt_ps": its.cdvt,
        "tagging": its.tagging,
    }


def mcr(cells: CellNetwork, group: Group) -> int:
    """MCR of the VCs of a group's flows, bit/s; 0 of those without a contract."""
    if cells.service(group) != GFR:
        return 0
    return cells.topology.gfr.mcr if group.written.mcr is None else group.written.mcr


def largest_frame(group: Group) -> int:
    """Cells of the largest frame that a group sends in either direction."""
    return frame_cells(largest_packet(group))


def vc_mcrs(cells: CellNetwork) -> tuple[float | None, ...]:
    """MCR of each VC, bit/s; none of one without a contract; nothing if no VC has any."""
    if not any(vc.service == GFR for vc in cells.vcs):
        return ()
    return tuple(
        float(mcr(cells, vc.group)) if vc.service == GFR and vc.group else None for vc in cells.vcs
    )


def faster_link(cells: CellNetwork, flow: Flow) -> int:
    """Rate of the faster of the links of a flow's two hosts, bit/s."""
    return max(cells.link_rate(flow.sender), cells.link_rate(flow.receiver))


def _sent_rate(rate: int) -> int:
    """What a line sends, bit/s: a little more than its rate if its cell time is rounded down."""
    sent = Fraction(CELL_BITS * PS_PER_S, cell_link_plan(rate, 0)["cell_time_ps"])
    return max(rate, ceil(sent))


def group_contract_problems(cells: CellNetwork) -> Iterator[Problem]:
    """MCRs of groups without a contract, and contracts that no VC can keep to."""
    first: dict[str, Flow] = {}
    for flow in cells.network.flows:
        first.setdefault(flow.group.written.name, flow)
    for flow in first.values():
        group, service = flow.group, cells.service(flow.group)
        if service == GFR:
            yield from _contract_problems(cells, flow)
        elif group.path and group.written.mcr is not None:
            yield Problem(
                (*group.path, "mcr"),
                f'has no meaning with service = "{service}", only with "{GFR}"; remove it, or '
                f'write service = "{GFR}"',
            )


def _contract_problems(cells: CellNetwork, flow: Flow) -> Iterator[Problem]:
    its, gfr = contract(cells, flow), cells.topology.gfr
    peak = gfr.pcr or faster_link(cells, flow)
    if its.mcr > peak:
        most = show(peak, RATE)
        of = f'topology.gfr.pcr = "{most}"' if gfr.pcr else f'the rate of its link, "{most}"'
        yield Problem(_mcr_path(flow.group), f'is above {of}; write "{most}" or less')
    frame = largest_frame(flow.group)
    if its.mfs < frame:
        least = show(frame, CELLS)
        yield Problem(
            (*_GFR, "mfs"),
            f'is less than a full frame of "{flow.name}", {least}, which would never conform; '
            f'write "{least}" or more, or "{FRAME}"',
        )
    if its.mbs < LEAST_FRAMES * its.mfs:
        least = show(LEAST_FRAMES * its.mfs, CELLS)
        yield Problem(
            (*_GFR, "mbs"),
            f'is less than two frames of MFS = "{show(its.mfs, CELLS)}"; write "{least}" or more, '
            f'or "{TWO_FRAMES}"',
        )


def _mcr_path(group: Group) -> Path:
    """The key that decides about the MCR of a group."""
    if group.written.mcr is None:
        return (*_GFR, "mcr")
    return (*group.path, "mcr")


def sum_problems(cells: CellNetwork) -> Iterator[Problem]:
    """MCRs that a line cannot keep all together; each key is reported for one line only."""
    described: set[Path] = set()
    names = cells.network.line_names()
    for number, flows in sorted(_promised(cells).items()):
        line = cells.network.lines[number]
        total = sum(mcr(cells, flow.group) for flow in flows)
        if total <= line.rate:
            continue
        path = _mcr_path(flows[0].group)
        if path not in described:
            described.add(path)
            yield Problem(
                path,
                f'the MCRs of {_listed(flows)} add up to "{show(total, RATE)}", and the line '
                f'{names[number]} has "{show(line.rate, RATE)}"; write less, or fewer flows',
            )


def _promised(cells: CellNetwork) -> dict[int, list[Flow]]:
    """The flows with an MCR that cross each line, in either direction."""
    crossing: dict[int, list[Flow]] = {}
    for its in cells.network.groups:
        if mcr(cells, its.group):
            for flow in its:
                for number in {*flow.way, *flow.back}:
                    crossing.setdefault(number, []).append(flow)
    return crossing


def _listed(flows: list[Flow]) -> str:
    """Some flows, of each group the first and the last of them."""
    groups: dict[str, list[str]] = {}
    for flow in flows:
        groups.setdefault(flow.group.written.name, []).append(flow.name)
    return ", ".join(
        f'"{names[0]}"' + (f' to "{names[-1]}"' if len(names) > 1 else "")
        for names in groups.values()
    )


def serves_ubr(cells: CellNetwork, line: int) -> bool:
    """Whether a UBR or a GFR VC crosses a line."""
    return any(vc.category == UBR for vc in cells.crossing(line))


def thresholds(switch: Switch, buffer: int) -> dict[str, int]:
    """L and H of a buffer, cells."""
    return {"l_cells": floor(switch.low * buffer), "h_cells": floor(switch.high * buffer)}


def threshold_problems(cells: CellNetwork) -> Iterator[Problem]:
    """Policies with two thresholds whose lower one is not below the other."""
    switch = cells.topology.switch
    if switch.policy not in CONTRACT_POLICIES:
        return
    for number in range(len(cells.network.lines)):
        buffer = cells.buffer_cells(number, switch.ubr_buffer)
        if not cells.has_port(number) or not serves_ubr(cells, number) or buffer is None:
            continue
        low, high = thresholds(switch, buffer).values()
        if low >= high:
            yield Problem(
                ("topology", "switch", "l"),
                f"is {show(low, CELLS)} of ubr_buffer, not below the {show(high, CELLS)} of h = "
                f"{shown(float(switch.high))}; write less, or raise h",
            )
            return
