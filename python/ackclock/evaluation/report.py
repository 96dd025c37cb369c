"""The report of the suite: the comparison at a glance, then experiment by experiment."""

from __future__ import annotations

import pandas as pd

from ackclock.evaluation.comparison import BETTER, COMPARISON, VERDICTS, WORSE, counts
from ackclock.evaluation.points import name_of
from ackclock.plots.quantities import quantity, sentence
from ackclock.plots.ratios import ratios
from ackclock.plurals import counted
from ackclock.report.blocks import (
    Figure,
    Row,
    Section,
    Table,
    Text,
    drawing,
    heading,
    number,
    number_heading,
    row_heading,
)
from ackclock.report.numbers import fixed, half_width
from ackclock.studies.machinery.plain import sections
from ackclock.studies.machinery.report import Page
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.words import means, provenance

_ABOUT = (
    "Source of the experiments: the Common TCP Evaluation Suite, draft-irtf-iccrg-tcpeval-01. "
    "Flows arrive at random, with sizes of campus traffic up to 10 MB, in place of the draft's "
    "traces."
)

_MOST_POINTS = 3
_BARS = (
    " Bars: 95\u00a0% intervals of the ratios, of pairs of runs with the same arrivals. "
    "Ratios above 10 and below 0.1 are at the edge."
)


def summary(result: StudyResult) -> str:
    """How many numbers are better or worse beside each other TCP."""
    table = result.tables[COMPARISON]
    if table.empty:
        return "There is nothing to compare."
    found = []
    for other, rows in table.groupby("beside", sort=False):
        its = rows["verdict"].value_counts()
        better, worse = (int(its.get(each, 0)) for each in (BETTER, WORSE))
        found.append(
            f"Beside {other}: {better} of {counted(len(rows), 'number')} better, {worse} worse, "
            f"{len(rows) - better - worse} not decided."
        )
    if result.replications == 1:
        found.append("One replication decides nothing; use --replications 5.")
    return " ".join(found)


def _sections(result: StudyResult) -> list[Section]:
    table = result.tables[COMPARISON]
    glance = Section("glance", "At a glance", [] if table.empty else [Text(_READ), _glance(table)])
    found = [glance]
    for its, name in zip(sections(result), result.parts, strict=True):
        rows = table[table["part"] == name]
        compared = [_compared(name, rows, result)] if len(rows) else []
        blocks = [*_ratios(name, rows, result), *its.blocks, *compared]
        found.append(Section(its.id, its.name, blocks))
    return found


_READ = (
    "Each number of an experiment is compared in pairs of runs with the same arrivals. It is "
    "better or worse if the 95\u00a0% interval of the difference excludes 0."
)


def _glance(table: pd.DataFrame) -> Table:
    found = counts(table)
    others = list(dict.fromkeys(beside for _, beside in found))
    head = [
        [heading("Experiment", rows=2), *(heading(f"Beside {each}", columns=3) for each in others)],
        [number_heading(sentence(verdict)) for _ in others for verdict in VERDICTS],
    ]
    rows: list[Row] = [
        [
            row_heading(part),
            *(
                number(str(found[part, other][verdict]) if (part, other) in found else "")
                for other in others
                for verdict in VERDICTS
            ),
        ]
        for part in table["part"].unique()
    ]
    return Table("glance-table", "How many numbers are better or worse", head, [rows])


def _ratios(part: str, rows: pd.DataFrame, result: StudyResult) -> list[Figure]:
    """The ratios of an experiment that has few points; a large one has other figures."""
    if rows["at"].nunique() > _MOST_POINTS:
        return []
    found, tested = [], name_of(result.study.command[1])
    for (other, at), its in rows.groupby(["beside", "at"], sort=False):
        names = [sentence(quantity(metric).name) for metric in its["metric"]]
        title = f"{tested} over {other}" + (f", {at}" if rows["at"].nunique() > 1 else "")
        source = provenance(result, result.parts[part].runs)
        drawn = ratios(
            its.assign(row=names), name=f"{tested} / {other}", title=title, source=source
        )
        id = f"ratios-{part}-{other}-{len(found)}"
        shown = drawing(drawn, f"{id}-drawing", title, "The table has the same numbers.")
        found.append(Figure(id, f"{title}.{_BARS}", source, [shown]))
    return found


def _compared(part: str, rows: pd.DataFrame, result: StudyResult) -> Table:
    """All numbers of an experiment with their differences."""
    head = [
        [
            *(heading(text) for text in ("At", "Number", "Beside")),
            *(number_heading(text) for text in ("Tested", "Other", "Difference")),
            heading("Verdict"),
        ]
    ]
    body: list[Row] = []
    for row in rows.to_dict("records"):
        shown = quantity(row["metric"], [row["tested"], row["other"]])
        one, other, difference, lo, hi = (
            row[name] / shown.scale for name in ("tested", "other", "difference", "lo", "hi")
        )
        body.append(
            [
                row_heading(row["at"]),
                row_heading(sentence(shown.label)),
                row_heading(row["beside"]),
                number(fixed(one)),
                number(fixed(other)),
                number(fixed(difference), half_width(lo, hi)),
                number(row["verdict"]),
            ]
        )
    return Table(f"compared-{part}", f"Differences: {means(result)}.", head, [body])


PAGE = Page(
    title=None,
    heading=None,
    about=lambda result: f"{result.study.question} {_ABOUT}",
    source="draft",
    published="none",
    claims="",
    sections=_sections,
    summary=summary,
)
