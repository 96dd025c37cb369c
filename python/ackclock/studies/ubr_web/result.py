"""What the study gives."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

from ackclock.scenario import Scenario
from ackclock.studies.ubr_web.levels import Point, Selection


@dataclass(frozen=True)
class Request:
    """What is asked for; it decides every byte of the result.

    Attributes:
        sets: texts ``key=value`` that change the study's scenario.
        selection: the levels to run.
        replications: runs of each point.
        seed: from which the seed of each replication is derived.
    """

    sets: tuple[str, ...] = ()
    selection: Selection = field(default_factory=Selection)
    replications: int = 1
    seed: int = 1


@dataclass(frozen=True)
class Trace:
    """One run watched.

    Attributes:
        point: its levels; the run is replication 0.
        buffer_cells: size of the buffer, cells.
        threshold_cells: R, cells; none if the policy has no such threshold.
        end_s: simulated time.
        queue: columns port (0 forward, 1 reverse), time_s (start of the bin), max_cells.
        cwnd: columns pair, time_s, cwnd_bytes, ssthresh_bytes, flight_size_bytes; a row a change.
    """

    point: Point
    buffer_cells: int
    threshold_cells: int | None
    end_s: float
    queue: pd.DataFrame
    cwnd: pd.DataFrame


@dataclass(frozen=True)
class UbrWebResult:
    """All tables of the study, for the files, the terminal and the report.

    Attributes:
        request: what was asked for.
        scenario: the study's, with what the request changed.
        version: of this package.
        command: the command that gives this result.
        runs: a row a run: columns of ``Point``, replication, seed, those of ``metrics.measure``.
        results, comparison, allocation, main_effects: see ``analysis``; the last two are empty
            where no link has its full factorial.
        claims: columns id, holds, evidence, source, statement.
        traces: one for each link.
    """

    request: Request
    scenario: Scenario
    version: str
    command: str
    runs: pd.DataFrame
    results: pd.DataFrame
    comparison: pd.DataFrame
    allocation: pd.DataFrame
    main_effects: pd.DataFrame
    claims: pd.DataFrame
    traces: tuple[Trace, ...]

    @property
    def selection(self) -> Selection:
        """The levels that were run."""
        return self.request.selection

    @property
    def replications(self) -> int:
        """Runs of each point."""
        return self.request.replications

    @property
    def seed(self) -> int:
        """From which the seed of each replication is derived."""
        return self.request.seed
