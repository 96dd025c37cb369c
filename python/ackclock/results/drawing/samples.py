"""Values for distributions and boxes, with the columns that group them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from ackclock.errors import InputError
from ackclock.plots.histograms import Histogram
from ackclock.plots.quantities import is_number
from ackclock.results.delay_samples import (
    COUNT,
    UNTIL,
    at_link,
    delays_of_kind,
    of_flows_or_all,
    pooled,
)
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.names import known
from ackclock.results.no_value import no_value
from ackclock.results.records import delay_column
from ackclock.results.rows import REPLICATION
from ackclock.results.summaries import is_share
from ackclock.scenario.compile.facts import FILES, WEB
from ackclock.scenario.model.figures import FILES as FILES_OF
from ackclock.scenario.model.figures import (
    FLOW,
    FLOWS,
    GROUP,
    HAS_FLOWS,
    LINK,
    OF_METRICS,
    PAGES,
    QUEUE,
    RTT,
    RUNS,
    VALUES,
)

if TYPE_CHECKING:
    from ackclock.results.results import Results

_MOST_FLOWS = 8
_OF = {QUEUE: "packets", RTT: "RTTs"}


class Wanted(NamedTuple):
    """Selection of the values to draw.

    Attributes:
        of: one of ``VALUES`` of ``ackclock.scenario.model.figures``.
        y: metric of flows or runs; none for the default metric.
        by: columns by which the samples are grouped: factors, "flow", "group", "link".
        flows: names of flows; none for all.
        link: name of the link of waiting times; none for the bottleneck.
        clock: clock of pages and files, as ``ackclock.results.pages`` describes it.
    """

    of: str
    y: str | None = None
    by: tuple[str, ...] = ()
    flows: Sequence[str] | None = None
    link: str | None = None
    clock: str = "open"


class Samples(NamedTuple):
    """Values, and how a figure shows them.

    Attributes:
        frame: the columns by which the samples are grouped, the factors, replication, until_s (the
            value, in the unit of ``column``) and count (how often it was seen); not empty.
        column: name of the values.
        unit: unit of the values, if the name does not contain it.
        of: objects with one value each, in the plural, for example "flows".
        share: whether the values are shares and so lie between 0 and 1.
        note: note for the foot; may be empty.
        binned: whether the values are those of bins.
    """

    frame: pd.DataFrame
    column: str
    unit: str
    of: str
    share: bool = False
    note: str = ""
    binned: bool = False

    def _histogram(self, rows: pd.DataFrame) -> Histogram:
        if self.binned:
            return pooled(rows)
        return Histogram.of(rows[UNTIL].to_numpy(dtype=float))

    def split(self, by: Sequence[str]) -> dict[tuple[Any, ...], Histogram]:
        """One histogram per combination of levels, in their order."""
        if not by:
            return {(): self._histogram(self.frame)}
        ordered = self.frame.sort_values(
            list(by), key=_rank, kind="stable", ignore_index=True, na_position="last"
        )
        groups = ordered.groupby(list(by), sort=False, dropna=False, observed=True)
        return {key: self._histogram(rows) for key, rows in groups}

    def replications(self, by: Sequence[str]) -> list[int]:
        """Return the number of replications of each combination of levels."""
        if not by:
            return [int(self.frame[REPLICATION].nunique())]
        return list(self.frame.groupby(list(by), dropna=False)[REPLICATION].nunique())


def _rank(levels: pd.Series) -> pd.Series:
    """Return sort keys: numbers in ascending order, texts in order of appearance."""
    if all(map(is_number, levels)):
        return levels
    return pd.Series(pd.factorize(levels)[0], index=levels.index)


def samples(results: Results, wanted: Wanted) -> Samples:
    """Return the selected values.

    Raises:
        InputError: a name is unknown, two names cannot be combined, or there is no value.
    """
    known(wanted.of, VALUES, "a kind of values")
    _check(results, wanted)
    if wanted.of in (QUEUE, RTT):
        return _delays(results, wanted)
    if wanted.of in (PAGES, FILES_OF):
        return _pages(results, wanted)
    return _metrics(results, wanted)


def _check(results: Results, wanted: Wanted) -> None:
    own = [FLOW, GROUP] if wanted.of in HAS_FLOWS else []
    own += [LINK] if wanted.of == QUEUE else []
    for name in wanted.by:
        known(name, [*results.factors, *own], "a factor" + _or(own))
    if len(set(wanted.by)) < len(wanted.by):
        raise InputError(f"{', '.join(wanted.by)}: each can be shown in one way only")
    if wanted.link is not None and wanted.of != QUEUE:
        raise InputError(f"link {wanted.link}: needs of={QUEUE}, the waiting times at a link")
    if wanted.flows is not None and wanted.of not in HAS_FLOWS:
        raise InputError(
            f"flow {wanted.flows[0]}: needs of={FLOWS}; a value of a run is for all flows"
        )
    if wanted.y is not None and wanted.of not in OF_METRICS:
        raise InputError(
            f"y {wanted.y}: a metric needs of={FLOWS} or of={RUNS}; of={wanted.of} shows delays"
        )


def _or(own: Sequence[str]) -> str:
    return f", {', '.join(own[:-1])} or {own[-1]}" if own else ""


def _delays(results: Results, wanted: Wanted) -> Samples:
    frame = delays_of_kind(results, wanted.of)
    if wanted.of == QUEUE and LINK not in wanted.by:
        frame = at_link(frame, wanted.link)
    by_flow = wanted.flows is not None or FLOW in wanted.by or GROUP in wanted.by
    frame = of_flows_or_all(frame, by_flow=by_flow)
    frame, note = _of_flows(frame, wanted)
    if wanted.of == QUEUE and LINK not in wanted.by:
        links = list(dict.fromkeys(frame[LINK]))
        note += f" · at {', '.join(links)}" if len(links) == 1 else " · at the bottleneck"
    column = "queue_delay_s" if wanted.of == QUEUE else "rtt_s"
    note += " · bins of 1.6 %"
    return Samples(frame, column, "", _OF[wanted.of], note=note, binned=True)


def _pages(results: Results, wanted: Wanted) -> Samples:
    its = results.pages
    rows = its[its["workload"].isin(FILES if wanted.of == FILES_OF else WEB)]
    if rows.empty:
        raise InputError(f"no {wanted.of.removesuffix('s')} was completed in a recorded run")
    rows, note = _of_flows(rows, wanted)
    column = delay_column(wanted.clock)
    frame = rows.assign(**{UNTIL: rows[column], COUNT: 1})
    shown = column.replace("page", "file") if wanted.of == FILES_OF else column
    return Samples(frame, shown, "", wanted.of, note=note)


def _metrics(results: Results, wanted: Wanted) -> Samples:
    """Return the values of a metric of runs or flows, without nan."""
    single = wanted.of == FLOWS
    table = results.flows if single else results.metrics
    measured: Sequence[str] = [name for name in FLOW_METRICS if name in table]
    if not single:
        measured = results.measured
    usual = next((name for name in results.shown_metrics if name in measured), measured[0])
    what = "a metric of flows" if single else "a metric"
    metric = known(wanted.y or usual, measured, what)
    table, note = _of_flows(table, wanted) if single else (table, "")
    finite = table[np.isfinite(table[metric].to_numpy(dtype=float))]
    if finite.empty:
        why = "" if single else no_value(results, metric, table[metric])
        raise InputError(why or f"{metric}: has no value in this campaign")
    if left := len(table) - len(finite):
        note += f" · without {left:,} of {len(table):,} {wanted.of}, which have no value"
    frame = finite.assign(**{UNTIL: finite[metric], COUNT: 1})
    return Samples(frame, metric, results.unit_of(metric), wanted.of, is_share(metric), note)


def _of_flows(frame: pd.DataFrame, wanted: Wanted) -> tuple[pd.DataFrame, str]:
    """Return the rows of the selected flows, and a note if these are not all flows."""
    if FLOW not in frame:
        return frame, ""
    names = list(dict.fromkeys(frame[FLOW].dropna()))
    if wanted.flows is not None:
        for name in wanted.flows:
            known(name, names, "a flow")
        kept = frame[frame[FLOW].isin(wanted.flows)]
        told = FLOW in wanted.by
        return kept, "" if told else f" · of {', '.join(wanted.flows)}"
    if FLOW in wanted.by and len(names) > _MOST_FLOWS:
        kept = frame[frame[FLOW].isin(names[:_MOST_FLOWS])]
        return kept, f" · the first {_MOST_FLOWS} of {len(names)} flows"
    return frame, ""
