"""What all pages share: CSV files in, tables in Markdown out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd


def read(folder: Path, name: str, words: Sequence[str] = ()) -> pd.DataFrame:
    """A CSV file of a page.

    Args:
        folder: of the page.
        name: of the file, without its ending.
        words: columns of text, with "" where a cell is empty; one that is not there does no harm.
    """
    found = pd.read_csv(folder / f"{name}.csv", dtype=dict.fromkeys(words, str))
    return found.fillna(dict.fromkeys(words, ""))


def table(headings: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown; floats without trailing zeros."""
    lines = [_line(headings), "|---" * len(headings) + "|\n", *map(_line, rows)]
    return "".join(lines)


def pivot(
    rows: pd.DataFrame,
    keys: Mapping[str, str],
    across: str,
    columns: Mapping[Any, str],
    cell: Callable[[Any], str],
) -> str:
    """A table with a column for each level of a factor, in the order of the rows.

    Args:
        rows: with the columns of ``keys`` and ``across``.
        keys: columns that name a row of the table, and their headings.
        across: the column of the factor.
        columns: its levels, and their headings; a cell is empty where there is no such row.
        cell: of a row, as a named tuple, its text.
    """
    body = []
    for levels, its in rows.groupby(list(keys), sort=False):
        by_level = {getattr(row, across): cell(row) for row in its.itertuples(index=False)}
        body.append([*levels, *(by_level.get(level, "") for level in columns)])
    return table([*keys.values(), *columns.values()], body)


def between(lo: float, hi: float, form: str) -> str:
    """The ends of an interval in brackets, each in the form of a format string."""
    return f"({lo:{form}} to {hi:{form}})"


def setting_text(setting: object) -> str:
    """A setting as code; "(defaults)" in words."""
    text = str(setting)
    return f"*{text.strip('()')}*" if text.startswith("(") else f"`{text}`"


def _line(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(_text, cells))} |\n"


def _text(cell: object) -> str:
    """A cell; a bar would begin the next one."""
    return f"{cell:g}" if isinstance(cell, float) else str(cell).replace("|", "\\|")
