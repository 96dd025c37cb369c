"""Tables for a terminal: of 80 columns they fill one, and are in parts on a narrower one."""

from __future__ import annotations

from ackclock.studies.common.result import StudyResult
from ackclock.terminal import DENSE, TerminalTable

DECISIVE = 30
"""Replications with which ``make validate`` runs the studies."""


def plain_table(*headings: str, keys: int | None = None) -> TerminalTable:
    """An empty table with no more than a line under its headings.

    Args:
        headings: of its first columns.
        keys: how many of them name a row; by default all of these.
    """
    return TerminalTable(*headings, keys=len(headings) if keys is None else keys, look=DENSE)


def claims_line(
    result: StudyResult,
    missing: str = "levels that were not run",
    whose: str = "the paper's",
) -> str:
    """How many conclusions hold, with how many runs, and what decides the others.

    Args:
        result: of a study.
        missing: what the conclusions need that cannot be decided.
        whose: whose conclusions they are.
    """
    holds = list(result.claims["holds"])
    held, undecided = holds.count("true"), holds.count("")
    one = result.replications == 1
    runs = "one run a cell" if one else f"{result.replications} runs a cell"
    verb = "holds" if held == 1 else "hold"
    described = f"{held} of {whose} {len(holds)} conclusions {verb} with {runs}"
    if one and undecided < len(holds):
        described += f"; --replications {DECISIVE} decides them"
    if undecided:
        described += f". {undecided} {'needs' if undecided == 1 else 'need'} {missing}"
    return f"{described}. The report shows each with its numbers."
