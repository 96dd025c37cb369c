"""Task 5: bursty sources beside persistent ones."""

from __future__ import annotations

import pandas as pd

from ackclock.plots.effects import main_effects
from ackclock.plots.panels import Axis, panels
from ackclock.plots.shares import shares
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
from ackclock.report.numbers import fixed, half_width, signed
from ackclock.report.osu_tasks import looks
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
from ackclock.report.osu_tasks.variation import allocation_table, explained
from ackclock.studies.osu_tasks.levels import ANALYSED_METRICS, DROP_POLICIES
from ackclock.studies.osu_tasks.result import OsuTasksResult, PartResult

PART = "bursty"
_FACTORS = {"tcp_flavor": "TCP flavor", "drop_policy": "Drop policy", "buffer_rtt": "Buffer (RTT)"}


def describe(result: OsuTasksResult, part: PartResult) -> Section:
    """The section of the part."""
    buffers = [f"{each:g}" for each in levels(part, "buffer_rtt")]
    experiment = (
        "On a GEO path the web traffic of ATM Forum 98-0876 and, in its place, sources with "
        f"endless data: {len(levels(part, 'tcp_flavor'))} TCPs, "
        f"{listed(levels(part, 'drop_policy'))}, buffers of {listed(buffers)} RTT, "
        f"{replicated(part)}."
    )
    return Section(
        question=(
            "Do TCPs, drop policies and buffers act on bursty traffic as they do on persistent "
            "traffic?"
        ),
        experiment=experiment,
        figures=(
            _effects_figure(result, part),
            _means_figure(result, part),
            _allocation_figure(result, part),
        ),
        answer=_answer(part),
        tables=(*(_table(part, m) for m in ANALYSED_METRICS), allocation_table(part, "traffic")),
    )


def _effects(part: PartResult, metric: str) -> pd.DataFrame:
    """Effects on each traffic side by side, for ``main_effects``; empty without an analysis."""
    table = part.effects
    if table.empty:
        return table
    both = None
    for traffic, rows in table[table["metric"] == metric].groupby("traffic", sort=False):
        ends = {"effect": traffic, "lo": f"{traffic}_lo", "hi": f"{traffic}_hi"}
        its = rows.rename(columns=ends)[["factor", "level", *ends.values()]]
        both = its if both is None else both.merge(its, on=["factor", "level"], sort=False)
    if both is None:
        return pd.DataFrame()
    levels_in_words = [
        f"{level:g}" if factor == "buffer_rtt" else str(level)
        for factor, level in zip(both["factor"], both["level"], strict=True)
    ]
    return both.assign(factor=both["factor"].map(_FACTORS), level=levels_in_words)


def _effects_figure(result: OsuTasksResult, part: PartResult) -> Figure | None:
    drawings = []
    for metric in ANALYSED_METRICS:
        frame = _effects(part, metric)
        if frame.empty:
            continue
        sources = {name: look for name, look in looks.TRAFFIC_LOOKS.items() if name in frame}
        drawn = main_effects(frame, x_name=f"Effect on {metric}", sources=sources)
        title = f"Main effects on {metric}, by traffic"
        text = "For each level its effect with WWW and with persistent traffic."
        drawings.append(drawing(drawn, f"bursty-effects-{metric}", title, text))
    if not drawings:
        return None
    caption = (
        "Main effects with persistent and with WWW traffic: how far the mean over all combinations "
        "with a level lies from the mean over all of that traffic. Bars: 90\u00a0% intervals."
    )
    return Figure("bursty-effects", caption, source(result, part), drawings)


