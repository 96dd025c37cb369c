"""What the study gives."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

from ackclock.studies.common import result as common
from ackclock.studies.ubr_web.levels import Point, Selection


@dataclass(frozen=True)
class Request(common.Request):
    """The request, which determines every byte of the result."""

    selection: Selection = field(default_factory=Selection)


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
class UbrWebResult(common.StudyResult):
    """All tables of the study; the levels of a run are the columns of ``Point``.

    Attributes:
        results, comparison, allocation, main_effects: see ``analysis``; the last two are empty
            where no link has its full factorial.
        traces: one for each link.
    """

    results: pd.DataFrame
    comparison: pd.DataFrame
    allocation: pd.DataFrame
    main_effects: pd.DataFrame
    traces: tuple[Trace, ...]

    @property
    def selection(self) -> Selection:
        """The levels that were run."""
        return self.request.selection
