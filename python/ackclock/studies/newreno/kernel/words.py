"""Which convention is nearest to the kernel and which to the paper, and why: sentences, Markdown.

What is decided here is decided by the tables; invalid runs have no part in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite, sqrt

import pandas as pd

from ackclock.results.emulated import verdict_text
from ackclock.studies.newreno import published
from ackclock.studies.newreno.kernel.conventions import (
    ACKS,
    CONVENTIONS,
    EACH_ACKED,
    KERNEL,
    LIMITED,
    LINUX,
    NAMES,
    PRINTED,
    PROFILE,
    SEGMENTS,
    STUDY_OWN,
)
from ackclock.studies.newreno.kernel.tables import (
    ASIDE,
    COUNTS,
    STEPS,
    THROUGHPUT,
    KernelResult,
    Step,
)

NOTHING = "All emulated runs are invalid, so they allow no conclusions."
PER_S = 500
"""Time-outs and fast recoveries are given for so many seconds, as the paper has them."""
_NEAR_PCT = 10
_ENOUGH = 0.9
_CANDIDATES = (ACKS, STUDY_OWN, SEGMENTS)
_SIMULATED = (*_CANDIDATES, LINUX)
_NONE = "–"


def markdown(result: KernelResult) -> str:
    """For a page of the documentation: how the runs were made, three tables, what they say."""
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


def how(result: KernelResult) -> str:
    """How the emulated transfers were made, and how well."""
    its = result.runs[result.runs["system"] == KERNEL]
    lasted, printed = its["transfer_s"].mean(), published.emulation()["duration_s"].mean()
    described = (
        f"Linux {result.release}, profile {PROFILE}; transfers: {len(its)}, each of {lasted:.0f} s"
        f" from the opening of its connection; {verdict_text(list(its['verdict']))};"
        f" {result.lateness}."
    )
    if lasted < _ENOUGH * printed:
        described += (
            f" The printed transfers last {printed:.0f} s: here the beginning has a larger share."
        )
    return described


def conclusions(beside: pd.DataFrame, steps: pd.DataFrame) -> list[str]:
    """What the tables say.

    Args:
        beside: see ``tables.beside_table``.
        steps: see ``tables.steps_table``.
    """
    counted = beside[beside["counted"]]
    paper = _nearest(beside, "of_paper", "the paper")
    if counted.empty:
        return [NOTHING, paper]
    return [
        _distance(counted, "of_paper", "The kernel's throughput is", (KERNEL,), "the paper's"),
        _nearest(counted, "of_kernel", "the kernel"),
        paper,
        _within(counted),
        _steps_described(steps),
        _acks_described(counted),
        _time_outs_described(counted),
    ]


def causes(beside: pd.DataFrame, steps: pd.DataFrame) -> list[tuple[str, str]]:
    """What stands behind the differences: a name and its explanation, with what it is worth.

    Args:
        beside: see ``tables.beside_table``.
        steps: see ``tables.steps_table``.
    """
    acks = _mean(beside, STUDY_OWN, "acks_per_segment")
    return [
        (
            "Growth per segment",
            "FreeBSD increases cwnd per ACK, Linux by the data that an ACK acknowledges. A "
            f"receiver that delays ACKs sends {acks:.2f} of them for each segment (simulated), "
            f"so the window of a sender that counts ACKs grows more slowly by this factor. By the "
            f"square root law of throughput, this alone changes throughput by "
            f"{100 / sqrt(acks) - 100:+.0f} %. "
            f"Simulated: {_worth(steps, STEPS[2])}.",
        ),
        (
            "RTOmin",
            "With (a), time-outs wait at least 1 s. On Linux 200 ms is the minimum of the "
            "variance's part, so a time-out waits the round-trip time plus 200 ms. The paper's "
            f"FreeBSD waited about as long. Simulated: {_worth(steps, STEPS[1])}, more where "
            "time-outs are frequent.",
        ),
        (
            "Limited transmit",
            "Linux sends a new segment for each of the first two duplicate ACKs; FreeBSD 4.11 "
            "does not. With small windows, more losses then cause three duplicate ACKs and need "
            f"no time-out. Simulated: {_worth(steps, STEPS[3])}, and "
            f"{_per_time(beside, LIMITED, 'timeouts')} time-outs in {PER_S} s in place of "
            f"{_per_time(beside, SEGMENTS, 'timeouts')} (means over the imposed losses).",
        ),
        (
            "Whole segments",
            "Linux counts cwnd and ssthresh in segments: half of nine is four. With the study's "
            "conventions half of nine is 4.5: the sender can send four segments, and needs the "
            "ACKs of 4.5 segments to increase cwnd by one. "
            f"Simulated: {_worth(steps, STEPS[4])}.",
        ),
        (
            "Delayed and quick ACKs",
            "Linux acknowledges immediately at the beginning of a connection, and again for some "
            "segments after a pause as long as a time-out. The simulated receiver of section V "
            "does so only at the beginning. If no ACK were delayed at all, throughput would "
            "change by "
            f"{_worth(steps, ASIDE)}. R is longer with delayed ACKs, because the wait is part of "
            "it.",
        ),
        (
            "What R is",
            "The kernel's R is its smoothed round-trip time, read ten times per second. The "
            "simulated R is the mean of all measured round-trip times, without segments that "
            "waited behind a hole.",
        ),
        (
            "Segment size",
            "It is the same for all: in the paper's testbed, in the simulation and for the "
            "kernel, a packet of 1500 bytes with timestamps has 1448 bytes of data. It does not "
            "contribute to the differences.",
        ),
        (
            "What is left to the kernel",
            "Three known differences are not simulated. In a recovery Linux sends at the rate of "
            "the delivered data (proportional rate reduction, PRR), where NewReno inflates and "
            "deflates cwnd. A time-out within a recovery does not halve ssthresh again. The "
            "timers have the granularity of the kernel's ticks. "
            f"Kernel against the simulation with all of the above: {_worth(steps, STEPS[5])}.",
        ),
        (
            "What is left to the paper",
            "FreeBSD 4.11 and Linux 2.6.8 were not available for measurements. The study's own "
            "conventions are those of the testbed as far as they are known; their throughput is "
            f"{_range(beside, STUDY_OWN, 'of_paper')} of the paper's. "
            "The paper has its own losses. All others have one list of losses, by the positions "
            "of data segments.",
        ),
    ]


def deviation_pct(beside: pd.DataFrame, system: str, of: str) -> float:
    """Mean distance of a system's throughput from another's over the imposed losses, %.

    Args:
        beside: see ``tables.beside_table``.
        system: which.
        of: "of_kernel" or "of_paper".
    """
    ratios = beside.loc[beside["system"] == system, of]
    return float(100 * (ratios - 1).abs().mean())


def _nearest(counted: pd.DataFrame, of: str, whom: str) -> str:
    """Which of the conventions comes nearest, and how far all of them are."""
    away = {each: deviation_pct(counted, each, of) for each in _SIMULATED}
    nearest = min(_CANDIDATES, key=away.__getitem__)
    others = "; ".join(
        f"{NAMES[each]}: {away[each]:.1f} %" for each in _SIMULATED if each != nearest
    )
    return (
        f"Nearest to {whom} of the three conventions is {NAMES[nearest]}: on average"
        f" {away[nearest]:.1f} % away ({_range(counted, nearest, of)} of {whom}'s throughput)."
        f" {others}."
    )


def _distance(
    counted: pd.DataFrame, of: str, opening: str, systems: Sequence[str], whose: str
) -> str:
    described = " and ".join(_range(counted, each, of) for each in systems)
    return f"{opening} {described} of {whose}, by the imposed loss."


def _within(counted: pd.DataFrame) -> str:
    its = counted[counted["system"] == LINUX]
    away = 100 * (its["of_kernel"] - 1).abs()
    return (
        f"Simulated as Linux has it ({NAMES[LINUX]}) and made by the kernel, throughput agrees"
        f" within {_NEAR_PCT} % at {int((away <= _NEAR_PCT).sum())} of {len(its)} imposed losses;"
        f" the largest difference is {away.max():.1f} %."
    )


def _steps_described(steps: pd.DataFrame) -> str:
    described = "; ".join(f"{step.change}: {_worth(steps, step)}" for step in STEPS)
    return f"From the paper to the kernel, one change after the other: {described}."


def _acks_described(counted: pd.DataFrame) -> str:
    kernel, delayed, each = (
        _range(counted, system, "acks_per_segment") for system in (KERNEL, LINUX, EACH_ACKED)
    )
    return (
        f"The kernel's receiver sent {kernel} ACKs for each segment that arrived, the simulated one"
        f" {delayed}, without delay {each}."
    )


def _time_outs_described(counted: pd.DataFrame) -> str:
    most = counted["imposed_loss_pct"].max()
    its = counted[counted["imposed_loss_pct"] == most]
    systems = (PRINTED, KERNEL, ACKS, STUDY_OWN, SEGMENTS, LINUX)
    described = "; ".join(f"{NAMES[each]}: {_per_time(its, each, 'timeouts')}" for each in systems)
    return f"Time-outs in {PER_S} s at {most:g} % loss: {described}."


def _worth(steps: pd.DataFrame, step: Step) -> str:
    """What a step changes, over the imposed losses: "+35.2 % (31.0 to 39.5)"."""
    of = (steps["before"] == step.before) & (steps["after"] == step.after) & steps["counted"]
    its = steps.loc[of, "change_pct"]
    if its.empty:
        return "nothing can be said"
    return f"{its.mean():+.1f} % ({its.min():+.1f} to {its.max():+.1f})"


def _range(beside: pd.DataFrame, system: str, column: str) -> str:
    its = beside.loc[beside["system"] == system, column]
    lo, hi = f"{its.min():.2f}", f"{its.max():.2f}"
    return lo if lo == hi else f"{lo} to {hi}"


def _mean(beside: pd.DataFrame, system: str, column: str) -> float:
    return float(beside.loc[beside["system"] == system, column].mean())


def _per_time(beside: pd.DataFrame, system: str, count: str) -> str:
    its = beside[beside["system"] == system]
    mean = (PER_S * its[count] / its["transfer_s"]).mean()
    # Kernels before Linux 6.7 do not report it.
    return f"{mean:.0f}" if isfinite(mean) else "not known"


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
