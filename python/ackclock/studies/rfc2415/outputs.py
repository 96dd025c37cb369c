"""The files of the study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ackclock.studies.common.outputs import write_tables
from ackclock.studies.rfc2415.result import Rfc2415Result


def write_files(
    result: Rfc2415Result, folder: Path, write_report: Callable[[Rfc2415Result, Path], object]
) -> list[Path]:
    """Write all files of a result.

    Args:
        result: of the study.
        folder: an existing folder.
        write_report: writes the report to a path.

    Returns:
        Paths of the files: results.csv, runs.csv; comparison.csv and changes.csv if points of the
        RFC's tables were run, changes.csv only with IW 1 and another; half_and_half.csv if that
        part was run; claims.csv; report.html.
    """
    tables = {
        "results": result.results,
        "runs": result.runs,
        "comparison": result.comparison,
        "changes": result.changes,
        "half_and_half": result.half_and_half,
    }
    return write_tables(tables, result, folder, write_report)
