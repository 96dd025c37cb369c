"""Figures of a scenario that could not be drawn, whatever its runs give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from numbers import Real
from typing import Any

from ackclock.plurals import listed
from ackclock.scenario.metric_names import FLOW_METRIC_NAMES, METRIC_NAMES
from ackclock.scenario.metric_needs import (
    CONDITIONAL,
    OF_A_BOTTLENECK,
    nearest_with_value,
    reason_for_none,
)
from ackclock.scenario.model.figures import (
    CCDF,
    CDF,
    FIGURE_KINDS,
    FILES,
    FLOWS,
    HAS_FLOWS,
    LINES,
    LINK,
    OF_METRICS,
    PAGES,
    QUEUE,
    RUNS,
    Figure,
)
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.topology import AtmDumbbell, Dumbbell
from ackclock.scenario.points import Point
from ackclock.scenario.problems import Problem
from ackclock.suggestions import nearest

LINEAR, LOG, SYMLOG = "linear", "log", "symlog"
_KEYS = tuple(dict.fromkeys(key for kind in FIGURE_KINDS.values() for key in kind.keys))
_METRIC_OF = {PAGES: "page_delay_s", FILES: "file_delay_s"}
"""Metrics that have a value where there are delays of a kind that needs no probe."""
_OR = "or remove"


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
        written = list(_of_keys(figure, columns)) or list(
            _of_names(figure, scenario, columns, points)
        )
        yield from (Problem(("figures", at, key), reason) for key, reason in written)
        other = names.setdefault(figure.file_name, at)
        if other != at:
            yield Problem(
                ("figures", at, "name"),
                f'figures[{other}] is "{figure.file_name}" too; give each a name of its own',
            )


def _of_keys(figure: Figure, columns: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The keys that a figure of the kind does not have, and those that it needs, with reasons."""
    kind, of = FIGURE_KINDS[figure.kind], figure.values_of
    for key in _KEYS:
        if not figure.writes(key):
            continue
        if key not in kind.keys:
            kinds = [name for name, its in FIGURE_KINDS.items() if key in its.keys]
            said = f'has no meaning with kind = "{figure.kind}", only with {_either(kinds)}'
            yield key, f"{said}; write one of these kinds, or remove {key}"
        elif key == "y" and figure.shows_delays:
            yield key, f'has no meaning with of = "{of}"; write of = {_either(OF_METRICS)}, {_OR} y'
        elif key == "flows" and of not in HAS_FLOWS:
            yield key, f'has no meaning with of = "{of}"; write of = "{FLOWS}", {_OR} flows'
        elif key == "link" and of != QUEUE:
            yield key, f'has no meaning with of = "{of}"; write of = "{QUEUE}", {_OR} link'
    for key in kind.needed:
        if getattr(figure, key) is None and not (key == "y" and figure.shows_delays):
            example = "goodput_bit_s" if key == "y" else next(iter(columns), "tcp_flavor")
            also = f', or of = "{QUEUE}"' if key == "y" and kind.of is not None else ""
            yield key, f'is missing; write for example {key} = "{example}"{also}'
    if figure.kind in (CDF, CCDF) and figure.x_scale == SYMLOG:
        yield "x_scale", f"is not a scale of a distribution; write {LINEAR} or {LOG}"


def _of_names(
    figure: Figure, scenario: Scenario, columns: Sequence[str], points: Sequence[Point]
) -> Iterator[tuple[str, str]]:
    """The names in a figure that cannot be shown, with reasons."""
    seen: dict[str, str] = {}
    for key, column in figure.told_apart.items():
        if column not in (*columns, *figure.own_columns):
            yield key, _no_column(column, columns, figure.own_columns)
        elif (other := seen.setdefault(column, key)) != key:
            yield key, f"is {other} already; name another factor, or remove {key}"
    if figure.kind == LINES and figure.x in columns:
        levels = [point.levels[figure.x] for point in points]
        if reason := no_logarithm(figure.x_scale, levels, instead=SYMLOG):
            yield "x_scale", reason
    if figure.y is not None:
        if reason := _no_metric(figure.y, figure.values_of) or _no_value(figure, scenario, points):
            yield "y", reason
    elif reason := _at_no_point(points, lambda point: _no_delays(figure, point)):
        yield "of", reason
    elif figure.link is not None:
        link = figure.link
        if reason := _at_no_point(points, lambda point: _no_link(link, point)):
            yield "link", reason
    for flow in figure.flows or ():
        if reason := _at_no_point(points, lambda point, flow=flow: _no_flow(flow, point)):
            yield "flows", reason


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
        return f"a {scale} scale cannot show {words[0]}; use {LINEAR}"
    below = [value for value in its if scale == LOG and value <= 0]
    if below:
        wanted = LINEAR if min(below) < 0 else instead
        return f"a {scale} scale cannot show {below[0]:g}; use {wanted}"
    return ""


