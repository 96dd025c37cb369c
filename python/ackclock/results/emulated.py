"""Reports on emulated runs: whether each is valid, and how late its packets were.

An emulated run has a table "emulation" in its row, a simulated one has none; see
``ackclock.emulation.core`` for its content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ackclock.plots.quantities import point_text

if TYPE_CHECKING:
    from ackclock.campaign import Campaign, Run

VERDICTS = ("valid", "degraded", "invalid")
"""All verdicts, from the best to the worst."""
KEY = "emulation"
LATENESS = ("late_p50_us", "late_p99_us", "late_max_us")
"""Columns of the lateness of packets, us: median, 99th percentile and maximum of a run."""
NUMBERS = (*LATENESS, "missed_share", "stolen_s")
COLUMNS = ("verdict", *NUMBERS, *VERDICTS)
"""Columns that tables of emulated runs have in addition to the metrics."""
_MEANINGS = {
    "degraded": "degraded: packets were late often enough that differences may come from this"
    " computer",
    "invalid": "invalid: this computer was too slow, or lost packets that the scenario did not"
    " lose; such a run does not show the behaviour of the path",
}
_MOST_REASONS = 8


def described_of(row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the table "emulation" of a row; none if the run was simulated."""
    return row.get(KEY)


def is_emulated(campaign: Campaign) -> bool:
    """Return whether a campaign has emulated runs."""
    return any(described_of(run.row) for run in campaign.runs)


def worst(verdicts: Iterable[str]) -> str:
    """Return the worst of some verdicts; "valid" without verdicts."""
    return max(verdicts, key=VERDICTS.index, default=VERDICTS[0])


def verdict_text(verdicts: Sequence[str]) -> str:
    """Return the verdicts of some runs, the worst first: "invalid 1 of 5, degraded 2 of 5".

    A simulated run has no verdict and is not listed.
    """
    counted = Counter(each if each in VERDICTS else "simulated" for each in verdicts)
    bad = [
        f"{verdict} {counted[verdict]} of {len(verdicts)}"
        for verdict in reversed(VERDICTS[1:])
        if counted[verdict]
    ]
    return next(iter(counted)) if len(counted) == 1 else ", ".join(bad)


def verdict_numbers(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict on a run and its numbers.

    Returns:
        verdict; late_p50_us, late_p99_us, late_max_us: lateness of sent packets; missed_share: the
        share of packets that were read or sent after the deadline; stolen_s: processor time that
        the hypervisor did not give to the virtual machine.
    """
    late, left = described.get("left_late", {}), described.get("left", 0)
    return {
        "verdict": described["verdict"],
        **{name: late.get(name.removeprefix("late_"), nan) for name in LATENESS},
        "missed_share": described.get("misses", nan) / left if left else nan,
        "stolen_s": described.get("stolen_s", nan),
    }


def lateness_text(runs: Iterable[Run]) -> str:
    """Return a sentence about the lateness of the packets of emulated runs.

    Args:
        runs: runs of which at least one is emulated.
    """
    tables = [verdict_numbers(described) for run in runs if (described := described_of(run.row))]
    middle, most, latest = (np.array([each[name] for each in tables]) for name in LATENESS)
    if len(tables) == 1:
        return (
            f"packets left late by {middle[0]:.0f} us (median), {most[0]:.0f} us (99 %),"
            f" {latest[0]:.0f} us at most"
        )
    return (
        f"packets left late by {np.median(middle):.0f} us (median of the runs' medians),"
        f" {np.median(most):.0f} us (of their 99 %), {latest.max():.0f} us at most"
    )


class Banner(NamedTuple):
    """The warning above results with runs that are not valid.

    Attributes:
        verdict: the worst verdict.
        headline: sentence with the number of runs that are not valid.
        meanings: meaning of the verdicts, one sentence per verdict.
        lateness: sentence about the lateness of packets.
        reasons: reasons of the worst runs, one line per run.
        more: number of further runs that are not valid.
    """

    verdict: str
    headline: str
    meanings: tuple[str, ...]
    lateness: str
    reasons: tuple[str, ...]
    more: int


def banner(runs: Iterable[Run]) -> Banner | None:
    """Return the warning above results of some runs; none if all are valid or simulated.

    Args:
        runs: runs of one campaign or of several.
    """
    emulated = [run for run in runs if described_of(run.row)]
    counted = Counter(run.row[KEY]["verdict"] for run in emulated)
    found = [verdict for verdict in reversed(VERDICTS[1:]) if counted[verdict]]
    if not found:
        return None
    bad = [run for verdict in found for run in emulated if run.row[KEY]["verdict"] == verdict]
    return Banner(
        found[0],
        f"Check this before you trust the results: {_counts(counted, found, len(emulated))}",
        tuple(_MEANINGS[verdict] for verdict in found),
        lateness_text(emulated),
        tuple(
            f"{run_name(run)}: {run.row[KEY]['verdict']}; {'; '.join(run.row[KEY]['reasons'])}"
            for run in bad[:_MOST_REASONS]
        ),
        max(len(bad) - _MOST_REASONS, 0),
    )


def _counts(counted: Mapping[str, int], found: Sequence[str], emulated: int) -> str:
    """Return the number of runs with each verdict, as text."""
    if emulated == 1:
        return f"the emulated run is {found[0]}"
    if counted[found[0]] == emulated:
        return f"all of the {emulated} emulated runs are {found[0]}"
    parts = [
        f"{counted[verdict]} {'is' if counted[verdict] == 1 else 'are'} {verdict}"
        for verdict in found
    ]
    return f"of {emulated} emulated runs {' and '.join(parts)}"


def run_name(run: Run) -> str:
    """Return levels and replication of a run: "TCP flavor reno, replication 0"."""
    return ", ".join(filter(None, [point_text(run.levels), f"replication {run.replication}"]))
