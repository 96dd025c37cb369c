"""What the measures of several studies need: metrics by name, numbers of groups, records in time.

Sources: those of the metrics; see ``ackclock.results.metrics``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.results.metrics import METRICS
from ackclock.results.rates import goodputs

if TYPE_CHECKING:
    from ackclock.scenario import Facts

Rows = dict[str, np.ndarray]
"""Rows of a table, by column."""


def no_tables(columns: Columns) -> dict[str, Any]:
    """What is kept of runs whose records only their measure needs: nothing."""
    return {}


def metrics(columns: Columns, facts: Facts, *names: str) -> dict[str, Number]:
    """Metrics of a run, by their names in ``METRICS``."""
    return {name: METRICS[name].of(columns, facts) for name in names}


def of_group(facts: Facts, group: str) -> np.ndarray:
    """Which flows are of a group, shape (flows,)."""
    return np.array(facts.flow_groups) == group


def goodput_of(columns: Columns, facts: Facts, group: str) -> float:
    """What the flows of a group deliver together in the measured time, bit/s."""
    return float(goodputs(columns, facts)[of_group(facts, group)].sum())


def share_of(columns: Columns, facts: Facts, group: str) -> float:
    """The share of a group in all that is delivered in the measured time."""
    its = goodputs(columns, facts)
    return float(its[of_group(facts, group)].sum() / its.sum())


def between(columns: Columns, table: str, from_s: float, to_s: float, **where: int) -> Rows:
    """The rows of a probe's table that begin in a time.

    Args:
        columns: of the run.
        table: for example "queue", "goodput", "cwnd", "transport"; see ``results.traces``.
        from_s: start of the time, s.
        to_s: its end, s; a row that begins then does not count.
        **where: values of other columns, for example ``flow=0``.
    """
    its = columns[table]
    chosen = (its["time_s"] >= from_s) & (its["time_s"] < to_s)
    for name, value in where.items():
        chosen &= its[name] == value
    # Names are lists, numbers are arrays.
    return {name: np.asarray(values)[chosen] for name, values in its.items()}


def first_time(times_s: np.ndarray, is_so: np.ndarray) -> float:
    """When something is so for the first time, s; nan if it never is."""
    at = np.flatnonzero(is_so)
    return float(times_s[at[0]]) if at.size else float("nan")


def bottleneck_queue(columns: Columns, facts: Facts, from_s: float, to_s: float) -> Rows:
    """Rows of the queue of the bottleneck: time_s, max_packets ... of each bin; see the core."""
    assert facts.bottleneck_link is not None
    return between(columns, "queue", from_s, to_s, link=facts.bottleneck_link)


def mean_of(rows: Rows, name: str) -> float:
    """The mean of a column; nan without rows."""
    return float(np.mean(rows[name])) if rows[name].size else float("nan")
