"""The transfers of section V, simulated under each convention and made by the kernel.

All of them have the same seeds, and so the same list of losses by the positions of data segments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import nan
from typing import Any

import pandas as pd

from ackclock.campaign import Campaign, Run
from ackclock.emulation.campaign import Options, emulate
from ackclock.errors import InputError
from ackclock.results.emulated import (
    KEY,
    LATENESS,
    banner,
    described_of,
    lateness_text,
    verdict_numbers,
)
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Execution, campaign_of, make
from ackclock.studies.newreno.kernel.conventions import (
    CONVENTIONS,
    KERNEL,
    LINUX,
    PROFILE,
    scenario_of,
)
from ackclock.studies.newreno.kernel.request import JOBS, REPLICATIONS, RETRY
from ackclock.studies.newreno.kernel.tables import KernelResult
from ackclock.studies.newreno.predictions import payload_bytes

OPTIONS = Options(profile=PROFILE)
"""Of the emulation."""
MEASURE = "ackclock.studies.newreno.kernel.measuring:measure"
SIMULATED, EMULATED = "conventions", "kernel"
"""Folders: of a campaign for each convention, and of the emulated one."""
MEASURED = (
    "transfer_s",
    "delivered_bytes",
    "timeouts",
    "fast_retransmits",
    "rtt_s",
    "acks_per_segment",
    "segments_sent",
    "retransmitted_share",
    "losses",
)
"""Columns of ``measuring.measure`` that the table of runs has."""


def kernel_result(request: Request, how: Execution) -> KernelResult:
    """Make the runs that the folder does not hold yet, and compare all of them.

    What is emulated comes last, so that nothing else of this command runs meanwhile.

    Args:
        request: of the study.
        how: the simulated runs are made; its folder keeps the emulated ones, too.

    Raises:
        InputError: a folder cannot be used, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    simulated = list(_simulated(request, how))
    made = _emulated(request, how)
    described = [each for run in made if (each := described_of(run.row)) is not None]
    runs = pd.DataFrame([*_rows(KERNEL, made), *simulated])
    differences = dict.fromkeys(
        difference
        for each in described
        for settings in each["settings"]
        for difference in settings["differences"]
    )
    return KernelResult(
        runs=_with_rates(runs, payload_bytes(scenario_of(request, LINUX))),
        release=described[0]["kernel"],
        lateness=lateness_text(made),
        banner=banner(made),
        differences=tuple(differences),
    )


def _simulated(request: Request, how: Execution) -> Iterable[dict[str, Any]]:
    """A row a simulated run: at least the replications that the kernel makes."""
    requests = []
    for convention in CONVENTIONS:
        its = scenario_of(request, convention)
        folder = how.folder / SIMULATED / convention
        replications = max(request.replications, request.option(REPLICATIONS))
        requests.append(
            campaign_of(its, its.points(), folder, how, measure=MEASURE, replications=replications)
        )
    for convention, campaign in zip(CONVENTIONS, make(requests, how), strict=True):
        yield from _rows(convention, campaign.runs)


def _emulated(request: Request, how: Execution) -> tuple[Run, ...]:
    """The emulated runs, by imposed loss and replication."""
    its, folder = scenario_of(request, LINUX), how.folder / EMULATED
    emulate(
        its,
        folder,
        OPTIONS,
        sets=its.sets,
        replications=request.option(REPLICATIONS),
        measure=MEASURE,
        jobs=request.option(JOBS),
        retry_failed=True,
        retry_invalid=request.option(RETRY),
        on_progress=how.on_progress,
    )
    campaign = Campaign.open(folder)
    reasons = dict.fromkeys(failure.reason for failure in campaign.failures)
    if reasons:
        raise InputError([f"emulated runs of the study have failed: {each}" for each in reasons])
    return campaign.runs


def _rows(system: str, runs: Iterable[Run]) -> Iterable[dict[str, Any]]:
    """A row a run; one that is simulated has no verdict."""
    for run in runs:
        numbers: Mapping[str, Any] = verdict_numbers(run.row[KEY]) if KEY in run.row else {}
        yield {
            "system": system,
            "imposed_loss_pct": float(run.levels["loss"]),
            "replication": run.replication,
            "seed": run.seed,
            **{name: numbers.get(name, nan) for name in ("verdict", *LATENESS)},
            **{name: run.row[name] for name in MEASURED},
        }


def _with_rates(runs: pd.DataFrame, payload: int) -> pd.DataFrame:
    """Throughput while the transfer lasted, and p as section V estimates it."""
    delivered = runs["delivered_bytes"].astype(float)
    seen = runs["timeouts"] + runs["fast_retransmits"]
    return runs.assign(
        throughput_bit_s=8 * delivered / runs["transfer_s"],
        p=seen / (delivered / payload).where(delivered > 0),
    )
