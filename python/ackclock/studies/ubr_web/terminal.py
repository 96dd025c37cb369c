"""The study's tables for a terminal of 80 columns."""

from __future__ import annotations

import pandas as pd
from rich.console import RenderableType

from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.terminal import averaged, plain_table
from ackclock.studies.ubr_web.analysis import METRICS, errors
from ackclock.terminal import TerminalTable


def terminal(result: StudyResult) -> list[RenderableType]:
    """A table for each link, simulated beside published; the errors."""
    parts: list[RenderableType] = []
    for link, rows in result.tables["comparison"].groupby("link", sort=False):
        title = f"{link}: [bold]simulated[/bold] ({averaged(result)}) and published"
        parts += [title, _link_table(rows), ""]
    return [*parts, "Mean absolute error against the published results", _errors(result), ""]


def _link_table(comparison: pd.DataFrame) -> TerminalTable:
    table = plain_table("", "TCP")
    by_point = comparison.set_index(["metric", "drop_policy", "tcp_flavor", "buffer_rtt"])
    buffers = list(comparison["buffer_rtt"].unique())
    for buffer in buffers:
        for metric in METRICS:
            table.add_column(f"{metric.capitalize()}\n{buffer:g} RTT", justify="right")
    previous = None
    for policy, flavor in comparison[["drop_policy", "tcp_flavor"]].drop_duplicates().to_numpy():
        if previous not in (None, policy):
            table.add_section()
        cells = [
            _pair(by_point.loc[(metric, policy, flavor, buffer)])
            for buffer in buffers
            for metric in METRICS
        ]
        table.add_row(policy if policy != previous else "", flavor, *cells)
        previous = policy
    return table


def _errors(result: StudyResult) -> TerminalTable:
    table = plain_table("Link")
    for metric in METRICS:
        table.add_column(metric.capitalize(), justify="right")
    for link, row in errors(result.tables["comparison"]).iterrows():
        table.add_row(str(link), *(f"{row[f'{metric}_error']:.3f}" for metric in METRICS))
    return table


def _pair(row: pd.Series) -> str:
    """Simulated and published; without the 0 before the point, all fits into 80 columns."""
    simulated, published = (
        f"{row[name]:.3f}".removeprefix("0") for name in ("simulated", "published")
    )
    return f"[bold]{simulated}[/bold] {published}"
