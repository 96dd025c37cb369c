"""Equal replications: a mean of equal values has no interval.

The rows of the runs show whether they are equal; the scenario in the folder shows whether it
contains anything random.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from ackclock.results.results import Results


def all_alike(rows: Sequence[Any]) -> bool:
    """Return whether several runs have equal values of all metrics; nan equals nan."""
    # Compared as texts, because nan is not equal to itself.
    return len({repr(row) for row in rows}) == 1 and len(rows) > 1


def without_width(table: pd.DataFrame) -> pd.Series:
    """Return for each row whether its values are all equal: such a row has no interval and no test.

    Args:
        table: columns lo and hi; nan in rows without an interval.
    """
    return ~(table["hi"] > table["lo"])


def sameness_note(results: Results) -> str:
    """Return a note about points whose replications are equal; empty without such points."""
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
