"""Task 3: how much buffer a switch needs."""

from __future__ import annotations

from itertools import product

import pandas as pd

from ackclock.plots.panels import Axis, Mark, panels
from ackclock.plots.style import series_look
from ackclock.report.blocks import (
    Cell,
    Figure,
    Row,
    Table,
    drawing,
    heading,
    number,
    number_heading,
    row_heading,
)
from ackclock.report.numbers import fixed, half_width
from ackclock.report.osu_tasks.section import (
    Section,
    bars,
    halves,
    levels,
    listed,
    means,
    replicated,
    source,
    with_ends,
)
from ackclock.studies.osu_tasks.levels import (
    ANALYSED_METRICS,
    BUFFERS_RTT,
    FBA,
    MOST_SOURCES,
    PER_VC_POLICIES,
    SATELLITES,
    SD,
)
from ackclock.studies.osu_tasks.result import OsuTasksResult, PartResult

PART = "buffers"
_ENOUGH = 0.98
_ENOUGH_NAME = "98\u00a0%"
_HALF_RTT = 0.5
_POLICY_NAMES = {SD: f"Selective Drop ({SD})", FBA: FBA}
_WHERE = ["link", "drop_policy"]
_FRACTIONS = {0.0625: "1/16", 0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}


def describe(result: OsuTasksResult, part: PartResult) -> Section:
    """The section of the part."""
    topology = part.scenario.topology
    links, sources = levels(part, "link"), levels(part, "sources")
    buffers = levels(part, "buffer_rtt")
    experiment = (
        f"{listed(sources)} SACK sources with endless data cross a trunk of "
        f"{topology.trunk.rate / 1e6:g} Mbit/s over UBR with per-VC accounting, "
        f"{_policies(part)} ({listed(links)}), with buffers from {fraction(min(buffers))} to "
        f"{fraction(max(buffers))} RTT, {replicated(part)}."
    )
    return Section(
        question=(
            "How large must a switch's buffer be for TCP over UBR on a satellite path, in "
            "round-trip times of the trunk, and how does that depend on the number of sources and "
            "on the drop policy?"
        ),
        experiment=experiment,
        figures=(_against_buffer_figure(result, part),),
        answer=_answer(result, part),
        tables=(_smallest_table(result), *(_table(part, metric) for metric in ANALYSED_METRICS)),
    )


def _policies(part: PartResult) -> str:
    """The drop policies, and with how many sources some of them were not run."""
    every = set(levels(part, "sources"))
    described = []
    for policy, rows in part.results.groupby("drop_policy", sort=False):
        missing = sorted(every - set(rows["sources"]))
        without = f" (not with {listed(missing)} sources)" if missing else ""
        described.append(f"{_POLICY_NAMES[policy]}{without}")
    return " or ".join(described)


def fraction(rtt: float) -> str:
    """A buffer as people write it: "1/16", "2"."""
    return _FRACTIONS.get(rtt, f"{rtt:g}")


def _against_buffer_figure(result: OsuTasksResult, part: PartResult) -> Figure:
    buffers = Axis(
        "buffer_rtt", "Buffer (RTT, logarithmic)", {each: fraction(each) for each in BUFFERS_RTT}
    )
    sources = Axis("sources", "", {each: f"N = {each}" for each in MOST_SOURCES})
    looks = {each: series_look(number) for number, each in enumerate(MOST_SOURCES)}
    where = {
        (link, policy): f"{link}, {policy}" for link, policy in product(SATELLITES, PER_VC_POLICIES)
    }
    drawings = []
    for metric in ANALYSED_METRICS:
        table = means(part, metric)
        drawn = panels(
            table.assign(where=list(table[_WHERE].itertuples(index=False, name=None))),
            x=buffers,
            series=sources,
            facet=Axis("where", "", where),
            looks=looks,
            y_name=metric.capitalize(),
            most=1,
            mark=Mark(_ENOUGH, _ENOUGH_NAME) if metric == "efficiency" else None,
        )
        title = f"{metric.capitalize()} against the buffer"
        text = (
            "A line for each number of sources, a panel for each link and drop policy; the tables "
            "show the same numbers."
        )
        drawings.append(drawing(drawn, f"buffers-{metric}-drawing", title, text))
    caption = (
        "Efficiency and fairness against the buffer, a line for each number of sources N, a panel "
        f"for each link and drop policy; the dashed line is an efficiency of {_ENOUGH_NAME}."
        f"{bars(part)}"
    )
    return Figure("buffers-figure", caption, source(result, part), drawings)


