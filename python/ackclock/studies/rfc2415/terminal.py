"""The study's tables for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from rich.console import RenderableType

from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.terminal import averaged, plain_table
from ackclock.studies.rfc2415.analysis import errors_line
from ackclock.studies.rfc2415.levels import IWS, SCENARIO
from ackclock.terminal import TerminalTable

_DELAY = (
    ("page_delay_s", 1, "IW 1\ns", 2),
    *(("decrease_pct", iw, f"IW {iw}\n%", 1) for iw in (2, 3, 4)),
)
_LINK = (
    *(("utilisation_pct", iw, f"IW {iw}\nutil.", 0) for iw in IWS),
    *(("drop_pct", iw, f"IW {iw}\ndrops", 1) for iw in IWS),
)
"""Metric, IW, heading and decimals of each column of a table."""
_TABLES = (
    (1, "Table 1, HTTP/1.0: median page delay, and its decrease", _DELAY),
    (4, "Table 4, HTTP/1.1: the same", _DELAY),
    (2, "Table 2, HTTP/1.0: utilisation and drops, %; drops with * are misprinted", _LINK),
)


def terminal(result: StudyResult) -> list[RenderableType]:
    """Tables 1, 4 and 2, simulated beside published; the errors."""
    comparison = result.tables["comparison"]
    parts: list[RenderableType] = []
    for number, title, columns in _TABLES:
        rows = comparison[comparison["table"] == number] if len(comparison) else comparison
        if len(rows):
            parts += [title, _table(rows, columns), ""]
    if not parts:
        return []
    first = f"[bold]Simulated[/bold] ({averaged(result)}) and published\n"
    return [first, *parts, errors_line(result), ""]


def _table(rows: pd.DataFrame, columns: Sequence[tuple[str, int, str, int]]) -> TerminalTable:
    table = plain_table("webs/\nftps")
    numbers = {
        (row.webs, row.ftps, row.metric, row.iw): row for row in rows.itertuples(index=False)
    }
    there = [each for each in columns if any(key[2:] == each[:2] for key in numbers)]
    for _, _, heading, _ in there:
        table.add_column(heading, justify="right")
    previous = None
    for webs, ftps in rows[SCENARIO].drop_duplicates().itertuples(index=False):
        if previous not in (None, webs):
            table.add_section()
        cells = [
            _pair(numbers.get((webs, ftps, metric, iw)), decimals)
            for metric, iw, _, decimals in there
        ]
        table.add_row(f"{webs}/{ftps}", *cells)
        previous = webs
    return table


def _pair(row: tuple | None, decimals: int) -> str:
    """Simulated and published."""
    if row is None:
        return ""
    star = "*" if row.misprinted else ""
    return f" [bold]{row.simulated:.{decimals}f}[/bold] {row.published:.{decimals}f}{star}"
