"""The runs of the study: its scenario file, the points that are asked for, two campaigns.

The first campaign makes every run; the second one watches a run of each link.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ackclock import scenario
from ackclock.campaign import OnProgress
from ackclock.campaign.store import Trace as Recorded
from ackclock.campaign.worker import CORE
from ackclock.studies.common.running import run_points
from ackclock.studies.ubr_web.levels import Point
from ackclock.studies.ubr_web.result import Request, Trace
from ackclock.studies.ubr_web.settings import study_scenario

MEASURE = "ackclock.studies.ubr_web.metrics:measure"
TRACES = "ackclock.results.traces:tables"
TRACE_FOLDER = "traced"
_QUEUE_BINS = 1000
_TRACED_PAIRS = 3
_PS_PER_S = 10**12


def run_all(
    request: Request, folder: Path, jobs: int, on_progress: OnProgress, core: str = CORE
) -> pd.DataFrame:
    """Run what the folder does not hold yet, and return all of it.

    Args:
        request: what to run.
        folder: of the campaign.
        jobs: number of threads.
        on_progress: called with each event of the campaign.
        core: what makes a run, "module:function".

    Returns:
        A row a run: the columns of ``Point``, replication, seed and those of ``metrics.measure``;
        in the order of the published tables.

    Raises:
        InputError: settings make no sense, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    its = study_scenario(request)
    campaign = run_points(
        its,
        _points(its, request.selection.points()),
        folder,
        measure=MEASURE,
        replications=request.replications,
        jobs=jobs,
        on_progress=on_progress,
        core=core,
    )
    return pd.DataFrame(campaign.rows())


def trace_all(request: Request, folder: Path, jobs: int, core: str = CORE) -> tuple[Trace, ...]:
    """Replication 0 of one point of each link, watched: the first policy, SACK, the middle buffer.

    Where a level is not selected: the last flavor, and of two buffers the larger.
    """
    plain = study_scenario(request)
    names = plain.points()[0].compile().facts.flow_names
    probes = (
        f"probes.queue={max(plain.duration // _QUEUE_BINS, 1)} ps",
        f"probes.cwnd={json.dumps(names[:_TRACED_PAIRS])}",
    )
    its = study_scenario(request, probes)
    chosen = _points(its, _watched_points(request))
    campaign = run_points(
        its, chosen, folder / TRACE_FOLDER, measure=MEASURE, traces=TRACES, jobs=jobs, core=core
    )
    runs = campaign.runs
    return tuple(_trace(point, run.traces) for point, run in zip(chosen, runs, strict=True))


def _watched_points(request: Request) -> list[Point]:
    chosen = request.selection
    middle = chosen.buffers_rtt[len(chosen.buffers_rtt) // 2]
    first_policy, last_flavor = chosen.drop_policies[0], chosen.tcp_flavors[-1]
    return [Point(link, first_policy, last_flavor, middle) for link in chosen.links]


def _points(its: scenario.Scenario, wanted: Sequence[Point]) -> list[scenario.Point]:
    by_levels = {Point(**point.levels): point for point in its.points()}
    return [by_levels[point] for point in wanted]


def _trace(point: scenario.Point, files: Mapping[str, Recorded]) -> Trace:
    port: dict[str, Any] = point.compile().plan["links"][0]["port"]
    tables = {name: its.frame() for name, its in files.items()}
    queue = tables["queue"].rename(columns={"link": "port", "max_length": "max_cells"})
    return Trace(
        Point(**point.levels),
        port["buffer_cells"],
        port["policy"].get("r_cells"),
        point.scenario.duration / _PS_PER_S,
        queue,
        # A pair has a single connection.
        tables["cwnd"].drop(columns="connection").rename(columns={"flow": "pair"}),
    )
