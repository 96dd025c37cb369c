"""What follows from the comparison, in sentences."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from ackclock.kernel_validation.comparison import USABLE
from ackclock.kernel_validation.markdown import share
from ackclock.kernel_validation.parts import PARTS, SHARE, Kind, tcp_name
from ackclock.plurals import counted
from ackclock.results.emulated import VERDICTS

_P50_LIMIT_US = 100
_MOST_NAMED = 6


def described(rows: pd.DataFrame, found: pd.DataFrame) -> list[str]:
    """What a reader wants to know first.

    Args:
        rows: of ``comparison.compare``.
        found: of ``comparison.points``.
    """
    sentences = [_of_part(kind, found[found["part"] == part]) for part, kind in PARTS.items()]
    return [each for each in [*sentences, _verdicts(rows), _lateness(rows)] if each]


def _of_part(kind: Kind, found: pd.DataFrame) -> str:
    """How far the throughputs or the shares of a part are apart."""
    if found.empty:
        return ""
    usable = found[found["usable"] > 0]
    if usable.empty:
        return f"**{kind.title.capitalize()}**: no point has a run that can be used."
    if kind.what == SHARE:
        return (
            f"**{kind.title.capitalize()}**: the first flow's share of both in the kernel is"
            f" {usable['apart'].min():+.3f} to {usable['apart'].max():+.3f} from that in the"
            f" simulator; within {kind.limit:g}{_where(found, 'apart')}"
        )
    lowest, highest = usable["ratio"].min(), usable["ratio"].max()
    text = (
        f"**{kind.title.capitalize()}**: the kernel's throughput is {lowest:.3f} to {highest:.3f}"
        f" of the simulated one; within {share(kind.limit, 0)}{_where(found, 'ratio')}"
    )
    return text if kind.median is None else f"{text} {_medians(usable, kind.median)}"


def _where(found: pd.DataFrame, column: str) -> str:
    """At how many points the limit holds, and at which it does not."""
    usable = found[found["usable"] > 0]
    within = int(usable["within"].sum())
    left = len(found) - len(usable)
    without = f" ({left} more without a usable run)" if left else ""
    outside = usable[~usable["within"].astype(bool)]
    names = [f"{_point(row)} ({getattr(row, column):.3f})" for row in outside.itertuples()]
    shown = names[:_MOST_NAMED]
    more = f", and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    exceptions = f": not at {'; '.join(shown)}{more}" if shown else ""
    return f" at {within} of {counted(len(usable), 'point')}{without}{exceptions}."


def _medians(usable: pd.DataFrame, limit: float) -> str:
    """The median of the points of each TCP."""
    medians = usable["apart"].abs().groupby(usable["tcp"], sort=False).median()
    each = ", ".join(f"{tcp_name(str(tcp))} {share(value)}" for tcp, value in medians.items())
    held = int((medians <= limit).sum())
    return (
        f"The median difference over the points is {share(usable['apart'].abs().median())}"
        f" ({each}); within {share(limit, 0)} for {held} of {counted(len(medians), 'TCP')}."
    )


def _point(row: Any) -> str:
    where = f"{tcp_name(row.tcp)}, {row.rate_bit_s / 1e6:g} Mbit/s, {row.rtt_s * 1e3:g} ms,"
    is_shared = PARTS[row.part].what == SHARE
    return f"{where} {row.bdp:g} BDP" if is_shared else f"{where} loss {row.loss * 100:g} %"


def _verdicts(rows: pd.DataFrame) -> str:
    """How many runs can be believed."""
    counts = Counter(rows["verdict"])
    others = [each for each in counts if each not in VERDICTS]
    kinds = [f"{each} {counts[each]}" for each in (*VERDICTS, *others) if counts[each]]
    left_out = sum(count for each, count in counts.items() if each not in USABLE)
    text = f"Verdicts on {counted(len(rows), 'emulated run')}: {', '.join(kinds)}"
    return f"{text}; {left_out} not used for the results above." if left_out else f"{text}."


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
            f"{tcp_name(str(tcp))}, {PARTS[str(part)].title}: {simulated:.0f} time-outs simulated,"
            f" {kernel:.0f} in the kernel. The throughputs differ by {share(before.mean())} on"
            f" average, {share(before.max())} at most; without the difference in waiting time,"
            f" by {share(after.mean())} and {share(after.max())}."
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
