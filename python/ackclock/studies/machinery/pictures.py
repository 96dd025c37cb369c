"""Figures of the plain page: means beside print and formulas, and runs over time."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from ackclock.plots.means import Scales
from ackclock.plots.means import means as draw_means
from ackclock.plots.quantities import level_texts, quantity, sentence
from ackclock.plots.windows import Panel, windows
from ackclock.report.blocks import Figure, drawing
from ackclock.results.summaries import is_share
from ackclock.studies.machinery.points_in_print import by_source, in_print
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.running import PartRuns, Trace
from ackclock.studies.machinery.study import Part, Picture
from ackclock.studies.machinery.words import bars, one_run, provenance

SIMULATED, PRINTED, FORMULA = "simulated", "printed", "formula"
_SOURCE = "numbers"
"""Column of what a line is, in a figure without another series."""
_MOST_FLOWS = 8


def figures(result: StudyResult, its: PartRuns) -> list[Figure]:
    """The figures of the means of a part."""
    pictures = _usual(its) if its.part.pictures is None else its.part.pictures
    return [_figure(result, its, each) for each in pictures]


def traces(result: StudyResult, part: Part) -> list[Figure]:
    """The runs of a part that were recorded over time."""
    found = [trace for trace in result.traces if trace.part == part.name]
    return [_over_time(result, part, number, trace) for number, trace in enumerate(found)]


def _usual(its: PartRuns) -> list[Picture]:
    """Each metric over the factor with the most levels, with the next ones as series and facet."""
    keys = list(its.part.by or its.part.columns)
    counts = {each: its.results[each].nunique() for each in keys}
    varied = sorted((each for each in keys if counts[each] > 1), key=lambda each: -counts[each])
    if not varied:
        return []
    x, series, facet, *_ = [*varied, "", ""]
    return [Picture(metric, x, series, facet) for metric in its.part.metrics]


def _figure(result: StudyResult, its: PartRuns, picture: Picture) -> Figure:
    metric, source = picture.metric, provenance(result, its.runs)
    frame = _lines(result, its.part, _where(its.results, picture), picture)
    several = frame[_SOURCE].nunique() > 1
    drawn = draw_means(
        frame,
        x=picture.x,
        y=metric,
        series=picture.series or (_SOURCE if several else None),
        facet=picture.facet or None,
        scales=Scales(picture.x_scale, picture.y_scale),
        share=is_share(metric),
        source=source,
    )
    names = [picture.x, picture.series, picture.facet, *map(str, picture.where.values())]
    id = "-".join(["figure", its.part.name, metric, *filter(None, names)])
    shown = drawing(drawn, f"{id}-drawing", drawn.title, "The table has the same numbers.")
    caption = f"{drawn.title}{_at(picture)}.{_redraws(picture.redraws)}{bars(result)}"
    return Figure(id, caption, source, [shown], wide=bool(picture.facet))


def _where(rows: pd.DataFrame, picture: Picture) -> pd.DataFrame:
    for column, level in picture.where.items():
        rows = rows[rows[column] == level]
    return rows


def _lines(
    result: StudyResult, part: Part, results: pd.DataFrame, picture: Picture
) -> pd.DataFrame:
    """The means of a picture, then what is printed and what the formula gives, each as a line."""
    metric = picture.metric
    columns = list(filter(None, [picture.x, picture.series, picture.facet]))
    ends = {metric: "mean", f"{metric}_lo": "lo", f"{metric}_hi": "hi"}
    frames = [results.rename(columns=ends)[[*columns, "mean", "lo", "hi", "n"]]]
    frames[0] = frames[0].assign(**{_SOURCE: SIMULATED})
    printed = _where(in_print(result.study, part), picture)
    printed = printed[printed["metric"] == metric].rename(columns={"published": "mean"})
    for source, rows in by_source(printed, list(part.by or part.columns)).items():
        frames.append(rows[[*columns, "mean"]].assign(**{_SOURCE: printed_of(source)}))
    if metric in part.model:
        values = [given(part, metric, row) for row in results.to_dict("records")]
        formula = results[columns].assign(mean=values, **{_SOURCE: FORMULA})
        frames.append(formula.dropna(subset="mean"))
    return _named(frames, picture)


def _named(frames: list[pd.DataFrame], picture: Picture) -> pd.DataFrame:
    """The rows of all lines of a picture, with names that say what is no simulation."""
    together = pd.concat([_without_interval(each) for each in frames], ignore_index=True)
    if picture.series and len(frames) > 1:
        texts = level_texts(picture.series, together[picture.series].tolist())
        names = dict.fromkeys(together[_SOURCE], "{0}, {1}") | {SIMULATED: "{0}"}
        if _is_one_line(together[together[_SOURCE] == FORMULA], picture):
            names[FORMULA] = "{1}"
        together[picture.series] = [
            names[source].format(text, source)
            for text, source in zip(texts, together[_SOURCE], strict=True)
        ]
        together = together.drop_duplicates([picture.x, picture.series, *_facets(picture)])
    return together


def printed_of(source: str) -> str:
    """The name of what a source prints: "printed", or "printed (Figure 15)"."""
    return f"{PRINTED} ({source})" if source else PRINTED


def _is_one_line(rows: pd.DataFrame, picture: Picture) -> bool:
    """Whether a formula gives the same for all series."""
    places = rows.groupby([picture.x, *_facets(picture)])["mean"]
    return bool((places.nunique() == 1).all())


def _facets(picture: Picture) -> list[str]:
    return [picture.facet] if picture.facet else []


def given(part: Part, metric: str, row: Mapping[Any, Any]) -> float:
    """What the formula of a metric gives at the point of a row of means."""
    return part.model[metric](part.point(**{name: row[name] for name in part.columns}))


def _without_interval(frame: pd.DataFrame) -> pd.DataFrame:
    there = {"lo": np.nan, "hi": np.nan, "n": np.nan}
    return frame.assign(**{name: value for name, value in there.items() if name not in frame})


def _at(picture: Picture) -> str:
    """The levels that a whole figure shares: "; buffer: 2 BDP"."""
    texts = [
        f"{quantity(column).name}: {level_texts(column, [level])[0]}"
        for column, level in picture.where.items()
    ]
    return "".join(f"; {text}" for text in texts)


def _redraws(what: str) -> str:
    return f" Draws {what} of the source again." if what else ""


def _over_time(result: StudyResult, part: Part, number: int, trace: Trace) -> Figure:
    assert part.watch is not None
    start_s, end_s = part.watch.span or (0.0, trace.end_s)
    levels = [
        f"{quantity(column).name}: {level_texts(column, [level])[0]}"
        for column, level in trace.point._asdict().items()
    ]
    name, source = sentence("; ".join(levels)), one_run(result)
    drawn = windows(
        [_panel(trace, name).between(start_s, end_s)], start_s=start_s, end_s=end_s, source=source
    )
    id = f"trace-{part.name}-{number}"
    shown = drawing(drawn, f"{id}-drawing", name, "One run over time.")
    return Figure(id, f"{name}: one run over time.{_redraws(part.watch.redraws)}", source, [shown])


def _panel(trace: Trace, name: str) -> Panel:
    facts, tables = trace.facts, trace.tables
    queue = tables.get("queue", pd.DataFrame())
    if len(queue):
        queue = queue[queue["link"] == facts.bottleneck_link]
    cwnd, senders = (_by_flow(tables.get(each), facts.flow_names) for each in ("cwnd", "transport"))
    return Panel(name, cwnd, queue, senders=senders)


def _by_flow(table: pd.DataFrame | None, names: Any) -> dict[str, pd.DataFrame]:
    if table is None or table.empty:
        return {}
    groups = table.groupby("flow", sort=True)
    return {names[flow]: rows for flow, rows in islice(groups, _MOST_FLOWS)}
