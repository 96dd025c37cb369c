"""A study, run and analysed: tables, claims, and what the report and the terminal show of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ackclock import __version__
from ackclock.errors import InputError
from ackclock.results.emulated import Banner
from ackclock.scenario import Scenario
from ackclock.studies.machinery.claims import verdicts
from ackclock.studies.machinery.draws import Draws
from ackclock.studies.machinery.points_in_print import comparisons
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Execution, PartRuns, Runs, Trace, run_all
from ackclock.studies.machinery.study import Study


@dataclass(frozen=True)
class StudyResult:
    """What a study gives, for the files, the terminal and the report.

    Attributes:
        made: its runs.
        evidence: what the tests of its claims look at.
        tables: those that are written, by their files' names; empty where nothing was run.
        claims: see ``claims.verdicts``.
        version: of this package.
    """

    made: Runs
    evidence: Any
    tables: Mapping[str, pd.DataFrame]
    claims: pd.DataFrame
    version: str = __version__

    @property
    def request(self) -> Request:
        """The request."""
        return self.made.request

    @property
    def study(self) -> Study:
        """Which study."""
        return self.request.study

    @property
    def scenario(self) -> Scenario:
        """The study's, with what the request changed."""
        return self.made.scenario

    @property
    def parts(self) -> Mapping[str, PartRuns]:
        """The parts that were run, by name."""
        return self.made.parts

    @property
    def runs(self) -> pd.DataFrame:
        """A row a run: the levels of its point, replication, seed, and what was measured."""
        return self.made.frame

    @property
    def traces(self) -> tuple[Trace, ...]:
        """What was recorded over time."""
        return self.made.traces

    @property
    def replications(self) -> int:
        """Runs of each point."""
        return self.request.replications

    @property
    def seed(self) -> int:
        """From which the seed of each replication is derived."""
        return self.request.seed

    @property
    def banner(self) -> Banner | None:
        """What stands above results that were measured in real time and are not all valid."""
        return getattr(self.made.further, "banner", None)

    @property
    def command(self) -> str:
        """The command that gives this result."""
        return self.request.command


def reproduce(request: Request, how: Execution) -> StudyResult:
    """Run a study, or what is missing of it, and analyse it.

    Args:
        request: what to run.
        how: the runs are made; the result does not depend on it.

    Raises:
        InputError: settings make no sense, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    if problems := request.study.problems(request):
        raise InputError(problems)
    return concluded(run_all(request, how))


def concluded(made: Runs) -> StudyResult:
    """The tables and verdicts that follow from runs."""
    study = made.request.study
    evidence = study.evidence(made)
    are_drawn = study.runs_a_cell == 1 and made.request.replications > 1
    drawn = study.evidence(made, Draws()) if are_drawn else None
    tables = {**study.tables(made, evidence), **comparisons(made)}
    return StudyResult(made, evidence, tables, verdicts(study.claims, evidence, drawn))
