"""The files of the study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from ackclock.studies.common.outputs import write_tables
from ackclock.studies.ubr_web.result import UbrWebResult


def write_files(
    result: UbrWebResult, folder: Path, write_report: Callable[[UbrWebResult, Path], object]
) -> list[Path]:
    """Write all files of a result.

    Args:
        result: of the study.
        folder: an existing folder.
        write_report: writes the report to a path.

    Returns:
        Paths of the files: results.csv, runs.csv, comparison.csv; allocation.csv and
        main_effects.csv if a link has its full factorial; claims.csv; report.html.
    """
    tables = {
        "results": _as_printed(result.results),
        "runs": _as_printed(result.runs),
        "comparison": _as_printed(result.comparison),
        "allocation": result.allocation,
        "main_effects": result.main_effects,
    }
    return write_tables(tables, result, folder, write_report)


def _as_printed(table: pd.DataFrame) -> pd.DataFrame:
    """A level of the buffer as in the published tables."""
    return table.assign(buffer_rtt=table["buffer_rtt"].map("{:g}".format))