def _either(names: Sequence[str]) -> str:
    """Names in quotes: "a", "b" or "c"."""
    return listed([f'"{name}"' for name in names], "or")


def _no_column(column: str, columns: Sequence[str], own: Sequence[str]) -> str:
    if not columns and not own:
        return "there is no factor in [sweep.factors] that a figure could show; add one"
    close = nearest(column, [*columns, *own])
    hint = f'; did you mean "{close}"?' if close else ""
    besides = f", besides {', '.join(own)}" if own else ""
    its = f"the columns are {', '.join(columns)}" if columns else "there is no factor"
    return f"is not a column of a factor; {its}{besides}{hint}"


def _no_metric(metric: str, of: str) -> str:
    """Why runs, or flows, have no such metric; empty if they have."""
    names = FLOW_METRIC_NAMES if of == FLOWS else METRIC_NAMES
    if metric in names:
        return ""
    other = RUNS if of == FLOWS else FLOWS
    close = nearest(metric, names) or names[0]
    return f'is a metric of {other}, and not of {of}; write for example "{close}"'


def _no_value(figure: Figure, scenario: Scenario, points: Sequence[Point]) -> str:
    """Why the metric of a figure has a value at no point; empty if it may have one."""
    metric = figure.y
    assert metric is not None, "only of a figure of a metric"
    # The plan of a dumbbell, which may have very many flows, says no more than its name.
    by_name = isinstance(scenario.topology, Dumbbell | AtmDumbbell)
    if metric not in CONDITIONAL or (by_name and metric in OF_A_BOTTLENECK):
        return ""
    reason = _at_no_point(points, lambda point: reason_for_none(metric, point.compile()))
    if not reason:
        return ""
    compiled = points[-1].compile()
    names = FLOW_METRIC_NAMES if figure.values_of == FLOWS else METRIC_NAMES
    valued = [name for name in names if not reason_for_none(name, compiled)]
    near = nearest_with_value(metric, valued)
    return f"has no value in these runs: {reason}" + (
        f'; write for example "{near}"' if near else ""
    )


def _at_no_point(points: Iterable[Point], reason_at: Callable[[Point], str]) -> str:
    """The reason at the last of the points; empty if there is none at one of them."""
    reason = ""
    for point in points:
        reason = reason_at(point)
        if not reason:
            break
    return reason


def _no_delays(figure: Figure, point: Point) -> str:
    """Why delays have no value at a point; empty if they may have."""
    of, probes = figure.values_of, point.scenario.probes
    if of in _METRIC_OF:
        reason = reason_for_none(_METRIC_OF[of], point.compile())
    elif not probes.delays:
        return f'no run records delays of the kind "{of}"; write [probes] delays = true'
    elif of == QUEUE:
        named = figure.link is not None or LINK in figure.told_apart.values()
        reason = "" if named else reason_for_none("queue_delay_p50_s", point.compile())
    else:
        reason = reason_for_none("rtt_p50_s", point.compile())
    if reason:
        return f'there is no delay of the kind "{of}" in these runs: {reason}'
    if not probes.replications:
        return f'no run records delays of the kind "{of}"; write [probes] replications = 1'
    return ""


def _no_link(link: str, point: Point) -> str:
    """Why what packets wait at a link is not recorded at a point; empty if it is."""
    compiled = point.compile()
    names = compiled.facts.link_names
    if link not in names:
        close = nearest(link, list(names))
        return "is not a link" + (f'; did you mean "{close}"?' if close else f", as {names[0]} is")
    if names.index(link) not in compiled.plan.get("queue_delays_of", ()):
        return f'is not recorded; write [probes] delays = ["{link}"]'
    return ""


def _no_flow(flow: str, point: Point) -> str:
    """Why there is no such flow at a point; empty if there is."""
    names = point.compile().facts.flow_names
    if flow in names:
        return ""
    close = nearest(flow, list(names))
    hint = (
        f'; did you mean "{close}"?' if close else f'; the first is "{names[0]}"' if names else ""
    )
    return f'there is no flow "{flow}"{hint}'
