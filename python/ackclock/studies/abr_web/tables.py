"""The study's tables for a terminal of 80 columns."""

from __future__ import annotations

from math import isfinite

import pandas as pd
from rich.console import Group, RenderableType

from ackclock.studies.abr_web.comparison import Errors, errors
from ackclock.studies.abr_web.levels import ABR, Carrier
from ackclock.studies.abr_web.result import AbrWebResult
from ackclock.studies.common.tables import claims_line, plain_table
from ackclock.terminal import TerminalTable

_COLUMNS = (
    ("max_queue_cells", "max. queue\ncells", 1, 0),
    ("max_queue_rtt", "\nRTT", 1, 2),
    ("throughput_bit_s", "throughput\nMbit/s", 10**6, 2),
    ("efficiency_pct", "efficiency\n%", 1, 1),
)
"""Metric, heading, unit and decimals of each column of Table 2."""
_UNKNOWN = "-"


def render(result: AbrWebResult) -> Group:
    """Table 2, simulated beside published; the services; how many conclusions hold."""
    n = result.replications
    mean = f"mean of {n} replications" if n > 1 else "one replication"
    parts: list[RenderableType] = []
    if len(result.comparison):
        parts += [
            f"Table 2: [bold]simulated[/bold] ({mean}) and published\n",
            _table2(result.comparison),
            "",
            errors_line(errors(result.comparison)),
            "",
        ]
    if len(result.services):
        parts += [f"The same load over UBR ({mean})\n", _services(result.services), ""]
    missing = "numbers of servers or replications that were not run"
    return Group(*parts, claims_line(result, missing))


def errors_line(found: Errors) -> str:
    """The distances from Table 2 in words."""
    return (
        f"Mean distance from the published: throughput {found.throughput_pct:.1f} %; efficiency "
        f"{found.efficiency:.1f} points; maximum queue by a factor of {found.queue_factor:.2f} "
        f"(with signs {found.queue_ratio:.2f})."
    )


def carrier_name(carrier: Carrier) -> str:
    """A service with its buffer and TCP: "ABR", "UBR SD, 0.5 RTT, sack"."""
    if carrier.service == ABR:
        return carrier.service
    return f"{carrier.service}, {carrier.buffer_rtt:g} RTT, {carrier.tcp}"


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
