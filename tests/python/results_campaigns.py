"""Small campaigns for tests of results: through the real core, or with numbers made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from ackclock.campaign import run_campaign
from ackclock.campaign.identity import replication_seed
from ackclock.results import Results, run
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.metrics import METRICS
from ackclock.scenario import Compiled

LAB = """
title = "Two <TCPs> & a bottleneck"
duration = "4 s"
warm_up = "500 ms"
replications = 3
metrics = ["goodput_bit_s", "timeouts"]

[topology]
kind = "dumbbell"
access = { rate = "100 Mbit/s", delay = "1 ms" }

[topology.bottleneck]
rate = "4 Mbit/s"
delay = "10 ms"
queue = { limit = "1 rtt" }
impairments = [{ kind = "bernoulli", loss = "1 %" }]

[workload]
kind = "bulk"
start_spread = "200 ms"

[[flows]]
name = "a"
count = 2

[[flows]]
name = "b"
tcp = { flavor = "vanilla" }

[probes]
queue = "20 ms"
goodput = "50 ms"
cwnd = ["a 1", "b"]

[sweep.factors]
"tcp.flavor" = ["reno", "sack"]
"topology.bottleneck.delay" = ["10 ms", "20 ms"]

[[figures]]
name = "goodput"
title = "Losses cost more on a longer path"
x = "topology_bottleneck_delay_s"
y = "goodput_bit_s"
series = "tcp_flavor"
"""


def table(columns: Mapping[str, Sequence[float]]) -> dict[str, np.ndarray]:
    """Columns of the core, whole numbers unless the first value has a fraction."""
    return {
        name: np.array(values, dtype=float if isinstance(values[0], float) else np.uint64)
        for name, values in columns.items()
    }


def lab(folder: Path, *, sets: Sequence[str] = (), text: str = LAB) -> Results:
    """The results of a real campaign."""
    return run(text, folder, sets=sets)


@dataclass(frozen=True)
class Facts:
    """As ``ackclock.scenario.Facts``."""

    duration_s: float = 10.0
    flow_names: tuple[str, ...] = ("a", "b")
    flow_groups: tuple[str, ...] = ("a", "b")
    bottleneck_link: int | None = 0
    payload_capacity_bit_s: float = 1e6
    link_names: tuple[str, ...] = ("r1 -> r2", "r2 -> r1")
    reverse_link: int | None = 1
    flow_workloads: tuple[str, ...] = ("bulk", "bulk")
    foreground: tuple[bool, ...] = (False, False)
    vc_names: tuple[str, ...] = ()
    vc_mcr_bit_s: tuple[float | None, ...] = ()
    idle_paths: Mapping = field(default_factory=dict)
    bulk_bytes: Mapping = field(default_factory=dict)
    playbacks: Mapping = field(default_factory=dict)
    warm_up_s: float = 0.0
    values: dict = field(default_factory=dict)


@dataclass
class _Point:
    levels: Mapping
    number: int
    values: dict

    def compile(self) -> Compiled:
        return Compiled({"point": self.number}, Facts(values=self.values))


@dataclass
class _Scenario:
    listed: list
    replications: int
    precision: None = None
    seed: int = 1
    probes: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(replications=1))

    def points(self) -> list[_Point]:
        return self.listed


def by_hand(
    folder: Path,
    points: Sequence[tuple[Mapping, Mapping[str, Sequence[float]]]],
    measure: str = "results_campaigns:given",
) -> Results:
    """The results of a campaign whose runs gave what is said here.

    Args:
        folder: for the campaign.
        points: the levels of each, and of some metrics a value a replication, as many at all
            points; a replication whose value is none fails. Other metrics are 0.
        measure: "module:function".
    """
    replications = len(next(iter(points[0][1].values())))
    listed = [
        _Point(levels, number, dict(values)) for number, (levels, values) in enumerate(points)
    ]
    run_campaign(
        _Scenario(listed, replications),
        folder,
        measure=measure,
        core="results_campaigns:nothing",
        jobs=1,
    )
    return Results.open(folder)


def nothing(plan: str, seed: int) -> dict:
    """A core that says what it was asked."""
    return {"replication": [replication_seed(1, k) for k in range(1000)].index(seed)}


def given(columns: Mapping, facts: Facts) -> dict:
    """The numbers made by hand."""
    row: dict = dict.fromkeys(METRICS, 0)
    row |= {name: values[columns["replication"]] for name, values in facts.values.items()}
    if None in row.values():
        raise ValueError("told to fail")
    flows = len(facts.flow_names)
    shares = [row["goodput_bit_s"] * (1 + at) for at in range(flows)]
    row["flows"] = dict.fromkeys(FLOW_METRICS, [0] * flows) | {"goodput_bit_s": shares}
    return row


def given_alone(columns: Mapping, facts: Facts) -> dict:
    """These numbers, and no other metrics."""
    return {name: values[columns["replication"]] for name, values in facts.values.items()}
