"""The tables of abr-web.md."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import Any

from ackclock.studies.abr_web.levels import ABR, EPD, SD
from tables.claims import claims
from tables.markdown import between, read, setting_text, table

_SERVERS = 5
"""With which the services are compared."""
_LEAST, _MOST = 7, 15
"""Servers between which the queue should be flat."""
_BUFFERS_RTT = {EPD: (0.5, 2.0), SD: (0.5,)}
_POLICIES = {EPD: "UBR, EPD", SD: "UBR, Selective Drop"}


def table2(folder: Path) -> str:
    """Table 2: means, and the printed numbers."""
    rows = []
    for servers, its in read(folder, "comparison").groupby("servers", sort=False):
        by = {row.metric: row for row in its.itertuples(index=False)}
        queue = by["max_queue_cells"]
        rows.append(
            (
                servers,
                f"{queue.simulated:.0f} {between(queue.lo, queue.hi, '.0f')}, "
                f"{queue.published:.0f}",
                _both(by["throughput_bit_s"], 2, 1e6),
                _both(by["efficiency_pct"], 1),
            )
        )
    queues = "maximum queue (cells), with 95 % interval, and printed"
    return table(("servers", queues, "throughput (Mbit/s)", "efficiency (%)"), rows)


def _both(row: Any, decimals: int, unit: float = 1) -> str:
    return f"{row.simulated / unit:.{decimals}f}, {row.published / unit:.{decimals}f}"


def attempts(folder: Path) -> str:
    """The queue under overload with each setting that was tried, and how it changes."""
    rows = []
    for setting, its in read(folder, "attempts").groupby("setting", sort=False):
        by = its.set_index("servers")
        queues = by["max_queue_cells"]
        change = 100 * (queues[_MOST] - queues[_LEAST]) / queues.mean()
        efficiency = (f"{each:.1f}" for each in by["efficiency_pct"])
        rows.append(
            (
                setting_text(setting),
                *(f"{each:.0f}" for each in queues),
                f"{change:+.0f}",
                ", ".join(efficiency),
            )
        )
    servers = list(dict.fromkeys(read(folder, "attempts")["servers"]))
    heads = [f"{each} servers (cells)" for each in servers]
    change = f"from {_LEAST} to {_MOST} (% of the mean)"
    return table(("setting", *heads, change, "efficiency (%)"), rows)


def services(folder: Path) -> str:
    """The same load over ABR and over UBR."""
    rows = [
        (
            _name(row),
            f"{row.throughput_bit_s / 1e6:.1f}",
            f"{row.max_queue_cells:.0f}",
            f"{row.cells_lost:,.0f}".replace(",", " "),
            f"{row.response_median_s:.2f}",
            "none" if isnan(row.response_p95_s) else f"{row.response_p95_s:.1f}",
        )
        for row in read(folder, "services", words=["tcp"]).itertuples(index=False)
        if row.servers == _SERVERS
        and (row.service == ABR or row.buffer_rtt in _BUFFERS_RTT[row.service])
    ]
    numbers = ("throughput (Mbit/s)", "maximum queue (cells)", "cells lost", "median response (s)")
    return table((f"{_SERVERS} servers", *numbers, "95 % (s)"), rows)


def _name(row: Any) -> str:
    if row.service == ABR:
        return ABR
    flavor = "SACK" if row.tcp == "sack" else row.tcp
    return f"{_POLICIES[row.service]}, {row.buffer_rtt:g} RTT, {flavor}"


TABLES = {"table-2": table2, "claims": claims, "attempts": attempts, "services": services}
