"""The files of the study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ackclock.studies.common.outputs import write_tables
from ackclock.studies.newreno.result import NewRenoResult


def write_files(
    result: NewRenoResult, folder: Path, write_report: Callable[[NewRenoResult, Path], object]
) -> list[Path]:
    """Write all files of a result.

    Args:
        result: of the study.
        folder: an existing folder.
        write_report: writes the report to a path.

    Returns:
        Paths of the files: results.csv and runs.csv if anything was run; errors.csv and trust.csv
        if more than the variants of NewReno were; emulation.csv and internet.csv if those parts
        were asked for; claims.csv; report.html.
    """
    tables = {
        "results": result.results,
        "runs": result.runs,
        "errors": result.errors,
        "trust": result.trust,
        "emulation": result.emulation,
        "internet": result.internet,
    }
    return write_tables(tables, result, folder, write_report)
