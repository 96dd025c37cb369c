"""The whole study: runs, tables, claims."""

from __future__ import annotations

from pathlib import Path

from ackclock import __version__
from ackclock.campaign import OnProgress
from ackclock.campaign.worker import CORE
from ackclock.studies.common.result import command_of
from ackclock.studies.rfc2415.analysis import changes_table, results_table, with_clock
from ackclock.studies.rfc2415.claims import claims_table
from ackclock.studies.rfc2415.comparison import comparison_table, half_table
from ackclock.studies.rfc2415.result import CLOCKS, Request, Rfc2415Result
from ackclock.studies.rfc2415.runs import run_all
from ackclock.studies.rfc2415.settings import part_scenarios, study_scenario

CHOICES = {
    "parts": "--parts",
    "webs": "--webs",
    "ftps": "--ftps",
    "iws": "--iw",
    "https": "--http",
}
"""Options of the command that choose levels, by the attributes of ``Selection``."""


def reproduce(
    request: Request, folder: Path, jobs: int, on_progress: OnProgress, core: str = CORE
) -> Rfc2415Result:
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
    runs = with_clock(run_all(request, folder, jobs, on_progress, core), request.page_clock)
    results = results_table(runs)
    changes = changes_table(runs)
    clock = ["--page-clock", request.page_clock] if request.page_clock != CLOCKS[0] else []
    return Rfc2415Result(
        request=request,
        scenario=study_scenario(request),
        version=__version__,
        command=command_of("rfc2415", request, CHOICES, clock),
        runs=runs,
        claims=claims_table(runs),
        scenarios=part_scenarios(request),
        results=results,
        changes=changes,
        comparison=comparison_table(results, changes),
        half_and_half=half_table(results),
    )
