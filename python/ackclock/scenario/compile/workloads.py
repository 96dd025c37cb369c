"""The workloads of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ackclock.scenario.compile.groups import Group
from ackclock.scenario.model.workload import Bulk, Ftp, Http10, Http11, Workload, WwwBatches
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import TIME, show
from ackclock.scenario.values.kind import decimal
from ackclock.scenario.values.sizes import Sizes

PPM = 10**6
Stages = list[dict[str, int]]


def workload_plan(workload: Workload) -> dict[str, Any]:
    """A workload as the core reads it."""
    if isinstance(workload, Bulk):
        return {
            "kind": "bulk",
            "bytes": workload.size,
            "start_ps": workload.start,
            "start_spread_ps": workload.start_spread,
        }
    if isinstance(workload, Ftp):
        return _pages_plan(workload, [_stage(1, 1)], Sizes("", workload.file_size))
    if isinstance(workload, Http10 | Http11):
        return _pages_plan(workload, _stages(workload), workload.sizes)
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
    }


def _pages_plan(workload: Ftp | Http10 | Http11, stages: Stages, sizes: Sizes) -> dict[str, Any]:
    """Pages and files are one kind for the core: stages of new connections, then a pause."""
    is_ftp = isinstance(workload, Ftp)
    return {
        "kind": "pages",
        "request_bytes": workload.request_size,
        "stages": stages,
        "sizes": _sizes_plan(sizes, "none" if is_ftp else workload.sizes_interpolation),
        "pause_min_ps": 0 if is_ftp else workload.pause_min,
        "pause_max_ps": 0 if is_ftp else workload.pause_max,
        "answers_with_ack": workload.answers_with_ack,
        "start_ps": workload.start,
        "start_spread_ps": workload.start_spread,
    }


def _stages(workload: Http10 | Http11) -> Stages:
    """What of a page is fetched at the same time: connections, and the objects that each brings."""
    if isinstance(workload, Http11):
        return [_stage(1, 1 + workload.inline_objects)]
    inline = [_stage(workload.inline_objects, 1)] if workload.inline_objects else []
    return [_stage(1, 1), *inline]


def _stage(connections: int, objects: int) -> dict[str, int]:
    return {"connections": connections, "objects": objects}


def _sizes_plan(sizes: Sizes, interpolation: str) -> dict[str, Any]:
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


def workload_problems(groups: list[Group], duration_ps: int) -> Iterator[Problem]:
    """What does not agree in the workloads of some groups; each thing once."""
    told = set()
    for group in groups:
        workload = group.workload
        found: Iterator[Problem] = iter(())
        if isinstance(workload, WwwBatches):
            found = _www(group, workload)
        elif isinstance(workload, Http10 | Http11):
            found = _ordered(group, "pause_min", "pause_max")
        for problem in [*found, *_start(group, workload, duration_ps)]:
            if problem not in told:
                told.add(problem)
                yield problem


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
