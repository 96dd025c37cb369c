"""What the study gives."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

from ackclock.studies.ubr_web.levels import Point, Selection
from ackclock.studies.ubr_web.parameters import Parameters


@dataclass(frozen=True)
class Request:
    """What is asked for; it decides every byte of the result.

    Attributes:
        parameters: of the study.
        selection: the levels to run.
        replications: runs of each point.
        seed: from which the seed of each replication is derived.
    """

    parameters: Parameters = field(default_factory=Parameters)
    selection: Selection = field(default_factory=Selection)
    replications: int = 1
    seed: int = 1


@dataclass(frozen=True)
class Trace:
    """One run watched.

    Attributes:
        point: its levels; the run is replication 0.
        buffer_cells: size of the buffer, cells. threshold_cells: R, cells.
        queue: columns port (0 forward, 1 reverse), time_s (start of the bin), max_cells.
        cwnd: columns pair, time_s, cwnd_bytes, ssthresh_bytes, flight_size_bytes; a row a change.
    """

    point: Point
    buffer_cells: int
    threshold_cells: int
    queue: pd.DataFrame
    cwnd: pd.DataFrame


@dataclass(frozen=True)
class UbrWebResult:
    """All tables of the study, for the files, the terminal and the report.

    Attributes:
        parameters, selection, replications, seed: as in ``Request``.
        version: of this package.
        command: the command that gives this result.
        runs: a row a run: columns of ``Point``, replication, seed, those of ``metrics.measure``,
            plan (hash of the plan).
        results, comparison, allocation, main_effects: see ``analysis``; the last two are empty
            where no link has its full factorial.
        claims: columns id, holds, evidence, source, statement.
        traces: one for each link.
    """

    parameters: Parameters
    selection: Selection
    replications: int
    seed: int
    version: str
    command: str
    runs: pd.DataFrame
    results: pd.DataFrame
    comparison: pd.DataFrame
    allocation: pd.DataFrame
    main_effects: pd.DataFrame
    claims: pd.DataFrame
    traces: tuple[Trace, ...]
