"""What the study gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from ackclock.scenario import Scenario
from ackclock.studies.abr_web.bounds import Bounds
from ackclock.studies.abr_web.levels import Point, Selection
from ackclock.studies.common import result as common


@dataclass(frozen=True)
class Request(common.Request):
    """The request, which determines every byte of the result."""

    selection: Selection = field(default_factory=Selection)


@dataclass(frozen=True)
class Trace:
    """One run watched.

    Attributes:
        point: its levels; the run is replication 0.
        end_s: simulated time.
        queue: of the bottleneck: columns time_s (start of the bin), max_cells.
        acr: of the circuits that carry data: columns time_s (start of the bin), and acr_bit_s of a
            client a column, by the client's name; the last one, ``MEAN``, is the mean over all.
    """

    point: Point
    end_s: float
    queue: pd.DataFrame
    acr: pd.DataFrame


MEAN = "mean of all"


@dataclass(frozen=True)
class AbrWebResult(common.StudyResult):
    """All tables of the study; the levels of a run are the columns of ``Point``.

    Attributes:
        scenarios: that of each part that was run.
        bounds: what the numbers are counted in.
        results: see ``analysis.results_table``; empty where Table 2 was not run.
        comparison: see ``comparison.comparison_table``; the same.
        services: see ``analysis.services_table``; empty where that part was not run.
        traces: of some points of Table 2.
    """

    scenarios: Mapping[str, Scenario]
    bounds: Bounds
    results: pd.DataFrame
    comparison: pd.DataFrame
    services: pd.DataFrame
    traces: tuple[Trace, ...]

    @property
    def selection(self) -> Selection:
        """The levels that were run."""
        return self.request.selection
