"""The runs of the study: a campaign for each part, in a folder of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from ackclock.campaign import OnProgress
from ackclock.campaign.worker import CORE
from ackclock.scenario import Scenario
from ackclock.scenario.compile.groups import groups
from ackclock.scenario.presets import with_presets
from ackclock.studies.common.running import run_parts
from ackclock.studies.newreno.parts import point_of
from ackclock.studies.newreno.result import Request
from ackclock.studies.newreno.settings import part_scenarios

MEASURE = "ackclock.studies.newreno.metrics:measure"
_TIMESTAMPS_BYTES = 12


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
        part by part, curve by curve.

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


def payload_bytes(scenarios: Mapping[str, Scenario]) -> dict[str, int]:
    """Data of a full segment of the measured flows, by part: without the timestamps."""
    found = {}
    for part, its in scenarios.items():
        tcp = with_presets(groups(its)[0].sender_tcp)
        found[part] = tcp.smss - (_TIMESTAMPS_BYTES if tcp.timestamps else 0)
    return found
