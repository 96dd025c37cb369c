"""Four loads of one dumbbell, and the file of flows that all simulators read.

"background" is section IV-D of M. Parvez, A. Mahanti, C. Williamson, IEEE/ACM Transactions on
Networking 18(2), 2010, with 150 background flows: 112 HTTP sessions and 38 long transfers with RTTs
from 20 to 460 ms, a NewReno and a Reno flow of 75 ms beside them, 15 Mbit/s, 1000 s. "thousand" is
1000 NewReno flows on 1 Gbit/s for 10 s, RTTs from 20 to 100 ms, a queue of the mean
bandwidth-delay product. "cubic" and "bbr" are ten flows of that TCP on 100 Mbit/s for 30 s, with
the same RTTs and a queue as long in time; ns-2 does not run these.

RTTs, starts and sizes are drawn here. Sizes are whole segments, since ns-2's one-way TCP counts in
these. Pauses are those that ackclock draws, read off a run of the same seed in which nothing waits.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from inputs import HERE

from ackclock import _core
from ackclock.results.pages import pages_of
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json, written_out

MEAN_BYTES, SHAPE = 48_000, 1.2
"""Of the Pareto law of sizes."""
UNLIMITED = 10_000
"""Segments: a window that no flow here reaches."""


class Flow(NamedTuple):
    """A flow.

    Attributes:
        kind: "bulk", a transfer without an end, or "http", one transfer after the other.
        flavor: of its sender.
        rtt_s: without queues and transmission.
        start_s: when its first connection is opened.
        window: of its receiver, segments.
    """

    kind: str
    flavor: str
    rtt_s: float
    start_s: float
    window: int


class Load(NamedTuple):
    """What is run.

    Attributes:
        name: by which it is called.
        rate_mbit: of the bottleneck, Mbit/s.
        access_mbit: of the links of the hosts, Mbit/s.
        delay_ms: of the bottleneck, one way.
        limit: packets that may wait.
        segment: bytes of data in a packet; its header has 40 more.
        duration_s: of a run.
        warm_up_s: of it, what does not count.
        tcp: of all flows but those of the foreground.
    """

    name: str
    rate_mbit: int
    access_mbit: int
    delay_ms: int
    limit: int
    segment: int
    duration_s: int
    warm_up_s: int
    tcp: str = "newreno"

    @property
    def is_modern(self) -> bool:
        """Whether its TCP is younger than ns-2."""
        return self.tcp != "newreno"

    def flows(self, seed: int) -> list[Flow]:
        """The flows; only the background's depend on the seed in more than their starts."""
        draw = random.Random(f"{self.name} {seed}")
        if self.is_modern:
            return [
                Flow("bulk", self.tcp, 0.02 + 0.08 * (n + 0.5) / 10, draw.random(), 1400)
                for n in range(10)
            ]
        if self.name == THOUSAND.name:
            return [
                Flow("bulk", "newreno", 0.02 + 0.08 * (n % 100 + 0.5) / 100, draw.random(), 44)
                for n in range(1000)
            ]
        foreground = [
            Flow("bulk", flavor, 0.075, draw.uniform(5, 7), UNLIMITED)
            for flavor in ("newreno", "reno")
        ]
        return foreground + [
            Flow(kind, "newreno", draw.uniform(0.02, 0.46), draw.uniform(0, 2), 66)
            for kind in ["http"] * 112 + ["bulk"] * 38
        ]


BACKGROUND = Load("background", 15, 1000, 5, 150, 960, 1000, 250)
THOUSAND = Load("thousand", 1000, 10_000, 5, 5000, 1460, 10, 0)
CUBIC = Load("cubic", 100, 1000, 5, 500, 1460, 30, 0, "cubic")
BBR = CUBIC._replace(name="bbr", tcp="bbr")
FOREGROUND = {"NewReno": 0, "Reno": 1}
"""Numbers of the flows of the background load that are looked at."""


class Inputs(NamedTuple):
    """What the simulators are given.

    Attributes:
        plan: for ackclock, as text.
        path: the file of flows, for ns-2 and ns-3.
    """

    plan: str
    path: Path


def inputs(its: Load, seed: int, folder: Path) -> Inputs:
    """Make the inputs of a run.

    Args:
        its: what is run.
        seed: of everything that is drawn; ackclock must be run with it too.
        folder: for the file of flows.
    """
    flows = its.flows(seed)
    plan = compiled(its, flows)
    pauses = _pauses(plan, flows, seed)
    segments = [
        _segments(random.Random(f"sizes {its.name} {seed} {number}"), its.segment, len(each))
        for number, each in enumerate(pauses)
    ]
    for flow, drawn in zip(plan["flows"], segments, strict=True):
        if drawn:
            law = {"law": "in_turn", "bytes": [its.segment * each for each in drawn]}
            plan["workloads"][flow["workload"]]["sizes"] = law
    path = folder / f"{its.name}-{seed}.csv"
    path.write_text("".join(map(_line, flows, segments, pauses)), encoding="utf-8")
    return Inputs(canonical_json(plan), path)


