"""What does not agree in the workloads of a scenario."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import ceil

from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.network import PS_PER_S
from ackclock.scenario.compile.packet_sizes import DATAGRAM_HEADER_BYTES
from ackclock.scenario.compile.workloads import PPM, gap_ps, mean_size
from ackclock.scenario.flow_trace import ListedFlows
from ackclock.scenario.model.workload import (
    Arrivals,
    Datagrams,
    FlowTrace,
    Http10,
    Http11,
    OnOff,
    Rpc,
    Video,
    Workload,
    WwwBatches,
)
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import RATE, SIZE, TIME, rounded_down, rounded_up, show
from ackclock.scenario.values.kind import decimal

MOST_BATCHES = 2_000_000
"""Of all flows of a run: their requests are drawn before it begins."""
MOST_ARRIVALS = 10_000_000
"""Flows that arrive, or requests of an open loop, of a group in a run: results keep each."""


def workload_problems(groups: list[Group], duration_ps: int) -> Iterator[Problem]:
    """What does not agree in the workloads of some groups; each thing once."""
    described = set()
    for group in groups:
        workload = group.workload
        found: Iterator[Problem] = iter(())
        if isinstance(workload, WwwBatches):
            found = _www(group, workload)
        elif isinstance(workload, Arrivals):
            found = _arrivals(group, workload, duration_ps)
        elif isinstance(workload, FlowTrace):
            found = _trace(group, workload, duration_ps)
        elif isinstance(workload, Rpc):
            found = _rpc(group, workload, duration_ps)
        elif isinstance(workload, Video):
            found = _video(group, workload)
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
    flows = sum(group.count for group in asking)
    batches = sum(
        duration_ps // period * group.count for group, period in zip(asking, periods, strict=True)
    )
    if batches > MOST_BATCHES:
        enough = show(rounded_up(-(-duration_ps * flows // MOST_BATCHES)), TIME)
        yield Problem(
            asking[periods.index(min(periods))].workload_path("period"),
            f"makes more than {MOST_BATCHES} batches of requests in a run; "
            f'write "{enough}" or more',
        )


def _start(group: Group, workload: Workload, duration_ps: int) -> Iterator[Problem]:
    for key in ("start", "start_spread"):
        if getattr(workload, key, 0) >= duration_ps:
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


def _arrivals(group: Group, workload: Arrivals, duration_ps: int) -> Iterator[Problem]:
    """Gaps that no run can have, and more flows than a run can hold."""
    flows = group.count
    gap = gap_ps(workload, flows)
    bits = 8 * mean_size(workload.sizes, workload.sizes_interpolation)
    path = group.workload_path("offered")
    if gap > TIME.maximum:
        least = ceil(flows * bits * PS_PER_S / TIME.maximum)
        yield Problem(
            path,
            f"is so low that a flow has less than one arrival in {show(TIME.maximum, TIME)}; "
            f'write "{show(rounded_up(least), RATE)}" or more',
        )
    # Not by the gap, which is rounded, and may be 0.
    elif workload.offered * duration_ps > MOST_ARRIVALS * bits * PS_PER_S:
        most = rounded_down(int(MOST_ARRIVALS * bits * PS_PER_S / duration_ps))
        yield Problem(
            path,
            f"makes more than {MOST_ARRIVALS} flows in a run of {show(duration_ps, TIME)}, with a "
            f'mean size of {float(bits / 8):.6g} B; write "{show(max(1, most), RATE)}" or less',
        )
    elif not gap:
        most = rounded_down(int(flows * bits * PS_PER_S))
        yield Problem(
            path,
            "is so high that arrivals of a flow are less than 1 ps after each other; "
            f'write "{show(max(1, most), RATE)}" or less',
        )


def _trace(group: Group, workload: FlowTrace, duration_ps: int) -> Iterator[Problem]:
    """Starts after the end of the run."""
    listed = workload.flows.content
    assert isinstance(listed, ListedFlows), "a settled scenario has read its files"
    first = workload.start + listed.start_ps[0]
    if workload.start < duration_ps <= first:
        yield Problem(
            group.workload_path("flows"),
            f"its first flow starts at {show(first, TIME)}, which is not before the end of the "
            f'run, duration = "{show(duration_ps, TIME)}"; write earlier starts into the file',
        )


def _rpc(group: Group, workload: Rpc, duration_ps: int) -> Iterator[Problem]:
    """More calls of an open loop than a run can hold."""
    if workload.loop == "closed":
        return
    flows = group.count
    if duration_ps * flows > MOST_ARRIVALS * workload.think:
        enough = rounded_up(ceil(Fraction(duration_ps * flows, MOST_ARRIVALS)))
        yield Problem(
            group.workload_path("think"),
            f'with loop = "open", makes more than {MOST_ARRIVALS} requests in a run; '
            f'write "{show(enough, TIME)}" or more',
        )


def _video(group: Group, workload: Video) -> Iterator[Problem]:
    """Bit rates that do not rise, and a buffer that does not hold what the player needs."""
    rates = workload.ladder
    if any(low >= high for low, high in pairwise(rates)):
        rising = ", ".join(f'"{show(each, RATE)}"' for each in sorted(set(rates)))
        yield Problem(
            group.workload_path("ladder"),
            f"the bit rates must rise, each once; write [{rising}]",
        )
    most = show(workload.buffer, TIME)
    for key in ("chunk", "start_up"):
        value = getattr(workload, key)
        if value > workload.buffer:
            yield Problem(
                group.workload_path(key, "buffer"),
                f'{key} = "{show(value, TIME)}" does not fit into buffer = "{most}"; '
                f'write {key} = "{most}" or less',
            )
    top = workload.reservoir + workload.cushion
    if workload.adaptation == "buffer" and top > workload.buffer:
        yield Problem(
            group.workload_path("buffer", "reservoir", "cushion"),
            f'reservoir + cushion = "{show(top, TIME)}" is above buffer = "{most}", and the player '
            f'never requests the highest bit rate; write buffer = "{show(top, TIME)}" or more',
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
