"""Task 7: a fast retransmit that waits."""

from __future__ import annotations

import pandas as pd

from ackclock.plots.effects import main_effects
from ackclock.plots.style import SIMULATED
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
from ackclock.report.numbers import fixed, half_width, interval, signed
from ackclock.report.osu_tasks.section import (
    Section,
    halves,
    levels,
    listed,
    means,
    policy_of,
    replicated,
    source,
)
from ackclock.stats import compare_levels
from ackclock.studies.osu_tasks.result import OsuTasksResult, PartResult

PART = "retransmit"
_METRICS = (
    ("efficiency", "Efficiency", 1.0, 3),
    ("fairness", "Fairness", 1.0, 3),
    ("timeouts", "Time-outs", 1.0, 0),
    ("retransmitted_share", "Retransmitted (%)", 0.01, 2),
)
"""Metric, heading, unit, decimals."""
_DRAWN = ("efficiency", "fairness")
_AT = ["sources", "buffer_rtt"]


def describe(result: OsuTasksResult, part: PartResult) -> Section:
    """The section of the part."""
    waits = [f"{each:g}" for each in levels(part, "wait") if each]
    buffers = [f"{each:g}" for each in levels(part, "buffer_rtt")]
    experiment = (
        f"{listed(levels(part, 'sources'))} SACK sources with endless data on a GEO path of "
        f"{part.scenario.topology.trunk.rate / 1e6:g} Mbit/s with {policy_of(part)}, buffers "
        f"of {listed(buffers)} RTT; the fast retransmit leaves at the third duplicate ACK, or "
        f"{listed(waits)} SRTT later, {replicated(part)}."
    )
    return Section(
        question=(
            "SACK helps only if what it retransmits is not lost in the same congestion. Does it "
            "help to wait half a round-trip time before the fast retransmit?"
        ),
        experiment=experiment,
        figures=(_differences_figure(result, part),),
        answer=_answer(part),
        tables=(_table(part), _differences_table(part)),
    )


def differences(part: PartResult, metric: str) -> pd.DataFrame:
    """What the wait changes, replication against replication; empty without another level.

    Returns:
        As ``ackclock.stats.compare_levels`` gives it, with 95 % intervals.
    """
    if len(levels(part, "wait")) < 2 or part.runs[metric].isna().all():
        return pd.DataFrame()
    return compare_levels(part.runs, metric, "wait", levels(part, "wait")[0], _AT)


def _differences_figure(result: OsuTasksResult, part: PartResult) -> Figure | None:
    drawings = []
    for metric in _DRAWN:
        table = differences(part, metric)
        if table.empty:
            continue
        frame = pd.DataFrame(
            {
                "factor": [f"{each} sources" for each in table["sources"]],
                "level": [_level(part, row) for row in table.to_dict("records")],
                "difference": table["difference"],
                "difference_lo": table["lo"],
                "difference_hi": table["hi"],
            }
        )
        figure = main_effects(
            frame, x_name=f"Change of {metric} by waiting", sources={"difference": SIMULATED}
        )
        title = f"What waiting changes of {metric}"
        text = "For each buffer and number of sources the difference, and a line at no difference."
        drawings.append(drawing(figure, f"retransmit-{metric}", title, text))
    if not drawings:
        return None
    described = (
        " Bars: 95\u00a0% intervals of the mean of paired differences."
        if part.results["n"].max() > 1
        else ""
    )
    caption = (
        "Efficiency and fairness with the wait minus without it, in runs with the same random "
        f"numbers; at 0 waiting changes nothing.{described}"
    )
    return Figure("retransmit-figure", caption, source(result, part), drawings)


def _level(part: PartResult, row: dict) -> str:
    text = f"{row['buffer_rtt']:g} RTT"
    return text if len(levels(part, "wait")) == 2 else f"{text}, wait {row['wait']:g} SRTT"


def _answer(part: PartResult) -> list[str]:
    found = []
    for metric in _DRAWN:
        table = differences(part, metric)
        if table.empty:
            continue
        known = table.dropna(subset=["lo", "hi"])
        if len(known):
            same = int(((known["lo"] <= 0) & (known["hi"] >= 0)).sum())
            better, worse = int((known["lo"] > 0).sum()), int((known["hi"] < 0).sum())
            found.append(
                f"Change of {metric} at {len(known)} combinations of sources and buffer: {same} "
                f"with an interval that contains 0, {better} above, {worse} below."
            )
        size = table["difference"].abs()
        if size.notna().any():
            row = table.loc[size.idxmax()]
            ends = interval(row["lo"], row["hi"], 4)
            found.append(
                f"Largest change of {metric}: {signed(row['difference'], 4)}"
                f"{f' {ends}' if ends else ''} with {int(row['sources'])} sources and a buffer of "
                f"{row['buffer_rtt']:g} RTT."
            )
    return found


def _table(part: PartResult) -> Table:
    waits, buffers = levels(part, "wait"), levels(part, "buffer_rtt")
    tables = [means(part, metric).set_index([*_AT, "wait"]) for metric, *_ in _METRICS]
    groups = []
    for sources in levels(part, "sources"):
        group: list[Row] = []
        for buffer in buffers:
            first = [] if group else [row_heading(str(sources), rows=len(buffers))]
            cells = []
            for table, (_, _, unit, decimals) in zip(tables, _METRICS, strict=True):
                for wait in waits:
                    row = table.loc[(sources, buffer, wait)] / unit
                    half = half_width(row["lo"], row["hi"], decimals)
                    cells.append(number(fixed(row["mean"], decimals), half))
            group.append([*first, row_heading(f"{buffer:g} RTT"), *cells])
        groups.append(group)
    head = [
        [
            heading("Sources", rows=2),
            heading("Buffer", rows=2),
            *(heading(name, columns=len(waits)) for _, name, _, _ in _METRICS),
        ],
        [
            number_heading(f"{each:g} SRTT" if each else "no wait")
            for _ in _METRICS
            for each in waits
        ],
    ]
    caption = f"By the wait: {halves(part)}."
    return Table("retransmit-means", caption, head, groups)


def _differences_table(part: PartResult) -> Table | None:
    tables = {metric: differences(part, metric) for metric in _DRAWN}
    tables = {metric: table for metric, table in tables.items() if len(table)}
    if not tables:
        return None
    first = next(iter(tables.values()))
    rows: list[Row] = []
    for index, at in first.iterrows():
        cells = []
        for table in tables.values():
            row = table.loc[index]
            cells.append(number(signed(row["difference"], 4), interval(row["lo"], row["hi"], 4)))
        name = f"{int(at['sources'])} sources, {_level(part, at.to_dict())}"
        rows.append([row_heading(name), *cells])
    head = [[heading("Combination"), *(number_heading(each.capitalize()) for each in tables)]]
    caption = "Paired differences by the wait, with 95\u00a0% intervals."
    return Table("retransmit-differences", caption, head, [rows])
