"""Check of the warm-up of runs, and the interval of a single run's steady state.

Sources: ``ackclock.stats.warmup`` (MSER-5) and ``ackclock.stats.batches``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ackclock.errors import InputError
from ackclock.plots.quantities import point_text
from ackclock.results.records import Records
from ackclock.stats import batch_means, mser5

_FEWEST_BINS = 50
"""Fewest bins for which ``mser5`` has a result."""


def steady(
    records: Records, levels: Sequence[dict], factors: Sequence[str], confidence: float
) -> pd.DataFrame:
    """Return one row per point whose goodput was recorded; see ``Results.steady``.

    Raises:
        InputError: the goodput was recorded at no point.
    """
    rows = [
        {**{name: its.get(name) for name in factors}, **_at(records, point, confidence)}
        for point, its in enumerate(levels)
        if records.replications(point, "goodput")
    ]
    if not rows:
        raise InputError(
            'the goodput was recorded at no point; set [probes] goodput = "100 ms" and run it again'
        )
    return pd.DataFrame(rows)


def too_short(table: pd.DataFrame, factors: Sequence[str]) -> list[str]:
    """Return one text per row of a table of ``steady`` whose warm-up is too short."""
    found = []
    for row in table[~table["warm_up_enough"]].to_dict("records"):
        where = point_text({name: row[name] for name in factors})
        need = (
            "more than half of the run"
            if np.isnan(row["warm_up_needed_s"])
            else f"{row['warm_up_needed_s']:g} s"
        )
        prefix = f"{where}: " if where else ""
        found.append(f"{prefix}the warm-up is {row['warm_up_s']:g} s, the goodput needs {need}")
    return found


def _at(records: Records, point: int, confidence: float) -> dict[str, object]:
    times = records.times(point)
    series = [
        records.total_goodput(point, replication)
        for replication in records.replications(point, "goodput")
    ]
    at = series[0]["time_s"].to_numpy()
    if at.size < _FEWEST_BINS:
        raise InputError(
            f"the goodput was recorded in {at.size} bins, and finding a warm-up needs at least"
            f' {_FEWEST_BINS}; set [probes] goodput = "{times.end_s / 100:g} s"'
        )
    rates = np.array([each["goodput_bit_s"] for each in series])
    # The average over replications has less noise, so the warm-up is visible.
    drop = mser5(rates.mean(axis=0))
    needed = np.nan if drop is None else float(at[drop])
    measured = rates[0][at >= times.warm_up_s]
    run = batch_means(measured, confidence=confidence)
    return {
        "warm_up_s": times.warm_up_s,
        "warm_up_needed_s": needed,
        "warm_up_enough": bool(needed <= times.warm_up_s),
        "goodput_bit_s": run.interval.mean,
        "lo": run.interval.lo,
        "hi": run.interval.hi,
        "batches": run.interval.n,
        "independent": run.independent,
    }
