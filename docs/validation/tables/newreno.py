"""The tables of newreno.md."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any

from ackclock.report.numbers import fixed
from ackclock.studies.newreno.kernel.conventions import (
    ACKS,
    KERNEL,
    LINUX,
    PRINTED,
    SEGMENTS,
    STUDY_OWN,
)
from ackclock.studies.newreno.levels import (
    BACKGROUND,
    BERNOULLI,
    BOTTLENECKS,
    BUFFER,
    BURSTY,
    EMULATION,
    FREQUENT,
    NEWRENO,
    RARE,
    RED,
    RENO,
    SCALING,
    UDP,
    Curve,
)
from ackclock.studies.newreno.predictions import MODEL_NAMES, PAPER, PFTK
from tables.claims import claims
from tables.markdown import read, table

_EXPERIMENTS = {
    Curve(BURSTY, variant=RARE): f"loss events, {RARE}",
    Curve(BURSTY, variant=FREQUENT): f"loss events, {FREQUENT}",
    Curve(BERNOULLI): "Bernoulli",
    Curve(BACKGROUND): "web and files, drop-tail",
    Curve(BACKGROUND, RED): "web and files, RED",
    Curve(BOTTLENECKS): "two bottlenecks, drop-tail",
    Curve(BOTTLENECKS, RED): "two bottlenecks, RED",
    Curve(UDP): "UDP, drop-tail",
    Curve(UDP, RED): "UDP, RED",
    Curve(SCALING): "scaling",
    Curve(BUFFER): "buffer",
    Curve(EMULATION): "testbed of section V",
}
_MODELS = {
    **{(NEWRENO, model): name for model, name in MODEL_NAMES.items()},
    (RENO, PFTK): f"{MODEL_NAMES[PFTK]} on Reno",
}
"""Flow and formula of each column."""
_SYSTEMS = {
    ACKS: "(a) / kernel",
    STUDY_OWN: "this study / kernel",
    SEGMENTS: "(b) / kernel",
    LINUX: "as Linux / kernel",
}


def errors(folder: Path) -> str:
    """Mean errors of the formulas with the paper's inputs, and the printed ones."""
    found = read(folder, "errors", words=["variant"])
    by_place = {
        (Curve(row.part, row.queue, row.variant), (row.flow, row.model)): _error(row)
        for row in found[found["inputs"] == PAPER].itertuples(index=False)
    }
    rows = [
        (name, *(by_place.get((curve, model), "") for model in _MODELS))
        for curve, name in _EXPERIMENTS.items()
    ]
    return table(("experiment", *_MODELS.values()), rows)


def _error(row: Any) -> str:
    """A mean error, and the printed one with two digits."""
    printed = row.published_mean_pct
    beside = f" ({printed:.{1 if printed < 10 else 0}f})" if isfinite(printed) else ""
    return f"{row.mean_error_pct:.1f}{beside}"


def kernel(folder: Path) -> str:
    """Throughput of the kernel beside the paper's and the simulated ones."""
    rows = []
    for loss, its in read(folder, "kernel").groupby("imposed_loss_pct", sort=False):
        by = {row.system: row for row in its.itertuples(index=False)}
        mbit_s = (by[name].throughput_bit_s / 1e6 for name in (PRINTED, KERNEL))
        ratios = (by[KERNEL].of_paper, *(by[name].of_kernel for name in _SYSTEMS))
        rows.append((f"{loss:g} %", *(fixed(value, 2) for value in (*mbit_s, *ratios))))
    headings = ("imposed loss", "paper, Mbit/s", "kernel, Mbit/s", "kernel / paper")
    return table((*headings, *_SYSTEMS.values()), rows)


TABLES = {"errors": errors, "claims": claims, "kernel": kernel}
