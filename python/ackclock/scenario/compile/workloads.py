"""The workloads of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Any

from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.network import PS_PER_S
from ackclock.scenario.compile.packet_sizes import DATAGRAM_HEADER_BYTES
from ackclock.scenario.model.workload import (
    Bulk,
    Cbr,
    Datagrams,
    Ftp,
    Http10,
    Http11,
    HttpSessions,
    OnOff,
    Workload,
    WwwBatches,
)
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import SIZE, TIME, rounded_up, show
from ackclock.scenario.values.kind import decimal

PPM = 10**6
MOST_BATCHES = 2_000_000
"""Of all flows of a run: their requests are drawn before it begins."""
Law = dict[str, str | int]
Stages = list[dict[str, int]]
NO_PAUSE: Law = {"law": "uniform", "min_ps": 0, "max_ps": 0}


def workload_plan(workload: Workload) -> dict[str, Any]:
    """A workload as the core reads it."""
    if isinstance(workload, Bulk):
        return {
            "kind": "bulk",
            "bytes": workload.size,
            "start_ps": workload.start,
            "start_spread_ps": workload.start_spread,
        }
    if isinstance(workload, Ftp | Http10 | Http11 | HttpSessions):
        return _pages_plan(workload)
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
    its = workload.sizes.distribution
    if its is None:
        return {"law": "fixed", "bytes": workload.sizes.bytes}
    if its.is_list:
        return {"law": "in_turn", "bytes": its.bytes}
    return {
        "law": "quantiles",
        "u_ppb": its.u_ppb,
        "bytes": its.bytes,
        "interpolation": workload.sizes_interpolation,
    }


def _pause_plan(workload: Ftp | Http10 | Http11 | HttpSessions) -> Law:
    """How long a client waits after a page."""
    if isinstance(workload, Http10 | Http11):
        return {"law": "uniform", "min_ps": workload.pause_min, "max_ps": workload.pause_max}
    if isinstance(workload, HttpSessions) and workload.pause:
        return {"law": "exponential", "mean_ps": workload.pause}
    return NO_PAUSE


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


def workload_problems(groups: list[Group], duration_ps: int) -> Iterator[Problem]:
    """What does not agree in the workloads of some groups; each thing once."""
    described = set()
    for group in groups:
        workload = group.workload
        found: Iterator[Problem] = iter(())
        if isinstance(workload, WwwBatches):
            found = _www(group, workload)
        elif isinstance(workload, Http10 | Http11):
            found = _ordered(group, "pause_min", "pause_max")
        elif isinstance(workload, Datagrams):
            found = _datagrams(group, workload)
        for problem in [*found, *_start(group, workload, duration_ps)]:
            if problem not in described:
                described.add(problem)
                yield problem
    yield from _batches(groups, duration_ps)


def _batches(groups: list[Group], duration_ps: int) -> Iterator[Problem]:
    """More batches than can be kept, each time at the group with the shortest period."""
    asking = [group for group in groups if isinstance(group.workload, WwwBatches)]
    periods = [group.workload.period for group in asking]
    flows = sum(len(group.names) for group in asking)
    batches = sum(
        duration_ps // period * len(group.names)
        for group, period in zip(asking, periods, strict=True)
    )
    if batches > MOST_BATCHES:
        enough = show(rounded_up(-(-duration_ps * flows // MOST_BATCHES)), TIME)
        yield Problem(
            asking[periods.index(min(periods))].workload_path("period"),
            f"makes more than {MOST_BATCHES} batches of requests in a run; "
            f'write "{enough}" or more',
        )


def _start(group: Group, workload: Workload, duration_ps: int) -> Iterator[Problem]:
    keys = ("start_spread",) if isinstance(workload, WwwBatches) else ("start", "start_spread")
    for key in keys:
        if getattr(workload, key) >= duration_ps:
            yield Problem(
                group.workload_path(key),
                f'is not before the end of the run, duration = "{show(duration_ps, TIME)}"; '
                'write for example "0 s"',
            )


def _ordered(group: Group, low: str, high: str) -> Iterator[Problem]:
    """Two times of which the first must not be above the second."""
    least, most = (getattr(group.workload, key) for key in (low, high))
    if least > most:
        limit = show(most, TIME)
        yield Problem(
            group.workload_path(low, high),
            f'{low} = "{show(least, TIME)}" is above {high} = "{limit}"; '
            f'write {low} = "{limit}" or less',
        )


def _datagrams(group: Group, workload: Datagrams) -> Iterator[Problem]:
    """Too small a packet, a time too short for one, and what only TCP has."""
    if workload.packet_size < DATAGRAM_HEADER_BYTES:
        least = show(DATAGRAM_HEADER_BYTES, SIZE)
        yield Problem(
            group.workload_path("packet_size"),
            f'has no room for the headers of IP and UDP; write "{least}" or more',
        )
    time = ceil(Fraction(workload.packet_size * 8 * PS_PER_S, workload.rate))
    if isinstance(workload, OnOff) and workload.mean_on < time:
        least = show(time, TIME)
        yield Problem(
            group.workload_path("mean_on"),
            f'ends before one packet is sent, which takes "{least}"; write "{least}" or more',
        )
    if group.written.foreground:
        yield Problem(
            (*group.path, "foreground"),
            f'a flow of kind "{workload.kind}" is UDP, and this measures TCP flows only; remove it',
        )


def _www(group: Group, workload: WwwBatches) -> Iterator[Problem]:
    yield from _ordered(group, "gap_min", "gap_max")
    total = sum(workload.class_shares)
    example = "write for example [0.2, 0.28, 0.4, 0.112, 0.008]"
    if total != 1:
        yield Problem(
            group.workload_path("class_shares"),
            f"the shares sum to {decimal(total)}, not 1; {example}",
        )
    elif any((share * PPM).denominator != 1 for share in workload.class_shares):
        yield Problem(
            group.workload_path("class_shares"), f"a share has more than six decimals; {example}"
        )
    elif workload.first_is_class_0 and not any(workload.class_shares[1:]):
        yield Problem(
            group.workload_path("class_shares", "first_is_class_0"),
            "with first_is_class_0 = true the other requests are for files of classes 1 to 4, "
            f"of which none has a share; {example}, or first_is_class_0 = false",
        )
