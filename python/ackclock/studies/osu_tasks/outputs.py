"""The files of the study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from ackclock.studies.common.outputs import write_tables
from ackclock.studies.osu_tasks.parts import PARTS
from ackclock.studies.osu_tasks.result import OsuTasksResult

TABLES = ("results", "runs", "allocation", "effects")
"""Of each part, attributes of its ``PartResult``."""


def write_files(
    result: OsuTasksResult, folder: Path, write_report: Callable[[OsuTasksResult, Path], object]
) -> list[Path]:
    """Write all files of a result.

    Args:
        result: of the study.
        folder: an existing folder.
        write_report: writes the report to a path.

    Returns:
        Paths of the files: of each part that was run PART-results.csv and PART-runs.csv, and
        PART-allocation.csv and PART-effects.csv where variation is analysed; buffers-smallest.csv;
        claims.csv; report.html.
    """
    tables = {
        f"{name}-{table}": getattr(result.parts[name], table)
        if name in result.parts
        else pd.DataFrame()
        for name in PARTS
        for table in TABLES
    }
    return write_tables(
        {**tables, "buffers-smallest": result.smallest}, result, folder, write_report
    )
