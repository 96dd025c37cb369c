"""What the study gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from ackclock.scenario import Scenario
from ackclock.studies.common import result as common
from ackclock.studies.newreno.levels import Selection


@dataclass(frozen=True)
class Request(common.Request):
    """What is asked for; it decides every byte of the result."""

    selection: Selection = field(default_factory=Selection)


@dataclass(frozen=True)
class NewRenoResult(common.StudyResult):
    """All tables of the study; the levels of a run are the columns of ``Point``.

    Attributes:
        scenarios: that of each part that was run.
        flows: a row a run and a foreground flow; see ``predictions.flows_table``.
        results: see ``analysis.results_table``.
        errors: see ``analysis.errors_table``.
        trust: see ``analysis.trust_table``.
        emulation: see ``emulation.emulation_table``; empty where that part was not run.
        internet: see ``internet.internet_table``; empty where that part was not asked for.
    """

    scenarios: Mapping[str, Scenario]
    flows: pd.DataFrame
    results: pd.DataFrame
    errors: pd.DataFrame
    trust: pd.DataFrame
    emulation: pd.DataFrame
    internet: pd.DataFrame

    @property
    def selection(self) -> Selection:
        """The parts that were run."""
        return self.request.selection
