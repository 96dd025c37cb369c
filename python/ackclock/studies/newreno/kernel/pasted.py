"""Table III with the kernel in Markdown, for a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite

import pandas as pd

from ackclock.studies.newreno.kernel.conventions import (
    ACKS,
    CONVENTIONS,
    KERNEL,
    LINUX,
    NAMES,
    PRINTED,
    SEGMENTS,
    STUDY_OWN,
)
from ackclock.studies.newreno.kernel.tables import ASIDE, COUNTS, STEPS, THROUGHPUT
from ackclock.studies.newreno.kernel.words import PER_S, causes, conclusions, how
from ackclock.studies.newreno.result import KernelResult

_SIMULATED = (ACKS, STUDY_OWN, SEGMENTS, LINUX)
_NONE = "–"


def markdown(result: KernelResult) -> str:
    """How the runs were made, three tables, and what they say."""
    beside, steps = result.beside, result.steps
    return "\n".join(
        [
            how(result),
            "",
            *_throughputs(beside),
            "",
            *_counts(beside),
            "",
            *_steps(steps),
            "",
            *(f"- {sentence}" for sentence in conclusions(beside, steps)),
            "",
            *(f"- **{name}.** {text}" for name, text in causes(beside, steps)),
            "",
        ]
    )


def _throughputs(beside: pd.DataFrame) -> Iterable[str]:
    """A row an imposed loss: throughputs in Mbit/s, and ratios."""
    systems = (PRINTED, KERNEL, *_SIMULATED)
    yield from _head(
        "imposed loss (%)",
        *(f"{NAMES[each]} (Mbit/s)" for each in systems),
        "kernel / paper",
        *(f"{_short(each)} / kernel" for each in _SIMULATED),
        "emulation",
    )
    for loss, its in beside.groupby("imposed_loss_pct", sort=False):
        by = its.set_index("system")
        yield _row(
            f"{loss:g}",
            *(f"{by.loc[each, THROUGHPUT] / 1e6:.2f}" for each in systems),
            f"{by.loc[KERNEL, 'of_paper']:.2f}",
            *(f"{by.loc[each, 'of_kernel']:.2f}" for each in _SIMULATED),
            by.loc[KERNEL, "verdict"],
        )


def _counts(beside: pd.DataFrame) -> Iterable[str]:
    """A row an imposed loss and a system: what else Table III has."""
    yield from _head(
        "imposed loss (%)",
        "",
        f"time-outs in {PER_S} s",
        f"fast recoveries in {PER_S} s",
        "R (ms)",
        "p (%)",
        "ACKs a segment",
    )
    for row in beside[beside["system"].isin((PRINTED, KERNEL, *CONVENTIONS))].itertuples():
        counts = [getattr(row, name) * PER_S / row.transfer_s for name in COUNTS]
        yield _row(
            f"{row.imposed_loss_pct:g}",
            NAMES[row.system],
            *(_number(each, 0) for each in counts),
            _number(1000 * row.rtt_s, 1),
            _number(100 * row.p, 2),
            _number(row.acks_per_segment, 2),
        )


def _steps(steps: pd.DataFrame) -> Iterable[str]:
    """A row a change, a column an imposed loss."""
    yield from _head(
        "change of the throughput (%)", *(f"{x:g} %" for x in steps["imposed_loss_pct"].unique())
    )
    for step in (*STEPS, ASIDE):
        of = (steps["before"] == step.before) & (steps["after"] == step.after)
        yield _row(step.change, *(f"{each:+.1f}" for each in steps.loc[of, "change_pct"]))


def _short(convention: str) -> str:
    return {ACKS: "(a)", STUDY_OWN: "study", SEGMENTS: "(b)", LINUX: "(b), Linux"}[convention]


def _number(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}" if isfinite(value) else _NONE


def _head(*names: str) -> Sequence[str]:
    return [_row(*names), "|---" * len(names) + "|"]


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
