"""Tables 1 to 6 of RFC 2415, for the lab."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ackclock.studies.machinery.printed import (
    Cell,
    Column,
    Numbers,
    Printed,
    Table,
    arranged,
    compared,
)
from ackclock.studies.rfc2415.analysis import (
    is_misprinted,
    published_half_and_half,
    published_tables,
)
from ackclock.studies.rfc2415.levels import HALF, HALF_IWS, TABLES, Point

_OWN = compared(("table", "webs", "ftps", "http", "iw", "metric"))
_OWN_HALF = compared(("webs", "variant", "iw", "metric"), "half_and_half")
_TITLES = {
    1: "Table 1: median page delay with HTTP/1.0",
    2: "Table 2: utilisation and drops with HTTP/1.0",
    3: "Table 3: network power of the ftp clients with HTTP/1.0",
    4: "Table 4: median page delay with HTTP/1.1",
    5: "Table 5: network power of the ftp clients with HTTP/1.1",
}
_METRICS = {
    "page_delay_s": ("Page delay", "s"),
    "decrease_pct": ("Decrease", "%"),
    "utilisation_pct": ("Utilisation", "%"),
    "drop_pct": ("Drops", "%"),
    "ftp_power": ("Power", "MB/s"),
    "goodput_mb": ("Goodput", "MB"),
}
_MISPRINTED = "misprinted: the drop rates of 16 web clients are repeated"


def _tables(numbers: Numbers) -> list[Table]:
    frame = published_tables()
    frame = frame.assign(note=is_misprinted(frame).map({True: _MISPRINTED, False: ""}))
    made = [
        _table(number, title, frame[frame["table"] == number].to_dict("records"), numbers)
        for number, title in _TITLES.items()
    ]
    return [*made, _half(numbers)]


def _table(number: int, title: str, rows: Sequence[dict[str, Any]], numbers: Numbers) -> Table:
    cells = []
    for row in rows:
        point = Point(TABLES, row["webs"], row["ftps"], row["http"], row["iw"], "")
        cell = Cell(row["published"], _OWN.key_of(row), numbers[TABLES, point], row["note"])
        cells.append(((str(row["webs"]), str(row["ftps"])), (row["metric"], row["iw"]), cell))
    return arranged(f"table-{number}", title, ("Web clients", "Ftp clients"), _columns(rows), cells)


def _half(numbers: Numbers) -> Table:
    rows = published_half_and_half().to_dict("records")
    cells = []
    for row in rows:
        iw = min(HALF_IWS) if row["variant"] else row["iw"]
        point = Point(HALF, row["webs"], 0, "1.0", iw, row["variant"])
        cell = Cell(row["published"], _OWN_HALF.key_of(row), numbers[HALF, point])
        label = (str(row["webs"]), row["variant"] or "all alike")
        cells.append((label, (row["metric"], row["iw"]), cell))
    title = "Table 6: half of the clients with each initial window"
    heads = ("Web clients", "Initial windows")
    return arranged("table-6", title, heads, _columns(rows), cells)


def _columns(rows: Sequence[dict[str, Any]]) -> dict[tuple[str, int], Column]:
    """The columns of a table, in the order of its cells."""
    found = {}
    for row in rows:
        name, unit = _METRICS[row["metric"]]
        found[row["metric"], row["iw"]] = Column(f"{name}, IW {row['iw']}", row["metric"], unit)
    return found


PRINTED = Printed((_OWN, _OWN_HALF), _tables)
