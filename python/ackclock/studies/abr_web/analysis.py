"""Runs become tables: in the paper's units, beside what it prints.

What queues and throughputs are compared with follows from the scenario, so that a changed setting
changes it; nothing printed is used.

Source: Vandalore et al., sections 5 and 6.
| quantity | is | with the defaults |
|---|---|---|
| round-trip time | twice the propagation delay of two access links and the trunk | 30 ms |
| the same in cells | cells that an access link carries in that time | 11 004 |
| most that TCP can get | trunk's rate x share of data x (Nrm - 1) / Nrm | 35.1 Mbit/s |

The share of data is that in the cells of a full segment. The last factor leaves out the forward RM
cells; there are none over UBR, where the result is 36.2 Mbit/s. The paper has 11 040 cells, which
no line rate of its own gives (155.52 Mbit/s: 11 004, 149.76 Mbit/s: 10 596).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ackclock.scenario import Scenario
from ackclock.scenario.compile.atm.dumbbell import CELL_BITS
from ackclock.studies.abr_web.levels import SERVICE, TABLE2
from ackclock.studies.machinery.analysis import comparison_table
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Runs

_PS_PER_S = 10**12
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
"""Metrics whose means are reported; see ``metrics`` and ``in_units_of_the_network``."""


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


class Bounds(NamedTuple):
    """What queues and throughputs of a scenario are compared with.

    Attributes:
        rtt_s: round-trip propagation delay of a client and its server.
        rtt_cells: the same in cells of an access link.
        most_bit_s: the most data that TCP can get, at the first point.
    """

    rtt_s: float
    rtt_cells: float
    most_bit_s: float


def bounds(its: Scenario) -> Bounds:
    """The bounds of a scenario of the study."""
    topology = its.topology
    rtt_s = 2 * (topology.trunk.delay + 2 * topology.access.delay) / _PS_PER_S
    facts = its.points()[0].compile().facts
    return Bounds(rtt_s, topology.access.rate * rtt_s / CELL_BITS, facts.payload_capacity_bit_s)


def in_units_of_the_network(runs: pd.DataFrame, request: Request, its: Scenario) -> pd.DataFrame:
    """The runs with max_queue_rtt: the longest queue over the round-trip time in cells."""
    return runs.assign(max_queue_rtt=runs["max_queue_cells"] / bounds(its).rtt_cells)


def tables(made: Runs, evidence: object) -> Mapping[str, pd.DataFrame]:
    """The tables that are written: means, runs, Table 2 beside ours, services beside each other."""
    results = made.of(TABLE2, "results")
    return {
        "results": results,
        "runs": made.frame,
        "comparison": comparison_table(results, table2(), ["servers"]),
        "services": made.of(SERVICE, "results"),
    }


class Errors(NamedTuple):
    """Distances from Table 2, means over its rows that were run; nan if none was.

    Attributes:
        throughput_pct: absolute relative error of the throughput, %.
        efficiency: absolute difference of the efficiency, points.
        queue_factor: by which factor the longest queue is off, larger or smaller: e to the mean of
            abs(ln(simulated / published)).
        queue_ratio: the same with signs: the geometric mean of simulated / published.
    """

    throughput_pct: float
    efficiency: float
    queue_factor: float
    queue_ratio: float


def errors(comparison: pd.DataFrame) -> Errors:
    """The distances from Table 2."""
    if comparison.empty:
        return Errors(*[float("nan")] * len(Errors._fields))

    def of(metric: str) -> pd.DataFrame:
        return comparison[comparison["metric"] == metric]

    throughput, queue = of("throughput_bit_s"), of("max_queue_cells")
    relative = (throughput["delta"] / throughput["published"]).abs()
    # A queue that never formed counts as one cell.
    logs = np.log(queue["simulated"].clip(lower=1) / queue["published"])
    return Errors(
        float(100 * relative.mean()),
        float(of("efficiency_pct")["delta"].abs().mean()),
        float(np.exp(logs.abs().mean())),
        float(np.exp(logs.mean())),
    )


def errors_line(result: StudyResult) -> str:
    """The distances from Table 2 in words."""
    found = errors(result.tables["comparison"])
    return (
        f"Mean distance from the published: throughput {found.throughput_pct:.1f} %; efficiency "
        f"{found.efficiency:.1f} points; maximum queue by a factor of {found.queue_factor:.2f} "
        f"(with signs {found.queue_ratio:.2f})."
    )
