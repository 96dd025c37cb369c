"""The figures of the report of campaigns: those of the scenario, or its metrics over its sweep."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ackclock.errors import InputError
from ackclock.plots.means import Scales, means
from ackclock.plots.quantities import quantity, sentence, words
from ackclock.plots.sourced import SourcedFigure
from ackclock.report.blocks import Figure, drawing
from ackclock.results.no_value import no_value
from ackclock.results.results import Results
from ackclock.results.summaries import averages, is_share
from ackclock.scenario.model.figures import FILES, LINES, PAGES, QUEUE, RTT, RUNS
from ackclock.scenario.model.figures import Figure as Described

_SERIES = "runs"
_DELAYS = {QUEUE: "queue_delay_s", RTT: "rtt_s", PAGES: "page_delay_s", FILES: "file_delay_s"}
_MOST_FACETS = 9
_LEAST_CELLS = 6


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
    plans = list(first.figures.values()) if drawn_all else []
    drawn = {plan.y for plan in plans if plan.values_of == RUNS}
    valued = [name for name in metrics if not no_value(first, name, first.metrics[name])]
    plans += [plan for name in valued if name not in drawn and (plan := _own(first, name))]
    return [_figure(number, plan, several, names, confidence) for number, plan in enumerate(plans)]


def heat_map(
    several: Sequence[Results], names: Sequence[str], metrics: Sequence[str]
) -> Figure | None:
    """The first metric over the two factors with the most levels; nothing without two of them.

    Args:
        several: campaigns.
        names: of them.
        metrics: that the page shows.
    """
    first = several[0]
    counts = {name: first.metrics[name].nunique() for name in first.factors}
    varied = sorted((name for name in counts if counts[name] > 1), key=lambda name: -counts[name])
    valued = [name for name in metrics if not no_value(first, name, first.metrics[name])]
    # Of two levels each, the table says as much.
    if len(varied) < 2 or counts[varied[0]] * counts[varied[1]] < _LEAST_CELLS or not valued:
        return None
    x, rows, metric = varied[0], varied[1], valued[0]
    id = "heat-map"
    drawings = []
    for number, (results, name) in enumerate(zip(several, names, strict=True)):
        try:
            drawn = results.plot.heatmap(x, metric, rows, title=name if len(several) > 1 else "")
        except InputError:
            continue
        title = f"{drawn.title}: {name}" if len(several) > 1 else drawn.title
        drawings.append(drawing(drawn, f"{id}-{number}", title, drawn.source))
    caption = (
        f"{sentence(quantity(metric).name)} over {quantity(x).name} and {quantity(rows).name}."
    )
    return Figure(id, caption, "", drawings) if drawings else None


def _own(results: Results, metric: str) -> Described | None:
    """A metric over the factor with the most levels, with the next ones as series and facet."""
    counts = {name: results.metrics[name].nunique() for name in results.factors}
    varied = sorted((name for name in counts if counts[name] > 1), key=lambda name: -counts[name])
    if not varied:
        return None
    x, series, facet, *_ = [*varied, None, None]
    if facet is not None and counts[facet] > _MOST_FACETS:
        facet = None
    return Described.model_construct(x=str(x), y=metric, series=series, facet=facet)


def _figure(
    number: int,
    its: Described,
    several: Sequence[Results],
    names: Sequence[str],
    confidence: float,
) -> Figure:
    id, caption = f"figure-{number}", _caption(its)
    try:
        if len(several) == 1:
            drawn = several[0].plot.described(its, confidence=confidence)
        elif its.kind == LINES:
            drawn = _side_by_side(its, several, names, confidence)
        else:
            return _one_each(id, its, several, names)
    except InputError as error:
        return Figure(id, f"{caption}: not drawn. {error}.", "", [])
    return Figure(id, f"{caption}.", "", [drawing(drawn, f"{id}-drawing", caption, drawn.source)])


def _caption(its: Described) -> str:
    what = quantity(its.y or _DELAYS[its.values_of]).name
    against = f" against {quantity(its.x).name}" if its.x else ""
    return its.title or f"{sentence(what)}{against}"


def _one_each(id: str, its: Described, several: Sequence[Results], names: Sequence[str]) -> Figure:
    """A drawing a campaign that has the values.

    Raises:
        InputError: none has.
    """
    drawings, problems = [], []
    for at, (results, name) in enumerate(zip(several, names, strict=True)):
        try:
            drawn = results.plot.described(its, title=name)
        except InputError as error:
            problems += error.messages
            continue
        title = f"{_caption(its)}: {name}"
        drawings.append(drawing(drawn, f"{id}-drawing-{at}", title, drawn.source))
    if not drawings:
        raise InputError(problems)
    return Figure(id, f"{_caption(its)}.", "", drawings, wide=its.facet is not None)


def _side_by_side(
    its: Described, several: Sequence[Results], names: Sequence[str], confidence: float
) -> SourcedFigure:
    """A line a campaign; what would be a line a level becomes a panel a level."""
    first = several[0]
    facet = its.series or its.facet
    used = [its.x, *([facet] if facet else [])]
    rest = [name for name in first.factors if name not in used]
    rest = [name for name in rest if first.metrics[name].nunique() > 1]
    frames = [each.metrics for each in several]
    if rest:
        frames = _of_common_points(frames, list(first.factors))
    table = pd.concat(
        [
            averages(frame, used, its.y, confidence).assign(**{_SERIES: name})
            for frame, name in zip(frames, names, strict=True)
        ],
        ignore_index=True,
    )
    if reason := no_value(first, its.y, table["mean"]):
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
        x=its.x,
        y=its.y,
        y_unit=first.unit_of(its.y),
        series=_SERIES,
        facet=facet,
        scales=Scales(its.x_scale, its.y_scale),
        share=is_share(its.y),
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
