"""What a study shows on a terminal: tables fill 80 columns, and are in parts on a narrower one."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from rich.console import Group, RenderableType

from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.words import verdicts
from ackclock.terminal import DENSE, TerminalTable


def render(result: StudyResult) -> Group:
    """The tables of a study, and how many conclusions hold."""
    shown = result.study.terminal or _means
    return Group(*shown(result), claims_line(result))


def _means(result: StudyResult) -> list[RenderableType]:
    """The means of each part."""
    shown: list[RenderableType] = []
    for its in result.parts.values():
        keys = list(its.part.by or its.part.columns)
        title = its.part.title or its.part.name
        shown += [
            f"{title} ({averaged(result)})\n",
            means_table(its.results, keys, its.part.metrics),
            "",
        ]
    return shown


def plain_table(*headings: str, keys: int | None = None) -> TerminalTable:
    """An empty table with no more than a line under its headings.

    Args:
        headings: of its first columns.
        keys: how many of them name a row; by default all of these.
    """
    return TerminalTable(*headings, keys=len(headings) if keys is None else keys, look=DENSE)


def averaged(result: StudyResult) -> str:
    """What a value of a table is: "mean of 3 replications"."""
    n = result.replications
    return f"mean of {n} replications" if n > 1 else "one replication"


def means_table(
    results: pd.DataFrame, keys: Sequence[str], metrics: Sequence[str], decimals: int = 3
) -> TerminalTable:
    """Means with half of their intervals, a row a point.

    Args:
        results: see ``analysis.means_table``.
        keys: columns that name a point.
        metrics: columns of the means.
        decimals: of the numbers.
    """
    table = plain_table(*keys)
    for metric in metrics:
        table.add_column(metric.replace("_", "\n"), justify="right")
    for row in results.to_dict("records"):
        cells = []
        for metric in metrics:
            half = (row[f"{metric}_hi"] - row[f"{metric}_lo"]) / 2
            text = f"{row[metric]:.{decimals}f}" if pd.notna(row[metric]) else "-"
            cells.append(f"{text} ± {half:.{decimals}f}" if pd.notna(half) else text)
        table.add_row(*(f"{row[key]}" for key in keys), *cells)
    return table


def claims_line(result: StudyResult) -> str:
    """How many conclusions hold, with how many runs, and what decides the others."""
    n = result.replications
    runs = "one run a cell" if n == 1 else f"{n} runs a cell"
    return f"{verdicts(result, 'conclusion', runs)} The report shows each with its numbers."
