"""What the study gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from ackclock.scenario import Scenario
from ackclock.studies.common import result as common
from ackclock.studies.rfc2415.levels import Selection

CLOCKS = ("no_setup", "request", "open")
"""When the clock of a page starts and stops; the first one is the default."""


@dataclass(frozen=True)
class Request(common.Request):
    """The request, which determines every byte of the result.

    Attributes:
        page_clock: one of ``CLOCKS``; see ``ackclock.results.pages``.
    """

    selection: Selection = field(default_factory=Selection)
    page_clock: str = CLOCKS[0]


@dataclass(frozen=True)
class Rfc2415Result(common.StudyResult):
    """All tables of the study; the levels of a run are the columns of ``Point``.

    Attributes:
        scenarios: that of each part that was run.
        results: see ``analysis.results_table``.
        changes: see ``analysis.changes_table``.
        comparison, half_and_half: see ``comparison``; empty where that part was not run.
    """

    scenarios: Mapping[str, Scenario]
    results: pd.DataFrame
    changes: pd.DataFrame
    comparison: pd.DataFrame
    half_and_half: pd.DataFrame

    @property
    def selection(self) -> Selection:
        """The levels that were run."""
        return self.request.selection
