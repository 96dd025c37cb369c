"""The study's tables for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from rich.console import Group, RenderableType

from ackclock.studies.common.tables import claims_line, plain_table
from ackclock.studies.rfc2415.comparison import Errors, errors
from ackclock.studies.rfc2415.levels import IWS, SCENARIO
from ackclock.studies.rfc2415.result import Rfc2415Result
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


def render(result: Rfc2415Result) -> Group:
    """Tables 1, 4 and 2, simulated beside published; the errors, and how many conclusions hold."""
    n = result.replications
    mean = f"mean of {n} replications" if n > 1 else "one replication"
    parts: list[RenderableType] = []
    for number, title, columns in _TABLES:
        rows = result.comparison
        rows = rows[rows["table"] == number] if len(rows) else rows
        if len(rows):
            parts += [f"{title}", _table(rows, columns), ""]
    if parts:
        parts.insert(0, f"[bold]Simulated[/bold] ({mean}) and published\n")
        parts += [errors_line(errors(result.comparison)), ""]
    return Group(*parts, claims_line(result, "points or replications that were not run"))


def errors_line(found: Errors) -> str:
    """The distances from the published tables in words; nothing of what was not run."""
    described = [
        (found.delay_http10_pct, "page delay at IW 1, HTTP/1.0: {:.1f} %"),
        (found.delay_http11_pct, "HTTP/1.1: {:.1f} %"),
        (found.decrease, "decrease {:.1f} points"),
        (found.utilisation, "utilisation {:.1f} points"),
        (found.drops, "drops {:.2f} points"),
    ]
    known = [text.format(value) for value, text in described if value == value]
    return f"Mean absolute difference from the published: {'; '.join(known)}."


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
