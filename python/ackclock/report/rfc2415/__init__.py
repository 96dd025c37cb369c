"""The report of the study of initial windows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ackclock.report import page
from ackclock.report.conventions import conventions_table
from ackclock.report.rfc2415 import figures, other_tables, tables
from ackclock.report.sections import section
from ackclock.report.words import seed_words, verdicts
from ackclock.studies.rfc2415.comparison import errors
from ackclock.studies.rfc2415.levels import HTTPS, TABLES, Selection
from ackclock.studies.rfc2415.result import Request, Rfc2415Result
from ackclock.studies.rfc2415.settings import STUDY, study_scenario
from ackclock.studies.rfc2415.tables import errors_line

TEMPLATE = "rfc2415.html"


def write_report(result: Rfc2415Result, path: Path) -> None:
    """Write the report: one page that needs no other file.

    Args:
        result: of the study, with any number of replications and any levels and parts.
        path: of the file; the same result gives the same bytes.
    """
    usual = Request(selection=Selection(parts=(TABLES,)))
    page.write(
        path,
        TEMPLATE,
        source="RFC",
        published="Tables 1 to 6 of the RFC",
        result=result,
        summary=_summary(result),
        seeds=seed_words(result),
        sections=[each for each in _sections(result) if each["shown"]],
        claims=result.claims.to_dict("records"),
        clock=tables.CLOCK_WORDS[result.request.page_clock],
        conventions=conventions_table(
            result, STUDY.settings(result.scenario), STUDY.settings(study_scenario(usual))
        ),
    )


def _summary(result: Rfc2415Result) -> str:
    described = verdicts(result, "points or replications that they need")
    return (
        described
        if result.comparison.empty
        else f"{described} {errors_line(errors(result.comparison))}"
    )


def _sections(result: Rfc2415Result) -> list[dict[str, Any]]:
    """Sections of the page: id, name, text, and the tables and figures that are there."""
    return [
        section(
            "delays",
            "Page delay",
            "Median delay of the web clients' pages at IW 1, and by how much a larger initial "
            "window lowers it.",
            tables.delay_table(result, 1, "1.0"),
            tables.delay_table(result, 4, "1.1"),
        ),
        section(
            "link",
            "The bottleneck",
            "Utilisation of the bottleneck towards the clients, and the share of the packets that "
            "its queue dropped.",
            tables.utilisation_table(result),
            tables.drops_table(result),
        ),
        section(
            "ftps",
            "File transfers",
            "Network power of the ftp clients: goodput of all of them over the median time of a "
            "transfer.",
            tables.power_table(result, 3, "1.0"),
            tables.power_table(result, 5, "1.1"),
        ),
        section(
            "power",
            "Network power of the web clients",
            "Goodput of all web clients over the median page delay; then normalised by that at "
            "IW 1, without 32 web clients with any ftp, which the RFC calls pathological.",
            *(figures.power_figure(result, http) for http in HTTPS),
        ),
        section(
            "half-and-half",
            "Half and half",
            "Half of the web clients with an IW of 1, the others with 3; beside them all clients "
            "alike.",
            other_tables.half_table(result),
        ),
        section(
            "reverse",
            "Reverse traffic",
            "One more ftp client, whose data goes the other way: what it changes of the page delay "
            "with HTTP/1.0. The RFC saw no effect.",
            other_tables.reverse_table(result),
        ),
        section(
            "red",
            "RED",
            "RED in place of drop-tail: by how much the page delay with HTTP/1.0 lies below that "
            "of drop-tail at IW 1, beside larger initial windows without RED. The RFC found "
            "similar gains and calls that study not complete.",
            other_tables.red_table(result),
        ),
    ]
