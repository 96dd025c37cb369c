"""The files of the study: the same bytes for the same results, whole or not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from ackclock.campaign.files import write_whole
from ackclock.studies.ubr_web.result import UbrWebResult

DECIMALS = 6
REPORT = "report.html"


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
        "results": result.results,
        "runs": result.runs,
        "comparison": result.comparison,
        "allocation": result.allocation,
        "main_effects": result.main_effects,
        "claims": result.claims[["id", "holds", "evidence"]],
    }
    paths = []
    for name, table in tables.items():
        path = folder / f"{name}.csv"
        if table.empty:
            path.unlink(missing_ok=True)  # of an earlier study with other levels
            continue
        write_whole(path, _csv_writer(table))
        paths.append(path)
    report = folder / REPORT
    write_whole(report, lambda path: write_report(result, path))
    return [*paths, report]


def _csv_writer(table: pd.DataFrame) -> Callable[[Path], None]:
    """Six decimals; a level of the buffer as in the published tables; nothing for nan."""
    columns = {}
    if "buffer_rtt" in table:
        columns["buffer_rtt"] = table["buffer_rtt"].map("{:g}".format)
    shown = table.assign(**columns)
    return lambda path: shown.to_csv(
        path, index=False, float_format=f"%.{DECIMALS}f", lineterminator="\n", encoding="utf-8"
    )
