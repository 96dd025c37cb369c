"""The files of the study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ackclock.studies.abr_web.result import AbrWebResult
from ackclock.studies.common.outputs import write_tables


def write_files(
    result: AbrWebResult, folder: Path, write_report: Callable[[AbrWebResult, Path], object]
) -> list[Path]:
    """Write all files of a result.

    Args:
        result: of the study.
        folder: an existing folder.
        write_report: writes the report to a path.

    Returns:
        Paths of the files: runs.csv; results.csv and comparison.csv if rows of Table 2 were run;
        services.csv if that part was run; claims.csv; report.html.
    """
    tables = {
        "results": result.results,
        "runs": result.runs,
        "comparison": result.comparison,
        "services": result.services,
    }
    return write_tables(tables, result, folder, write_report)
