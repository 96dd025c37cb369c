"""Tables 1 to 5 of the RFC, simulated beside published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
from ackclock.report.numbers import fixed, half_width
from ackclock.report.words import inside, means
from ackclock.studies.rfc2415.levels import IWS
from ackclock.studies.rfc2415.result import Rfc2415Result

SOURCES = ("simulated", "published")
MISPRINT = "misprint"
CLOCK_WORDS = {
    "no_setup": "without the handshakes of its connections",
    "request": "from its first request to its last byte",
    "open": "from its first SYN to its last byte",
}
"""How the delay of a page is counted, by the clock."""


class Column(NamedTuple):
    """A pair of columns: what it shows of the comparison, and how."""

    metric: str
    iw: int
    heading: str
    decimals: int


def delay_table(result: Rfc2415Result, table: int, http: str) -> Table | None:
    """Tables 1 and 4: page delay and its decrease."""
    columns = [Column("page_delay_s", 1, "IW 1 (s)", 3)]
    columns += [Column("decrease_pct", iw, f"IW {iw} (% decrease)", 1) for iw in IWS[1:]]
    clock = CLOCK_WORDS[result.request.page_clock]
    about = f"Table {table}, HTTP/{http}: median page delay, {clock}, and its decrease"
    return _side_by_side(result, table, f"delays-{table}", about, columns)


def utilisation_table(result: Rfc2415Result) -> Table | None:
    """The left half of Table 2."""
    columns = [Column("utilisation_pct", iw, f"IW {iw} (%)", 1) for iw in IWS]
    about = "Table 2, HTTP/1.0: utilisation of the bottleneck"
    return _side_by_side(result, 2, "utilisation", about, columns)


def drops_table(result: Rfc2415Result) -> Table | None:
    """The right half of Table 2."""
    columns = [Column("drop_pct", iw, f"IW {iw} (%)", 2) for iw in IWS]
    about = (
        "Table 2, HTTP/1.0: packets dropped at the bottleneck. The published drops of 32 webs with "
        "0, 1 and 2 ftps are misprinted (they repeat those of 16 webs) and count in no error"
    )
    return _side_by_side(result, 2, "drops", about, columns)


def power_table(result: Rfc2415Result, table: int, http: str) -> Table | None:
    """Tables 3 and 5: network power of the ftps."""
    columns = [Column("ftp_power", iw, f"IW {iw} (MB/s)", 2) for iw in IWS]
    about = f"Table {table}, HTTP/{http}: network power of the file transfers"
    return _side_by_side(result, table, f"ftp-power-{table}", about, columns)


def _side_by_side(
    result: Rfc2415Result, table: int, id: str, about: str, columns: Sequence[Column]
) -> Table | None:
    """A row a scenario, a pair of columns for each of ``columns`` that was run."""
    rows = result.comparison
    if rows.empty or not (rows["table"] == table).any():
        return None
    rows = rows[rows["table"] == table]
    rows = rows.assign(inside=inside(rows))
    by_place = {(row.webs, row.ftps, row.metric, row.iw): row for row in rows.itertuples()}
    there = [each for each in columns if any(place[2:] == each[:2] for place in by_place)]
    if not there:
        return None
    head = [
        [
            heading("Webs", rows=2),
            heading("Ftps", rows=2),
            *(heading(each.heading, columns=2) for each in there),
        ],
        [number_heading(name) for _ in there for name in SOURCES],
    ]
    groups = []
    for webs, scenarios in rows.groupby("webs", sort=False):
        ftps = list(scenarios["ftps"].unique())
        group: list[Row] = []
        for each in ftps:
            first = [] if group else [row_heading(str(webs), rows=len(ftps))]
            cells = [
                cell
                for column in there
                for cell in pair(by_place.get((webs, each, *column[:2])), column.decimals)
            ]
            group.append([*first, row_heading(str(each)), *cells])
        groups.append(group)
    return Table(id, f"{about}. {read_as(result)}", head, groups)


def read_as(result: Rfc2415Result) -> str:
    """What a simulated value is, and what a mark beside a published one."""
    described = f"Simulated: {means(result)}."
    if result.replications > 1:
        described += " ● the published value lies inside that interval, ○ outside."
    return described


def pair(row: tuple | None, decimals: int) -> list[Cell]:
    """Simulated and published; a misprint has no mark."""
    if row is None:
        return [number(""), published("")]
    simulated = number(fixed(row.simulated, decimals), half_width(row.lo, row.hi, decimals))
    places = min(decimals, 2) if row.metric == "page_delay_s" else min(decimals, 1)
    text = f"{row.published:.{places}f}"
    if getattr(row, "misprinted", ""):
        return [simulated, published(text, MISPRINT)]
    mark = "" if row.inside is None else "inside" if row.inside else "outside"
    return [simulated, published(text, mark=mark)]
