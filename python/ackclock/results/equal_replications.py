"""Replications that are equal: there is no interval where nothing varies.

The rows of the runs show that they are equal; the scenario in the folder shows whether anything in
it is random.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from ackclock.results.results import Results


def all_alike(rows: Sequence[Any]) -> bool:
    """Whether several runs gave the same in everything that is measured; nan is as nan."""
    # As texts, for nan is not equal to itself.
    return len({repr(row) for row in rows}) == 1 and len(rows) > 1


def without_width(table: pd.DataFrame) -> pd.Series:
    """Whether what an interval describes does not vary: there is no interval then, and no test.

    Args:
        table: columns lo and hi; a nan is of what has no interval anyway.
    """
    return ~(table["hi"] > table["lo"])


def sameness_note(results: Results) -> str:
    """What to know of points whose replications show no difference; empty if there are none."""
    by_point: dict[int, list[dict[str, Any]]] = {}
    for run in results.campaign.runs:
        by_point.setdefault(run.point, []).append(run.row)
    shown = {
        point: rows
        for point, rows in by_point.items()
        if all_alike([[row.get(name) for name in results.shown_metrics] for row in rows])
    }
    if not shown:
        return ""
    from ackclock.scenario.randomness import sameness

    points = results.records.points()
    note = sameness([points[number] for number in shown], len(points))
    if note or not all(map(all_alike, by_point.values())):
        return note
    return (
        "all replications of each point are equal in every number, though something in the"
        " scenario is random: here it changes nothing"
    )
