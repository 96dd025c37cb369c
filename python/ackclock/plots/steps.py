"""Windows over time as lines of steps: one line per connection, with visible changes only."""

from __future__ import annotations

import numpy as np
import pandas as pd

MOST_STEPS = 4000
"""Largest number of changes in a panel; more cannot be distinguished by eye."""


def changes_between(rows: pd.DataFrame, start_s: float, end_s: float) -> pd.DataFrame:
    """Return the changes of a flow from start to end; the state at the start becomes a change.

    Args:
        rows: rows of one flow, as for ``steps``.
        start_s: start, s, before the end.
        end_s: end, s, at most the end of the run.
    """
    if rows.empty or (start_s <= 0 and rows["time_s"].iloc[-1] <= end_s):
        return rows
    its = rows[rows["time_s"] <= end_s]
    early = its["time_s"] < start_s
    if "connection" in its and its["connection"].nunique() > 1:
        # A connection without a later change may have ended before the start.
        open_yet = its["connection"].isin(its.loc[~early, "connection"])
        held = its[early & open_yet].groupby("connection", sort=False).tail(1)
    else:
        held = its[early].tail(1)
    return pd.concat([held.assign(time_s=start_s), its[~early]])


def bins_between(rows: pd.DataFrame, start_s: float, end_s: float) -> pd.DataFrame:
    """Return the bins of time that overlap with start to end.

    Args:
        rows: column time_s (start of the bin, ascending).
        start_s: start, s, before the end.
        end_s: end, s, at most the end of the run.
    """
    if rows.empty:
        return rows
    first = max(int(rows["time_s"].searchsorted(start_s, side="right")) - 1, 0)
    return rows.iloc[first : int(rows["time_s"].searchsorted(end_s))]


def steps(
    rows: pd.DataFrame,
    column: str,
    *,
    start_s: float = 0.0,
    end_s: float,
    scale: float = 1.0,
    most: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return times and values of a line for ``step(..., where="post")``.

    The line of a single connection continues to the end of the run. With several connections, each
    has a line from its first to its last change, because the rows do not contain its end. The lines
    are separated by nan.

    Args:
        rows: rows of one flow, one row per change: time_s, ascending; the column; and connection,
            if a flow may have several.
        column: column of the values.
        start_s: start of the drawn time, s.
        end_s: end of the drawn time, s: the end of the run or earlier.
        scale: divisor of the values.
        most: largest number of steps; beyond it, only extremes of short times are kept.

    Returns:
        Two arrays of equal length; empty without rows.
    """
    times = rows["time_s"].to_numpy(dtype=float)
    values = rows[column].to_numpy(dtype=float) / scale
    if not values.size:
        return times, values
    connection = np.zeros(values.size, dtype=int)
    if "connection" in rows:
        connection = pd.factorize(rows["connection"])[0]
    order = np.argsort(connection, kind="stable")
    times, values, connection = times[order], values[order], connection[order]
    if most is not None and values.size > most:
        keep = _extremes(times - start_s, values, connection, end_s - start_s, most // 4)
        times, values, connection = times[keep], values[keep], connection[keep]
    if not connection[-1]:
        return np.append(times, end_s), np.append(values, values[-1])
    ends = np.flatnonzero(np.diff(connection)) + 1
    return np.insert(times, ends, times[ends - 1]), np.insert(values, ends, np.nan)


def _extremes(
    times: np.ndarray, values: np.ndarray, connection: np.ndarray, end_s: float, parts: int
) -> np.ndarray:
    """Return the positions of the first, smallest and largest value of each of many short times.

    With several connections, the last value of each is kept too.
    """
    part = np.minimum(times / end_s * parts, parts - 1).astype(int) + connection * parts
    groups = pd.Series(values).groupby(part)
    first = np.flatnonzero(np.diff(part, prepend=-1))
    last = np.flatnonzero(np.diff(connection))
    return np.unique(np.concatenate([first, last, groups.idxmin(), groups.idxmax()]))
