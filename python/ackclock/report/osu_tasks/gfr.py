"""Task 4a: minimum cell rates of VCs over GFR."""

from __future__ import annotations

import pandas as pd

from ackclock.plots.panels import Axis, Mark, panels
from ackclock.plots.style import series_look
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
from ackclock.studies.osu_tasks.levels_ubr_class import GROUPS, PORTS
from ackclock.studies.osu_tasks.result import OsuTasksResult, PartResult

PART = "gfr"
_PORT_LOOKS = {port: series_look(number) for number, port in enumerate(PORTS)}
_COLUMNS = (
    ("mcr_share", "Least share of an MCR", 1.0, 3),
    ("mcr_share_mean", "Mean share", 1.0, 3),
    ("eligible_lost_share", "Eligible frames lost (%)", 0.01, 3),
    ("excess_fairness", "Fairness of the excess, equal", 1.0, 3),
    ("excess_fairness_proportional", "Fairness of the excess, by MCR", 1.0, 3),
    ("utilisation", "Utilisation", 1.0, 3),
    ("timeouts", "Time-outs", 1.0, 1),
)
"""Metric, heading, unit, decimals."""


def describe(result: OsuTasksResult, part: PartResult) -> Section:
    """The section of the part."""
    trunk = part.scenario.topology.trunk.rate / 1e6
    experiment = (
        f"{listed(levels(part, 'sources'))} VCs with one SACK source each cross a trunk of "
        f"{trunk:g} Mbit/s ({listed(levels(part, 'link'))}); their MCRs are as 1 to "
        f"{max(GROUPS)} in {len(GROUPS)} groups. The switches queue them in one FIFO or in a queue "
        "for each VC with weighted fair service, and refuse frames by EPD, by EPD with a second "
        f"threshold for tagged frames, or by DFBA{_tagging(part)}; {replicated(part)}."
    )
    return Section(
        question=(
            "What must a switch do so that every VC gets the minimum cell rate of its contract, so "
            "that what is left is shared fairly, and so that no eligible frame is lost?"
        ),
        experiment=experiment,
        figures=(_groups_figure(result, part), _guarantees_figure(result, part)),
        answer=_answer(part),
        tables=(_table(part), _groups_table(part)),
    )


def _tagging(part: PartResult) -> str:
    """Where frames that are not eligible are not tagged."""
    without = [
        str(point.levels["port"])
        for point in part.scenario.points()
        if not point.scenario.topology.gfr.tagging
    ]
    described = "; frames that are not eligible are tagged"
    return (
        f"{described}, but not with {listed(list(dict.fromkeys(without)))}"
        if without
        else described
    )


def _place(link: str, sources: int) -> str:
    return f"{link}, {sources} VCs"


def _groups_figure(result: OsuTasksResult, part: PartResult) -> Figure:
    frames = [means(part, f"group_{group}_mcr_share").assign(group=group) for group in GROUPS]
    table = pd.concat(frames, ignore_index=True)
    places = [_place(row.link, row.sources) for row in table.itertuples(index=False)]
    table = table.assign(place=places)
    drawn = panels(
        table,
        x=Axis("group", "MCR / smallest MCR", _numbers(GROUPS)),
        series=Axis("port", "", {each: each for each in PORTS}),
        facet=Axis("place", "", {each: each for each in table["place"].unique()}),
        looks=_PORT_LOOKS,
        y_name="Delivered / MCR",
        mark=Mark(1.0, "the MCR"),
    )
    described = drawing(
        drawn,
        "gfr-groups-drawing",
        "Delivered rate over MCR, by group",
        "A line for each queueing and drop policy, a panel for each link and number of VCs.",
    )
    caption = (
        "What the VCs of each group delivered over their MCR, means over the group, in whole "
        f"frames; below the dashed line a guarantee is not kept.{bars(part)}"
    )
    return Figure("gfr-groups", caption, source(result, part), [described])


