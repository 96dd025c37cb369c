"""Simulated beside published, and how far apart they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from ackclock.studies.abr_web import published


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


def comparison_table(results: pd.DataFrame) -> pd.DataFrame:
    """Table 2 beside the results.

    Args:
        results: see ``analysis.results_table``.

    Returns:
        Columns servers, metric, published, simulated, lo, hi (95 %), delta = simulated - published;
        the rows that were run.
    """
    if results.empty:
        return pd.DataFrame()
    long = []
    for metric in published.PRINTED:
        ends = {metric: "simulated", f"{metric}_lo": "lo", f"{metric}_hi": "hi"}
        its = results[["servers", *ends]].rename(columns=ends)
        long.append(its.assign(metric=metric))
    both = published.table2().merge(pd.concat(long), on=["servers", "metric"])
    return both.assign(delta=both["simulated"] - both["published"])


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
