"""The whole study: runs, tables, analysis, claims."""

from __future__ import annotations

import shlex
from pathlib import Path

import pandas as pd

from ackclock import __version__
from ackclock.scenario.settings import changed
from ackclock.studies.ubr_web.analysis import (
    allocation_table,
    analyses,
    comparison_table,
    main_effects_table,
    results_table,
)
from ackclock.studies.ubr_web.claims import claims_table
from ackclock.studies.ubr_web.levels import Selection
from ackclock.studies.ubr_web.result import Request, UbrWebResult
from ackclock.studies.ubr_web.runs import Core, OnProgress, run_all, trace_all

SELECTION_OPTIONS = {
    "links": "--links",
    "drop_policies": "--policies",
    "tcp_flavors": "--flavors",
    "buffers_rtt": "--buffers",
}
"""Options of the command that choose levels, by the attributes of ``Selection``."""


def reproduce(
    request: Request, folder: Path, jobs: int, core: Core, on_progress: OnProgress
) -> UbrWebResult:
    """Run the study, or what is missing of it, and analyse it.

    Args:
        request: what to run.
        folder: an existing folder, where finished runs are kept.
        jobs: number of threads; the result does not depend on it.
        core: the simulator.
        on_progress: called with the number of runs done and of all runs.

    Raises:
        InputError: the core refuses a plan. KeyboardInterrupt: finished runs are kept.
    """
    runs = run_all(request, folder, jobs, core, on_progress)
    traces = trace_all(request, jobs, core)
    results = results_table(runs)
    found = analyses(results) if request.selection.complete else {}
    return UbrWebResult(
        parameters=request.parameters,
        selection=request.selection,
        replications=request.replications,
        seed=request.seed,
        version=__version__,
        command=command_of(request),
        runs=runs,
        results=results,
        comparison=comparison_table(results),
        allocation=allocation_table(found) if found else pd.DataFrame(),
        main_effects=main_effects_table(found) if found else pd.DataFrame(),
        claims=claims_table(results, found),
        traces=traces,
    )


def command_of(request: Request) -> str:
    """The command that gives the same result, whatever the folder and the number of threads."""
    words = ["ackclock", "reproduce", "ubr-web"]
    words += ["--replications", str(request.replications), "--seed", str(request.seed)]
    everything = Selection()
    for option in ("links", "drop_policies", "tcp_flavors", "buffers_rtt"):
        levels = getattr(request.selection, option)
        if levels != getattr(everything, option):
            names = ",".join(f"{x:g}" if isinstance(x, float) else x for x in levels)
            words += [SELECTION_OPTIONS[option], names]
    for pair in changed(request.parameters):
        words += ["--set", pair]
    return shlex.join(words)
