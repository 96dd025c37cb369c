"""The seven TCP-over-UBR tasks (Goyal, Jain and others, 1997 to 1999): a part an experiment.

Source: Jain, Goyal, Kalyanaraman, Fahmy, Vandalore and others, TCP over UBR: issues to study, Ohio
State University.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.running import Runs
from ackclock.studies.machinery.study import Study
from ackclock.studies.osu_tasks.claims import CLAIMS
from ackclock.studies.osu_tasks.levels import PARTS
from ackclock.studies.osu_tasks.sensitivity import SENSITIVITY
from ackclock.studies.osu_tasks.smallest import COLUMNS, smallest_table
from ackclock.studies.osu_tasks.terminal import terminal

_TABLES = ("results", "runs", "allocation", "effects")
"""Of each part."""


def _tables(made: Runs, evidence: RunsEvidence) -> Mapping[str, pd.DataFrame]:
    """PART-results and PART-runs; PART-allocation and PART-effects; buffers-smallest."""
    searched = made.further if made.further is not None else pd.DataFrame(columns=COLUMNS)
    tables = {
        f"{part.name}-{table}": made.of(part.name, table) for part in PARTS for table in _TABLES
    }
    return tables | {"buffers-smallest": searched}


STUDY = Study(
    name="osu-tasks",
    title="Seven tasks of TCP over UBR",
    source="Ohio State, Goyal, Jain and others",
    question="Seven questions about TCP over ATM: policies, buffers, guarantees, bursty sources, "
    "large windows and delayed retransmission.",
    parts=PARTS,
    evidence=RunsEvidence,
    claims=CLAIMS,
    tables=_tables,
    terminal=terminal,
    report="ackclock.studies.osu_tasks.report:PAGE",
    whose="the programme's",
    missing="parts that were not run",
    further=smallest_table,
    runs_a_cell=1,
    sensitivity=SENSITIVITY,
)
