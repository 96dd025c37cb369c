"""Figures of a scenario that could not be drawn, whatever its runs give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from numbers import Real
from typing import Any

from ackclock.scenario.metric_names import METRIC_NAMES
from ackclock.scenario.metric_needs import (
    CONDITIONAL,
    OF_A_BOTTLENECK,
    nearest_with_value,
    reason_for_none,
)
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.topology import AtmDumbbell, Dumbbell
from ackclock.scenario.points import Point
from ackclock.scenario.problems import Problem
from ackclock.suggestions import nearest

LINEAR, LOG, SYMLOG = "linear", "log", "symlog"


def figure_problems(
    scenario: Scenario, columns: Sequence[str], points: Sequence[Point]
) -> Iterator[Problem]:
    """What is wrong with the figures of a scenario that is right in all else.

    Args:
        scenario: at the first of its points.
        columns: of its factors.
        points: of its sweep.
    """
    names: dict[str, int] = {}
    for at, figure in enumerate(scenario.figures):
        for key in ("x", "series", "facet"):
            column = getattr(figure, key)
            if column is not None and column not in columns:
                yield Problem(("figures", at, key), _no_column(column, columns))
        if figure.x in columns:
            levels = [point.levels[figure.x] for point in points]
            if reason := no_logarithm(figure.x_scale, levels, instead=SYMLOG):
                yield Problem(("figures", at, "x_scale"), reason)
        if reason := _no_value(figure.y, scenario, points):
            yield Problem(("figures", at, "y"), reason)
        other = names.setdefault(figure.file_name, at)
        if other != at:
            yield Problem(
                ("figures", at, "name"),
                f'figures[{other}] is "{figure.file_name}" too; give each a name of its own',
            )


def no_logarithm(scale: str, values: Iterable[Any], *, instead: str) -> str:
    """Why a scale has no place for some of the values; empty if it has one for all.

    Args:
        scale: of an axis.
        values: along it.
        instead: the scale to use where 0 is what has no place.
    """
    its = list(values)
    words = [value for value in its if isinstance(value, bool) or not isinstance(value, Real)]
    if scale in (LOG, SYMLOG) and words:
        return f"a {scale} scale has no place for {words[0]}; use {LINEAR}"
    below = [value for value in its if scale == LOG and value <= 0]
    if below:
        wanted = LINEAR if min(below) < 0 else instead
        return f"a {scale} scale has no place for {below[0]:g}; use {wanted}"
    return ""


def _no_column(column: str, columns: Sequence[str]) -> str:
    if not columns:
        return "there is no factor in [sweep.factors] that a figure could show; add one"
    close = nearest(column, list(columns))
    hint = f'; did you mean "{close}"?' if close else ""
    return f"is no column of a factor; the columns are {', '.join(columns)}{hint}"


def _no_value(metric: str, scenario: Scenario, points: Sequence[Point]) -> str:
    """Why a metric has a value at no point; empty if it may have one."""
    # The plan of a dumbbell, which may have very many flows, says no more than its name.
    by_name = isinstance(scenario.topology, Dumbbell | AtmDumbbell)
    if metric not in CONDITIONAL or (by_name and metric in OF_A_BOTTLENECK):
        return ""
    reason = ""
    for point in points:
        compiled = point.compile()
        reason = reason_for_none(metric, compiled)
        if not reason:
            return ""
    valued = [name for name in METRIC_NAMES if not reason_for_none(name, compiled)]
    near = nearest_with_value(metric, valued)
    return f"has no value in these runs: {reason}" + (
        f'; write for example "{near}"' if near else ""
    )
