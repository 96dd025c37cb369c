"""Conclusions of a paper, each as a test on the study's own results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd

Verdict = tuple[bool, str]
"""Whether a claim holds, and the numbers that decide it."""
Test = Callable[[Any], Verdict]
"""Decides a claim from the results of its study, as the study shows them to its claims."""
COLUMNS = ["id", "holds", "evidence", "source", "statement"]


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
    """

    id: str
    source: str
    statement: str
    needs: tuple[str, ...]
    test: Test


class Claims(list[Claim]):
    """Claims in the order of the paper; ``needs`` are those of a claim that names none."""

    def __init__(self, needs: Iterable[str] = ()) -> None:
        super().__init__()
        self._needs = tuple(needs)

    def add(
        self, id: str, source: str, statement: str, needs: Iterable[str] = ()
    ) -> Callable[[Test], Test]:
        """Make the decorated test a claim; the arguments are the attributes of ``Claim``."""

        def register(test: Test) -> Test:
            self.append(Claim(id, source, statement, tuple(needs) or self._needs, test))
            return test

        return register


def verdicts(claims: Iterable[Claim], evidence: Evidence) -> pd.DataFrame:
    """The verdict on every claim.

    Args:
        claims: in the order of the table.
        evidence: what their tests use.

    Returns:
        Columns id, holds ("true", "false", or "" where something is missing), evidence, source,
        statement.
    """
    rows = []
    for claim in claims:
        if reason := evidence.missing(claim.needs):
            holds, numbers = "", f"not decided: {reason}"
        else:
            verdict, numbers = claim.test(evidence)
            holds = str(bool(verdict)).lower()
        rows.append((claim.id, holds, numbers, claim.source, claim.statement))
    return pd.DataFrame(rows, columns=COLUMNS)
