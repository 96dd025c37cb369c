"""The runs of the study.

A part has a campaign for its points, in a folder named by it, one for its points with many sources,
which are replicated less often, and one for the runs that are watched.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from ackclock import scenario
from ackclock.campaign import OnProgress
from ackclock.campaign.store import Trace as Recorded
from ackclock.campaign.worker import CORE
from ackclock.studies.common.running import run_points
from ackclock.studies.osu_tasks.part import Part, has_many_sources, replications_of
from ackclock.studies.osu_tasks.parts import PARTS
from ackclock.studies.osu_tasks.result import Request, Trace
from ackclock.studies.osu_tasks.settings import part_scenarios, watched_scenario

TRACES = "ackclock.results.traces:tables"
MANY_FOLDER, WATCHED_FOLDER = "many-sources", "watched"
_BINS = 1000
_PS_PER_S = 10**12
_DATA_LINK = 0
_FIRST_FLOW = 0


def run_all(
    request: Request, folder: Path, jobs: int, on_progress: OnProgress, core: str = CORE
) -> dict[str, pd.DataFrame]:
    """Run what the folder does not hold yet, and return all of it.

    Args:
        request: what to run.
        folder: in which the folders of the parts are.
        jobs: number of threads.
        on_progress: called with each event of each campaign.
        core: what makes a run, "module:function".

    Returns:
        Of each part a row a run: the columns of its points, replication, seed and what was
        measured; in the order of the points.

    Raises:
        InputError: settings make no sense, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    tables = {}
    for name, its in part_scenarios(request).items():
        part = PARTS[name]
        points = points_of(part, its)
        rows: dict[Any, list[dict[str, Any]]] = {point: [] for point in points}
        for many, where in ((False, folder / name), (True, folder / name / MANY_FOLDER)):
            chosen = {
                point: each for point, each in points.items() if has_many_sources(point) is many
            }
            if not chosen:
                continue
            campaign = run_points(
                its,
                list(chosen.values()),
                where,
                measure=part.measure,
                replications=replications_of(next(iter(chosen)), request.replications),
                jobs=jobs,
                on_progress=on_progress,
                core=core,
            )
            names = list(chosen)
            for run in campaign.runs:
                point = names[run.point]
                levels = {**point._asdict(), "replication": run.replication, "seed": run.seed}
                rows[point].append({**levels, **run.row})
        tables[name] = pd.DataFrame([row for its_rows in rows.values() for row in its_rows])
    return tables


def points_of(part: Part, its: scenario.Scenario) -> dict[Any, scenario.Point]:
    """The points of a part by their levels, in the order of its scenario."""
    points = {part.point(**point.levels): point for point in its.points()}
    left_out = part.left_out or (lambda point: False)
    return {point: each for point, each in points.items() if not left_out(point)}


def trace_all(request: Request, folder: Path, jobs: int, core: str = CORE) -> tuple[Trace, ...]:
    """Replication 0 of the points that the parts have watched.

    Args:
        request: what is run; parts that are not in it are not watched either.
        folder: in which the folders of the parts are.
        jobs: number of threads.
        core: what makes a run, "module:function".
    """
    found: list[Trace] = []
    for name in request.selection.parts:
        part = PARTS[name]
        if part.watched:
            found += _watched(part, request, folder / name / WATCHED_FOLDER, jobs, core)
    return tuple(found)


def _watched(part: Part, request: Request, folder: Path, jobs: int, core: str) -> list[Trace]:
    plain = watched_scenario(part.name, request, ())
    probes = (f"probes.queue={max(plain.duration // _BINS, 1)} ps", "probes.cwnd=all")
    its = watched_scenario(part.name, request, probes)
    points = points_of(part, its)
    campaign = run_points(
        its,
        [points[point] for point in part.watched],
        folder,
        measure=part.measure,
        traces=TRACES,
        jobs=jobs,
        core=core,
    )
    return [
        _trace(part.name, point, points[point], run.traces)
        for point, run in zip(part.watched, campaign.runs, strict=True)
    ]


def _trace(part: str, name: Any, point: scenario.Point, files: Mapping[str, Recorded]) -> Trace:
    queue = files["queue"].frame()
    queue = queue[queue["link"] == _DATA_LINK]
    cwnd = files["cwnd"].frame()
    cwnd = cwnd[cwnd["flow"] == _FIRST_FLOW]
    return Trace(
        part,
        name,
        point.scenario.duration / _PS_PER_S,
        point.compile().plan["links"][_DATA_LINK]["port"]["buffer_cells"],
        queue[["time_s", "max_length"]].rename(columns={"max_length": "max_cells"}),
        cwnd.drop(columns=["flow", "connection"]),
    )