def _answer(result: OsuTasksResult, part: PartResult) -> list[str]:
    table = means(part, "efficiency")
    found = []
    for (link, policy), its in table.groupby(_WHERE, sort=False):
        where = f"{link}, {policy}"
        half = its[its["buffer_rtt"] == _HALF_RTT]
        if len(half):
            described = [
                f"{with_ends(row.mean, row.lo, row.hi)} ({row.sources})"
                for row in half.itertuples(index=False)
            ]
            found.append(
                f"{where}, a buffer of half an RTT: efficiency {', '.join(described)} (number of "
                "sources in brackets)."
            )
        found.append(_first_enough(where, its))
    return [*found, *(_searched(result.smallest) if len(result.smallest) else ())]


def _first_enough(where: str, table: pd.DataFrame) -> str:
    """The smallest of the buffers run whose mean is high enough, by the number of sources."""
    described = []
    for sources, rows in table.groupby("sources", sort=False):
        enough = rows[rows["mean"] >= _ENOUGH]["buffer_rtt"]
        described.append(
            f"{fraction(enough.min())} ({sources})" if len(enough) else f"none ({sources})"
        )
    return (
        f"{where}, the smallest of these buffers with a mean of {_ENOUGH_NAME} or more, in RTT: "
        f"{', '.join(described)}."
    )


def _searched(smallest: pd.DataFrame) -> list[str]:
    """What the search found, a sentence a link and drop policy."""
    found = []
    for (link, policy), rows in smallest.groupby(_WHERE, sort=False):
        described = [
            f"{row.smallest_rtt:.3g} ({row.sources})"
            if pd.notna(row.smallest_rtt)
            else f"none ({row.sources})"
            for row in rows.itertuples(index=False)
        ]
        found.append(
            f"{link}, {policy}, the smallest buffer that reaches {_ENOUGH_NAME}, searched for, in "
            f"RTT: {', '.join(described)}."
        )
    return found


def _smallest_table(result: OsuTasksResult) -> Table | None:
    if result.smallest.empty:
        return None
    groups = []
    for where, rows in result.smallest.groupby(_WHERE, sort=False):
        group: list[Row] = []
        for row in rows.itertuples(index=False):
            first = [] if group else [row_heading(str(each), rows=len(rows)) for each in where]
            half = row.smallest_half_width_pct
            group.append(
                [
                    *first,
                    row_heading(str(row.sources)),
                    Cell(row.status),
                    number(fixed(row.smallest_rtt, 3)),
                    number(
                        fixed(row.smallest_mean_pct, 2), f"± {half:.2f}" if pd.notna(half) else ""
                    ),
                    number(fixed(row.fails_rtt, 3)),
                    number(str(row.runs)),
                ]
            )
        groups.append(group)
    head = [
        [
            heading("Link"),
            heading("Policy"),
            heading("Sources"),
            heading("Search"),
            number_heading("Smallest that reaches it", "RTT"),
            number_heading("Efficiency there", "%"),
            number_heading("Largest that does not", "RTT"),
            number_heading("Runs"),
        ]
    ]
    caption = (
        f"The smallest buffer that reaches an efficiency of {_ENOUGH_NAME}, searched for as "
        "ackclock size-buffer does: by bisection, with intervals that hold all together."
    )
    return Table("buffers-smallest", caption, head, groups)


def _table(part: PartResult, metric: str) -> Table:
    table, buffers = means(part, metric), levels(part, "buffer_rtt")
    groups = []
    for where, rows in table.groupby(_WHERE, sort=False):
        group: list[Row] = []
        sources = rows["sources"].nunique()
        for each, its in rows.groupby("sources", sort=False):
            first = [] if group else [row_heading(str(name), rows=sources) for name in where]
            at = its.set_index("buffer_rtt").loc[buffers]
            cells = [
                number(fixed(row.mean), half_width(row.lo, row.hi))
                for row in at[["mean", "lo", "hi"]].itertuples(index=False)
            ]
            group.append([*first, row_heading(str(each)), *cells])
        groups.append(group)
    head = [
        [
            heading("Link"),
            heading("Policy"),
            heading("Sources"),
            *(number_heading(f"{fraction(buffer)} RTT") for buffer in buffers),
        ]
    ]
    caption = f"{metric.capitalize()} by buffer: {halves(part)}."
    return Table(f"buffers-{metric}", caption, head, groups)
