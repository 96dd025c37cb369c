"""The whole study: runs, predictions, tables, claims."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ackclock import __version__
from ackclock.campaign import OnProgress
from ackclock.campaign.worker import CORE
from ackclock.studies.common.result import command_of
from ackclock.studies.newreno import published
from ackclock.studies.newreno.analysis import errors_table, results_table, trust_table
from ackclock.studies.newreno.claims import claims_table
from ackclock.studies.newreno.emulation import emulation_table
from ackclock.studies.newreno.internet import internet_table
from ackclock.studies.newreno.levels import INTERNET
from ackclock.studies.newreno.predictions import flows_table
from ackclock.studies.newreno.result import NewRenoResult, Request
from ackclock.studies.newreno.runs import payload_bytes, run_all
from ackclock.studies.newreno.settings import part_scenarios, study_scenario

CHOICES = {"parts": "--parts"}
"""Options of the command that choose levels, by the attributes of ``Selection``."""


def reproduce(
    request: Request, folder: Path, jobs: int, on_progress: OnProgress, core: str = CORE
) -> NewRenoResult:
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
    flows = flows_table(runs, payload_bytes(scenarios))
    emulation = emulation_table(flows)
    return NewRenoResult(
        request=request,
        scenario=study_scenario(request),
        version=__version__,
        command=command_of("newreno", request, CHOICES),
        runs=runs,
        claims=claims_table(flows, emulation),
        scenarios=scenarios,
        flows=flows,
        results=results_table(flows),
        errors=errors_table(flows, published.errors()),
        trust=trust_table(flows),
        emulation=emulation,
        internet=internet_table() if INTERNET in request.selection.parts else pd.DataFrame(),
    )
