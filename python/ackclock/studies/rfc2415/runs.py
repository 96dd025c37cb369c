"""The runs of the study: a campaign for each part, in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ackclock.campaign import OnProgress
from ackclock.campaign.worker import CORE
from ackclock.studies.common.running import run_parts
from ackclock.studies.rfc2415.parts import point_of
from ackclock.studies.rfc2415.result import Request
from ackclock.studies.rfc2415.settings import part_scenarios

MEASURE = "ackclock.studies.rfc2415.metrics:measure"


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
        part by part, in the order of the published tables.

    Raises:
        InputError: settings make no sense, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    parts = {}
    for part, its in part_scenarios(request).items():
        wanted = set(request.selection.points_of(part))
        points = {point_of(part, point.levels): point for point in its.points()}
        parts[part] = its, {point: each for point, each in points.items() if point in wanted}
    return run_parts(
        parts,
        request,
        folder,
        measure=MEASURE,
        jobs=jobs,
        on_progress=on_progress,
        core=core,
    )
