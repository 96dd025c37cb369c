"""The workloads of a plan; their checks are in ``workload_checks``."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ackclock.scenario.compile.network import PS_PER_S
from ackclock.scenario.flow_trace import ListedFlows
from ackclock.scenario.model.workload import (
    Arrivals,
    Bulk,
    Cbr,
    FlowTrace,
    Ftp,
    Http10,
    Http11,
    HttpSessions,
    OnOff,
    Rpc,
    Video,
    Workload,
)
from ackclock.scenario.values.sizes import Sizes

PPM = 10**6
Law = dict[str, str | int]
Stages = list[dict[str, int]]
NO_PAUSE: Law = {"law": "uniform", "min_ps": 0, "max_ps": 0}


def workload_plan(workload: Workload, flows: int) -> dict[str, Any]:
    """A workload as the core reads it.

    Args:
        workload: of a group.
        flows: how many flows the group has, which share the arrivals of new ones.
    """
    if isinstance(workload, Bulk):
        return {
            "kind": "bulk",
            "bytes": workload.size,
            "start_ps": workload.start,
            "start_spread_ps": workload.start_spread,
        }
    if isinstance(workload, Ftp | Http10 | Http11 | HttpSessions):
        return _pages_plan(workload)
    if isinstance(workload, Arrivals | FlowTrace):
        return _arrivals_plan(workload, flows)
    if isinstance(workload, Rpc):
        return _rpc_plan(workload)
    if isinstance(workload, Video):
        return _video_plan(workload)
    if isinstance(workload, Cbr | OnOff):
        return _datagrams_plan(workload)
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
        "class_ppm": [int(share * PPM) for share in workload.class_shares],
        "first_is_class_0": workload.first_is_class_0,
        "first_alone": workload.first_alone,
    }


def _pages_plan(workload: Ftp | Http10 | Http11 | HttpSessions) -> dict[str, Any]:
    """Pages and files are one kind for the core: stages of new connections, then a pause."""
    return {
        "kind": "pages",
        "request_bytes": workload.request_size,
        "stages": _stages(workload),
        "sizes": _sizes_plan(workload),
        "pause": _pause_plan(workload),
        "answers_with_ack": workload.answers_with_ack,
        "start_ps": workload.start,
        "start_spread_ps": workload.start_spread,
    }


def _stages(workload: Ftp | Http10 | Http11 | HttpSessions) -> Stages:
    """What of a page is fetched at the same time: connections, and the objects that each brings."""
    if isinstance(workload, Http11):
        return [_stage(1, 1 + workload.inline_objects)]
    inline = workload.inline_objects if isinstance(workload, Http10) else 0
    return [_stage(1, 1), *([_stage(inline, 1)] if inline else [])]


def _stage(connections: int, objects: int) -> dict[str, int]:
    return {"connections": connections, "objects": objects}


def _sizes_plan(workload: Ftp | Http10 | Http11 | HttpSessions) -> dict[str, Any]:
    """How large objects are."""
    if isinstance(workload, Ftp):
        return {"law": "fixed", "bytes": workload.file_size}
    if isinstance(workload, HttpSessions):
        return {
            "law": "pareto",
            "mean_bytes": workload.mean_size,
            "shape_ppm": int(workload.shape * PPM),
        }
    return _written_sizes_plan(workload.sizes, workload.sizes_interpolation)


def _written_sizes_plan(sizes: Sizes, interpolation: str) -> dict[str, Any]:
    """How large objects of ``sizes`` are."""
    its = sizes.distribution
    if its is None:
        return {"law": "fixed", "bytes": sizes.bytes}
    if its.is_list:
        return {"law": "in_turn", "bytes": its.bytes}
    return {
        "law": "quantiles",
        "u_ppb": its.u_ppb,
        "bytes": its.bytes,
        "interpolation": interpolation,
    }


def _pause_plan(workload: Ftp | Http10 | Http11 | HttpSessions) -> Law:
    """How long a client waits after a page."""
    if isinstance(workload, Http10 | Http11):
        return {"law": "uniform", "min_ps": workload.pause_min, "max_ps": workload.pause_max}
    if isinstance(workload, HttpSessions) and workload.pause:
        return {"law": "exponential", "mean_ps": workload.pause}
    return NO_PAUSE


def gap_ps(workload: Arrivals, flows: int) -> int:
    """The mean time from an arrival of one flow of a group to its next, ps.

    Args:
        workload: of the group.
        flows: how many flows it has.
    """
    bits = 8 * mean_size(workload.sizes, workload.sizes_interpolation)
    return round(flows * bits * PS_PER_S / workload.offered)


def mean_size(sizes: Sizes, interpolation: str) -> Fraction:
    """The mean of ``sizes``, bytes."""
    its = sizes.distribution
    return Fraction(sizes.bytes) if its is None else its.mean(interpolation)


def _arrivals_plan(workload: Arrivals | FlowTrace, flows: int) -> dict[str, Any]:
    """Flows that arrive at random, or at the times of a file."""
    arrivals: dict[str, Any]
    if isinstance(workload, Arrivals):
        gap = {"law": "exponential", "mean_ps": gap_ps(workload, flows)}
        arrivals = {"kind": "random", "gap": gap}
        sizes = _written_sizes_plan(workload.sizes, workload.sizes_interpolation)
    else:
        listed = workload.flows.content
        assert isinstance(listed, ListedFlows), "a settled scenario has read its files"
        arrivals = {"kind": "listed", "at_ps": listed.start_ps}
        sizes = {"law": "in_turn", "bytes": listed.bytes}
    return {
        "kind": "arrivals",
        "arrivals": arrivals,
        "sizes": sizes,
        "request_bytes": workload.request_size,
        "answers_with_ack": workload.answers_with_ack,
        "start_ps": workload.start,
    }


def _rpc_plan(workload: Rpc) -> dict[str, Any]:
    """Calls over one connection."""
    think = {"law": "exponential", "mean_ps": workload.think} if workload.think else NO_PAUSE
    return {
        "kind": "rpc",
        "request_bytes": workload.request_size,
        "sizes": _written_sizes_plan(workload.sizes, workload.sizes_interpolation),
        "think": think,
        "closed_loop": workload.loop == "closed",
        "start_ps": workload.start,
        "start_spread_ps": workload.start_spread,
    }


def _video_plan(workload: Video) -> dict[str, Any]:
    """A player, with only the parameters that its choice of bit rates uses."""
    if workload.adaptation == "buffer":
        adaptation = {
            "by": "buffer",
            "reservoir_ps": workload.reservoir,
            "cushion_ps": workload.cushion,
        }
    else:
        adaptation = {
            "by": "rate",
            "chunks": workload.averaged_chunks,
            "used_ppm": int(workload.used_share * PPM),
        }
    return {
        "kind": "video",
        "ladder_bps": workload.ladder,
        "chunk_ps": workload.chunk,
        "most_ps": workload.buffer,
        "start_up_ps": workload.start_up,
        "adaptation": adaptation,
        "request_bytes": workload.request_size,
        "start_ps": workload.start,
        "start_spread_ps": workload.start_spread,
    }


def _datagrams_plan(workload: Cbr | OnOff) -> dict[str, Any]:
    """Datagrams as the core reads them: without times on and off they never stop."""
    on: Law | None = None
    off: Law | None = None
    if isinstance(workload, OnOff):
        on, off = (
            {"law": "pareto", "mean_ps": mean, "shape_ppm": int(workload.shape * PPM)}
            for mean in (workload.mean_on, workload.mean_off)
        )
    return {
        "kind": "datagrams",
        "rate_bps": workload.rate,
        "packet_bytes": workload.packet_size,
        "on": on,
        "off": off,
        "start_ps": workload.start,
        "start_spread_ps": workload.start_spread,
    }
