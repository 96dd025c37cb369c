"""What the study gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from ackclock.scenario import Scenario
from ackclock.studies.common import result as common
from ackclock.studies.osu_tasks.part import Part
from ackclock.studies.osu_tasks.parts import PARTS


@dataclass(frozen=True)
class Selection:
    """The parts that are run, in the order of the report."""

    parts: tuple[str, ...] = tuple(PARTS)


@dataclass(frozen=True)
class Request(common.Request):
    """The request, which determines every byte of the result."""

    selection: Selection = field(default_factory=Selection)


@dataclass(frozen=True)
class PartResult:
    """The tables of a part.

    Attributes:
        part: which.
        scenario: its file, with what the request changed.
        runs: a row a run: the columns of its points, replication, seed, and what was measured.
        results: see ``analysis.results_table``.
        allocation, effects: see ``analysis``; empty where nothing is analysed.
    """

    part: Part
    scenario: Scenario
    runs: pd.DataFrame
    results: pd.DataFrame
    allocation: pd.DataFrame
    effects: pd.DataFrame


@dataclass(frozen=True)
class Trace:
    """One run watched.

    Attributes:
        part: name of its part.
        point: its levels, a tuple of the part's points; the run is replication 0.
        end_s: simulated time.
        buffer_cells: of the port that the data cross.
        queue: of that port: columns time_s (start of the bin), max_cells.
        cwnd: of the first flow: columns time_s, cwnd_bytes, ssthresh_bytes, flight_size_bytes; a
            row a change.
    """

    part: str
    point: Any
    end_s: float
    buffer_cells: int
    queue: pd.DataFrame
    cwnd: pd.DataFrame


@dataclass(frozen=True)
class OsuTasksResult(common.StudyResult):
    """All tables of the study. ``runs`` has a column part, and all columns of all parts.

    Attributes:
        parts: the tables of each part that was run, by name.
        smallest: see ``smallest.smallest_table``; empty unless the part on buffers was run.
        traces: of the points that their parts have watched.
    """

    parts: Mapping[str, PartResult]
    smallest: pd.DataFrame
    traces: tuple[Trace, ...]

    @property
    def selection(self) -> Selection:
        """The parts that were run."""
        return self.request.selection
