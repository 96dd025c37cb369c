"""What Table 2 prints, in rows of one number."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

_FILE = Path(__file__).parent / "published" / "abr_web_table2.csv"
_COLUMNS = {
    "max_queue_cells": ("max_switch_queue_cells", 1),
    "max_queue_rtt": ("max_queue_in_rtt", 1),
    "throughput_bit_s": ("tcp_throughput_mbps", 10**6),
    "efficiency_pct": ("efficiency_pct", 1),
}
"""By metric: its column in the file, and the unit in which that is printed."""
PRINTED = tuple(_COLUMNS)


def table2() -> pd.DataFrame:
    """Table 2.

    Returns:
        Columns servers, metric (of ``PRINTED``), published.
    """
    printed = pd.read_csv(_FILE)
    rows = [
        (servers, metric, value)
        for metric, (column, unit) in _COLUMNS.items()
        for servers, value in zip(printed["servers"], printed[column] * unit, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["servers", "metric", "published"])
    return table.sort_values("servers", kind="stable", ignore_index=True)
