"""The report of the study of WWW over ABR."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ackclock.report import page
from ackclock.report.abr_web import figures, tables
from ackclock.report.conventions import conventions_table
from ackclock.report.sections import section
from ackclock.report.words import seed_words, verdicts
from ackclock.studies.abr_web.comparison import errors
from ackclock.studies.abr_web.levels import TABLE2, Selection
from ackclock.studies.abr_web.result import AbrWebResult, Request
from ackclock.studies.abr_web.settings import STUDY, study_scenario
from ackclock.studies.abr_web.tables import errors_line

TEMPLATE = "abr_web.html"


def write_report(result: AbrWebResult, path: Path) -> None:
    """Write the report: one page that needs no other file.

    Args:
        result: of the study, with any number of replications and any levels and parts.
        path: of the file; the same result gives the same bytes.
    """
    usual = Request(selection=Selection(parts=(TABLE2,)))
    page.write(
        path,
        TEMPLATE,
        source="paper",
        published="Table 2 of the paper",
        result=result,
        summary=_summary(result),
        seeds=seed_words(result),
        sections=[each for each in _sections(result) if each["shown"]],
        claims=result.claims.to_dict("records"),
        conventions=conventions_table(
            result, STUDY.settings(result.scenario), STUDY.settings(study_scenario(usual))
        ),
    )


def _summary(result: AbrWebResult) -> str:
    described = verdicts(result, "numbers of servers or replications that they need")
    return (
        described
        if result.comparison.empty
        else f"{described} {errors_line(errors(result.comparison))}"
    )


def _sections(result: AbrWebResult) -> list[dict[str, Any]]:
    """Sections of the page: id, name, text, and the tables and figures that are there."""
    return [
        section(
            "table2",
            "Queue and efficiency",
            "How long the bottleneck's queue becomes and how much of its capacity is used, as the "
            "number of servers grows.",
            tables.table2(result),
            figures.queue_figure(result),
            figures.efficiency_figure(result),
            tables.details_table(result),
        ),
        section(
            "over-time",
            "One run over time",
            "The queue at the bottleneck, and the rates that the switches allow.",
            *(figures.trace_figure(result, trace) for trace in result.traces),
        ),
        section(
            "services",
            "ABR beside UBR",
            "The same requests over UBR with drop policies in the switches, and what the clients "
            "notice of it. The paper does not compare them.",
            tables.services_table(result),
            figures.responses_figure(result),
        ),
    ]
