"""The report of a study that declares no page of its own: its means, part by part."""

from __future__ import annotations

from collections.abc import Mapping

from ackclock.plots.means import means as draw_means
from ackclock.plots.quantities import Quantity, level_texts, quantity, sentence
from ackclock.report.blocks import (
    Cell,
    Figure,
    Row,
    Section,
    Table,
    drawing,
    heading,
    number,
    number_heading,
    row_heading,
)
from ackclock.report.numbers import fixed, half_width
from ackclock.results.summaries import is_share
from ackclock.studies.machinery.report import Page
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.running import PartRuns
from ackclock.studies.machinery.study import Part, Study
from ackclock.studies.machinery.words import bars, means, provenance


def _sections(result: StudyResult) -> list[Section]:
    return [
        Section(
            f"part-{name}",
            _title(its.part, result.study),
            [*_figures(result, its), _table(result, its)],
        )
        for name, its in result.parts.items()
    ]


def _table(result: StudyResult, its: PartRuns) -> Table:
    keys, metrics = list(its.part.by or its.part.columns), its.part.metrics
    shown = {each: quantity(each, its.results[each]) for each in metrics}
    head = [
        [
            *(heading(sentence(quantity(each).label)) for each in keys),
            *(number_heading(sentence(each.label)) for each in shown.values()),
        ]
    ]
    names = [level_texts(each, its.results[each].tolist()) for each in keys]
    rows: list[Row] = [
        [*map(row_heading, levels), *(_mean(row, *each) for each in shown.items())]
        for *levels, row in zip(*names, its.results.to_dict("records"), strict=True)
    ]
    caption = f"{_title(its.part, result.study)}: {means(result)}."
    return Table(f"means-{its.part.name}", caption, head, [rows])


def _mean(row: Mapping[str, float], metric: str, shown: Quantity) -> Cell:
    mean, lo, hi = (row[f"{metric}{end}"] / shown.scale for end in ("", "_lo", "_hi"))
    return number(fixed(mean), half_width(lo, hi))


def _figures(result: StudyResult, its: PartRuns) -> list[Figure]:
    """Each metric over the factor with the most levels, with the next ones as series and facet."""
    keys, found = list(its.part.by or its.part.columns), []
    counts = {each: its.results[each].nunique() for each in keys}
    varied = sorted((each for each in keys if counts[each] > 1), key=lambda each: -counts[each])
    if not varied:
        return []
    x, series, facet, *_ = [*varied, None, None]
    for metric in its.part.metrics:
        ends = {metric: "mean", f"{metric}_lo": "lo", f"{metric}_hi": "hi"}
        frame = its.results[[*keys, "n", *ends]].rename(columns=ends)
        source = provenance(result, its.runs)
        drawn = draw_means(
            frame,
            x=x,
            y=metric,
            series=series,
            facet=facet,
            share=is_share(metric),
            source=source,
        )
        id = f"figure-{its.part.name}-{metric}"
        shown = drawing(drawn, f"{id}-drawing", drawn.title, "The table has the same numbers.")
        found.append(Figure(id, f"{drawn.title}.{bars(result)}", source, [shown]))
    return found


def _title(part: Part, study: Study) -> str:
    return part.title or (part.name if len(study.parts) > 1 else study.title)


PAGE = Page(
    title=None,
    heading=None,
    about=lambda result: f"{result.study.question} Source: {result.study.source}.",
    source="source",
    published="none",
    claims="Each conclusion of the source is a test on the simulated results alone.",
    sections=_sections,
)
