"""The whole study: runs, the search for buffers, tables, claims."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ackclock import __version__
from ackclock.campaign import OnProgress
from ackclock.campaign.worker import CORE
from ackclock.studies.common.result import command_of
from ackclock.studies.osu_tasks.analysis import (
    allocation_table,
    analyses,
    effects_table,
    results_table,
)
from ackclock.studies.osu_tasks.claims import claims_table
from ackclock.studies.osu_tasks.parts import PARTS
from ackclock.studies.osu_tasks.result import OsuTasksResult, PartResult, Request
from ackclock.studies.osu_tasks.runs import run_all, trace_all
from ackclock.studies.osu_tasks.settings import part_scenarios, study_scenario
from ackclock.studies.osu_tasks.smallest import smallest_table

CHOICES = {"parts": "--parts"}
"""Options of the command that choose levels, by the attributes of ``Selection``."""


def reproduce(
    request: Request, folder: Path, jobs: int, on_progress: OnProgress, core: str = CORE
) -> OsuTasksResult:
    """Run the study, or what is missing of it, and analyse it.

    Args:
        request: what to run.
        folder: where finished runs are kept.
        jobs: number of threads; the result does not depend on it.
        on_progress: called with each event of the campaigns.
        core: what makes a run, "module:function".

    Raises:
        InputError: settings make no sense, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    scenarios = part_scenarios(request)
    runs = run_all(request, folder, jobs, on_progress, core)
    smallest = smallest_table(request, folder, jobs, on_progress, core)
    traces = trace_all(request, folder, jobs, core)
    results = {name: results_table(PARTS[name], each) for name, each in runs.items()}
    found = {name: analyses(PARTS[name], each) for name, each in results.items()}
    parts = {
        name: PartResult(
            part=PARTS[name],
            scenario=scenarios[name],
            runs=runs[name],
            results=results[name],
            allocation=allocation_table(PARTS[name], found[name]),
            effects=effects_table(PARTS[name], found[name]),
        )
        for name in runs
    }
    return OsuTasksResult(
        request=request,
        scenario=study_scenario(request),
        version=__version__,
        command=command_of("osu-tasks", request, CHOICES),
        runs=pd.concat([each.assign(part=name) for name, each in runs.items()]),
        claims=claims_table(runs, found),
        parts=parts,
        smallest=smallest,
        traces=traces,
    )
