"""The request and the results of every study, and the command for them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ackclock.scenario import Scenario
from ackclock.studies.common.levels import spelling


@dataclass(frozen=True)
class Request:
    """The request, which determines every byte of the result.

    Attributes:
        sets: texts ``key=value`` that change the study's scenario.
        selection: the levels to run.
        replications: runs of each point.
        seed: from which the seed of each replication is derived.
    """

    sets: tuple[str, ...] = ()
    selection: Any = None
    replications: int = 1
    seed: int = 1


@dataclass(frozen=True)
class StudyResult:
    """What every study gives, for the files, the terminal and the report.

    Attributes:
        request: the request.
        scenario: the study's, with what the request changed.
        version: of this package.
        command: the command that gives this result.
        runs: a row a run: the levels of its point, replication, seed, and what was measured.
        claims: columns id, holds, evidence, source, statement.
    """

    request: Request
    scenario: Scenario
    version: str
    command: str
    runs: pd.DataFrame
    claims: pd.DataFrame

    @property
    def replications(self) -> int:
        """Runs of each point."""
        return self.request.replications

    @property
    def seed(self) -> int:
        """From which the seed of each replication is derived."""
        return self.request.seed


def command_of(
    study: str, request: Request, choices: Mapping[str, str], more: Sequence[str] = ()
) -> str:
    """The command that gives the same result, whatever the folder and the number of threads.

    Args:
        study: its name on the command line.
        request: the request.
        choices: options that choose levels, by the attributes of the selection.
        more: other words, which stand before what was set.
    """
    words = ["ackclock", "reproduce", study]
    words += ["--replications", str(request.replications), "--seed", str(request.seed)]
    everything = type(request.selection)()
    for attribute, option in choices.items():
        levels = getattr(request.selection, attribute)
        if levels != getattr(everything, attribute):
            words += [option, ",".join(map(spelling, levels))]
    words += more
    for pair in request.sets:
        words += ["--set", pair]
    return shlex.join(words)
