"""The study's tables for a terminal of 80 columns."""

from __future__ import annotations

from math import isfinite

import pandas as pd
from rich.console import RenderableType

from ackclock.studies.abr_web.analysis import errors_line
from ackclock.studies.abr_web.levels import Carrier, carrier_name
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.terminal import averaged, plain_table
from ackclock.terminal import TerminalTable

_COLUMNS = (
    ("max_queue_cells", "max. queue\ncells", 1, 0),
    ("max_queue_rtt", "\nRTT", 1, 2),
    ("throughput_bit_s", "throughput\nMbit/s", 10**6, 2),
    ("efficiency_pct", "efficiency\n%", 1, 1),
)
"""Metric, heading, unit and decimals of each column of Table 2."""
_UNKNOWN = "-"


def terminal(result: StudyResult) -> list[RenderableType]:
    """Table 2, simulated beside published; the services."""
    comparison, services = result.tables["comparison"], result.tables["services"]
    parts: list[RenderableType] = []
    if len(comparison):
        parts += [
            f"Table 2: [bold]simulated[/bold] ({averaged(result)}) and published\n",
            _table2(comparison),
            "",
            errors_line(result),
            "",
        ]
    if len(services):
        parts += [f"The same load over UBR ({averaged(result)})\n", _services(services), ""]
    return parts


def _table2(comparison: pd.DataFrame) -> TerminalTable:
    table = plain_table("servers")
    for _, heading, _, _ in _COLUMNS:
        table.add_column(heading, justify="right")
    for servers, rows in comparison.groupby("servers", sort=False):
        by_metric = {row.metric: row for row in rows.itertuples(index=False)}
        cells = []
        for metric, _, unit, decimals in _COLUMNS:
            row = by_metric[metric]
            simulated, printed = (
                f"{value / unit:.{decimals}f}" for value in (row.simulated, row.published)
            )
            cells.append(f"  [bold]{simulated}[/bold] {printed}")
        table.add_row(str(servers), *cells)
    return table


def _services(services: pd.DataFrame) -> TerminalTable:
    table = plain_table("servers", "service")
    for heading in ("Mbit/s", "max.\nqueue", "cells\nlost", "median\ns", "95 %\ns", "in 1 s\n%"):
        table.add_column(heading, justify="right")
    for servers, rows in services.groupby("servers", sort=False):
        table.add_section()
        for row in rows.itertuples(index=False):
            carrier = Carrier(row.service, row.buffer_rtt, row.tcp)
            table.add_row(
                str(servers),
                f" {carrier_name(carrier)}",
                f" {row.throughput_bit_s / 1e6:.2f}",
                f" {row.max_queue_cells:.0f}",
                f" {row.cells_lost:.0f}",
                f" {_time(row.response_median_s)}",
                f" {_time(row.response_p95_s)}",
                f" {row.quick_pct:.0f}",
            )
    return table


def _time(seconds: float) -> str:
    return f"{seconds:.2f}" if isfinite(seconds) else _UNKNOWN
