"""The figures of the report of campaigns: those of the scenario, or its metrics over its sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from ackclock.errors import InputError
from ackclock.plots.means import Scales, means
from ackclock.plots.quantities import quantity, sentence, words
from ackclock.plots.sourced import SourcedFigure
from ackclock.report.blocks import Figure, drawing
from ackclock.results.no_value import no_value
from ackclock.results.results import Results
from ackclock.results.summaries import averages, is_share

_RUNS = "runs"
_MOST_FACETS = 9


class _Plan(NamedTuple):
    """What a figure shows: columns of x, series and facet, a metric, scales, a title."""

    x: str
    y: str
    series: str | None
    facet: str | None
    scales: Scales
    title: str


def figures(
    several: Sequence[Results],
    names: Sequence[str],
    metrics: Sequence[str],
    confidence: float,
    *,
    drawn_all: bool,
) -> list[Figure]:
    """The figures; none if the scenario has no sweep.

    Args:
        several: campaigns.
        names: of them.
        metrics: that the page shows.
        confidence: of the intervals.
        drawn_all: whether the figures of the scenario are drawn, too; those of its metrics follow
            that have none.
    """
    first = several[0]
    plans = _of_scenario(first) if drawn_all else []
    drawn = {plan.y for plan in plans}
    valued = [name for name in metrics if not no_value(first, name, first.metrics[name])]
    plans += [plan for name in valued if name not in drawn and (plan := _own(first, name))]
    return [_figure(number, plan, several, names, confidence) for number, plan in enumerate(plans)]


def _of_scenario(results: Results) -> list[_Plan]:
    return [
        _Plan(its.x, its.y, its.series, its.facet, Scales(its.x_scale, its.y_scale), its.title)
        for its in results.figures.values()
    ]


def _own(results: Results, metric: str) -> _Plan | None:
    """A metric over the factor with the most levels, with the next ones as series and facet."""
    counts = {name: results.metrics[name].nunique() for name in results.factors}
    varied = sorted((name for name in counts if counts[name] > 1), key=lambda name: -counts[name])
    if not varied:
        return None
    x, series, facet, *_ = [*varied, None, None]
    if facet is not None and counts[facet] > _MOST_FACETS:
        facet = None
    return _Plan(str(x), metric, series, facet, Scales(), "")


def _figure(
    number: int,
    plan: _Plan,
    several: Sequence[Results],
    names: Sequence[str],
    confidence: float,
) -> Figure:
    id = f"figure-{number}"
    caption = plan.title or f"{sentence(quantity(plan.y).name)} against {quantity(plan.x).name}"
    try:
        if len(several) == 1:
            drawn = _alone(plan, several[0], confidence)
        else:
            drawn = _side_by_side(plan, several, names, confidence)
    except InputError as error:
        return Figure(id, f"{caption}: not drawn. {error}.", "", [])
    return Figure(id, f"{caption}.", "", [drawing(drawn, f"{id}-drawing", caption, drawn.source)])


def _alone(plan: _Plan, results: Results, confidence: float) -> SourcedFigure:
    return results.plot.lines(
        plan.x,
        plan.y,
        plan.series,
        plan.facet,
        plan.scales.x,
        plan.scales.y,
        confidence=confidence,
    )


def _side_by_side(
    plan: _Plan, several: Sequence[Results], names: Sequence[str], confidence: float
) -> SourcedFigure:
    """A line a campaign; what would be a line a level becomes a panel a level."""
    first = several[0]
    facet = plan.series or plan.facet
    used = [plan.x, *([facet] if facet else [])]
    rest = [name for name in first.factors if name not in used]
    rest = [name for name in rest if first.metrics[name].nunique() > 1]
    frames = [each.metrics for each in several]
    if rest:
        frames = _of_common_points(frames, list(first.factors))
    table = pd.concat(
        [
            averages(frame, used, plan.y, confidence).assign(**{_RUNS: name})
            for frame, name in zip(frames, names, strict=True)
        ],
        ignore_index=True,
    )
    if reason := no_value(first, plan.y, table["mean"]):
        raise InputError(reason)
    source = " · ".join(
        [
            first.source(confidence, table["n"].astype(int).tolist()),
            f"{', '.join(names)}",
            *(f"averaged over {words(quantity(name).name)}" for name in rest),
        ]
    )
    return means(
        table,
        x=plan.x,
        y=plan.y,
        y_unit=first.unit_of(plan.y),
        series=_RUNS,
        facet=facet,
        scales=plan.scales,
        share=is_share(plan.y),
        source=source,
    )


def _of_common_points(frames: Sequence[pd.DataFrame], factors: list[str]) -> list[pd.DataFrame]:
    """The runs of the points that all have: means over others would be of something else."""
    keys = [pd.MultiIndex.from_frame(frame[factors]) for frame in frames]
    common = keys[0]
    for each in keys[1:]:
        common = common[common.isin(each)]
    if common.empty:
        return list(frames)
    return [frame[key.isin(common)] for frame, key in zip(frames, keys, strict=True)]
