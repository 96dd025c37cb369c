"""Fairness and convergence of bulk flows over time, from records of the probe `goodput`.

Only bulk flows count: clients pause, and datagrams have a fixed rate, so neither converges to a
share. A flow counts from the bin of its first delivery on. A flow with a size counts until the bin
of its last delivery. A flow that never delivers anything does not count. Convergence covers only
flows without a size, because the others end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from ackclock.errors import InputError
from ackclock.plots.quantities import within
from ackclock.results.grids import Column, Grid, grid, interval_column, level_column
from ackclock.results.records import Records
from ackclock.results.rows import REPLICATION
from ackclock.scenario.compile.facts import LOAD
from ackclock.stats import convergence, grouped_intervals, windowed_fairness

if TYPE_CHECKING:
    from ackclock.results.results import Results

WINDOW_S, TOLERANCE, HOLD_S = 1.0, 0.25, 5.0
"""Default parameters of convergence; see ``ackclock.stats.sharing``."""
_NOTHING = 'the goodput was recorded in no run; set [probes] goodput = "100 ms" and run it again'


class _Deliveries(NamedTuple):
    """Deliveries of the bulk flows of a run.

    Attributes:
        delivered: shape (flows, bins), bytes.
        start: shape (flows,), the bin in which each flow begins, possibly within the bin.
        end: shape (flows,), the bin in which a flow with a size ends; else the number of bins.
        bin_s: width of a bin, s.
    """

    delivered: np.ndarray
    start: np.ndarray
    end: np.ndarray
    bin_s: float

    def bins(self, seconds: float, what: str) -> int:
        """Convert a time to bins.

        Raises:
            InputError: the time is not a whole number of bins.
        """
        bins = seconds / self.bin_s
        if not bins >= 0.5 or abs(bins - round(bins)) > 1e-6 * bins:
            raise InputError(
                f"{what} {seconds:g} s: is not a multiple of {self.bin_s:g} s, the bins in which"
                f" the goodput was recorded; give for example {10 * self.bin_s:g} s, or set"
                ' [probes] goodput = "100 ms" and run it again'
            )
        return round(bins)


def fairness_over_time(
    records: Records, window_s: float, point: int, replication: int
) -> pd.DataFrame:
    """See ``Results.fairness_over_time``.

    Raises:
        InputError: as there.
    """
    its = _deliveries(records, point, replication)
    width = its.bins(window_s, "window")
    at = np.arange(its.delivered.shape[1])
    present = (at > its.start[:, np.newaxis]) & (at < its.end[:, np.newaxis])
    index = windowed_fairness(its.delivered, present, width)
    whole = present[:, : index.size * width].reshape(len(present), index.size, width).all(axis=2)
    return pd.DataFrame(
        {
            "time_s": np.arange(index.size) * width * its.bin_s,
            "flows": whole.sum(axis=0),
            "jain_fairness": index,
        }
    )


def convergence_s(
    records: Records,
    point: int,
    replication: int,
    *,
    window_s: float = WINDOW_S,
    tolerance: float = TOLERANCE,
    hold_s: float = HOLD_S,
) -> float:
    """See ``Results.convergence_s``.

    Raises:
        InputError: as there.
    """
    its = _deliveries(records, point, replication)
    width = its.bins(window_s, "window")
    hold = its.bins(hold_s, "hold")
    if hold % width:
        raise InputError(f"hold {hold_s:g} s: give a multiple of the window, {window_s:g} s")
    if not 0 < tolerance < 1:
        raise InputError(f"tolerance {tolerance:g}: give a share, for example {TOLERANCE:g}")
    endless = its.end == its.delivered.shape[1]
    if endless.sum() < 2:
        return np.nan
    begin = int(its.start[endless].max())
    found = convergence(its.delivered[endless, begin:], width, tolerance, hold // width)
    return np.nan if found is None else found * its.bin_s


def sharing(results: Results, windows_s: Sequence[float]) -> pd.DataFrame:
    """See ``Results.sharing``.

    Raises:
        InputError: as there.
    """
    return _sharing(results, windows_s).drop(columns=_POINT)


_POINT, _CONVERGENCE = "point", "convergence_s"


def _sharing(results: Results, windows_s: Sequence[float]) -> pd.DataFrame:
    """Return the table of ``sharing`` with a column for the number of the point."""
    records, points = results.records, results.campaign.design.points
    rows = []
    for at, point in enumerate(points):
        for replication in records.replications(at, "goodput"):
            row = {name: point.levels.get(name) for name in results.factors}
            row |= {_POINT: at, REPLICATION: replication}
            warm_up_s = records.times(at).warm_up_s
            for window in windows_s:
                table = fairness_over_time(records, window, at, replication)
                measured = table[table["time_s"] >= warm_up_s]
                row[_column(window)] = measured["jain_fairness"].mean()
            row[_CONVERGENCE] = convergence_s(records, at, replication)
            rows.append(row)
    if not rows:
        raise InputError(_NOTHING)
    return pd.DataFrame(rows)


def sharing_means(
    results: Results, windows_s: Sequence[float], confidence: float
) -> tuple[list[dict], dict[str, pd.DataFrame]]:
    """Return the levels of the recorded points, and one table of means per column.

    Returns:
        The levels by factor; and by column of ``sharing`` a table with mean, lo, hi, n, one row per
        point. The table of convergence also has converged, the number of runs that converged.

    Raises:
        InputError: as ``Results.sharing``.
    """
    table = _sharing(results, windows_s)
    levels = table[~table[_POINT].duplicated()][list(results.factors)].to_dict("records")
    most = {**dict.fromkeys(map(_column, windows_s), 1.0), _CONVERGENCE: inf}
    means = {
        name: within(grouped_intervals(table, [_POINT], name, confidence), most=end)
        for name, end in most.items()
    }
    converged = table[_CONVERGENCE].notna().groupby(table[_POINT], sort=False).sum()
    means[_CONVERGENCE]["converged"] = converged.to_numpy()
    return levels, means


def sharing_grid(results: Results, windows_s: Sequence[float], confidence: float) -> Grid:
    """``Results.sharing`` as a table of texts: one row per recorded point.

    Raises:
        InputError: as ``Results.sharing``.
    """
    levels, means = sharing_means(results, windows_s, confidence)
    heads = [f"Jain's index in windows of {window:g} s" for window in windows_s]
    columns = [level_column(name, [its[name] for its in levels]) for name in results.factors]
    columns += [
        interval_column(name, table, head)
        for (name, table), head in zip(means.items(), [*heads, "Time to convergence"], strict=True)
    ]
    n, converged = (means[_CONVERGENCE][name].tolist() for name in ("n", "converged"))
    texts = [f"{some} of {all_}" for some, all_ in zip(converged, n, strict=True)]
    columns.append(Column("Converged", texts))
    shown = pd.concat(means.values())
    foot = (
        f"{results.source(confidence, n, shown)} · converged: {HOLD_S:g} s within"
        f" {100 * TOLERANCE:g} % of an equal share in windows of {WINDOW_S:g} s"
    )
    return grid(results.title, columns, foot)


def _column(window_s: float) -> str:
    return f"jain_{window_s:g}s"


def _deliveries(records: Records, point: int, replication: int) -> _Deliveries:
    """Deliveries of the bulk flows of a run.

    Raises:
        InputError: the goodput of the run was not recorded, or only in a single bin.
    """
    table = records.table("goodput", point, replication)
    facts = records.facts(point)
    times = np.unique(table["time_s"])
    if times.size < 2:
        raise InputError(
            f"the goodput was recorded in {times.size} bin at point {point}; set [probes]"
            f' goodput = "{records.times(point).end_s / 100:g} s" and run it again'
        )
    # One row per flow and bin, all bins of a flow together.
    delivered = table["delivered_bytes"].to_numpy().reshape(-1, times.size)
    bin_s = float(times[1])
    # The last bin may be shorter, because the run ends.
    if (times.size * bin_s - records.times(point).end_s) > 1e-6 * bin_s:
        delivered = delivered[:, :-1]
    sizes = facts.get("bulk_bytes", {})
    groups = facts["flow_groups"]
    of_load = np.isin(facts["flow_workloads"], LOAD)
    numbers = np.flatnonzero(of_load & (delivered > 0).any(axis=1))
    got = delivered[numbers] > 0
    bins = delivered.shape[1]
    finite = np.array([groups[number] in sizes for number in numbers], dtype=bool)
    last = bins - 1 - np.argmax(got[:, ::-1], axis=1)
    end = np.where(finite, last, bins)
    return _Deliveries(delivered[numbers], np.argmax(got, axis=1), end, bin_s)
