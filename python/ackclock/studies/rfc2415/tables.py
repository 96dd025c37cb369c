"""The tables of the report: those of the RFC, simulated beside published; reverse traffic; RED."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from ackclock.report.blocks import (
    Cell,
    Row,
    Table,
    heading,
    number,
    number_heading,
    published,
    row_heading,
)
from ackclock.report.numbers import fixed, interval, signed
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.tables import in_groups, pair, pairs_head, two_rows
from ackclock.studies.machinery.words import marks, means
from ackclock.studies.rfc2415.analysis import CLOCK, DELAY, red_changes, reverse_changes
from ackclock.studies.rfc2415.levels import IWS, QUEUES, RED_IWS, SCENARIO, SPLIT

_CLOCKS = {
    "no_setup": "without the handshakes of its connections",
    "request": "from its first request to its last byte",
    "open": "from its first SYN to its last byte",
}
_HALF = (
    ("goodput_mb", "Goodput (MB)", 1),
    ("page_delay_s", "Page delay (s)", 3),
    ("utilisation_pct", "Utilisation (%)", 1),
    ("drop_pct", "Drops (%)", 2),
)
"""Metric, heading, decimals of the columns of Table 6."""


class _Column(NamedTuple):
    """A pair of columns: what it shows of the comparison, and how."""

    metric: str
    iw: int
    heading: str
    decimals: int


def clock_words(result: StudyResult) -> str:
    """How the delay of a page is counted."""
    return _CLOCKS[result.request.option(CLOCK)]


def delay_table(result: StudyResult, table: int, http: str) -> Table | None:
    """Tables 1 and 4: page delay and its decrease."""
    columns = [_Column("page_delay_s", 1, "IW 1 (s)", 3)]
    columns += [_Column("decrease_pct", iw, f"IW {iw} (% decrease)", 1) for iw in IWS[1:]]
    clock = clock_words(result)
    about = f"Table {table}, HTTP/{http}: median page delay, {clock}, and its decrease"
    return _side_by_side(result, table, f"delays-{table}", about, columns)


def utilisation_table(result: StudyResult) -> Table | None:
    """The left half of Table 2."""
    columns = [_Column("utilisation_pct", iw, f"IW {iw} (%)", 1) for iw in IWS]
    about = "Table 2, HTTP/1.0: utilisation of the bottleneck"
    return _side_by_side(result, 2, "utilisation", about, columns)


def drops_table(result: StudyResult) -> Table | None:
    """The right half of Table 2."""
    columns = [_Column("drop_pct", iw, f"IW {iw} (%)", 2) for iw in IWS]
    about = (
        "Table 2, HTTP/1.0: packets dropped at the bottleneck. The published drops of 32 webs "
        "with 0, 1 and 2 ftps are misprinted (they repeat those of 16 webs); no error includes them"
    )
    return _side_by_side(result, 2, "drops", about, columns)


def power_table(result: StudyResult, table: int, http: str) -> Table | None:
    """Tables 3 and 5: network power of the ftps."""
    columns = [_Column("ftp_power", iw, f"IW {iw} (MB/s)", 2) for iw in IWS]
    about = f"Table {table}, HTTP/{http}: network power of the file transfers"
    return _side_by_side(result, table, f"ftp-power-{table}", about, columns)


def _side_by_side(
    result: StudyResult, table: int, id: str, about: str, columns: Sequence[_Column]
) -> Table | None:
    """A row a scenario, a pair of columns for each of ``columns`` that was run."""
    rows = result.tables["comparison"]
    if rows.empty or not (rows["table"] == table).any():
        return None
    rows = rows[rows["table"] == table]
    by_place = {(row.webs, row.ftps, row.metric, row.iw): row for row in rows.itertuples()}
    there = [each for each in columns if any(place[2:] == each[:2] for place in by_place)]
    if not there:
        return None
    head = pairs_head(("Webs", "Ftps"), [each.heading for each in there])
    body = []
    for scenario in rows[SCENARIO].drop_duplicates().itertuples(index=False, name=None):
        pairs = (_pair(by_place.get((*scenario, *each[:2])), each.decimals) for each in there)
        body.append((scenario, [cell for pair in pairs for cell in pair]))
    return Table(id, f"{about}. {_read_as(result)}", head, in_groups(body))


def half_table(result: StudyResult) -> Table | None:
    """Table 6."""
    rows = result.tables["half_and_half"]
    if rows.empty:
        return None
    by_place = {(row.webs, row.variant, row.iw, row.metric): row for row in rows.itertuples()}
    head = pairs_head(("Webs", "Clients"), [text for _, text, _ in _HALF])
    body = []
    for webs in rows["webs"].unique():
        for variant, iw, who in (
            ("", 1, "all IW 1"),
            ("", 3, "all IW 3"),
            (SPLIT, 1, f"{webs // 2} with IW 1"),
            (SPLIT, 3, f"{webs // 2} with IW 3"),
        ):
            its = (
                _pair(by_place.get((webs, variant, iw, name)), digits) for name, _, digits in _HALF
            )
            body.append(((webs, who), [cell for pair in its for cell in pair]))
    caption = (
        "Table 6, HTTP/1.0 without ftps. Utilisation and drops of a split are those of all its "
        "clients together. Simulated goodput is for the whole run. The published goodput is 0.79 "
        f"of the published utilisation times the run time. {_read_as(result)}"
    )
    return Table("half", caption, head, in_groups(body))


def reverse_table(result: StudyResult) -> Table | None:
    """What reverse traffic changes of the page delay, by IW."""
    changes = reverse_changes(result.made)
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


def red_table(result: StudyResult) -> Table | None:
    """Decrease of the page delay by RED and by larger windows, against drop-tail at IW 1."""
    red = red_changes(result.made)
    if red.empty:
        return None
    larger = result.tables["changes"]
    larger = larger[larger["http"] == "1.0"] if len(larger) else larger
    iws = [iw for iw in IWS[1:] if len(larger) and (larger["iw"] == iw).any()]
    kinds = [f"{queue}, IW {iw}" for iw in RED_IWS for queue in QUEUES]
    kinds = [kind for kind in kinds if (red["red"] == kind).any()]
    below = {"RED, decrease (%)": kinds, "Drop-tail, decrease (%)": [f"IW {iw}" for iw in iws]}
    below = {text: its for text, its in below.items() if its}
    head = two_rows(("Webs", "Ftps", "Drop-tail, IW 1 (s)"), below)
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
        "Decrease of the median page delay compared with drop-tail at IW 1 (first column of "
        f"delays), over pairs of runs with the same seed. {_intervals(result)}"
    )
    return Table("red-table", caption, head, groups)


def _decrease(row: tuple) -> Cell:
    ends = interval(row.decrease_pct_lo, row.decrease_pct_hi, 1)
    return number(fixed(row.decrease_pct, 1), ends)


def _decreases(larger: pd.DataFrame, scenario: tuple[int, int], iws: list[int]) -> Row:
    by_iw = {row.iw: row for row in larger.itertuples() if (row.webs, row.ftps) == scenario}
    return [_decrease(by_iw[iw]) for iw in iws]


def _intervals(result: StudyResult) -> str:
    if result.replications == 1:
        return "One run of each, without an interval."
    return f"{result.replications} pairs; in brackets 95\u00a0% intervals."


def _read_as(result: StudyResult) -> str:
    """What a simulated value is, and what a mark beside a published one."""
    return f"Simulated: {means(result)}.{marks(result)}"


def _pair(row: tuple | None, decimals: int) -> list[Cell]:
    """Simulated and published; a misprint has no mark."""
    if row is None:
        return [number(""), published("")]
    simulated, printed = pair(row, decimals, min(decimals, 2 if row.metric == DELAY else 1))
    if getattr(row, "misprinted", ""):
        return [simulated, published(printed.text, "misprint")]
    return [simulated, printed]
