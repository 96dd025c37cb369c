"""The whole study: runs, predictions, tables, claims."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ackclock import __version__
from ackclock.campaign import OnProgress
from ackclock.campaign.worker import CORE
from ackclock.emulation import prerequisites
from ackclock.errors import InputError
from ackclock.studies.common.result import command_of
from ackclock.studies.newreno import published
from ackclock.studies.newreno.analysis import errors_table, results_table, trust_table
from ackclock.studies.newreno.claims import claims_table
from ackclock.studies.newreno.emulation import emulation_table
from ackclock.studies.newreno.internet import internet_table
from ackclock.studies.newreno.kernel.conventions import convention_problems
from ackclock.studies.newreno.kernel.running import Emulating, kernel_result
from ackclock.studies.newreno.levels import EMULATION, INTERNET
from ackclock.studies.newreno.predictions import flows_table
from ackclock.studies.newreno.result import KernelRequest, NewRenoResult, Request
from ackclock.studies.newreno.runs import payload_bytes, run_all
from ackclock.studies.newreno.settings import part_scenarios, study_scenario

CHOICES = {"parts": "--parts"}
"""Options of the command that choose levels, by the attributes of ``Selection``."""


def problems(request: Request, emulating: Emulating) -> list[str]:
    """What is wrong with emulating, beside what is wrong with the request for any study.

    Args:
        request: what is to be run.
        emulating: how emulated runs are to be made.
    """
    kernel = request.kernel
    if kernel is None:
        return []
    found = []
    if EMULATION not in request.selection.parts:
        parts = ",".join([*request.selection.parts, EMULATION])
        found.append(
            f"--emulate: makes the transfers of the part {EMULATION}, which is left out; write for"
            f" example --parts {parts}"
        )
    if kernel.replications < 1:
        found.append(
            f"--emulation-replications {kernel.replications}: at least 1 is needed, for example 3"
        )
    if emulating.jobs < 1:
        found.append(f"--emulation-jobs {emulating.jobs}: at least 1 is needed, for example 3")
    found += convention_problems(request, kernel)
    here = prerequisites.problems(unprivileged=emulating.options.unprivileged)
    return found + [f"--emulate: {each}" for each in here]


def reproduce(
    request: Request,
    folder: Path,
    jobs: int,
    on_progress: OnProgress,
    core: str = CORE,
    emulating: Emulating | None = None,
) -> NewRenoResult:
    """Run the study, or what is missing of it, and analyse it.

    Args:
        request: what to run.
        folder: where finished runs are kept.
        jobs: number of threads; the result does not depend on it.
        on_progress: called with each event of the campaigns.
        core: what makes a run, "module:function".
        emulating: how emulated runs are made, if any are asked for.

    Raises:
        InputError: settings make no sense, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    emulating = emulating or Emulating()
    if wrong := problems(request, emulating):
        raise InputError(wrong)
    scenarios = part_scenarios(request)
    runs = run_all(request, folder, jobs, on_progress, core)
    flows = flows_table(runs, payload_bytes(scenarios))
    emulation = emulation_table(flows)
    kernel = request.kernel and kernel_result(
        request, request.kernel, folder, jobs, on_progress, emulating
    )
    return NewRenoResult(
        request=request,
        scenario=study_scenario(request),
        version=__version__,
        command=command_of("newreno", request, CHOICES, _emulation_words(request.kernel)),
        runs=runs,
        claims=claims_table(flows, emulation),
        scenarios=scenarios,
        flows=flows,
        results=results_table(flows),
        errors=errors_table(flows, published.errors()),
        trust=trust_table(flows),
        emulation=emulation,
        internet=internet_table() if INTERNET in request.selection.parts else pd.DataFrame(),
        kernel=kernel,
    )


def _emulation_words(kernel: KernelRequest | None) -> list[str]:
    """What the command says of emulated runs."""
    if kernel is None:
        return []
    words = ["--emulate"]
    if kernel.duration is not None:
        words += ["--emulation-duration", kernel.duration]
    if kernel.replications != KernelRequest().replications:
        words += ["--emulation-replications", str(kernel.replications)]
    return words
