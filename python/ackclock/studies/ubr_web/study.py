"""The whole study: runs, tables, analysis, claims."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ackclock import __version__
from ackclock.campaign import OnProgress
from ackclock.campaign.worker import CORE
from ackclock.studies.common.result import command_of
from ackclock.studies.ubr_web.analysis import (
    allocation_table,
    analyses,
    comparison_table,
    main_effects_table,
    results_table,
)
from ackclock.studies.ubr_web.claims import claims_table
from ackclock.studies.ubr_web.result import Request, UbrWebResult
from ackclock.studies.ubr_web.runs import run_all, trace_all
from ackclock.studies.ubr_web.settings import study_scenario

CHOICES = {
    "links": "--links",
    "drop_policies": "--policies",
    "tcp_flavors": "--flavors",
    "buffers_rtt": "--buffers",
}
"""Options of the command that choose levels, by the attributes of ``Selection``."""


def reproduce(
    request: Request, folder: Path, jobs: int, on_progress: OnProgress, core: str = CORE
) -> UbrWebResult:
    """Run the study, or what is missing of it, and analyse it.

    Args:
        request: what to run.
        folder: where finished runs are kept.
        jobs: number of threads; the result does not depend on it.
        on_progress: called with each event of the campaign.
        core: what makes a run, "module:function".

    Raises:
        InputError: settings make no sense, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    runs = run_all(request, folder, jobs, on_progress, core)
    traces = trace_all(request, folder, jobs, core)
    results = results_table(runs)
    found = analyses(results) if request.selection.complete else {}
    return UbrWebResult(
        request=request,
        scenario=study_scenario(request),
        version=__version__,
        command=command_of("ubr-web", request, CHOICES),
        runs=runs,
        results=results,
        comparison=comparison_table(results),
        allocation=allocation_table(found) if found else pd.DataFrame(),
        main_effects=main_effects_table(found) if found else pd.DataFrame(),
        claims=claims_table(results, found),
        traces=traces,
    )
