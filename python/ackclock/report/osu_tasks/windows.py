"""Task 6: the arithmetic of large windows."""

from __future__ import annotations

from ackclock.plots.panels import Axis, panels
from ackclock.plots.style import series_look
from ackclock.plurals import counted
from ackclock.report.blocks import (
    Figure,
    Row,
    Table,
    drawing,
    heading,
    number,
    number_heading,
    row_heading,
)
from ackclock.report.numbers import fixed, grouped, half_width
from ackclock.report.osu_tasks import drawings as drawn
from ackclock.report.osu_tasks.section import (
    Section,
    bars,
    halves,
    levels,
    listed,
    means,
    replicated,
    source,
)
from ackclock.report.words import seed_words
from ackclock.studies.osu_tasks.result import OsuTasksResult, PartResult

PART = "windows"
_COLUMNS = (
    ("max_cwnd_bytes", "Largest cwnd (bytes)", None),
    ("efficiency", "Efficiency", 4),
    ("fairness", "Fairness", 3),
    ("utilisation", "Utilisation", 3),
    ("timeouts", "Time-outs", 1),
    ("retransmitted_share", "Retransmitted (share)", 4),
)
"""Metric, heading, decimals (none: whole, with a thousands separator)."""


def describe(result: OsuTasksResult, part: PartResult) -> Section:
    """The section of the part."""
    its = part.scenario
    smss = its.tcp.smss
    experiment = (
        f"{listed(levels(part, 'sources'))} SACK sources with segments of {smss} bytes on a GEO "
        f"path of {its.topology.trunk.rate / 1e6:g} Mbit/s; congestion avoidance adds "
        "SMSS × SMSS / cwnd in whole bytes cut off, N times that once in N ACKs, or with its "
        f"fraction, {replicated(part)}."
    )
    return Section(
        question=(
            "TCPs that compute cwnd in integers add SMSS × SMSS / cwnd, which is 0 beyond SMSS² "
            f"({grouped(smss**2)} bytes here). Does cwnd stop growing there, does one larger step "
            "in N ACKs help, and what does it do to efficiency?"
        ),
        experiment=experiment,
        figures=(_window_figure(result, part), _efficiency_figure(result, part)),
        answer=_answer(part),
        tables=(_table(part),),
    )


def _window_figure(result: OsuTasksResult, part: PartResult) -> Figure | None:
    traces = [each for each in result.traces if each.part == PART]
    shown = []
    bound = part.scenario.tcp.smss**2
    for sources in dict.fromkeys(each.point.sources for each in traces):
        its = {each.point.arithmetic: each for each in traces if each.point.sources == sources}
        described = counted(sources, "source")
        text = f"A line for each arithmetic, and a line at {grouped(bound)} bytes."
        figure = drawn.windows_by_variant(its, bound, f"{described}; replication 0")
        shown.append(drawing(figure, f"windows-{sources}", f"cwnd over time, {described}", text))
    if not shown:
        return None
    caption = (
        "cwnd of the first source over time, one run of each arithmetic; the dashed line is "
        f"SMSS² = {grouped(bound)} bytes."
    )
    made = (
        f"Simulated: replication 0 of each combination, seed {seed_words(result)['first']}, "
        f"ackclock {result.version}."
    )
    return Figure("windows-figure", caption, made, shown)


def _efficiency_figure(result: OsuTasksResult, part: PartResult) -> Figure:
    sources = levels(part, "sources")
    shown = []
    for metric, y_name, unit in (
        ("max_cwnd_bytes", "Largest cwnd (kB)", 1000),
        ("efficiency", "Efficiency", 1),
    ):
        table = means(part, metric)
        table[["mean", "lo", "hi"]] /= unit
        figure = panels(
            table,
            x=Axis("arithmetic", "", {each: each for each in levels(part, "arithmetic")}),
            series=Axis("sources", "", {each: counted(each, "source") for each in sources}),
            looks={each: series_look(number) for number, each in enumerate(sources)},
            y_name=y_name,
            joined=False,
            most=1 if metric == "efficiency" else None,
        )
        text = "A mark for each number of sources; the table has the same numbers."
        shown.append(drawing(figure, f"windows-{metric}", f"{y_name} by arithmetic", text))
    caption = (
        "The largest cwnd of any source and the efficiency, by arithmetic: as long as no segment "
        f"is lost, a larger window is a larger throughput.{bars(part)}"
    )
    return Figure("windows-means", caption, source(result, part), shown)


def _answer(part: PartResult) -> list[str]:
    cwnd, efficiency = means(part, "max_cwnd_bytes"), means(part, "efficiency")
    found = []
    for sources in levels(part, "sources"):
        described = []
        its = cwnd["sources"] == sources
        both = zip(cwnd[its].to_dict("records"), efficiency[its].to_dict("records"), strict=True)
        for window, share in both:
            described.append(
                f"{window['arithmetic']}: {grouped(window['mean'])} bytes (efficiency "
                f"{fixed(share['mean'], 4)})"
            )
        found.append(f"{counted(sources, 'source')}, largest cwnd: {'; '.join(described)}.")
    return found


def _table(part: PartResult) -> Table:
    shown = [each for each in _COLUMNS if each[0] in part.results]
    tables = {metric: means(part, metric) for metric, _, _ in shown}
    groups = []
    for sources, rows in part.results.groupby("sources", sort=False):
        group: list[Row] = []
        for index in rows.index:
            first = [] if group else [row_heading(str(sources), rows=len(rows))]
            cells = []
            for metric, _, decimals in shown:
                row = tables[metric].loc[index]
                text = grouped(row["mean"]) if decimals is None else fixed(row["mean"], decimals)
                cells.append(number(text, half_width(row["lo"], row["hi"], decimals or 0)))
            group.append([*first, row_heading(rows.loc[index, "arithmetic"]), *cells])
        groups.append(group)
    head = [
        [
            heading("Sources"),
            heading("Arithmetic"),
            *(number_heading(name) for _, name, _ in shown),
        ]
    ]
    caption = (
        f"By arithmetic: {halves(part)}. The largest cwnd is that of any source in the measured "
        "part of a run."
    )
    return Table("windows-table", caption, head, groups)
