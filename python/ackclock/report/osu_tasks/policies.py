"""Tasks 1 and 2: policies of switches and of end systems."""

from __future__ import annotations

from ackclock.plots.effects import main_effects
from ackclock.plots.panels import Axis, panels
from ackclock.plots.plane import Key, plane
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
from ackclock.report.numbers import fixed, half_width
from ackclock.report.osu_tasks import looks
from ackclock.report.osu_tasks.section import (
    Section,
    bars,
    halves,
    levels,
    listed,
    pooled,
    replicated,
    source,
)
from ackclock.report.osu_tasks.variation import allocation_table, effects, explained
from ackclock.studies.osu_tasks.levels import (
    ANALYSED_METRICS,
    BUFFERS,
    DROP_POLICIES,
    LINKS,
    TCP_FLAVORS,
)
from ackclock.studies.osu_tasks.result import OsuTasksResult, PartResult

PART = "policies"
_TABLES = "The tables give the numbers."
_FACTOR_WORDS = {"drop_policy": "drop policy", "tcp_flavor": "TCP flavor"}
_BUFFER_NAMES = {name: f"{name.capitalize()} buffer" for name in BUFFERS}


def describe(result: OsuTasksResult, part: PartResult) -> Section:
    """The section of the part."""
    topology = part.scenario.topology
    rate = topology.trunk.rate / 1e6
    links, sources = levels(part, "link"), levels(part, "sources")
    experiment = (
        f"{listed(sources)} sources with endless data cross two switches and a trunk of "
        f"{rate:g} Mbit/s over UBR ({listed(links)}), with each of "
        f"{len(levels(part, 'drop_policy'))} drop policies, {len(levels(part, 'tcp_flavor'))} TCPs "
        f"and two buffers: a full factorial for each link, {replicated(part)}."
    )
    return Section(
        question=(
            "Which drop policies of switches and which TCPs of end systems make TCP over UBR "
            "efficient and fair, and which of the two matters more on which path?"
        ),
        experiment=experiment,
        figures=(
            _allocation_figure(result, part),
            _plane_figure(result, part),
            _sources_figure(result, part),
            _effects_figure(result, part),
        ),
        answer=_answer(part),
        tables=(*(_means_table(part, link) for link in links), allocation_table(part, "link")),
    )


def _allocation_figure(result: OsuTasksResult, part: PartResult) -> Figure | None:
    if part.allocation.empty:
        return None
    drawings = []
    for metric in ANALYSED_METRICS:
        frame = explained(part, "link", metric)
        if frame.empty:
            continue
        drawn = shares(frame, paints=looks.PAINTS, x_name=f"Share of the variation of {metric} (%)")
        title = f"Allocation of the variation of {metric}"
        text = f"A bar for each link with the shares of factors and interactions. {_TABLES}"
        drawings.append(drawing(drawn, f"shares-{metric}", title, text))
    caption = (
        "What each factor explains of the variation of efficiency and of fairness, by link. The "
        "error is what factors and first-order interactions leave of the means."
    )
    return Figure("policies-shares", caption, source(result, part), drawings)


def _plane_figure(result: OsuTasksResult, part: PartResult) -> Figure:
    kept = ["link", "buffer", "drop_policy", "tcp_flavor"]
    both = pooled(part, "fairness", kept).rename(columns={"mean": "x", "lo": "x_lo", "hi": "x_hi"})
    ends = {"mean": "y", "lo": "y_lo", "hi": "y_hi"}
    both = both.merge(pooled(part, "efficiency", kept).rename(columns=ends), on=kept)
    both["buffer"] = both["buffer"].map(_BUFFER_NAMES)
    policies = {name: looks.POLICY_LOOKS[name].color for name in DROP_POLICIES}
    flavors = {name: looks.FLAVOR_LOOKS[name].marker for name in TCP_FLAVORS}
    drawings = []
    for link in levels(part, "link"):
        drawn = plane(
            both[both["link"] == link],
            colors=Key("drop_policy", policies),
            markers=Key("tcp_flavor", flavors),
            facet="buffer",
            x_name="Fairness",
            y_name="Efficiency",
            title=link,
            shares=True,
        )
        text = f"A point for each drop policy and TCP, a panel for each buffer. {_TABLES}"
        title = f"{link}: efficiency against fairness"
        drawings.append(drawing(drawn, f"plane-{link}", title, text))
    caption = (
        "Efficiency against fairness, means over the numbers of sources: the best corner is the "
        "upper right one. A drop policy has a colour, a TCP a marker; each drawing has axes of "
        f"its own.{bars(part)}"
    )
    return Figure("policies-plane", caption, source(result, part), drawings)


