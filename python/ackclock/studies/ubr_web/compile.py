"""Parameters and a point of the factorial become the plan of one run."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ackclock.scenario.fields import PPM
from ackclock.scenario.plan import SCHEMA
from ackclock.studies.ubr_web.levels import LINKS, Link, Point
from ackclock.studies.ubr_web.parameters import Parameters, Tcp

CELL_BITS = 53 * 8
PS_PER_S = 10**12
CLASS_PPM = (200_000, 280_000, 400_000, 112_000, 8_000)
"""Probability of the file classes 0 to 4, parts per million (98-0876, Table 1)."""
CORE_FLAVORS = {"Vanilla": "vanilla", "Reno": "reno", "SACK": "sack_pipe"}
"""Names of the levels in the core's table of flavors; NewReno's is a setting."""


def compile_plan(
    parameters: Parameters, point: Point, probes: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The plan of one run: integers, SI units, every number decided.

    Args:
        parameters: of the study.
        point: the levels of the factors.
        probes: what to record beside the totals (``queue_bin_ps``, ``cwnd_of``); nothing if none.
    """
    link = LINKS[point.link]
    network = parameters.network
    port = _port(parameters, point)
    return {
        "schema": SCHEMA,
        "duration_ps": parameters.duration,
        "pairs": parameters.pairs,
        "topology": {
            "kind": "atm_dumbbell",
            "access": _cell_link(network.access_rate, network.access_delay),
            "trunk": _cell_link(network.trunk_rate, link.delay_ps),
            "forward": port,
            "reverse": port,
        },
        "clock": _clock(parameters),
        "tcp": _tcp(parameters, point, link),
        "workload": _workload(parameters),
        "probes": probes or {"queue_bin_ps": None, "cwnd_of": []},
    }


def threshold_cells(parameters: Parameters, point: Point) -> int:
    """Threshold R of a port: its share of the buffer, rounded down, cells."""
    buffer = parameters.switch.buffer_cells(point.link, point.buffer_rtt)
    return parameters.switch.r * buffer // PPM


def _cell_link(rate: int, delay_ps: int) -> dict[str, int]:
    return {"cell_time_ps": round(Fraction(CELL_BITS * PS_PER_S, rate)), "delay_ps": delay_ps}


def _port(parameters: Parameters, point: Point) -> dict[str, Any]:
    policy: dict[str, Any] = {"r_cells": threshold_cells(parameters, point)}
    if point.drop_policy == "EPD":
        policy["name"] = "epd"
    else:
        policy |= {"name": "selective_drop", "z_ppm": parameters.switch.z}
    return {
        "buffer_cells": parameters.switch.buffer_cells(point.link, point.buffer_rtt),
        "policy": policy,
        "eom": parameters.switch.eom,
    }


def _clock(parameters: Parameters) -> dict[str, Any]:
    phase = parameters.clock.phase
    kind: dict[str, Any] = {"kind": phase.kind}
    if phase.kind == "uniform":
        kind["spread_ps"] = phase.spread_ps
    return {"tick_ps": parameters.clock.tick, "phase": kind}


def _tcp(parameters: Parameters, point: Point, link: Link) -> dict[str, Any]:
    tcp, tick = parameters.tcp, parameters.clock.tick
    return {
        **_flavor(tcp, point.tcp_flavor),
        "smss_bytes": link.smss_bytes,
        "initial_window_segments": tcp.initial_window,
        "initial_ssthresh_bytes": _path_bytes(parameters.network.trunk_rate, link),
        "receive_buffer_bytes": 65535 << link.window_scale,
        "window_scale": link.window_scale,
        "delayed_ack_ps": tcp.delayed_ack,
        "nagle": tcp.nagle,
        "sws_avoidance": tcp.sws_avoidance,
        "idle_restart": tcp.idle_restart,
        "loss_window": tcp.loss_window,
        "additive_constant": tcp.additive_constant,
        "initial_rto_ticks": tcp.initial_rto // tick,
        "min_rto_ticks": tcp.min_rto // tick,
        "max_rto_ticks": tcp.max_rto // tick,
    }


def _flavor(tcp: Tcp, level: str) -> dict[str, str | None]:
    if level != "NewReno":
        return {"flavor": CORE_FLAVORS[level], "deflation": None, "partial_ack_timer": None}
    return {
        "flavor": tcp.newreno,
        "deflation": None if tcp.deflation == "preset" else tcp.deflation,
        "partial_ack_timer": None if tcp.partial_ack_timer == "preset" else tcp.partial_ack_timer,
    }


def _path_bytes(trunk_rate: int, link: Link) -> int:
    """What the path holds: round-trip propagation delay of the trunk times its rate, bytes."""
    return 2 * link.delay_ps * trunk_rate // (8 * PS_PER_S)


def _workload(parameters: Parameters) -> dict[str, Any]:
    workload = parameters.workload
    return {
        "kind": "www_batches",
        "request_bytes": workload.request_size,
        "period_ps": workload.period,
        "period_from": workload.period_from,
        "start_spread_ps": workload.start_spread,
        "requests": workload.requests,
        "gap_min_ps": workload.gap_min,
        "gap_max_ps": workload.gap_max,
        "file_index": workload.file_index,
        "class_ppm": list(CLASS_PPM),
        "first_is_class_0": workload.first_is_class_0,
    }
