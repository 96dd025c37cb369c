"""Runs become tables: means with intervals, in the paper's units."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ackclock.stats import grouped_intervals
from ackclock.studies.abr_web.bounds import Bounds
from ackclock.studies.abr_web.levels import CARRIER, SERVICE, TABLE2

CONFIDENCE = 0.95
METRICS = (
    "max_queue_cells",
    "max_queue_rtt",
    "throughput_bit_s",
    "efficiency_pct",
    "load_pct",
    "mean_queue_cells",
    "utilisation_pct",
    "cells_lost",
    "requests",
    "unanswered_pct",
    "response_median_s",
    "response_p95_s",
    "quick_pct",
    "most_waiting_cells",
    "timeouts",
    "retransmitted_pct",
)
"""Metrics whose means are reported; see ``metrics`` and ``in_bounds``."""


def in_bounds(runs: pd.DataFrame, bounds: Bounds) -> pd.DataFrame:
    """The runs with what the paper counts in units of the network.

    Args:
        runs: a row a run, with the columns of ``Point`` and of ``metrics.measure``.
        bounds: of the scenario.

    Returns:
        The runs with max_queue_rtt: the longest queue over the round-trip time in cells.
    """
    if runs.empty:
        return runs
    return runs.assign(max_queue_rtt=runs["max_queue_cells"] / bounds.rtt_cells)


def results_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Means over the replications of each row of Table 2, with 95 % intervals.

    Args:
        runs: see ``in_bounds``; those of the part ``TABLE2`` are used.

    Returns:
        Columns servers, n; for each of ``METRICS`` its mean and, with the endings _lo and _hi, the
        ends of its interval (nan if n is 1). Servers in the order of ``runs``. A response time
        that some run does not have is nan.
    """
    return _means(runs, TABLE2, ["servers"])


def services_table(runs: pd.DataFrame) -> pd.DataFrame:
    """The same of the part ``SERVICE``.

    Returns:
        Columns servers, those of ``Carrier``, n, and the means as in ``results_table``.
    """
    return _means(runs, SERVICE, ["servers", *CARRIER])


def _means(runs: pd.DataFrame, part: str, by: list[str]) -> pd.DataFrame:
    its = runs[runs["part"] == part] if len(runs) else runs
    if its.empty:
        return pd.DataFrame()
    intervals = {name: grouped_intervals(its, by, name, CONFIDENCE) for name in METRICS}
    first = intervals[METRICS[0]]
    columns: Mapping[str, pd.Series] = {
        f"{name}{end}": table[column]
        for name, table in intervals.items()
        for end, column in (("", "mean"), ("_lo", "lo"), ("_hi", "hi"))
    }
    return pd.concat([first[[*by, "n"]], pd.DataFrame(columns)], axis=1)
