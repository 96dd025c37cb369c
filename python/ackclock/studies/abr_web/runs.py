"""The runs of the study: a campaign for each part, and one of runs that are watched."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from ackclock import scenario
from ackclock.campaign import OnProgress
from ackclock.campaign.store import Trace as Recorded
from ackclock.campaign.worker import CORE
from ackclock.studies.abr_web.levels import TABLE2
from ackclock.studies.abr_web.parts import point_of
from ackclock.studies.abr_web.result import MEAN, Request, Trace
from ackclock.studies.abr_web.settings import part_scenarios, watched_scenario
from ackclock.studies.common.running import run_parts, run_points

MEASURE = "ackclock.studies.abr_web.metrics:measure"
TRACES = "ackclock.results.traces:tables"
TRACE_FOLDER = "watched"
WATCHED_SERVERS = (2, 5, 15)
"""A light load, a full one, and twice as much."""
_BINS = 1000
_WATCHED_CLIENTS = 3
_PS_PER_S = 10**12


def run_all(
    request: Request, folder: Path, jobs: int, on_progress: OnProgress, core: str = CORE
) -> pd.DataFrame:
    """Run what the folder does not hold yet, and return all of it.

    Args:
        request: what to run.
        folder: that of each campaign is named in it by the part.
        jobs: number of threads.
        on_progress: called with each event of each campaign.
        core: what makes a run, "module:function".

    Returns:
        A row a run: the columns of ``Point``, replication, seed and those of ``metrics.measure``;
        part by part, in the order of ``Selection``.

    Raises:
        InputError: settings make no sense, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    parts = {}
    for part, its in part_scenarios(request).items():
        points = {point_of(part, point.levels): point for point in its.points()}
        parts[part] = its, {point: points[point] for point in request.selection.points_of(part)}
    return run_parts(
        parts,
        request,
        folder,
        measure=MEASURE,
        jobs=jobs,
        on_progress=on_progress,
        core=core,
    )


def trace_all(request: Request, folder: Path, jobs: int, core: str = CORE) -> tuple[Trace, ...]:
    """Replication 0 of some points of Table 2, watched.

    Those with ``WATCHED_SERVERS``; if none of them is selected, the one with the most servers.
    """
    selected = request.selection.servers if TABLE2 in request.selection.parts else ()
    if not selected:
        return ()
    servers = [each for each in WATCHED_SERVERS if each in selected] or [max(selected)]
    every = max(watched_scenario(request, ()).duration // _BINS, 1)
    its = watched_scenario(request, (f"probes.queue={every} ps", f"probes.acr={every} ps"))
    points = {point_of(TABLE2, point.levels): point for point in its.points()}
    chosen = [points[point] for point in points if point.servers in servers]
    campaign = run_points(
        its, chosen, folder / TRACE_FOLDER, measure=MEASURE, traces=TRACES, jobs=jobs, core=core
    )
    return tuple(
        _trace(point, run.traces) for point, run in zip(chosen, campaign.runs, strict=True)
    )


def _trace(point: scenario.Point, files: Mapping[str, Recorded]) -> Trace:
    facts = point.compile().facts
    queue = files["queue"].frame()
    queue = queue[queue["link"] == facts.bottleneck_link]
    return Trace(
        point_of(TABLE2, point.levels),
        point.scenario.duration / _PS_PER_S,
        queue[["time_s", "max_length"]].rename(columns={"max_length": "max_cells"}),
        _acr(files["acr"].frame(), facts.flow_names),
    )


def _acr(acr: pd.DataFrame, flow_names: tuple[str, ...]) -> pd.DataFrame:
    """Of some clients' data, and the mean over all; see ``Trace``."""
    flows = len(flow_names)
    # The circuits of all requests come first, then those of all data, in the order of the flows.
    data = acr[(acr["vc"] >= flows) & (acr["vc"] < 2 * flows)]
    by_vc = data.pivot_table(index="time_s", columns="vc", values="acr_bit_s", sort=True)
    # The clients of a server follow each other, so that these are of different servers.
    some = range(0, flows, -(-flows // _WATCHED_CLIENTS))
    described = {flow_names[flow]: by_vc[flows + flow] for flow in some}
    return pd.DataFrame({**described, MEAN: by_vc.mean(axis=1)}).reset_index()
