"""The report of the WWW-over-UBR+ study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ackclock.report import page
from ackclock.report.conventions import conventions_table
from ackclock.report.ubr_web import figures, tables
from ackclock.report.ubr_web.words import summary
from ackclock.report.words import seed_words
from ackclock.studies.ubr_web.analysis import METRICS
from ackclock.studies.ubr_web.result import Request, UbrWebResult
from ackclock.studies.ubr_web.settings import STUDY, study_scenario

TEMPLATE = "ubr_web.html"


def write_report(result: UbrWebResult, path: Path) -> None:
    """Write the report: one page that needs no other file.

    Args:
        result: of the study, with any number of replications and any levels.
        path: of the file; the same result gives the same bytes.
    """
    defaults = STUDY.settings(study_scenario(Request()))
    page.write(
        path,
        TEMPLATE,
        result=result,
        summary=summary(result),
        seeds=seed_words(result),
        errors=tables.errors_table(result),
        agreement=figures.agreement_figure(result),
        links=[_link(result, link) for link in result.selection.links],
        claims=result.claims.to_dict("records"),
        fixed=tables.fixed_table(result),
        conventions=conventions_table(result, STUDY.settings(result.scenario), defaults),
    )


def _link(result: UbrWebResult, link: str) -> dict[str, Any]:
    """What the section of a link shows; its analysis and trace are empty where there is none."""
    return {
        "name": link,
        "results": [tables.results_table(result, link, metric) for metric in METRICS],
        "interaction": figures.interaction_figure(result, link),
        "analysis": _analysis(result, link),
        "traces": [
            figure
            for trace in result.traces
            if trace.point.link == link and (figure := figures.trace_figure(result, trace))
        ],
        "diagnostics": tables.diagnostics_table(result, link),
    }


def _analysis(result: UbrWebResult, link: str) -> dict[str, Any]:
    if result.allocation.empty or link not in set(result.allocation["link"]):
        return {}
    return {
        "allocation": (
            figures.allocation_figure(result, link),
            tables.allocation_table(result, link),
        ),
        "effects": (figures.effects_figure(result, link), tables.effects_table(result, link)),
    }
