"""The transfers of section V, simulated under each convention and made by the kernel.

All of them have the same seeds, and so the same list of losses by the positions of data segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ackclock.campaign import Campaign, OnProgress, Run
from ackclock.emulation.campaign import Options, emulate
from ackclock.errors import InputError
from ackclock.results.emulated import LATENESS, banner, described_of, lateness_text, verdict_numbers
from ackclock.studies.common.running import run_parts
from ackclock.studies.newreno.kernel.conventions import (
    CONVENTIONS,
    KERNEL,
    LINUX,
    PROFILE,
    scenario_of,
)
from ackclock.studies.newreno.kernel.tables import beside_table, steps_table
from ackclock.studies.newreno.levels import EMULATION
from ackclock.studies.newreno.result import KernelRequest, KernelResult, Request
from ackclock.studies.newreno.runs import payload_bytes

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
"""Columns of ``measuring.measure`` that the study's table of runs has."""


class Transfer(NamedTuple):
    """What makes a transfer, "kernel" or the name of a convention, and its imposed loss."""

    system: str
    imposed_loss_pct: float


@dataclass(frozen=True)
class Emulating:
    """How emulated runs are made; on a quiet computer the results do not depend on it.

    Attributes:
        jobs: runs at a time.
        retry_invalid: make again those that an earlier call has found invalid.
        options: of the emulation.
    """

    jobs: int = 1
    retry_invalid: bool = False
    options: Options = field(default_factory=lambda: Options(profile=PROFILE))


def kernel_result(
    request: Request,
    kernel: KernelRequest,
    folder: Path,
    jobs: int,
    on_progress: OnProgress,
    emulating: Emulating,
) -> KernelResult:
    """Make the runs that the folder does not hold yet, and compare all of them.

    What is emulated comes last, so that nothing else of this command runs meanwhile.

    Args:
        request: of the study.
        kernel: what is asked for of the kernel.
        folder: of the study.
        jobs: number of threads that simulate.
        on_progress: called with each event of each campaign.
        emulating: how emulated runs are made.

    Raises:
        InputError: a folder cannot be used, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    simulated = _simulated(request, kernel, folder / SIMULATED, jobs, on_progress)
    made = _emulated(request, kernel, folder / EMULATED, on_progress, emulating)
    described = [each for run in made if (each := described_of(run.row)) is not None]
    runs = _with_rates(
        pd.concat([_kernel_rows(made), simulated], ignore_index=True), _payload(request, kernel)
    )
    differences = dict.fromkeys(
        difference
        for each in described
        for settings in each["settings"]
        for difference in settings["differences"]
    )
    return KernelResult(
        runs=runs,
        beside=beside_table(runs),
        steps=steps_table(runs),
        release=described[0]["kernel"],
        lateness=lateness_text(made),
        banner=banner(made),
        differences=tuple(differences),
    )


def _payload(request: Request, kernel: KernelRequest) -> int:
    """Data of a full segment, bytes."""
    return payload_bytes({EMULATION: scenario_of(request, kernel, LINUX)})[EMULATION]


def _with_rates(runs: pd.DataFrame, payload: int) -> pd.DataFrame:
    """Throughput while the transfer lasted, and p as section V estimates it."""
    delivered = runs["delivered_bytes"].astype(float)
    seen = runs["timeouts"] + runs["fast_retransmits"]
    return runs.assign(
        throughput_bit_s=8 * delivered / runs["transfer_s"],
        p=seen / (delivered / payload).where(delivered > 0),
    )


def _simulated(
    request: Request, kernel: KernelRequest, folder: Path, jobs: int, on_progress: OnProgress
) -> pd.DataFrame:
    """A row a simulated run: at least the replications that the kernel makes."""
    parts = {}
    for convention in CONVENTIONS:
        its = scenario_of(request, kernel, convention)
        points = {Transfer(convention, float(each.levels["loss"])): each for each in its.points()}
        parts[convention] = its, points
    replications = max(request.replications, kernel.replications)
    table = run_parts(
        parts,
        replace(request, replications=replications),
        folder,
        measure=MEASURE,
        jobs=jobs,
        on_progress=on_progress,
    )
    names = [*Transfer._fields, "replication", "seed"]
    return table.reindex(columns=[*names, "verdict", *LATENESS, *MEASURED])


def _emulated(
    request: Request,
    kernel: KernelRequest,
    folder: Path,
    on_progress: OnProgress,
    emulating: Emulating,
) -> tuple[Run, ...]:
    """The emulated runs, by imposed loss and replication."""
    its = scenario_of(request, kernel, LINUX)
    emulate(
        its,
        folder,
        emulating.options,
        sets=its.sets,
        replications=kernel.replications,
        measure=MEASURE,
        jobs=emulating.jobs,
        retry_failed=True,
        retry_invalid=emulating.retry_invalid,
        on_progress=on_progress,
    )
    campaign = Campaign.open(folder)
    reasons = dict.fromkeys(failure.reason for failure in campaign.failures)
    if reasons:
        raise InputError([f"emulated runs of the study have failed: {each}" for each in reasons])
    return campaign.runs


def _kernel_rows(runs: Sequence[Run]) -> pd.DataFrame:
    """A row an emulated run."""
    rows = []
    for run in runs:
        numbers: dict[str, Any] = verdict_numbers(run.row["emulation"])
        rows.append(
            {
                **Transfer(KERNEL, float(run.levels["loss"]))._asdict(),
                "replication": run.replication,
                "seed": run.seed,
                **{name: numbers[name] for name in ("verdict", *LATENESS)},
                **{name: run.row[name] for name in MEASURED},
            }
        )
    return pd.DataFrame(rows)
