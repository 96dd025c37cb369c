"""The smallest buffer that reaches 98 % efficiency, searched for (task 3).

The search is ``ackclock.sizing``'s: bisection with verdicts that hold all together. It does not
depend on how many replications the study has.
"""

from __future__ import annotations

from math import nan

import pandas as pd

from ackclock.errors import InputError
from ackclock.sizing import Question, RunsFailedError, Sizing, size_buffer
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Execution
from ackclock.studies.machinery.settings import scenario_of, sets_of
from ackclock.studies.osu_tasks.levels import BUFFERED, GEO

FOLDER = "smallest"
TARGET = "efficiency >= 98 %"
LINK = GEO
SEARCHED_SOURCES = (5, 100)
"""A search takes many long runs, so the fewest and, but for 1000, the most stand for all."""
RANGE = ("0.125 rtt", "2 rtt")
TOLERANCE = 0.25
REPLICATIONS_MAX = 5
_KEY = "topology.port.buffer"
COLUMNS = [
    "link",
    "drop_policy",
    "sources",
    "status",
    "smallest_rtt",
    "smallest_mean_pct",
    "smallest_half_width_pct",
    "fails_rtt",
    "runs",
]


def smallest_table(request: Request, how: Execution) -> pd.DataFrame:
    """Search for the smallest buffer of each drop policy, for some numbers of sources on GEO.

    Args:
        request: what is run; without the part on buffers nothing is searched for.
        how: the runs are made.

    Returns:
        A row a drop policy and number of sources: link, drop_policy, sources; status as in
        ``ackclock.sizing`` ("found", "already reached with the smallest", "not reached",
        "undecided"); smallest_rtt: the smallest buffer that reaches the target, in bandwidth-delay
        products; the mean efficiency there and half the width of its interval, per cent;
        fails_rtt: the largest below it that does not; runs: that the answer rests on. What is not
        there is nan.

    Raises:
        InputError: a run has failed. KeyboardInterrupt: finished runs are kept.
    """
    if BUFFERED not in request.parts:
        return pd.DataFrame(columns=COLUMNS)
    rows = []
    for (drop_policy, sources), point in _first_points(request).items():
        try:
            found = size_buffer(
                BUFFERED.file.path,
                Question(
                    TARGET,
                    key=_KEY,
                    start=RANGE[0],
                    end=RANGE[1],
                    point=point,
                    replications_max=REPLICATIONS_MAX,
                    tolerance=TOLERANCE,
                    sets=sets_of(BUFFERED, request),
                    seed=request.seed,
                ),
                how.folder / BUFFERED.name / FOLDER / f"{drop_policy}-{sources}-sources",
                jobs=how.jobs,
                executor=how.executor,
                core=how.core,
                measure=BUFFERED.measure,
                on_progress=how.on_progress,
            )
        except RunsFailedError as error:
            raise InputError(f"runs of the study have failed: {error}") from error
        rows.append((LINK, drop_policy, sources, *_described(found)))
    return pd.DataFrame(rows, columns=COLUMNS)


def _first_points(request: Request) -> dict[tuple[str, int], int]:
    """The number of a point of each drop policy and number of sources; the buffer is searched."""
    found: dict[tuple[str, int], int] = {}
    for point in scenario_of(BUFFERED, request).points():
        levels = BUFFERED.named(point.levels)
        if levels.link == LINK and levels.sources in SEARCHED_SOURCES:
            found.setdefault((levels.drop_policy, levels.sources), point.number)
    return found


def _described(found: Sizing) -> tuple[str, float, float, float, float, int]:
    fails = float(found.fails.level.number) if found.fails else nan
    if found.holds is None:
        return found.status, nan, nan, nan, fails, found.runs
    its = found.holds.interval
    half_width = (its.hi - its.lo) / 2
    smallest = float(found.holds.level.number)
    return found.status, smallest, 100 * its.mean, 100 * half_width, fails, found.runs
