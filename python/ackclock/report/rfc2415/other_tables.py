"""The tables of the other parts: half and half, reverse traffic, RED."""

from __future__ import annotations

import pandas as pd

from ackclock.report.blocks import Cell, Row, Table, heading, number, number_heading, row_heading
from ackclock.report.numbers import fixed, interval, signed
from ackclock.report.rfc2415.tables import SOURCES, pair, read_as
from ackclock.report.words import inside
from ackclock.studies.rfc2415.analysis import red_changes, reverse_changes
from ackclock.studies.rfc2415.levels import IWS, QUEUES, RED_IWS, SCENARIO, SPLIT
from ackclock.studies.rfc2415.result import Rfc2415Result

_HALF = (
    ("goodput_mb", "Goodput (MB)", 1),
    ("page_delay_s", "Page delay (s)", 3),
    ("utilisation_pct", "Utilisation (%)", 1),
    ("drop_pct", "Drops (%)", 2),
)
"""Metric, heading, decimals of the columns of Table 6."""


def half_table(result: Rfc2415Result) -> Table | None:
    """Table 6."""
    rows = result.half_and_half
    if rows.empty:
        return None
    rows = rows.assign(inside=inside(rows))
    by_place = {(row.webs, row.variant, row.iw, row.metric): row for row in rows.itertuples()}
    head = [
        [
            heading("Webs", rows=2),
            heading("Clients", rows=2),
            *(heading(text, columns=2) for _, text, _ in _HALF),
        ],
        [number_heading(name) for _ in _HALF for name in SOURCES],
    ]
    groups = []
    for webs in rows["webs"].unique():
        group: list[Row] = []
        for variant, iw, who in (
            ("", 1, "all IW 1"),
            ("", 3, "all IW 3"),
            (SPLIT, 1, f"{webs // 2} with IW 1"),
            (SPLIT, 3, f"{webs // 2} with IW 3"),
        ):
            first = [] if group else [row_heading(str(webs), rows=4)]
            cells = [
                cell
                for metric, _, decimals in _HALF
                for cell in pair(by_place.get((webs, variant, iw, metric)), decimals)
            ]
            group.append([*first, row_heading(who), *cells])
        groups.append(group)
    caption = (
        "Table 6, HTTP/1.0 without ftps. Utilisation and drops of a split are those of all its "
        "clients together. Simulated goodput is that of the whole run; the published goodput is "
        f"0.79 of the published utilisation times the run time. {read_as(result)}"
    )
    return Table("half", caption, head, groups)


def reverse_table(result: Rfc2415Result) -> Table | None:
    """What reverse traffic changes of the page delay, by IW."""
    changes = reverse_changes(result.runs)
    if changes.empty:
        return None
    iws = [iw for iw in IWS if (changes["iw"] == iw).any()]
    head = [heading("Webs"), heading("Ftps")]
    head += [number_heading(f"IW {iw}", "change, s (95\u00a0% interval)") for iw in iws]
    by_place = {(row.webs, row.ftps, row.iw): row for row in changes.itertuples()}
    groups = [
        [_changed((webs, ftps), iws, by_place) for ftps in rows["ftps"].unique()]
        for webs, rows in changes.groupby("webs", sort=False)
    ]
    caption = (
        "Change of the median page delay by one ftp in the reverse direction, mean over pairs of "
        f"runs with the same seed. {_intervals(result)}"
    )
    return Table("reverse-table", caption, [head], groups)


def _changed(scenario: tuple[int, int], iws: list[int], by_place: dict) -> Row:
    cells = []
    for iw in iws:
        row = by_place.get((*scenario, iw))
        described = (
            ("", "") if row is None else (signed(row.difference, 3), interval(row.lo, row.hi, 3))
        )
        cells.append(number(*described))
    return [*(row_heading(str(level)) for level in scenario), *cells]


def red_table(result: Rfc2415Result) -> Table | None:
    """Decrease of the page delay by RED and by larger windows, against drop-tail at IW 1."""
    red = red_changes(result.runs)
    if red.empty:
        return None
    larger = result.changes
    larger = larger[larger["http"] == "1.0"] if len(larger) else larger
    iws = [iw for iw in IWS[1:] if len(larger) and (larger["iw"] == iw).any()]
    kinds = [f"{queue}, IW {iw}" for iw in RED_IWS for queue in QUEUES]
    kinds = [kind for kind in kinds if (red["red"] == kind).any()]
    head = [
        [
            heading("Webs", rows=2),
            heading("Ftps", rows=2),
            heading("Drop-tail, IW 1 (s)", rows=2),
            heading("RED, decrease (%)", columns=len(kinds)),
            *([heading("Drop-tail, decrease (%)", columns=len(iws))] if iws else []),
        ],
        [number_heading(text) for text in (*kinds, *(f"IW {iw}" for iw in iws))],
    ]
    groups = []
    for _, rows in red.groupby("webs", sort=False):
        group: list[Row] = []
        for scenario, its in rows.groupby(SCENARIO, sort=False):
            by_kind = {row.red: row for row in its.itertuples()}
            cells = [number(fixed(its["delay_s"].iloc[0]))]
            cells += [_decrease(by_kind[kind]) for kind in kinds]
            cells += _decreases(larger, scenario, iws)
            group.append([*(row_heading(str(level)) for level in scenario), *cells])
        groups.append(group)
    caption = (
        "Decrease of the median page delay against drop-tail at IW 1, whose delay stands first, "
        f"over pairs of runs with the same seed. {_intervals(result)}"
    )
    return Table("red-table", caption, head, groups)


def _decrease(row: tuple) -> Cell:
    ends = interval(row.decrease_pct_lo, row.decrease_pct_hi, 1)
    return number(fixed(row.decrease_pct, 1), ends)


def _decreases(larger: pd.DataFrame, scenario: tuple[int, int], iws: list[int]) -> Row:
    by_iw = {row.iw: row for row in larger.itertuples() if (row.webs, row.ftps) == scenario}
    return [_decrease(by_iw[iw]) for iw in iws]


def _intervals(result: Rfc2415Result) -> str:
    if result.replications == 1:
        return "One run of each, so that there is no interval."
    return f"{result.replications} pairs; in brackets 95\u00a0% intervals."
