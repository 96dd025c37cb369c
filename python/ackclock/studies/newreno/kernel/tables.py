"""Table III beside what the kernel and each convention make of it.

An imposed loss whose emulated runs are all invalid is shown and not counted; of the others, invalid
replications are left out, and so are the simulated ones of the same seeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import pandas as pd

from ackclock.results.emulated import Banner, verdict_text
from ackclock.stats import mean_interval, ratio_interval
from ackclock.stats.intervals import Interval
from ackclock.studies.newreno import published
from ackclock.studies.newreno.comparison import printed
from ackclock.studies.newreno.kernel.conventions import (
    ACKS,
    CONVENTIONS,
    EACH_ACKED,
    KERNEL,
    LIMITED,
    LINUX,
    PRINTED,
    SEGMENTS,
    STUDY_OWN,
)

INVALID = "invalid"
THROUGHPUT = "throughput_bit_s"
COUNTS = ("timeouts", "fast_retransmits")
_MEANS = ("transfer_s", *COUNTS, "rtt_s", "p", "acks_per_segment")


@dataclass(frozen=True)
class KernelResult:
    """Table III with the kernel's TCP.

    Attributes:
        runs: a row a run, emulated or simulated: system, imposed_loss_pct, replication, seed,
            verdict and late_p50_us, late_p99_us, late_max_us of an emulated one, and what
            ``measuring.measure`` returns; throughput_bit_s while the transfer lasted, and p.
        release: of the kernel.
        lateness: how late packets were, in words.
        banner: what stands above the results if not all emulated runs are valid.
        differences: what the scenario asks for and the kernel does otherwise.
    """

    runs: pd.DataFrame
    release: str
    lateness: str
    banner: Banner | None
    differences: tuple[str, ...]

    @cached_property
    def beside(self) -> pd.DataFrame:
        """See ``beside_table``."""
        return beside_table(self.runs)

    @cached_property
    def steps(self) -> pd.DataFrame:
        """See ``steps_table``."""
        return steps_table(self.runs)


class Step(NamedTuple):
    """From one column of the table to another: what changes between them."""

    before: str
    after: str
    change: str


STEPS = (
    Step(PRINTED, ACKS, "the paper's testbed, simulated with (a)"),
    Step(ACKS, STUDY_OWN, "RTOmin: 200 ms on the variance's part for 1 s"),
    Step(STUDY_OWN, SEGMENTS, "growth per segment for growth per ACK"),
    Step(SEGMENTS, LIMITED, "limited transmit"),
    Step(LIMITED, LINUX, "ssthresh in whole segments"),
    Step(LINUX, KERNEL, "the kernel itself"),
)
"""The way from the paper to the kernel, one change after the other."""
ASIDE = Step(LINUX, EACH_ACKED, "aside: an ACK for each segment")
"""What it would be worth if the receiver delayed no ACK."""


def beside_table(runs: pd.DataFrame) -> pd.DataFrame:
    """A row an imposed loss and a system: paper, kernel, each convention.

    Args:
        runs: see ``KernelResult``.

    Returns:
        Columns imposed_loss_pct, system; n: replications; verdict: of the emulated runs, in words;
        counted: whether one of them is not invalid; throughput_bit_s (while the transfer lasted)
        with its 95 % interval (_lo, _hi); of_paper, of_kernel: ratios to theirs, the latter paired
        by the losses with its interval; transfer_s, timeouts, fast_retransmits, rtt_s, p,
        acks_per_segment: means.
    """
    table_iii = _printed()
    rows: list[dict[str, Any]] = []
    for loss, its in runs.groupby("imposed_loss_pct", sort=False):
        verdicts = its[its["system"] == KERNEL].set_index("replication")["verdict"]
        compared = _compared(verdicts)
        common = {
            "imposed_loss_pct": loss,
            "verdict": verdict_text(list(verdicts)),
            "counted": bool((verdicts != INVALID).any()),
        }
        by = {system: _of(its, system).loc[compared] for system in (KERNEL, *CONVENTIONS)}
        paper = table_iii.loc[loss]
        kernel = by[KERNEL][THROUGHPUT]
        rows.append(
            {
                **common,
                "system": PRINTED,
                "n": 1,
                **paper.to_dict(),
                "of_paper": 1.0,
                "of_kernel": paper[THROUGHPUT] / kernel.mean(),
            }
        )
        for system, those in by.items():
            mean = mean_interval(those[THROUGHPUT])
            ratio = ratio_interval(those[THROUGHPUT], kernel)
            rows.append(
                {
                    **common,
                    "system": system,
                    "n": len(those),
                    **_interval(THROUGHPUT, mean),
                    "of_paper": mean.mean / paper[THROUGHPUT],
                    **_interval("of_kernel", ratio),
                    **those[list(_MEANS)].mean().to_dict(),
                }
            )
    return pd.DataFrame(rows, columns=_COLUMNS)


_COLUMNS = [
    *("imposed_loss_pct", "system", "n", "verdict", "counted"),
    *(THROUGHPUT, f"{THROUGHPUT}_lo", f"{THROUGHPUT}_hi"),
    *("of_paper", "of_kernel", "of_kernel_lo", "of_kernel_hi"),
    *_MEANS,
]


def steps_table(runs: pd.DataFrame) -> pd.DataFrame:
    """What each change on the way from the paper to the kernel is worth at each imposed loss.

    Args:
        runs: see ``KernelResult``.

    Returns:
        Columns before, after, change (see ``STEPS`` and ``ASIDE``), imposed_loss_pct, counted (as
        above; always for steps without the kernel), n: replications; change_pct of the throughput
        with its 95 % interval (_lo, _hi), paired by the losses. Steps between conventions have all
        replications that were simulated.
    """
    paper = _printed()[THROUGHPUT]
    rows: list[dict[str, Any]] = []
    for step in (*STEPS, ASIDE):
        for loss, its in runs.groupby("imposed_loss_pct", sort=False):
            counted = True
            after = _of(its, step.after)[THROUGHPUT]
            if step.before == PRINTED:
                before = pd.Series(paper[loss], after.index)
            else:
                before = _of(its, step.before)[THROUGHPUT]
            if step.after == KERNEL:
                verdicts = _of(its, KERNEL)["verdict"]
                counted = bool((verdicts != INVALID).any())
                after, before = (each.loc[_compared(verdicts)] for each in (after, before))
            ratio = ratio_interval(after, before)
            described = Interval(*(100 * (each - 1) for each in ratio[:3]), ratio.n)
            rows.append(
                {
                    **step._asdict(),
                    "imposed_loss_pct": loss,
                    "counted": counted,
                    "n": described.n,
                    **_interval("change_pct", described),
                }
            )
    return pd.DataFrame(rows)


def _compared(verdicts: pd.Series) -> pd.Index:
    """Of emulated runs at one loss, the replications to compare: all if none can be believed."""
    believed = verdicts.index[verdicts != INVALID]
    return believed if len(believed) else verdicts.index


def _of(runs: pd.DataFrame, system: str) -> pd.DataFrame:
    """The runs of a system at one loss, by replication."""
    return runs[runs["system"] == system].set_index("replication").sort_index()


def _printed() -> pd.DataFrame:
    """Table III in the columns of this study, by imposed loss."""
    names = {f"published_{name}": name for name in ("rtt_s", "p", *COUNTS)}
    table = printed().rename(columns={**names, "published_bit_s": THROUGHPUT})
    table["transfer_s"] = published.emulation()["duration_s"]
    return table.set_index("imposed_loss_pct")[["transfer_s", THROUGHPUT, *names.values()]]


def _interval(name: str, its: Interval) -> dict[str, float]:
    return {name: its.mean, f"{name}_lo": its.lo, f"{name}_hi": its.hi}
