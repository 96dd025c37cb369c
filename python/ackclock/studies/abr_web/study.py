"""The whole study: runs, tables, claims."""

from __future__ import annotations

from pathlib import Path

from ackclock import __version__
from ackclock.campaign import OnProgress
from ackclock.campaign.worker import CORE
from ackclock.studies.abr_web.analysis import in_bounds, results_table, services_table
from ackclock.studies.abr_web.bounds import bounds
from ackclock.studies.abr_web.claims import claims_table
from ackclock.studies.abr_web.comparison import comparison_table
from ackclock.studies.abr_web.result import AbrWebResult, Request
from ackclock.studies.abr_web.runs import run_all, trace_all
from ackclock.studies.abr_web.settings import part_scenarios, study_scenario
from ackclock.studies.common.result import command_of

CHOICES = {"parts": "--parts", "servers": "--servers"}
"""Options of the command that choose levels, by the attributes of ``Selection``."""


def reproduce(
    request: Request, folder: Path, jobs: int, on_progress: OnProgress, core: str = CORE
) -> AbrWebResult:
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
    its = study_scenario(request)
    found = bounds(its)
    runs = in_bounds(run_all(request, folder, jobs, on_progress, core), found)
    traces = trace_all(request, folder, jobs, core)
    results = results_table(runs)
    return AbrWebResult(
        request=request,
        scenario=its,
        version=__version__,
        command=command_of("abr-web", request, CHOICES),
        runs=runs,
        claims=claims_table(runs, found),
        scenarios=part_scenarios(request),
        bounds=found,
        results=results,
        comparison=comparison_table(results),
        services=services_table(runs),
        traces=traces,
    )
