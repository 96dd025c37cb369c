"""How far the runs are that are being made, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.campaign import Event, Simulated

_LONG_S = 10
"""Times of shorter runs are shown with tenths of a second."""


def simulated(event: Event) -> str:
    """The runs and their times: "run 3 of 12 · 41 of 120 s simulated"; empty if none reports."""
    runs = event.simulated
    if not runs:
        return ""
    first = event.done + event.failed + 1
    which = f"run {first}" if len(runs) == 1 else f"runs {first} to {first + len(runs) - 1}"
    return f"{which} of {event.total} · {_times(runs)} simulated"


def runs_simulated(event: Event) -> float:
    """Number of finished runs, and progress of the others in simulated time."""
    under_way = sum(run.done_s / run.duration_s for run in event.simulated)
    return event.done + event.failed + under_way


def _times(runs: Sequence[Simulated]) -> str:
    """The times of runs of one length, from the shortest to the longest; else their shares."""
    (duration, *others) = {run.duration_s for run in runs}
    if others:
        return f"{_ends([100 * run.done_s / run.duration_s for run in runs], 0)} %"
    decimals = 0 if duration >= _LONG_S else 1
    return f"{_ends([run.done_s for run in runs], decimals)} of {duration:.{decimals}f} s"


def _ends(values: Sequence[float], decimals: int) -> str:
    return " to ".join(dict.fromkeys(f"{each:.{decimals}f}" for each in (min(values), max(values))))