def _guarantees_figure(result: OsuTasksResult, part: PartResult) -> Figure:
    sources = levels(part, "sources")
    drawings = []
    for metric, y_name, unit, mark in (
        ("mcr_share", "Least delivered / MCR", 1.0, Mark(1.0, "the MCR")),
        ("eligible_lost_share", "Eligible frames lost (%)", 0.01, None),
        ("excess_fairness", "Fairness of the excess, equal", 1.0, None),
        ("excess_fairness_proportional", "Fairness of the excess, by MCR", 1.0, None),
    ):
        table = means(part, metric)
        table[["mean", "lo", "hi"]] /= unit
        drawn = panels(
            table,
            x=Axis("port", "", {each: each for each in PORTS}),
            series=Axis("sources", "", {each: f"{each} VCs" for each in sources}),
            facet=Axis("link", "", {each: each for each in levels(part, "link")}),
            looks={each: series_look(number) for number, each in enumerate(sources)},
            y_name=y_name,
            mark=mark,
            joined=False,
            most=None if metric == "mcr_share" else 1 / unit,
        )
        text = "A mark for each number of VCs, a panel for each link; the table has the numbers."
        drawings.append(drawing(drawn, f"gfr-{metric}-drawing", y_name, text))
    caption = (
        "The VC that got least of its MCR; eligible frames that were lost on the way; and how "
        "fairly the VCs shared what was left beyond the MCRs (Jain's index), in equal parts or in "
        f"proportion to the MCRs.{bars(part)}"
    )
    return Figure("gfr-guarantees", caption, source(result, part), drawings)


def _numbers(values: tuple[int, ...]) -> dict[int, str]:
    return {each: str(each) for each in values}


def _answer(part: PartResult) -> list[str]:
    found = []
    results = part.results
    for port in levels(part, "port"):
        its = results[results["port"] == port]
        described = []
        if its["mcr_share"].notna().any():
            least = its.loc[its["mcr_share"].idxmin()]
            described.append(
                f"the VC with the least gets {fixed(least['mcr_share'])} of its MCR "
                f"({_place(least['link'], int(least['sources']))})"
            )
        if its["eligible_lost_share"].notna().any():
            most = its.loc[its["eligible_lost_share"].idxmax()]
            described.append(
                f"up to {100 * most['eligible_lost_share']:.3f}\u00a0% of the eligible frames are "
                f"lost ({_place(most['link'], int(most['sources']))})"
            )
        fair = its["excess_fairness"].dropna()
        if len(fair):
            described.append(
                f"fairness of the excess {fixed(fair.min(), 2)} to {fixed(fair.max(), 2)}"
            )
        if described:
            found.append(f"{port[0].upper()}{port[1:]}: {'; '.join(described)}.")
    return found


def _range(values: pd.Series) -> str:
    ends = dict.fromkeys((fixed(values.min(), 2), fixed(values.max(), 2)))
    return " to ".join(ends)


def _table(part: PartResult) -> Table:
    tables = [means(part, metric) for metric, *_ in _COLUMNS]
    groups = []
    for (link, sources), rows in part.results.groupby(["link", "sources"], sort=False):
        group: list[Row] = []
        for index in rows.index:
            first = [] if group else [row_heading(_place(link, sources), rows=len(rows))]
            cells = []
            for table, (_, _, unit, decimals) in zip(tables, _COLUMNS, strict=True):
                mean, lo, hi = (table.loc[index, name] / unit for name in ("mean", "lo", "hi"))
                cells.append(number(fixed(mean, decimals), half_width(lo, hi, decimals)))
            group.append([*first, row_heading(rows.loc[index, "port"]), *cells])
        groups.append(group)
    head = [
        [
            heading("Link, VCs"),
            heading("Queueing, policy"),
            *(number_heading(name) for _, name, _, _ in _COLUMNS),
        ]
    ]
    caption = (
        f"Guarantees and what is left: {halves(part)}. Least share: of the VC "
        "that got least of its MCR in a run. Fairness of the excess: Jain's index of what the "
        "VCs got beyond their MCRs, as it is and over the MCR."
    )
    return Table("gfr-table", caption, head, groups)


def _groups_table(part: PartResult) -> Table:
    tables = {group: means(part, f"group_{group}_mcr_share") for group in GROUPS}
    groups = []
    for (link, sources), rows in part.results.groupby(["link", "sources"], sort=False):
        group: list[Row] = []
        for index in rows.index:
            first = [] if group else [row_heading(_place(link, sources), rows=len(rows))]
            its = [tables[each].loc[index] for each in GROUPS]
            cells = [number(fixed(row["mean"]), half_width(row["lo"], row["hi"])) for row in its]
            group.append([*first, row_heading(rows.loc[index, "port"]), *cells])
        groups.append(group)
    head = [
        [
            heading("Link, VCs"),
            heading("Queueing, policy"),
            *(number_heading(f"{each} MCR") for each in GROUPS),
        ]
    ]
    caption = (
        f"Delivered rate over MCR by group of VCs: {halves(part)}. The name of a group "
        "is its MCR over that of the first."
    )
    return Table("gfr-groups-table", caption, head, groups)
