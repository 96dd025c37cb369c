"""The delays that runs recorded: their distributions, and percentiles of each group of flows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ackclock.errors import InputError
from ackclock.plots.histograms import Histogram
from ackclock.plots.quantities import Quantity, quantity, sentence
from ackclock.report.blocks import Figure, Table, drawing
from ackclock.report.campaigns.tables import table_of
from ackclock.results.drawing.samples import Samples, Wanted, samples
from ackclock.results.grids import Column, level_column
from ackclock.results.results import Results
from ackclock.scenario.model.figures import GROUP, QUEUE, RTT

_CAPTIONS = {
    QUEUE: "Waiting times of packets in the queue of the bottleneck",
    RTT: "Round-trip times that the senders measured",
}
_PERCENTS = {"median": 50, "95 %": 95, "99 %": 99, "largest": 100}
_MOST_LINES, _MOST_PANELS = 8, 6
_ALL = "all"
_MISSING = "–"


class Delays(NamedTuple):
    """What the section shows.

    Attributes:
        figures: of waiting times and of RTTs.
        tables: of percentiles, a table a campaign.
    """

    figures: list[Figure]
    tables: list[Table]


def delays(several: Sequence[Results], names: Sequence[str]) -> Delays | None:
    """Distributions and percentiles of delays; nothing if no run recorded any.

    Args:
        several: campaigns of the same points.
        names: of them.
    """
    figures = [figure for of in (QUEUE, RTT) if (figure := _figure(of, several, names))]
    if not figures:
        return None
    tables = [
        _table(results, name if len(several) > 1 else "", number)
        for number, (results, name) in enumerate(zip(several, names, strict=True))
        if _samples(results, RTT) or _samples(results, QUEUE)
    ]
    return Delays(figures, tables)


def _samples(results: Results, of: str, by: Sequence[str] = ()) -> Samples | None:
    """Delays of a kind; nothing if there are none, or no single bottleneck where they are."""
    try:
        return samples(results, Wanted(of, by=tuple(by)))
    except InputError:
        return None


def _figure(of: str, several: Sequence[Results], names: Sequence[str]) -> Figure | None:
    """A drawing a campaign."""
    id, drawings, wide = f"delays-{of}", [], False
    for number, (results, name) in enumerate(zip(several, names, strict=True)):
        if not (its := _samples(results, of)):
            continue
        series, facet = _told_apart(results, its)
        title = name if len(several) > 1 else ""
        drawn = results.plot.cdf(of, series=series, facet=facet, title=title)
        wide = wide or facet is not None
        drawings.append(drawing(drawn, f"{id}-{number}", drawn.title, drawn.source))
    return Figure(id, f"{_CAPTIONS[of]}.", "", drawings, wide=wide) if drawings else None


def _told_apart(results: Results, its: Samples) -> tuple[str | None, str | None]:
    """The factors with a line and with a panel a level, those with the most levels first."""
    counts = {name: its.frame[name].nunique() for name in results.factors}
    varied = [name for name in counts if 1 < counts[name] <= _MOST_LINES]
    varied.sort(key=lambda name: -counts[name])
    if not varied and its.frame[GROUP].nunique() > 1:
        varied = [GROUP]
    series, facet, *_ = [*varied, None, None]
    if facet is not None and counts[facet] > _MOST_PANELS:
        facet = None
    return series, facet


def _table(results: Results, name: str, number: int) -> Table:
    """Percentiles of waiting times and RTTs, a row a point and group of flows."""
    factors = list(results.factors)
    found = {of: _by_row(results, of, factors) for of in (QUEUE, RTT)}
    groups = {key[-1] for key in found[RTT]}
    if len(groups) == 1:
        # All packets are those of the only group.
        found[QUEUE] = {(*key[:-1], *groups): its for key, its in found[QUEUE].items()}
    keys = list(dict.fromkeys(key for its in (found[RTT], found[QUEUE]) for key in its))
    order = list(dict.fromkeys(key[:-1] for key in keys))
    # All flows of a point stand below its groups.
    keys.sort(key=lambda key: (order.index(key[:-1]), key[-1] == _ALL))
    columns = [level_column(name, [key[at] for key in keys]) for at, name in enumerate(factors)]
    columns.append(Column("Flows", [str(key[-1]) for key in keys], numeric=False))
    for of, what in ((QUEUE, "wait"), (RTT, "RTT")):
        shown = _unit(found[of])
        columns += [
            Column(
                f"{sentence(what)}, {percent} ({shown.unit})",
                [_text(found[of].get(key), _PERCENTS[percent], shown) for key in keys],
            )
            for percent in _PERCENTS
            if found[of]
        ]
    caption = (
        "Waiting times at the bottleneck and RTTs by group of flows: the median, the quantiles"
        " of 95 % and 99 %, and the largest value."
    )
    caption = f"{name}: {caption[0].lower()}{caption[1:]}" if name else caption
    return table_of(f"delays-table-{number}", caption, columns, len(factors) + 1)


def _by_row(
    results: Results, of: str, factors: Sequence[str]
) -> Mapping[tuple[Any, ...], Histogram]:
    """Histograms by levels and group; of all flows together where there are several groups."""
    grouped = _samples(results, of, [*factors, GROUP])
    rows = dict(grouped.split([*factors, GROUP])) if grouped else {}
    whole = _samples(results, of)
    groups = {key[-1] for key in rows}
    if whole and len(groups) != 1:
        rows |= {(*key, _ALL): its for key, its in whole.split(factors).items()}
    return rows


def _unit(rows: Mapping[tuple[Any, ...], Histogram]) -> Quantity:
    return quantity("delay_s", [its.percentile(50) for its in rows.values()])


def _text(its: Histogram | None, percent: float, shown: Quantity) -> str:
    if its is None or not its.total:
        return _MISSING
    return f"{its.percentile(percent) / shown.scale:,.3g}"
