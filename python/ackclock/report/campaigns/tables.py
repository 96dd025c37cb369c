"""The tables of the report of campaigns."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ackclock.plots.quantities import quantity, sentence
from ackclock.plurals import counted
from ackclock.report.blocks import Cell, Row, Table, heading, number, number_heading, row_heading
from ackclock.results.comparisons import ends_of
from ackclock.results.emulated import LATENESS, described_of
from ackclock.results.grids import (
    Column,
    interval_column,
    level_column,
    ratio_column,
    verdict_columns,
)
from ackclock.results.results import Results
from ackclock.results.side_by_side import RUNS, VERDICT, SideBySide, made_by

_MISSING = "–"


def replications(results: Results) -> tuple[int, int]:
    """The least and the greatest number of replications of a point."""
    counts = pd.Series([run.point for run in results.campaign.runs]).value_counts()
    return int(counts.min()), int(counts.max())


def runs_text(results: Results) -> str:
    """How many runs there are: "12 runs of 4 points"."""
    points = len({run.point for run in results.campaign.runs})
    return f"{counted(len(results.campaign.runs), 'run')} of {counted(points, 'point')}"


def made_table(several: Sequence[Results], names: Sequence[str]) -> Table:
    """What was run, a column a campaign."""
    rows = [
        [row_heading(head), *(Cell(text) for text in texts)]
        for head, texts in _facts(several).items()
        if any(texts)
    ]
    head = [heading(""), *(heading(name) for name in names)]
    return Table("made-table", "The runs behind this page.", [head], [rows])


def _facts(several: Sequence[Results]) -> dict[str, list[str]]:
    """What there is to say of each campaign, by what it is."""
    facts: dict[str, list[str]] = {}
    for results in several:
        design = results.campaign.design
        low, high = replications(results)
        seeds = sorted({point.seed for point in design.points})
        its = {
            "Made": made_by(results),
            "Runs": runs_text(results),
            "Replications": str(low) if low == high else f"{low} to {high}",
            "Base seed": ", ".join(map(str, seeds)),
            "Failed": str(len(results.campaign.failures) or ""),
            "Not made yet": str(results.campaign.missing or ""),
            "Changed by --set": ", ".join(design.sets),
            "ackclock": design.version,
            **_of_emulation(results),
        }
        for name, text in its.items():
            facts.setdefault(name, []).append(text)
    return facts


def _of_emulation(results: Results) -> dict[str, str]:
    """How a campaign was emulated; empty texts if it was not."""
    tables = [described for run in results.campaign.runs if (described := described_of(run.row))]
    keys = {
        "Linux kernel": "kernel",
        "Bulk transfers by": "application",
        "Devices": "ports",
        "Scheduling": "scheduling",
    }
    return {
        name: ", ".join(
            dict.fromkeys(str(described[key]) for described in tables if key in described)
        )
        for name, key in keys.items()
    }


def metrics_table(results: Results, metrics: Sequence[str] | None, confidence: float) -> Table:
    """Means of metrics at all points of a campaign: what ``ackclock show`` prints."""
    grid = results.grid(metrics, confidence)
    columns = [
        Column(head, [row[at] for row in grid.rows], grid.numeric[at])
        for at, head in enumerate(grid.heads)
    ]
    described = _means_text([results], confidence)
    if replications(results)[1] > 1 and not any("±" in cell for row in grid.rows for cell in row):
        described = "means over the replications, which are equal and so have no intervals"
    caption = f"{sentence(described)}."
    return table_of("metrics", caption, columns, len(results.factors))


def metric_table(side: SideBySide, metric: str, confidence: float) -> Table:
    """Means of a metric at all points of the first campaign, a column a campaign, and ratios."""
    first, several = side.several[0], side.several
    columns = [_levels_of(first, name) for name in first.factors]
    means = [_means(each, first, metric, confidence) for each in several]
    beside = [value for table in means for value in table["mean"]]
    columns += [
        interval_column(metric, table, name, beside=beside, unit=first.unit_of(metric))
        for name, table in zip(side.names, means, strict=True)
    ]
    if side.has_pairs(metric):
        columns += _ratio_columns(side, first, metric, confidence)
    caption = (
        f"{sentence(quantity(metric).name)}: {_means_text(several, confidence)}. Ratios to"
        f" {side.names[0]} are those of the pairs of runs with the same seed."
    )
    return table_of(f"metric-{metric}", caption, columns, len(first.factors))


def _means_text(several: Sequence[Results], confidence: float) -> str:
    most = max(replications(each)[1] for each in several)
    if most == 1:
        return "one run of each point, without intervals"
    return (
        f"means over the replications ± half of their {100 * confidence:g}\u00a0% intervals, or"
        " with the ends of the intervals where those of a share end at 0 or 1"
    )


def _points(results: Results) -> list[int]:
    """Numbers of the points that have runs, in the order of the sweep."""
    return list(dict.fromkeys(run.point for run in results.campaign.runs))


def _levels_of(results: Results, factor: str) -> Column:
    points = results.campaign.design.points
    return level_column(factor, [points[at].levels.get(factor) for at in _points(results)])


def _means(results: Results, first: Results, metric: str, confidence: float) -> pd.DataFrame:
    """Columns mean, lo, hi; a row a point of the first campaign, nan where there is no run."""
    table = results.summary([metric], confidence=confidence).reset_index(drop=True)
    points = results.campaign.design.points
    found = {tuple(points[at].levels.items()): row for row, at in enumerate(_points(results))}
    its = first.campaign.design.points
    wanted = [found.get(tuple(its[at].levels.items()), -1) for at in _points(first)]
    return table[["mean", "lo", "hi"]].reindex(wanted).reset_index(drop=True)


def _ratio_columns(
    side: SideBySide, first: Results, metric: str, confidence: float
) -> list[Column]:
    """Ratios to the first campaign and verdicts, at the points that have runs in it."""
    table = side.compare(metric, confidence=confidence)
    columns = []
    for name in side.names[1:]:
        its = table[table[RUNS] == name].set_index("point").reindex(_points(first))
        ratio = 1 + ends_of(its, "relative")
        several = len(side.names) > 2
        columns.append(ratio_column(f"Ratio, {name}" if several else "Ratio", ratio))
        verdicts = its[VERDICT].fillna("").tolist()
        if any(verdicts):
            head = f"Verdict, {name}" if several else "Verdict"
            columns.append(Column(head, verdicts, numeric=False))
    return columns


def verdicts_tables(several: Sequence[Results], names: Sequence[str]) -> list[Table]:
    """How late the packets of each point were, a table an emulated campaign."""
    return [
        _verdicts_table(results, name, number)
        for number, (results, name) in enumerate(zip(several, names, strict=True))
        if not results.verdicts.empty
    ]


def _verdicts_table(results: Results, name: str, at: int) -> Table:
    runs = results.campaign.runs
    table = results.verdicts.assign(point=[run.point for run in runs])
    by_point = table.groupby("point", sort=False)
    columns = [_levels_of(results, factor) for factor in results.factors]
    keys = len(columns)
    columns += verdict_columns(results.verdicts, table["point"].tolist())[:1]
    heads = ("Late, median (µs)", "Late, 99 % (µs)", "Latest (µs)")
    late = (
        by_point[LATENESS[0]].median(),
        by_point[LATENESS[1]].median(),
        by_point[LATENESS[2]].max(),
    )
    columns += [
        Column(head, [_whole(value) for value in values])
        for head, values in zip(heads, late, strict=True)
    ]
    columns.append(
        Column("Missed (%)", [f"{100 * share:.3f}" for share in by_point["missed_share"].mean()])
    )
    columns.append(Column("Stolen (s)", [f"{value:.1f}" for value in by_point["stolen_s"].sum()]))
    deadlines = {
        f"{described['deadline_us']:.0f}"
        for described in (described_of(run.row) for run in runs)
        if described and "deadline_us" in described
    }
    caption = (
        f"{name}: lateness of packets that left the emulated network, medians over the "
        "replications and the latest packet of all. Missed: packets read and sent later than the "
        f"deadline ({', '.join(sorted(deadlines, key=int)) or _MISSING} µs), as a share of all "
        "packets. Stolen: processor time that other users of this virtual machine's host took."
    )
    return table_of(f"verdicts-{at}", caption, columns, keys)


def _whole(value: float) -> str:
    return _MISSING if pd.isna(value) else f"{value:,.0f}"


def table_of(id: str, caption: str, columns: Sequence[Column], keys: int) -> Table:
    """Columns of texts as a table of a page.

    Args:
        id: unique in the page.
        caption: what it shows.
        columns: of one length.
        keys: how many of them, from the left, identify a row.
    """
    head = [number_heading(each.head) if each.numeric else heading(each.head) for each in columns]
    rows: list[Row] = [
        [
            row_heading(text) if at < keys else number(text) if columns[at].numeric else Cell(text)
            for at, text in enumerate(texts)
        ]
        for texts in zip(*(column.texts for column in columns), strict=True)
    ]
    return Table(id, caption, [head], [rows])
