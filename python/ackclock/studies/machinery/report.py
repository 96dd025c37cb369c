"""The report of a study: one page that needs no other file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from markupsafe import Markup

from ackclock.report import page
from ackclock.report.blocks import Block, Bullets, Section, Text, Verdicts
from ackclock.studies.machinery.claims import p_text, share_text
from ackclock.studies.machinery.conventions import conventions_tables
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.words import how_decided, seed_words, verdicts

TEMPLATE = "study.html"
ONE_SET = Markup(
    "All combinations use the same conventions. <code>--set KEY=VALUE</code> changes one of them."
)
_ALONE = (
    "With one replication a single result has no interval; use <code>--replications 30</code> to "
    "get one."
)


@dataclass(frozen=True)
class Page:
    """What the report of a study says besides what all reports do. Texts may be ``Markup``.

    Attributes:
        title: of the window; that of the study if none.
        heading: of the page; the same.
        about: of the result, what the study does and asks.
        source: what the model follows: "paper", "RFC".
        published: what is compared with: "Tables 1 to 6 of the RFC".
        claims: what the claims are.
        sections: of the result, those before the claims; one without a table or figure is left out.
        summary: of the result, what it comes to.
        lead: of the result, what stands before the first section.
        after: of the result, sections after the claims.
        conventions: what there is to say of the settings.
        fixed: of the result, what stands above their table.
        intervals: how to read the intervals of means over several replications.
        effects: how to read intervals that one replication has, too.
        all_claims: of the result, the claims; by default each with its evidence.
        measured: whether some of the result was measured in real time.
    """

    title: str | None
    heading: str | None
    about: Callable[[StudyResult], str]
    source: str
    published: str
    claims: str
    sections: Callable[[StudyResult], Sequence[Section]]
    summary: Callable[[StudyResult], str] = verdicts
    lead: Callable[[StudyResult], Sequence[Block]] = lambda result: ()
    after: Callable[[StudyResult], Sequence[Section]] = lambda result: ()
    conventions: str = ONE_SET
    fixed: Callable[[StudyResult], Sequence[Block]] = lambda result: ()
    intervals: Sequence[str] = ()
    effects: Sequence[str] = ()
    all_claims: Callable[[StudyResult], Verdicts] = lambda result: Verdicts(rows_of(result))
    measured: Callable[[StudyResult], bool] = lambda result: False


def write_report(result: StudyResult, path: Path) -> None:
    """Write the report.

    Args:
        result: of the study, with any number of replications, any levels and parts.
        path: of the file; the same result gives the same bytes.
    """
    its: Page = resolve_name(result.study.report)
    page.write(
        path,
        TEMPLATE,
        page=its,
        result=result,
        summary=its.summary(result),
        about=its.about(result),
        lead=list(its.lead(result)),
        sections=_sections(its, result),
        seeds=seed_words(result),
        replications=_replications(result),
        measured=its.measured(result),
        intervals=_intervals(its, result),
    )


def rows_of(result: StudyResult) -> list[dict[str, Any]]:
    """All claims with their verdicts; numbers as texts."""
    shown = {
        "p": result.claims["p"].map(p_text),
        "reached": result.claims["reached"].map(share_text),
    }
    return result.claims.assign(**shown).to_dict("records")


def _sections(its: Page, result: StudyResult) -> list[Section]:
    read = Bullets(how_decided(result, its.source))
    shown = [Text(its.claims), read, its.all_claims(result)]
    claims = [Section("claims", "Claims", shown)] if result.study.claims else []
    tables = conventions_tables(result)
    described = [Text(its.conventions), *its.fixed(result), *tables]
    found = [each for each in its.sections(result) if not each.is_empty]
    return [
        *found,
        *claims,
        *its.after(result),
        Section("conventions", "Conventions", described),
    ]


def _numbers(result: StudyResult) -> list[int]:
    """How often combinations were run."""
    found: set[int] = set()
    for each in result.parts.values():
        counts = each.runs.groupby(each.part.columns, sort=False, dropna=False).size()
        found |= {int(n) for n in counts}
    return sorted(found)


def _replications(result: StudyResult) -> str:
    """How often a combination was run, and one that is run less often."""
    numbers = _numbers(result) or [result.replications]
    few = [part.fewer.name for part in result.study.parts if part.fewer]
    if numbers[0] == numbers[-1] or not few:
        return str(numbers[-1])
    return f"{numbers[-1]}, or {numbers[0]} {few[0]}"


def _intervals(its: Page, result: StudyResult) -> list[str]:
    n = result.replications
    if n == 1:
        return [Markup(_ALONE), *its.effects]
    number, degrees = (str(n), str(n - 1))
    if any(part.fewer for part in result.study.parts):
        number, degrees = "<i>n</i>", "<i>n</i> − 1"
    mean = Markup(
        f"A mean of {number} replications has a 95\u00a0% interval by Student's t with {degrees} "
        "degrees of freedom. The interval shows how far the mean would move with other random "
        f"numbers. It does not show how well the model follows the {its.source}."
    )
    return [mean, *_one_run(its, result), *_less_often(result), *its.intervals, *its.effects]


def _one_run(its: Page, result: StudyResult) -> list[str]:
    """How to read the marks beside printed numbers, if there are any."""
    if not result.study.printed or result.study.runs_a_cell != 1:
        return []
    return [
        f"The {its.source} prints one value for each combination. It is of one run, and one run "
        "scatters more than a mean. So ● and ○ compare it with the 95\u00a0% prediction interval "
        "of one of our runs. If both describe the same system, one value in 20 lies outside."
    ]


def _less_often(result: StudyResult) -> list[str]:
    """Which combinations were run less often than asked for, if any were."""
    few = next((part.fewer for part in result.study.parts if part.fewer), None)
    if not few or min(_numbers(result), default=result.replications) == result.replications:
        return []
    reason = f": {few.why}" if few.why else ""
    said = "A point {} has fewer replications than <code>--replications</code>{}."
    return [Markup(said).format(few.name, reason)]
