"""What the study shows on a terminal."""

from __future__ import annotations

from math import isfinite

import pandas as pd
from rich.console import RenderableType

from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.terminal import averaged, plain_table
from ackclock.studies.newreno.kernel.conventions import (
    ACKS,
    KERNEL,
    MAIN,
    PRINTED,
    SEGMENTS,
    STUDY_OWN,
)
from ackclock.studies.newreno.kernel.tables import KernelResult
from ackclock.studies.newreno.levels import CURVE, QUEUE_NAMES
from ackclock.studies.newreno.predictions import (
    FULL,
    MODEL_NAMES,
    NOTO,
    PAPER,
    PFTK,
    PFTK_FULL,
    SQUARE_ROOT,
)
from ackclock.terminal import TerminalTable

_HEADINGS = {
    SQUARE_ROOT: "square\nroot",
    PFTK: "PFTK\n",
    PFTK_FULL: "PFTK,\nfull",
    NOTO: "New-\nReno,\nNoTO",
    FULL: "New-\nReno,\nFull",
}
_SYSTEMS = {
    PRINTED: "paper",
    KERNEL: "kernel",
    ACKS: "(a) ACK,\n1 s",
    STUDY_OWN: "study",
    SEGMENTS: "(b) segment,\n200 ms",
}


def terminal(result: StudyResult) -> list[RenderableType]:
    """Mean errors of the formulas beside the published ones; the kernel's TCP, if it was run."""
    errors, kernel = result.tables["errors"], result.made.further
    parts: list[RenderableType] = []
    if len(errors):
        parts += [
            f"[bold]Mean prediction errors[/bold] (%, {averaged(result)}); in brackets those in"
            " print\n",
            _errors(errors),
            "",
        ]
    if kernel is not None:
        parts += [
            "[bold]Table III with the kernel's TCP[/bold] (Mbit/s; ratio to the kernel)\n",
            _kernel(kernel),
            "",
        ]
    return parts


def _errors(errors: pd.DataFrame) -> TerminalTable:
    """A row an experiment and a measured flow, a column a formula, with the paper's inputs."""
    table = plain_table("experiment", "queue", "flow")
    for model in MODEL_NAMES:
        table.add_column(_HEADINGS[model], justify="right")
    rows = errors[errors["inputs"] == PAPER]
    for (*curve, flow), its in rows.groupby([*CURVE, "flow"], sort=False):
        by_model = {row.model: row for row in its.itertuples(index=False)}
        cells = [_cell(by_model.get(model)) for model in MODEL_NAMES]
        part, queue, variant = curve
        table.add_row(" ".join([part, variant]).strip(), QUEUE_NAMES[queue], flow, *cells)
    return table


def _kernel(kernel: KernelResult) -> TerminalTable:
    """A row an imposed loss: paper, kernel, simulations; and whether to believe the kernel's."""
    table = plain_table("loss")
    for system in MAIN:
        table.add_column(_SYSTEMS[system], justify="right")
    table.add_column(" emulation")
    for loss, its in kernel.beside.groupby("imposed_loss_pct", sort=False):
        cells = []
        for row in its[its["system"].isin(MAIN)].itertuples(index=False):
            ratio = "" if row.system == KERNEL else f" ({row.of_kernel:.2f})"
            cells.append(f"  {row.throughput_bit_s / 1e6:.2f}{ratio}")
        table.add_row(f"{loss:g} %", *cells, f" {its['verdict'].iloc[0]}")
    return table


def _cell(row: tuple | None) -> str:
    if row is None:
        return ""
    printed = f" ({row.published_mean_pct:g})" if isfinite(row.published_mean_pct) else ""
    return f" [bold]{row.mean_error_pct:.1f}[/bold]{printed}"
