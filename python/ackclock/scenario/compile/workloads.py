"""The workloads of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ackclock.scenario.compile.groups import Group
from ackclock.scenario.model.workload import Bulk, Workload, WwwBatches
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import TIME, show
from ackclock.scenario.values.kind import decimal

PPM = 10**6


def workload_plan(workload: Workload) -> dict[str, Any]:
    """A workload as the core reads it."""
    if isinstance(workload, Bulk):
        return {
            "kind": "bulk",
            "bytes": workload.size,
            "start_ps": workload.start,
            "start_spread_ps": workload.start_spread,
        }
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


def workload_problems(groups: list[Group], duration_ps: int) -> Iterator[Problem]:
    """What does not agree in the workloads of some groups; each thing once."""
    told = set()
    for group in groups:
        workload = group.workload
        found = _www(group, workload) if isinstance(workload, WwwBatches) else ()
        for problem in [*found, *_start(group, workload, duration_ps)]:
            if problem not in told:
                told.add(problem)
                yield problem


def _start(group: Group, workload: Workload, duration_ps: int) -> Iterator[Problem]:
    keys = ("start", "start_spread") if isinstance(workload, Bulk) else ("start_spread",)
    for key in keys:
        if getattr(workload, key) >= duration_ps:
            yield Problem(
                group.workload_path(key),
                f'is not before the end of the run, duration = "{show(duration_ps, TIME)}"; '
                'write for example "0 s"',
            )


def _www(group: Group, workload: WwwBatches) -> Iterator[Problem]:
    if workload.gap_min > workload.gap_max:
        limit = show(workload.gap_max, TIME)
        yield Problem(
            group.workload_path("gap_min", "gap_max"),
            f'gap_min = "{show(workload.gap_min, TIME)}" is above gap_max = "{limit}"; '
            f'write gap_min = "{limit}" or less',
        )
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
