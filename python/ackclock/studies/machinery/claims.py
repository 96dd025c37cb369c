"""Conclusions of a paper, each as a test on the study's own results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isnan
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd

from ackclock.studies.machinery.estimates import Decision

_LEAST_P = 0.001
_WORDS = {True: "it would hold", False: "it would fail", None: "it would be undecided"}
EXPLORATORY = "exploratory"
"""The verdict on a claim that decides nothing."""
COLUMNS = ["id", "holds", "p", "reached", "evidence", "source", "statement"]


class Verdict(NamedTuple):
    """What a claim's test finds.

    Attributes:
        holds: a ``Decision`` by the replications; for tables of single runs, an array with a truth
            value for each.
        evidence: makes the sentence with the numbers that decide; called for the former alone.
    """

    holds: Any
    evidence: Callable[[], str]


Test = Callable[[Any], Verdict]
"""Decides a claim from the evidence of its study."""


class Evidence(Protocol):
    """What the tests of a study's claims look at."""

    def missing(self, needs: tuple[str, ...]) -> str:
        """What is not there of what a claim needs, in words; empty if all is."""
        ...


@dataclass(frozen=True)
class Claim:
    """A conclusion of the paper.

    Attributes:
        id: short name.
        source: section and item of the paper.
        statement: the conclusion as a test.
        needs: names of what must have been run for it.
        test: decides it.
        is_of_runs: whether the paper's procedure can be followed on one run a cell.
        exploratory: whether it decides nothing: a number of it was not found in its source.
    """

    id: str
    source: str
    statement: str
    needs: tuple[str, ...]
    test: Test
    is_of_runs: bool = True
    exploratory: bool = False


class Claims(list[Claim]):
    """Claims in the order of the paper.

    Args:
        needs: what must have been run for those that do not say it.
    """

    def __init__(self, needs: Iterable[str] = ()) -> None:
        super().__init__()
        self._needs = tuple(needs)

    def add(
        self, id: str, source: str, statement: str, needs: Iterable[str] = (), **more: Any
    ) -> Callable[[Test], Test]:
        """Make the decorated test a claim; the arguments are the attributes of ``Claim``."""

        def register(test: Test) -> Test:
            its = tuple(needs) or self._needs
            self.append(Claim(id, source, statement, its, test, **more))
            return test

        return register


def expected(table: pd.DataFrame) -> float:
    """How many conclusions a table of single runs reaches on average; nan if none was drawn.

    Args:
        table: see ``verdicts``.
    """
    return float(table["reached"].sum(min_count=1))


def p_text(p: float) -> str:
    """A p-value in words: "p = 0.03", "p < 0.001"; empty for nan."""
    if isnan(p):
        return ""
    return "p < 0.001" if p < _LEAST_P else f"p = {p:.2g}"


def share_text(reached: float) -> str:
    """A share of tables in words: "35 %"; empty for nan."""
    return "" if isnan(reached) else f"{100 * reached:.0f}\u00a0%"


def verdicts(
    claims: Iterable[Claim], evidence: Evidence, drawn: Evidence | None = None
) -> pd.DataFrame:
    """The verdict on every claim.

    Args:
        claims: in the order of the table.
        evidence: what their tests use.
        drawn: the same for tables of single runs, if the paper ran every cell once.

    Returns:
        Columns id, holds ("true", "false", "undecided", ``EXPLORATORY``, or "" where something is
        missing), p
        (two-sided, of the comparison that is least sure), reached (share of the tables of single
        runs in which the paper's procedure reaches the conclusion; nan if it is not asked),
        evidence, source, statement.
    """
    rows = []
    for claim in claims:
        holds, p, reached = "", np.nan, np.nan
        if reason := evidence.missing(claim.needs):
            numbers = f"not decided: {reason}"
        else:
            verdict = claim.test(evidence)
            decision: Decision = verdict.holds
            holds, p, numbers = decision.text, decision.p, verdict.evidence()
            if claim.exploratory:
                holds, numbers = EXPLORATORY, f"by itself {_WORDS[decision.holds]}; {numbers}"
            if drawn is not None and claim.is_of_runs:
                reached = float(np.mean(claim.test(drawn).holds))
        rows.append((claim.id, holds, p, reached, numbers, claim.source, claim.statement))
    return pd.DataFrame(rows, columns=COLUMNS)