def compiled(its: Load, flows: Sequence[Flow]) -> dict[str, Any]:
    """The plan of a load; each flow has a workload of its own, and sizes are drawn by a law."""
    point = next(iter(load(scenario_text(its, flows), settings(its)).points()))
    plan = written_out(point.compile().plan)
    own = [dict(plan["workloads"][flow["workload"]]) for flow in plan["flows"]]
    return plan | {
        "workloads": own,
        "flows": [flow | {"workload": number} for number, flow in enumerate(plan["flows"])],
    }


def scenario_text(its: Load, flows: Sequence[Flow]) -> str:
    """The scenario file of a load."""
    file = "modern.toml" if its.is_modern else "newreno.toml"
    text = (HERE / file).read_text(encoding="utf-8")
    return text + "".join(_group(number, flow, its) for number, flow in enumerate(flows))


def settings(its: Load) -> list[str]:
    """What a load changes in the scenario file, as texts ``key=value``."""
    return [
        f"duration={its.duration_s} s",
        f"warm_up={its.warm_up_s} s",
        f"topology.access.rate={its.access_mbit} Mbit/s",
        f"topology.bottleneck.rate={its.rate_mbit} Mbit/s",
        f"topology.bottleneck.delay={its.delay_ms} ms",
        f"topology.bottleneck.queue.limit={its.limit} packets",
        f"tcp.smss={its.segment} B",
    ]


def _group(number: int, flow: Flow, its: Load) -> str:
    """A flow as a group of a scenario file."""
    workload = {
        "bulk": 'kind = "bulk"',
        "http": f'kind = "http_sessions", request_size = "{its.segment} B"',
    }[flow.kind]
    delay = (flow.rtt_s - 2 * its.delay_ms / 1e3) / 4
    tcp = f'flavor = "{flow.flavor}", receive_buffer = "{flow.window} segments"'
    return (
        f'\n[[flows]]\nname = "{number}"\naccess = {{ delay = "{delay * 1e12:.0f} ps" }}\n'
        f'workload = {{ {workload}, start = "{flow.start_s * 1e12:.0f} ps" }}\ntcp = {{ {tcp} }}\n'
    )


def _pauses(plan: dict[str, Any], flows: Sequence[Flow], seed: int) -> list[list[float]]:
    """The pauses of each flow, seconds; more than it can have, and none of a long transfer.

    They are read off a run in which every transfer is one segment long and crosses at once.
    """
    if all(flow.kind == "bulk" for flow in flows):
        return [[] for _ in flows]
    links = [{**link, "rate_bps": 10**12, "delay_ps": 1} for link in plan["links"]]
    short = {"law": "fixed", "bytes": 1}
    workloads = [
        {**workload, "sizes": short} if "sizes" in workload else {**workload, "bytes": 1}
        for workload in plan["workloads"]
    ]
    fast = plan | {"links": links, "workloads": workloads, "warm_up_ps": 0}
    pages = pages_of(_core.run(json.dumps(fast), seed)["transfers"])
    return [
        (pages.opened_s[its][1:] - pages.completed_s[its][:-1]).tolist()
        for its in (pages.flow == number for number in range(len(flows)))
    ]


def _segments(draw: random.Random, segment: int, count: int) -> list[int]:
    """Sizes of so many transfers, in segments."""
    least = MEAN_BYTES * (SHAPE - 1) / SHAPE
    return [ceil(least / (1 - draw.random()) ** (1 / SHAPE) / segment) for _ in range(count)]


def _line(flow: Flow, segments: Sequence[int], pauses: Sequence[float]) -> str:
    """A flow as a line of the file."""
    return ",".join([*_fields(flow), *_transfers(segments, pauses)]) + "\n"


def _fields(flow: Flow) -> tuple[str, ...]:
    return flow.kind, flow.flavor, f"{flow.rtt_s:.12f}", f"{flow.start_s:.12f}", str(flow.window)


def _transfers(segments: Sequence[int], pauses: Sequence[float]) -> Iterator[str]:
    for size, pause in zip(segments, pauses, strict=True):
        yield str(size)
        yield f"{pause:.12f}"
