"""The files of a study: the same bytes for the same results, complete or absent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd

from ackclock.campaign.files import write_whole
from ackclock.studies.common.claims import COLUMNS
from ackclock.studies.common.result import StudyResult
from ackclock.untrusted_text import without_formulas

DECIMALS = 6
REPORT = "report.html"
CLAIMS = COLUMNS[:3]


def write_tables(
    tables: Mapping[str, pd.DataFrame],
    result: StudyResult,
    folder: Path,
    write_report: Callable[[StudyResult, Path], object],
) -> list[Path]:
    """Write the tables of a study as CSV, its claims, and its report.

    Args:
        tables: by the names of their files. An empty one is not written, and the file of an
            earlier study with other levels is removed.
        result: of the study.
        folder: an existing folder.
        write_report: writes the report to a path.

    Returns:
        Paths of the files.
    """
    paths = []
    for name, table in {**tables, "claims": result.claims[CLAIMS]}.items():
        path = folder / f"{name}.csv"
        if table.empty:
            path.unlink(missing_ok=True)
            continue
        write_whole(path, _csv_writer(table))
        paths.append(path)
    report = folder / REPORT
    write_whole(report, lambda path: write_report(result, path))
    return [*paths, report]


def _csv_writer(table: pd.DataFrame) -> Callable[[Path], None]:
    """Six decimals; nothing for nan; no formulas."""
    return lambda path: without_formulas(table).to_csv(
        path, index=False, float_format=f"%.{DECIMALS}f", lineterminator="\n", encoding="utf-8"
    )
