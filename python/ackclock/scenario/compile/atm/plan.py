"""An ATM network as the core reads it: one link of the plan."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

from ackclock.scenario.compile.atm.dumbbell import cell_link_plan
from ackclock.scenario.compile.atm.gfr import contract, contract_plan, serves_ubr, thresholds
from ackclock.scenario.compile.atm.network import CellNetwork, Source
from ackclock.scenario.compile.network import PPB, PPM, Flow
from ackclock.scenario.compile.numbered_parts import Distinct
from ackclock.scenario.model.atm import (
    ABR,
    CONSTANT,
    EFCI,
    ERICA,
    GFR,
    NO_CONTROL,
    PARETO,
    PER_VC,
    Abr,
    CellSource,
    ConstantCells,
    OnOffCells,
    Switch,
    VideoCells,
)
from ackclock.scenario.model.links import CONTRACT_POLICIES, FRAME_POLICIES
from ackclock.scenario.values.cells import OFF_CRM, TBE_CRM

NO_POLICY = "tail"
"""What a buffer without limit has: it refuses no frame."""


def atm_plan(cells: CellNetwork) -> dict[str, Any]:
    """The link that is the whole network."""
    ports, services = Distinct(), Distinct()
    lines = []
    for number, line in enumerate(cells.network.lines):
        port = ports.number(port_plan(cells, number)) if cells.has_port(number) else None
        lines.append(
            {
                "from": line.start,
                "to": line.end,
                **cell_link_plan(line.rate, line.delay),
                "cost": line.cost,
                "port": port,
            }
        )
    abr = cells.topology.abr
    flow_services = [services.number(_flow_service(cells, flow)) for flow in cells.network.flows]
    sources = [
        _source_plan(each, services.number(_service(each.table.service, abr, pcr(cells, each))))
        for each in cells.sources
    ]
    return {
        "kind": "atm",
        "first": 0,
        "hosts": cells.hosts,
        "switches": len(cells.network.nodes) - cells.hosts,
        "lines": lines,
        "ports": ports.values,
        "services": services.values,
        "flow_services": flow_services,
        "sources": sources,
    }


def pcr(cells: CellNetwork, ends: Flow | Source) -> int:
    """PCR of the VCs between the hosts of a flow or a source, bit/s."""
    line = min(cells.link_rate(ends.sender), cells.link_rate(ends.receiver))
    return cells.topology.abr.pcr or line


def _flow_service(cells: CellNetwork, flow: Flow) -> dict[str, Any]:
    """What both VCs of a flow ask of the network."""
    name = cells.service(flow.group)
    if name == GFR:
        return contract_plan(contract(cells, flow))
    return _service(name, cells.topology.abr, pcr(cells, flow))


def _service(name: str, abr: Abr, peak: int) -> dict[str, Any]:
    """The service of a VC."""
    if name != ABR:
        return {"name": name}
    return {
        "name": ABR,
        "pcr_bps": peak,
        "mcr_bps": abr.mcr,
        "icr_bps": peak if abr.icr is None else abr.icr,
        "nrm": abr.nrm,
        "mrm": abr.mrm,
        "trm_ps": abr.trm,
        "rif_inverse": int(1 / abr.rif),
        "rdf_inverse": int(1 / abr.rdf),
        "adtf_ps": abr.adtf,
        "tbe_cells": abr.tbe,
        "crm": crm(abr),
        "cdf_inverse": int(1 / abr.cdf) if abr.cdf else None,
        "tcr_cells_s": abr.tcr,
        "frtt_ps": abr.frtt,
    }


def crm(abr: Abr) -> int | None:
    """Forward RM cells without an answer before the rate falls; none if it does not."""
    if abr.crm == TBE_CRM:
        return -(-abr.tbe // abr.nrm)
    return None if abr.crm == OFF_CRM else int(abr.crm)


def port_plan(cells: CellNetwork, line: int) -> dict[str, Any]:
    """The port before a line."""
    switch = cells.topology.switch
    ubr = cells.buffer_cells(line, switch.ubr_buffer)
    # A buffer without VCs may be too small for two thresholds.
    used = switch.policy not in CONTRACT_POLICIES or serves_ubr(cells, line)
    return {
        "vbr_buffer_cells": cells.buffer_cells(line, switch.vbr_buffer),
        "abr_buffer_cells": cells.buffer_cells(line, switch.abr_buffer),
        "ubr_buffer_cells": ubr,
        "policy": _policy_plan(switch, ubr if used else None),
        "eom": switch.eom,
        "ubr_share_ppb": _ppb(switch.ubr_share),
        "ubr_queueing": _queueing_plan(switch),
        "rate_control": rate_control_plan(switch),
    }


def _policy_plan(switch: Switch, buffer: int | None) -> dict[str, Any]:
    if buffer is None:
        return {"name": NO_POLICY}
    values = {
        "r_cells": floor(switch.r * buffer),
        "z_ppm": max(1, round(switch.z * PPM)),
        **thresholds(switch, buffer),
        "alpha_ppm": int(switch.alpha * PPM),
    }
    return {"name": switch.policy} | {name: values[name] for name in FRAME_POLICIES[switch.policy]}


def _queueing_plan(switch: Switch) -> dict[str, Any]:
    """How UBR and GFR cells wait, and by which weights their VCs are served."""
    weights = {"excess": switch.excess} if switch.ubr_queueing == PER_VC else {}
    return {"name": switch.ubr_queueing, **weights}


def rate_control_plan(switch: Switch) -> dict[str, Any]:
    """How a port controls the rates of ABR sources."""
    if switch.rate_control == NO_CONTROL:
        return {"name": "none"}
    if switch.rate_control == EFCI:
        return {"name": "efci", "threshold_cells": switch.efci_threshold}
    return {
        "name": "erica",
        "interval_cells": switch.interval_cells,
        "interval_ps": switch.interval,
        "delta_ppb": _ppb(switch.delta),
        "queue_control": _queue_control_plan(switch),
        "ccr": switch.ccr,
        "load_average": switch.load_average,
        "load_weight_ppb": _ppb(switch.load_weight),
        "vc_decay_ppb": _ppb(switch.vc_decay),
        "immediate_fair_share": switch.immediate_fair_share,
        "count_both_directions": switch.count_both_directions,
        "limit_jump": switch.limit_jump,
    }


def _queue_control_plan(switch: Switch) -> dict[str, Any]:
    if switch.rate_control == ERICA:
        return {"kind": "constant", "target_ppb": _ppb(switch.target_utilisation)}
    own = {
        "hyperbolic": {"a_ppb": switch.a, "b_ppb": switch.b},
        "inverse_hyperbolic": {"a_ppb": switch.a, "b_ppb": switch.b},
        "linear": {"slope_under_ppb": switch.slope_under, "slope_over_ppb": switch.slope_over},
        "step": {"a_ppb": switch.step_ratio, "b_ppb": switch.b, "step_ppb": switch.step},
    }[switch.queue_control]
    return {
        "kind": switch.queue_control,
        "target_delay_ps": switch.target_delay,
        **{name: _ppb(value) for name, value in own.items()},
        "floor_ppb": _ppb(switch.qdlf),
    }


def _ppb(value: Fraction) -> int:
    return int(value * PPB)


def _source_plan(source: Source, service: int) -> dict[str, Any]:
    return {
        "from": source.sender,
        "to": source.receiver,
        "service": service,
        "start_ps": source.table.start,
        "stop_ps": source.table.stop,
        "law": _law_plan(source.table),
    }


def _law_plan(table: CellSource) -> dict[str, Any]:
    """When a source makes cells."""
    if isinstance(table, ConstantCells):
        return {"kind": "constant", "rate_bps": table.rate}
    if isinstance(table, OnOffCells):
        return {
            "kind": "on_off",
            "rate_bps": table.rate,
            "on": _times_plan(table, table.on),
            "off": _times_plan(table, table.off),
        }
    if isinstance(table, VideoCells):
        return {
            "kind": "video",
            "frame_ps": table.frame_time,
            "gop": table.gop,
            "mean_bytes": [table.i_frame, table.p_frame, table.b_frame],
            "cv_ppm": int(table.cv * PPM),
            "correlation_ppm": int(table.correlation * PPM),
        }
    return {"kind": "greedy"}


def _times_plan(table: OnOffCells, mean: int) -> dict[str, Any]:
    if table.times == CONSTANT:
        return {"law": "uniform", "min_ps": mean, "max_ps": mean}
    if table.times == PARETO:
        return {"law": PARETO, "mean_ps": mean, "shape_ppm": int(table.shape * PPM)}
    return {"law": table.times, "mean_ps": mean}