def _means_figure(result: OsuTasksResult, part: PartResult) -> Figure:
    buffers = {each: f"{each:g}" for each in levels(part, "buffer_rtt")}
    drawings = []
    for traffic in levels(part, "traffic"):
        table = means(part, "efficiency")
        drawn = panels(
            table[table["traffic"] == traffic],
            x=Axis("buffer_rtt", "Buffer (RTT)", buffers),
            series=Axis("tcp_flavor", "", {each: each for each in looks.FLAVOR_LOOKS}),
            facet=Axis("drop_policy", "", {each: each for each in DROP_POLICIES}),
            looks=looks.FLAVOR_LOOKS,
            y_name=f"Efficiency, {traffic}",
            most=1,
        )
        title = f"{traffic}: efficiency against the buffer"
        text = "A line for each TCP, a panel for each drop policy; the tables have the numbers."
        drawings.append(drawing(drawn, f"bursty-means-{traffic}", title, text))
    described = " and ".join(levels(part, "traffic"))
    caption = f"Efficiency against the buffer: {described} traffic.{bars(part)}"
    return Figure("bursty-means", caption, source(result, part), drawings)


def _allocation_figure(result: OsuTasksResult, part: PartResult) -> Figure | None:
    drawings = []
    for metric in ANALYSED_METRICS:
        frame = explained(part, "traffic", metric)
        if frame.empty:
            continue
        drawn = shares(frame, paints=looks.PAINTS, x_name=f"Share of the variation of {metric} (%)")
        title = f"Allocation of the variation of {metric}, by traffic"
        text = "A bar for each traffic with the shares of factors and interactions."
        drawings.append(drawing(drawn, f"bursty-shares-{metric}", title, text))
    if not drawings:
        return None
    caption = "What each factor explains of the variation, with WWW and with persistent traffic."
    return Figure("bursty-shares", caption, source(result, part), drawings)


def _answer(part: PartResult) -> list[str]:
    frame = part.effects
    if frame.empty:
        return []
    flavors = frame[(frame["metric"] == "efficiency") & (frame["factor"] == "tcp_flavor")]
    found = []
    for traffic, rows in flavors.groupby("traffic", sort=False):
        ordered = rows.sort_values("effect", ascending=False)
        described = ", ".join(
            f"{level} {signed(effect, 3)}"
            for level, effect in zip(ordered["level"], ordered["effect"], strict=True)
        )
        name = f"{traffic[0].upper()}{traffic[1:]}"
        found.append(
            f"{name}: effects of the TCP flavor on efficiency, highest first: {described}."
        )
    explains = explained(part, "traffic", "efficiency")
    by = explains.pivot_table("percent", "row", "component", sort=False)
    described = []
    for traffic, row in by.iterrows():
        shown = [f"{row[name]:.0f}" for name in ("TCP flavor", "Buffer", "Drop policy")]
        described.append(f"{traffic} {listed(shown)}\u00a0%")
    found.append(
        "Of the variation of efficiency, TCP flavor, buffer and drop policy explain: "
        f"{'; '.join(described)}."
    )
    return found


def _table(part: PartResult, metric: str) -> Table:
    table = means(part, metric).set_index(["traffic", "drop_policy", "tcp_flavor", "buffer_rtt"])
    traffics, buffers = levels(part, "traffic"), levels(part, "buffer_rtt")
    flavors = levels(part, "tcp_flavor")
    groups = []
    for policy in levels(part, "drop_policy"):
        group: list[Row] = []
        for flavor in flavors:
            first = [] if group else [row_heading(policy, rows=len(flavors))]
            its = [table.loc[(t, policy, flavor, b)] for t in traffics for b in buffers]
            cells = [number(fixed(row["mean"]), half_width(row["lo"], row["hi"])) for row in its]
            group.append([*first, row_heading(flavor), *cells])
        groups.append(group)
    head = [
        [
            heading("Drop policy", rows=2),
            heading("TCP", rows=2),
            *(heading(each, columns=len(buffers)) for each in traffics),
        ],
        [number_heading(f"{each:g} RTT") for _ in traffics for each in buffers],
    ]
    caption = f"{metric.capitalize()} by traffic and buffer: {halves(part)}."
    return Table(f"bursty-{metric}", caption, head, groups)
