"""The study's tables for a terminal of 80 columns."""

from __future__ import annotations

import pandas as pd
from rich.console import Group, RenderableType

from ackclock.studies.common.tables import claims_line, plain_table
from ackclock.studies.ubr_web.analysis import METRICS, mean_absolute_errors
from ackclock.studies.ubr_web.result import UbrWebResult
from ackclock.terminal import TerminalTable


def render(result: UbrWebResult) -> Group:
    """One table a link, simulated beside published; the errors; how many conclusions hold."""
    parts: list[RenderableType] = []
    for link, rows in result.comparison.groupby("link", sort=False):
        n = result.replications
        mean = f"mean of {n} replications" if n > 1 else "one replication"
        parts += [f"{link}: [bold]simulated[/bold] ({mean}) and published", _link_table(rows), ""]
    parts += ["Mean absolute error against the published results", _errors_table(result), ""]
    return Group(*parts, claims_line(result))


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


def _errors_table(result: UbrWebResult) -> TerminalTable:
    table = plain_table("Link")
    for metric in METRICS:
        table.add_column(metric.capitalize(), justify="right")
    for link, row in mean_absolute_errors(result.comparison).iterrows():
        table.add_row(str(link), *(f"{row[metric]:.3f}" for metric in METRICS))
    return table


def _pair(row: pd.Series) -> str:
    """Simulated and published; without the 0 before the point, all fits into 80 columns."""
    simulated, published = (
        f"{row[name]:.3f}".removeprefix("0") for name in ("simulated", "published")
    )
    return f"[bold]{simulated}[/bold] {published}"
