"""The recorded runs of campaigns over time: a figure a run, with a drawing a campaign."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from ackclock.plots.quantities import point_text
from ackclock.plots.sourced import SourcedFigure
from ackclock.report.blocks import Figure, drawing
from ackclock.report.interactive import Components
from ackclock.results.records import OVER_TIME
from ackclock.results.results import Results

_MOST = 8
"""Figures over time: each has some thousand points, and they are what makes a page large."""
_REPLICATION = 0


class OverTime(NamedTuple):
    """The recorded runs.

    Attributes:
        figures: of the first points.
        left_out: recorded points that have none.
        command: that draws one of these.
    """

    figures: list[Figure]
    left_out: int
    command: str


def over_time(several: Sequence[Results], names: Sequence[str]) -> OverTime | None:
    """The first replication of each point that was recorded; nothing if none was.

    Args:
        several: campaigns of the same points.
        names: of them.
    """
    first = several[0]
    points = range(len(first.campaign.design.points))
    recorded = [point for point in points if _is_recorded(first, point)]
    if not recorded:
        return None
    figures = [_figure(point, several, names) for point in recorded[:_MOST]]
    left = recorded[_MOST:]
    asked = ["ackclock", "plot", str(first.campaign.folder), "--over-time"]
    command = shlex.join([*asked, "--point", str(left[0])]) if left else ""
    return OverTime(figures, len(left), command)


def _is_recorded(results: Results, point: int) -> bool:
    return any(results.records.has(table, point, _REPLICATION) for table in OVER_TIME)


def _figure(point: int, several: Sequence[Results], names: Sequence[str]) -> Figure:
    first, id = several[0], f"over-time-{point}"
    levels = first.campaign.design.points[point].levels
    drawings, drawn_of = [], []
    for number, (results, name) in enumerate(zip(several, names, strict=True)):
        its = _same_point(results, levels)
        if its is None or not _is_recorded(results, its):
            continue
        drawn = _drawn(results, its)
        drawings.append(
            drawing(
                drawn,
                f"{id}-{number}",
                f"{drawn.title}: {name}",
                drawn.source,
                partial(_data, results, its),
            )
        )
        drawn_of.append(name)
    where = point_text(levels)
    parts = [f"Point {point}{f' ({where})' if where else ''}", f"replication {_REPLICATION}"]
    if len(several) > 1:
        parts.append(f"of {', '.join(drawn_of)}")
    return Figure(id, f"{', '.join(parts)}.", "", drawings)


def _data(results: Results, point: int, components: Components) -> bytes | None:
    return components.run(results, point, _REPLICATION)


def _same_point(results: Results, levels: dict[str, object]) -> int | None:
    """The point of a campaign that has these levels."""
    points = enumerate(results.campaign.design.points)
    return next((number for number, point in points if point.levels == levels), None)


def _drawn(results: Results, point: int) -> SourcedFigure:
    return results.plot.traces(point=point, replication=_REPLICATION, link=_link(results, point))


def _link(results: Results, point: int) -> str | None:
    """A link must be named where only queues were recorded and none is the bottleneck."""
    records = results.records
    windows = any(records.has(table, point, _REPLICATION) for table in ("cwnd", "transport", "acr"))
    if windows or records.facts(point)["bottleneck_link"] is not None:
        return None
    queues = records.table("queue", point, _REPLICATION)
    longest = queues.groupby("link", observed=True)["max_length"].max()
    return str(longest.idxmax())
