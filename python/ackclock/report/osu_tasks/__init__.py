"""The report of the seven TCP-over-UBR tasks: a section a task.

| module | what |
|---|---|
| ``policies``, ``buffers``, ``bursty``, ``windows``, ``retransmit`` | the section of each part |
| ``guaranteed_rate``, ``gfr`` | the same for the parts with guarantees |
| ``section`` | what a section holds; means and words that all of them need |
| ``variation`` | the analysis of variation of a part |
| ``settings`` | the tables of conventions |
| ``looks``, ``drawings`` | colours; drawings that no other report has |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ackclock.report import page
from ackclock.report.osu_tasks import (
    buffers,
    bursty,
    gfr,
    guaranteed_rate,
    policies,
    retransmit,
    windows,
)
from ackclock.report.osu_tasks.section import Section
from ackclock.report.osu_tasks.settings import conventions_tables
from ackclock.report.sections import section
from ackclock.report.words import seed_words, verdicts
from ackclock.studies.osu_tasks.claims import CLAIMS
from ackclock.studies.osu_tasks.part import MANY_SOURCES
from ackclock.studies.osu_tasks.result import OsuTasksResult, PartResult

TEMPLATE = "osu_tasks.html"
_SECTIONS: Mapping[str, Callable[[OsuTasksResult, PartResult], Section]] = {
    its.PART: its.describe
    for its in (policies, buffers, guaranteed_rate, gfr, bursty, windows, retransmit)
}
"""By the name of the part."""


def write_report(result: OsuTasksResult, path: Path) -> None:
    """Write the report: one page that needs no other file.

    Args:
        result: of the study, with any number of replications and any parts.
        path: of the file; the same result gives the same bytes.
    """
    page.write(
        path,
        TEMPLATE,
        source="slides",
        published="none; no number of the programme's papers is used",
        result=result,
        replications=_replications(result),
        many_sources=MANY_SOURCES,
        fewer=min(_numbers(result)) < result.replications,
        summary=verdicts(result, "parts or replications that they need", "the programme's"),
        seeds=seed_words(result),
        sections=[_section(result, part) for part in _by_task(result)],
        claims=result.claims.to_dict("records"),
        conventions_tables=conventions_tables(result),
    )


def _replications(result: OsuTasksResult) -> str:
    """How often a combination was run, and one with many sources."""
    numbers = _numbers(result)
    least, most = min(numbers), max(numbers)
    if least == most:
        return str(most)
    return f"{most}, or {least} with {MANY_SOURCES} sources or more"


def _numbers(result: OsuTasksResult) -> set[int]:
    """How often combinations were run."""
    return {int(n) for part in result.parts.values() for n in part.results["n"]}


def _by_task(result: OsuTasksResult) -> list[PartResult]:
    """The parts that were run, in the order of the tasks: 1, 2; 3; 4a; ..."""
    return sorted(result.parts.values(), key=lambda each: each.part.task)


def _section(result: OsuTasksResult, part: PartResult) -> dict[str, Any]:
    """A section of the page; see ``templates/osu_tasks.html``."""
    described = _SECTIONS[part.part.name](result, part)
    task = part.part.task
    tasks = f"Task{'s' if ',' in task else ''} {task.replace(', ', ' and ')}"
    return {
        **section(f"part-{part.part.name}", f"{tasks}: {part.part.title}", "", *described.figures),
        "question": described.question,
        "experiment": described.experiment,
        "answer": list(described.answer),
        "tables": section("", "", "", *described.tables)["shown"],
        "claims": _claims(result, part),
    }


def _claims(result: OsuTasksResult, part: PartResult) -> list[dict[str, Any]]:
    """The claims that are decided by a part."""
    ids = {claim.id for claim in CLAIMS if part.part.name in claim.needs}
    return result.claims[result.claims["id"].isin(ids)].to_dict("records")
