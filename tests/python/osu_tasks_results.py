"""Made-up results of the seven TCP-over-UBR tasks: every point of every part, and no core."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np
import pandas as pd

from ackclock import __version__
from ackclock.studies.common.claims import verdicts
from ackclock.studies.common.result import command_of
from ackclock.studies.osu_tasks.analysis import (
    allocation_table,
    analyses,
    effects_table,
    results_table,
)
from ackclock.studies.osu_tasks.claims import CLAIMS
from ackclock.studies.osu_tasks.claims.registry import Study
from ackclock.studies.osu_tasks.levels import GEO, PER_VC_POLICIES
from ackclock.studies.osu_tasks.part import Part, replications_of
from ackclock.studies.osu_tasks.parts import PARTS
from ackclock.studies.osu_tasks.result import (
    OsuTasksResult,
    PartResult,
    Request,
    Selection,
    Trace,
)
from ackclock.studies.osu_tasks.runs import points_of
from ackclock.studies.osu_tasks.settings import part_scenarios
from ackclock.studies.osu_tasks.smallest import SEARCHED_SOURCES

END_S = 20.0
_WHOLE = ("cells_lost", "max_queue_cells", "timeouts", "fast_retransmits", "max_cwnd_bytes")


def example_result(
    parts: Sequence[str] = tuple(PARTS), replications: int = 2, sets: Sequence[str] = ()
) -> OsuTasksResult:
    """A result with numbers between 0 and 1 for shares, and whole ones for what is counted."""
    request = Request(tuple(sets), Selection(tuple(parts)), replications, seed=1)
    scenarios = part_scenarios(request)
    runs = {name: _runs(PARTS[name], its, replications) for name, its in scenarios.items()}
    results = {name: results_table(PARTS[name], each) for name, each in runs.items()}
    found = {name: analyses(PARTS[name], each) for name, each in results.items()}
    study = Study(runs, found)
    return OsuTasksResult(
        request=request,
        scenario=next(iter(scenarios.values())),
        version=__version__,
        command=command_of("osu-tasks", request, {"parts": "--parts"}),
        runs=pd.concat([each.assign(part=name) for name, each in runs.items()]),
        claims=verdicts(CLAIMS, study, study.missing),
        parts={
            name: PartResult(
                PARTS[name],
                its,
                runs[name],
                results[name],
                allocation_table(PARTS[name], found[name]),
                effects_table(PARTS[name], found[name]),
            )
            for name, its in scenarios.items()
        },
        smallest=_smallest() if "buffers" in parts else pd.DataFrame(),
        traces=tuple(_trace(name, point) for name in parts for point in PARTS[name].watched),
    )


def _runs(part: Part, its: object, replications: int) -> pd.DataFrame:
    rows = []
    for number, point in enumerate(points_of(part, its)):
        for k in range(replications_of(point, replications)):
            numbers = np.random.default_rng([crc32(part.name.encode()), number, k])
            values = {name: _value(name, numbers) for name in part.metrics}
            rows.append({**point._asdict(), "replication": k, "seed": k, **values})
    return pd.DataFrame(rows)


def _value(metric: str, numbers: np.random.Generator) -> float:
    share = float(numbers.uniform(0.5, 1.0))
    return round(1e4 * share) if metric in _WHOLE else share


def _smallest() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "link": GEO,
                "drop_policy": policy,
                "sources": sources,
                "status": "found" if sources < 100 else "not reached",
                "smallest_rtt": 0.375 if sources < 100 else float("nan"),
                "smallest_mean_pct": 98.4 if sources < 100 else float("nan"),
                "smallest_half_width_pct": 0.2 if sources < 100 else float("nan"),
                "fails_rtt": 0.25,
                "runs": 24,
            }
            for policy in PER_VC_POLICIES
            for sources in SEARCHED_SOURCES
        ]
    )


def _trace(part: str, point: object) -> Trace:
    times = np.linspace(0, END_S, 50)
    cwnd = pd.DataFrame({"time_s": times, "cwnd_bytes": 1e5 + 1e4 * times})
    cwnd = cwnd.assign(ssthresh_bytes=65535, flight_size_bytes=1000)
    queue = pd.DataFrame({"time_s": times, "max_cells": 100})
    return Trace(part, point, END_S, 1000, queue, cwnd)
