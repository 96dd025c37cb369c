"""The files of a study: the same bytes for the same results, complete or absent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from ackclock.campaign.files import write_whole
from ackclock.studies.machinery.claims import COLUMNS
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.untrusted_text import without_formulas

DECIMALS = 6
REPORT = "report.html"
CLAIMS = COLUMNS[:5]
Writer = Callable[[Path], object]
"""Writes a file at a path."""


def write_files(
    result: StudyResult, folder: Path, write_report: Callable[[StudyResult, Path], object]
) -> list[Path]:
    """Write the tables of a study as CSV, its claims, its further files, and its report.

    Args:
        result: of the study. What is empty is not written, and the file of an earlier call with
            other levels is removed.
        folder: an existing folder.
        write_report: writes the report to a path.

    Returns:
        Paths of the files.
    """
    writers: dict[str, Writer | None] = {}
    for name, table in {**result.tables, "claims": result.claims[CLAIMS]}.items():
        shown = _in_shortest_form(table, result.study.shortest)
        writers[f"{name}.csv"] = None if table.empty else _csv_writer(shown)
    for name, text in result.study.texts(result).items():
        writers[name] = _text_writer(text) if text else None
    writers[REPORT] = lambda path: write_report(result, path)
    paths = []
    for name, write in writers.items():
        path = folder / name
        if write is None:
            path.unlink(missing_ok=True)
            continue
        write_whole(path, write)
        paths.append(path)
    return paths


def _in_shortest_form(table: pd.DataFrame, columns: tuple[str, ...]) -> pd.DataFrame:
    """Levels as in the published tables."""
    there = [column for column in columns if column in table]
    return table.assign(**{column: table[column].map("{:g}".format) for column in there})


def _text_writer(text: str) -> Writer:
    return lambda path: path.write_text(text, encoding="utf-8", newline="\n")


def _csv_writer(table: pd.DataFrame) -> Writer:
    """Six decimals; nothing for nan; no formulas."""
    return lambda path: without_formulas(table).to_csv(
        path, index=False, float_format=f"%.{DECIMALS}f", lineterminator="\n", encoding="utf-8"
    )