def _sources_figure(result: OsuTasksResult, part: PartResult) -> Figure:
    numbers = Axis("sources", "Sources", {each: str(each) for each in levels(part, "sources")})
    facet = Axis("link", "", {each: each for each in LINKS})
    drawings = []
    for metric in ANALYSED_METRICS:
        for factor, its in (
            ("drop_policy", looks.POLICY_LOOKS),
            ("tcp_flavor", looks.FLAVOR_LOOKS),
        ):
            drawn = panels(
                pooled(part, metric, ["link", "sources", factor]),
                x=numbers,
                series=Axis(factor, "", {each: each for each in its}),
                facet=facet,
                looks=its,
                y_name=metric.capitalize(),
                most=1,
            )
            name = looks.FACTOR_NAMES[factor]
            title = f"{metric.capitalize()} against the number of sources, by {name}"
            text = f"A line for each level of {name}, a panel for each link."
            drawings.append(drawing(drawn, f"sources-{metric}-{factor}", title, text))
    caption = (
        "Efficiency (above) and fairness (below) against the number of sources: left a line for "
        "each drop policy, mean over TCPs and buffers; right a line for each TCP, mean over drop "
        f"policies and buffers.{bars(part)}"
    )
    return Figure("policies-sources", caption, source(result, part), drawings)


def _effects_figure(result: OsuTasksResult, part: PartResult) -> Figure | None:
    drawings = []
    for link in levels(part, "link"):
        frame = effects(part, "link", link)
        if frame.empty:
            continue
        drawn = main_effects(frame, x_name=f"{link}: effect", sources=looks.METRIC_LOOKS)
        text = f"For each level its effect on efficiency and on fairness. {_TABLES}"
        drawings.append(drawing(drawn, f"effects-{link}", f"{link}: main effects", text))
    if not drawings:
        return None
    caption = (
        "Main effects on efficiency and on fairness: how far the mean over all combinations with a "
        "level lies from the mean over all. Bars: 90\u00a0% intervals, from what main effects and "
        "first-order interactions do not explain."
    )
    return Figure("policies-effects", caption, source(result, part), drawings)


def _answer(part: PartResult) -> list[str]:
    found = []
    for metric in ANALYSED_METRICS:
        frame = explained(part, "link", metric)
        if frame.empty:
            continue
        by = frame.pivot_table("percent", "row", "component", sort=False)
        shown = [
            f"{link} {row['Drop policy']:.0f} and {row['TCP flavor']:.0f}\u00a0%"
            for link, row in by.iterrows()
        ]
        found.append(
            f"Of the variation of {metric}, drop policy and TCP flavor explain: {'; '.join(shown)}."
        )
    return [*found, *(_best(part, factor) for factor in ("drop_policy", "tcp_flavor"))]


def _best(part: PartResult, factor: str) -> str:
    """The levels with the highest mean of each metric on each link."""
    shown = []
    for link in levels(part, "link"):
        best = []
        for metric in ANALYSED_METRICS:
            table = pooled(part, metric, ["link", factor])
            its = table[table["link"] == link].dropna(subset="mean")
            if len(its):
                row = its.loc[its["mean"].idxmax()]
                best.append(f"{row[factor]} ({metric} {fixed(row['mean'])})")
        shown.append(f"{link} {listed(best)}")
    return f"The highest means by {_FACTOR_WORDS[factor]}: {'; '.join(shown)}."


def _means_table(part: PartResult, link: str) -> Table:
    kept = ["link", "buffer", "drop_policy", "tcp_flavor"]
    tables = {metric: pooled(part, metric, kept).set_index(kept) for metric in ANALYSED_METRICS}
    buffers = levels(part, "buffer")
    columns = [(metric, buffer) for metric in ANALYSED_METRICS for buffer in buffers]
    head = [
        [
            heading("Drop policy", rows=2),
            heading("TCP", rows=2),
            *(heading(m.capitalize(), columns=len(buffers)) for m in ANALYSED_METRICS),
        ],
        [number_heading(_BUFFER_NAMES[buffer]) for _, buffer in columns],
    ]
    groups = []
    for policy in levels(part, "drop_policy"):
        rows: list[Row] = []
        for flavor in levels(part, "tcp_flavor"):
            first = [] if rows else [row_heading(policy, rows=len(levels(part, "tcp_flavor")))]
            cells = []
            for metric, buffer in columns:
                row = tables[metric].loc[(link, buffer, policy, flavor)]
                cells.append(number(fixed(row["mean"]), half_width(row["lo"], row["hi"])))
            rows.append([*first, row_heading(flavor), *cells])
        groups.append(rows)
    numbers = listed(levels(part, "sources"))
    caption = f"{link}, over {numbers} sources: {halves(part)}."
    return Table(f"policies-{link}", caption, head, groups)
