"""The report of a study that declares no page of its own: its means, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Literal

from ackclock.plots.quantities import Quantity, level_texts, quantity, sentence
from ackclock.report.blocks import (
    Cell,
    Row,
    Section,
    Table,
    heading,
    number,
    number_heading,
    published,
    row_heading,
)
from ackclock.report.numbers import fixed, half_width
from ackclock.studies.machinery.analysis import comparison_table
from ackclock.studies.machinery.pictures import FORMULA, figures, given, printed_of, traces
from ackclock.studies.machinery.points_in_print import by_source, in_print
from ackclock.studies.machinery.report import Page
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.running import PartRuns
from ackclock.studies.machinery.study import Part, Study
from ackclock.studies.machinery.words import means


def sections(result: StudyResult) -> list[Section]:
    """A section a part: its figures and its means."""
    return [
        Section(
            f"part-{name}",
            _title(its.part, result.study),
            [*figures(result, its), *traces(result, its.part), _table(result, its)],
        )
        for name, its in result.parts.items()
    ]


def _table(result: StudyResult, its: PartRuns) -> Table:
    """The means of a part, with what is printed and what a formula gives beside them."""
    part, keys = its.part, list(its.part.by or its.part.columns)
    columns = [column for metric in part.metrics for column in _columns(result, its, metric)]
    head = [
        [
            *(heading(sentence(quantity(each).label)) for each in keys),
            *(number_heading(name) for name, _ in columns),
        ]
    ]
    names = [level_texts(each, its.results[each].tolist()) for each in keys]
    cells = [cells for _, cells in columns]
    rows: list[Row] = [
        [*map(row_heading, row[: len(keys)]), *row[len(keys) :]]
        for row in zip(*names, *cells, strict=True)
    ]
    caption = f"{_title(part, result.study)}: {means(result)}.{_marks(result, part)}"
    return Table(f"means-{part.name}", caption, head, [rows])


def _columns(result: StudyResult, its: PartRuns, metric: str) -> Iterator[tuple[str, list[Cell]]]:
    """The columns of a metric: its means; what is printed; what a formula gives."""
    results, shown = its.results, quantity(metric, its.results[metric])
    records, label = results.to_dict("records"), sentence(shown.label)
    yield label, [_mean(row, metric, shown) for row in records]
    keys = list(its.part.by or its.part.columns)
    printed = in_print(result.study, its.part)
    printed = printed[printed["metric"] == metric]
    for source, numbers in by_source(printed, keys).items():
        both = comparison_table(results, numbers, keys)
        found = {
            tuple(row[key] for key in keys): _printed(row, shown) for row in both.to_dict("records")
        }
        yield (
            f"{label}, {printed_of(source)}",
            [found.get(tuple(row[key] for key in keys), number("")) for row in records],
        )
    if metric in its.part.model:
        values = [given(its.part, metric, row) for row in records]
        yield f"{label}, {FORMULA}", [_of_formula(each / shown.scale) for each in values]


def _of_formula(value: float) -> Cell:
    """What a formula gives; empty where it gives nothing."""
    return number(fixed(value) if isfinite(value) else "")


def _mean(row: Mapping[str, float], metric: str, shown: Quantity) -> Cell:
    mean, lo, hi = (row[f"{metric}{end}"] / shown.scale for end in ("", "_lo", "_hi"))
    return number(fixed(mean), half_width(lo, hi))


def _printed(row: Mapping[str, float], shown: Quantity) -> Cell:
    """A printed number, with a mark: whether one of our runs may give it."""
    mark: Literal["", "inside", "outside"] = ""
    if isfinite(row["run_hi"] - row["run_lo"]):
        is_inside = row["run_lo"] <= row["published"] <= row["run_hi"]
        mark = "inside" if is_inside else "outside"
    return published(fixed(row["published"] / shown.scale), mark=mark)


def _marks(result: StudyResult, part: Part) -> str:
    """What the marks of printed numbers are; nothing where there are none."""
    if in_print(result.study, part).empty or result.replications == 1:
        return ""
    return (
        " ● The printed number lies in the 95\u00a0% prediction interval of one of our runs; "
        "○ outside."
    )


def _title(part: Part, study: Study) -> str:
    return part.title or (part.name if len(study.parts) > 1 else study.title)


PAGE = Page(
    title=None,
    heading=None,
    about=lambda result: f"{result.study.question} Source: {result.study.source}.",
    source="source",
    published="the printed numbers beside ours",
    claims="Each conclusion of the source is a test on the simulated results alone.",
    sections=sections,
)
