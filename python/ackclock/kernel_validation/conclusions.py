"""What follows from the comparison, in sentences."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd

from ackclock.kernel_validation.comparison import LIMIT, USABLE
from ackclock.kernel_validation.markdown import share
from ackclock.kernel_validation.parts import TCPS
from ackclock.plurals import counted
from ackclock.results.emulated import VERDICTS

_P50_LIMIT_US = 100
_NAMES = {"losses": "random losses", "grid": "nine paths"}
_MOST_NAMED = 6


def described(rows: pd.DataFrame, found: pd.DataFrame) -> list[str]:
    """What a reader wants to know first.

    Args:
        rows: of ``comparison.compare``.
        found: of ``comparison.points``.
    """
    sentences = [_of_part(found[found["part"] == part], name) for part, name in _NAMES.items()]
    return [each for each in [*sentences, _verdicts(rows), _lateness(rows)] if each]


def _of_part(found: pd.DataFrame, name: str) -> str:
    """How far the throughputs of a part are apart."""
    usable = found[found["usable"] > 0]
    if found.empty:
        return ""
    if usable.empty:
        return f"**{name.capitalize()}**: no point has a run that can be used."
    lowest, highest = usable["ratio"].min(), usable["ratio"].max()
    within = int(usable["within"].sum())
    text = (
        f"**{name.capitalize()}**: the kernel's throughput is {lowest:.3f} to {highest:.3f} of the"
        f" simulated one; within {share(LIMIT, 0)} at {within} of {counted(len(usable), 'point')}"
    )
    left = len(found) - len(usable)
    without = f" ({left} more without a usable run)" if left else ""
    outside = usable[~usable["within"].astype(bool)]
    names = [f"{_point(row)} ({row.ratio:.3f})" for row in outside.itertuples()][:_MOST_NAMED]
    more = f", and {len(outside) - len(names)} more" if len(outside) > len(names) else ""
    return f"{text}{without}{': not at ' + '; '.join(names) + more if names else ''}."


def _point(row: object) -> str:
    return (
        f"{TCPS[row.tcp]}, {row.rate_bit_s / 1e6:g} Mbit/s, {row.rtt_s * 1e3:g} ms,"  # type: ignore[attr-defined]
        f" loss {row.loss * 100:g} %"  # type: ignore[attr-defined]
    )


def _verdicts(rows: pd.DataFrame) -> str:
    """How many runs can be believed."""
    counts = Counter(rows["verdict"])
    others = [each for each in counts if each not in VERDICTS]
    kinds = [f"{each} {counts[each]}" for each in (*VERDICTS, *others) if counts[each]]
    left_out = sum(count for each, count in counts.items() if each not in USABLE)
    text = f"Verdicts on {counted(len(rows), 'emulated run')}: {', '.join(kinds)}"
    return f"{text}; {left_out} left out of the above." if left_out else f"{text}."


def _lateness(rows: pd.DataFrame) -> str:
    """How late packets were, over all runs that were made."""
    medians = rows["late_p50_us"].dropna() if "late_p50_us" in rows else pd.Series(dtype=float)
    if medians.empty:
        return ""
    below = int((medians < _P50_LIMIT_US).sum())
    return (
        f"The median delay error of a run is {medians.min():.0f} to {medians.max():.0f} us, below"
        f" {_P50_LIMIT_US} us in {below} of {counted(len(medians), 'run')}."
    )


def timeouts(found: pd.DataFrame) -> list[str]:
    """What the time-outs explain, a sentence a TCP and part.

    Args:
        found: of ``comparison.points``.
    """
    sentences = []
    for (part, tcp), its in found[found["usable"] > 0].groupby(["part", "tcp"], sort=False):
        simulated, kernel = its["simulated_timeouts"].sum(), its["kernel_timeouts"].sum()
        if not np.isfinite(kernel):
            continue
        before = (its["ratio"] - 1).abs()
        after = (adjusted(its) - 1).abs()
        sentences.append(
            f"{TCPS[str(tcp)]}, {_NAMES[str(part)]}: {simulated:.0f} time-outs simulated,"
            f" {kernel:.0f} in the kernel. The throughputs are {share(before.mean())} apart in the"
            f" mean, {share(before.max())} at most; without the time for which one of the two"
            f" waited more, {share(after.mean())} and {share(after.max())}."
        )
    return sentences


def adjusted(found: pd.DataFrame) -> pd.Series:
    """The ratios, if both had waited as long for time-outs.

    A time-out is taken to last as long as the simulated ones did in the mean, without what comes
    after the first of a series.
    """
    more = found["simulated_timeouts"] - found["kernel_timeouts"]
    waited_s = more * found["simulated_first_rto_s"].fillna(0)
    return found["ratio"] * (1 - waited_s / found["duration_s"])
