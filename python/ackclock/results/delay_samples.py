"""Histograms of recorded delays: waiting times at links, RTTs of flows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ackclock.errors import InputError
from ackclock.plots.histograms import Histogram
from ackclock.results.names import known
from ackclock.results.rerun import rerun
from ackclock.results.rows import REPLICATION
from ackclock.scenario.model.figures import FLOW, GROUP, LINK, QUEUE

if TYPE_CHECKING:
    from ackclock.results.records import Records
    from ackclock.results.results import Results

DELAYS = "delays"
"""The table of the histograms."""
UNTIL, COUNT = "until_s", "count"
WHAT, BOTTLENECK = "what", "at_bottleneck"
_OWN = (WHAT, LINK, BOTTLENECK, FLOW, GROUP, UNTIL, COUNT)
PROBE = {"delays": "true"}


def delay_frame(results: Results) -> pd.DataFrame:
    """The histograms of all recorded runs, as ``Results.delays`` returns them.

    Raises:
        InputError: nothing was recorded.
    """
    records = results.records
    parts = []
    for run in results.campaign.runs:
        if records.has(DELAYS, run.point, run.replication):
            levels = {name: run.levels.get(name) for name in results.factors}
            rows = _rows(records, run.point, run.replication)
            parts.append(rows.assign(**levels, **{REPLICATION: run.replication}))
    if not parts:
        raise InputError(_nothing(results, "delays"))
    frame = pd.concat(parts, ignore_index=True)
    return frame[[*results.factors, REPLICATION, *_OWN]]


def delays_of_kind(results: Results, what: str) -> pd.DataFrame:
    """Return the rows of ``Results.delays`` with waiting times, or those with RTTs.

    Raises:
        InputError: there are none.
    """
    frame = results.delays[results.delays[WHAT] == what]
    if frame.empty:
        called = "waiting times at links" if what == QUEUE else "RTTs of flows"
        raise InputError(_nothing(results, called))
    return frame


def _nothing(results: Results, called: str) -> str:
    """Return a message that names the missing record and how to record it."""
    key = ", ".join(f"{name} = {value}" for name, value in PROBE.items())
    again = rerun(results.campaign, PROBE)
    return f"no {called} were recorded; set [probes] {key} and {again}"


def _rows(records: Records, point: int, replication: int) -> pd.DataFrame:
    """Return the rows of one run, with columns group and at_bottleneck."""
    rows = records.delays(point, replication)
    rows = rows.assign(**{name: rows[name].astype(object) for name in (LINK, FLOW)})
    facts = records.facts(point)
    groups = dict(zip(facts["flow_names"], facts["flow_groups"], strict=True))
    at = facts["bottleneck_link"]
    bottleneck = None if at is None else facts["link_names"][at]
    return rows.assign(
        **{GROUP: rows[FLOW].map(groups).astype(object), BOTTLENECK: rows[LINK] == bottleneck}
    )


def delays_of(
    records: Records, point: int, replication: int, what: str, flows: Sequence[str] | None = None
) -> Histogram:
    """Return the histogram of delays of a run, for some flows or for all."""
    rows = _rows(records, point, replication)
    rows = rows[rows[WHAT] == what]
    return pooled(rows if flows is None else rows[rows[FLOW].isin(flows)])


def pooled(rows: pd.DataFrame) -> Histogram:
    """Merge all rows (columns until_s and count) into one histogram."""
    counts = rows.groupby(UNTIL)[COUNT].sum()
    counts = counts[counts > 0]
    return Histogram(counts.index.to_numpy(dtype=float), counts.to_numpy(dtype=np.int64))


def of_flows_or_all(frame: pd.DataFrame, *, by_flow: bool) -> pd.DataFrame:
    """Return the rows of single flows, or the rows for all packets of a link.

    Raises:
        InputError: ``by_flow`` is set, but no rows of single flows were recorded.
    """
    single = frame[FLOW].notna()
    if by_flow and not single.any():
        raise InputError(
            "the waiting times were recorded for all packets of a link together, and not by flow;"
            " leave out flow and group"
        )
    # RTTs have only rows of flows; so has a link without rows for all of its packets.
    return frame[single] if by_flow or single.all() else frame[~single]


def at_link(frame: pd.DataFrame, link: str | None) -> pd.DataFrame:
    """The rows of one link.

    Args:
        frame: waiting times.
        link: name of the link; by default the bottleneck of each point.

    Raises:
        InputError: there is no such link, or there is no default link.
    """
    links = list(dict.fromkeys(frame[LINK].dropna()))
    if link is not None:
        return frame[frame[LINK] == known(link, links, "a link whose waiting times were recorded")]
    if frame[BOTTLENECK].any():
        return frame[frame[BOTTLENECK]]
    if len(links) == 1:
        return frame
    raise InputError(
        f"there is no single bottleneck; name a link, for example link={links[0]!r}, or show each"
        " with series=link"
    )
