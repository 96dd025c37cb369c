"""The tables of the published studies: what is printed, and where this study's own number is.

A cell names its own number by a key: the file that the study writes, the columns that identify a
row of it, and the column of the number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from ackclock.lab.studies.files import (
    ABR,
    ALLOCATION,
    COMPONENTS,
    EFFECTS,
    EMULATION,
    ERRORS,
    HALF,
    INTERNET,
    METRICS,
    RFC,
    UBR,
    Key,
    OwnFile,
    osu_files,
    osu_metrics,
)
from ackclock.lab.studies.points import module, numbers, points
from ackclock.plots.quantities import level_texts, quantity, sentence

Rows = list[tuple[tuple[str, ...], list["Cell | None"]]]
"""Labels, and a cell a column; a cell may be missing."""


class Column(NamedTuple):
    """A column of numbers.

    Attributes:
        head: above it.
        metric: by whose name numbers are shown.
        unit: of the numbers.
    """

    head: str
    metric: str
    unit: str


class Cell(NamedTuple):
    """A number of a table.

    Attributes:
        published: as printed, in the unit of the column; none if nothing is.
        key: of this study's own.
        point: number of the point behind it; none if it is of several.
        note: what there is to know of the printed number.
    """

    published: float | None
    key: Key
    point: int | None = None
    note: str = ""


class Table(NamedTuple):
    """A table.

    Attributes:
        id: short name.
        title: above it.
        heads: of the labels of a row.
        columns: of numbers.
        rows: see ``Rows``.
    """

    id: str
    title: str
    heads: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: Rows


def tables(package: str) -> list[Table]:
    """The tables of a study."""
    return _TABLES[package]()


def _ubr_web() -> list[Table]:
    """Tables 4 to 6 of 98-0876 by link, its allocation of variation and its main effects."""
    analysis, found = module("ubr_web", "analysis"), numbers("ubr_web")
    levels = module("ubr_web", "levels")
    printed = {
        levels.Point(row["link"], row["drop_policy"], row["tcp_flavor"], row["buffer_rtt"]): row
        for row in analysis.published("results").to_dict("records")
    }
    columns = tuple(
        Column(f"{metric.capitalize()}, {buffer:g} RTT", metric, "1")
        for metric in METRICS
        for buffer in levels.BUFFERS_RTT
    )
    made = []
    for link in levels.LINKS:
        rows: Rows = []
        for policy in levels.DROP_POLICIES:
            for flavor in levels.TCP_FLAVORS:
                its = [levels.Point(link, policy, flavor, each) for each in levels.BUFFERS_RTT]
                cells: list[Cell | None] = [
                    Cell(printed[each][metric], UBR.key(*each, metric), found["", each])
                    for metric in METRICS
                    for each in its
                ]
                rows.append(((policy, flavor), cells))
        heads = ("Drop policy", "TCP flavor")
        made.append(Table(f"results-{link.lower()}", f"{link}: results", heads, columns, rows))
    shares = [_column(name, *name.split("_", 1)) for name in COMPONENTS]
    made.append(
        _as_printed(
            "allocation",
            "Allocation of variation",
            analysis.published("allocation"),
            ALLOCATION,
            {name: name for name in COMPONENTS},
            shares,
        )
    )
    made.append(
        _as_printed(
            "main-effects",
            "Main effects",
            analysis.published("main_effects"),
            EFFECTS,
            {name: f"effect_{name}" for name in METRICS},
            [Column(name.capitalize(), name, "1") for name in METRICS],
        )
    )
    return made


def _column(name: str, what: str, metric: str) -> Column:
    """Of the allocation of variation."""
    if what == "ss":
        return Column(f"{metric.capitalize()}, sum of squares", name, "1")
    return Column(f"{metric.capitalize()}, share", name, "%")


def _as_printed(
    id: str,
    title: str,
    printed: Any,
    file: OwnFile,
    values: Mapping[str, str],
    columns: Sequence[Column],
) -> Table:
    """A table whose printed file has the columns of this study's own, of no single point."""
    rows: Rows = []
    for row in printed.to_dict("records"):
        label = tuple(str(row[name]) for name in file.keys)
        cells: list[Cell | None] = [
            Cell(_or_none(row[column]), file.key(*label, value=value))
            for value, column in values.items()
        ]
        rows.append((label, cells))
    heads = tuple(name.capitalize() for name in file.keys)
    return Table(id, title, heads, tuple(columns), rows)


def _abr_web() -> list[Table]:
    """Table 2 of Vandalore et al."""
    levels, printed = module("abr_web", "levels"), module("abr_web", "published")
    found = numbers("abr_web")
    columns = (
        Column("Longest queue", "max_queue_cells", "cells"),
        Column("Longest queue in RTT", "max_queue", "RTT"),
        Column("Throughput", "throughput_bit_s", "bit/s"),
        Column("Efficiency", "efficiency", "%"),
    )
    rows: dict[int, list[Cell | None]] = {}
    for row in printed.table2().to_dict("records"):
        servers = row["servers"]
        point = found[levels.TABLE2, levels.Point(levels.TABLE2, servers, *levels.PAPERS)]
        cell = Cell(row["published"], ABR.key(servers, row["metric"]), point)
        rows.setdefault(servers, []).append(cell)
    labelled = [((str(servers),), cells) for servers, cells in rows.items()]
    return [Table("table-2", "Table 2", ("Servers",), columns, labelled)]


_RFC_TITLES = {
    1: "Table 1: median page delay with HTTP/1.0",
    2: "Table 2: utilisation and drops with HTTP/1.0",
    3: "Table 3: network power of the ftp clients with HTTP/1.0",
    4: "Table 4: median page delay with HTTP/1.1",
    5: "Table 5: network power of the ftp clients with HTTP/1.1",
}
_RFC_METRICS = {
    "page_delay_s": ("Page delay", "s"),
    "decrease_pct": ("Decrease", "%"),
    "utilisation_pct": ("Utilisation", "%"),
    "drop_pct": ("Drops", "%"),
    "ftp_power": ("Power", "MB/s"),
    "goodput_mb": ("Goodput", "MB"),
}


def _rfc2415() -> list[Table]:
    """Tables 1 to 6 of RFC 2415."""
    levels, printed = module("rfc2415", "levels"), module("rfc2415", "published")
    found = numbers("rfc2415")
    frame = printed.tables()
    wrong = printed.is_misprinted(frame).tolist()
    made = []
    for number, title in _RFC_TITLES.items():
        its = [
            {**row, "misprinted": bad}
            for row, bad in zip(frame.to_dict("records"), wrong, strict=True)
            if row["table"] == number
        ]
        columns = list(dict.fromkeys((row["metric"], row["iw"]) for row in its))
        rows: dict[tuple[str, ...], list[Cell | None]] = {}
        for row in its:
            point = levels.Point(
                levels.TABLES, row["webs"], row["ftps"], row["http"], row["iw"], ""
            )
            key = RFC.key(*(row[name] for name in RFC.keys))
            label = (str(row["webs"]), str(row["ftps"]))
            note = (
                "misprinted: the drop rates of 16 web clients are repeated"
                if row["misprinted"]
                else ""
            )
            rows.setdefault(label, [None] * len(columns))[
                columns.index((row["metric"], row["iw"]))
            ] = Cell(row["published"], key, found[levels.TABLES, point], note)
        heads = ("Web clients", "Ftp clients")
        made.append(
            Table(f"table-{number}", title, heads, _rfc_columns(columns), list(rows.items()))
        )
    return [*made, _rfc_half(levels, printed, found)]


def _rfc_columns(columns: Iterable[tuple[str, int]]) -> tuple[Column, ...]:
    return tuple(
        Column(f"{_RFC_METRICS[metric][0]}, IW {iw}", metric, _RFC_METRICS[metric][1])
        for metric, iw in columns
    )


def _rfc_half(levels: Any, printed: Any, found: Mapping[Any, int]) -> Table:
    """Table 6."""
    its = printed.half_and_half().to_dict("records")
    columns = list(dict.fromkeys((row["metric"], row["iw"]) for row in its))
    rows: dict[tuple[str, ...], list[Cell | None]] = {}
    for row in its:
        iw = min(levels.HALF_IWS) if row["variant"] else row["iw"]
        point = levels.Point(levels.HALF, row["webs"], 0, "1.0", iw, row["variant"])
        label = (str(row["webs"]), row["variant"] or "all alike")
        key = HALF.key(*(row[name] for name in HALF.keys))
        rows.setdefault(label, [None] * len(columns))[columns.index((row["metric"], row["iw"]))] = (
            Cell(row["published"], key, found[levels.HALF, point])
        )
    title = "Table 6: half of the clients with each initial window"
    heads = ("Web clients", "Initial windows")
    return Table("table-6", title, heads, _rfc_columns(columns), list(rows.items()))


def _newreno() -> list[Table]:
    """The mean errors in the text of Parvez et al., and their Tables III and IV."""
    printed = module("newreno", "published")
    return [_newreno_errors(printed), _newreno_testbed(), _newreno_internet()]


def _newreno_errors(printed: Any) -> Table:
    levels, models = module("newreno", "levels"), module("newreno", "predictions").MODEL_NAMES
    found = numbers("newreno")
    its = printed.errors().to_dict("records")
    shown = list(dict.fromkeys((row["model"], row["flow"]) for row in its))
    rows: dict[tuple[str, ...], list[Cell | None]] = {}
    for row in its:
        curve = levels.Curve(row["part"], row["queue"], row["variant"])
        places = levels.CURVES.get(curve)
        # The error is of a whole curve: its first point stands for it.
        point = found[row["part"], levels.Point(*curve, places[0])] if places else None
        key = ERRORS.key(*(row[name] for name in ERRORS.keys))
        rows.setdefault((row["part"], row["queue"]), [None] * len(shown))[
            shown.index((row["model"], row["flow"]))
        ] = Cell(row["published_mean_pct"], key, point)
    columns = tuple(Column(f"{models[model]}: {flow}", "mean_error", "%") for model, flow in shown)
    title = "Mean errors of the formulas over the points of an experiment"
    return Table("errors", title, ("Experiment", "Queue"), columns, list(rows.items()))


def _newreno_testbed() -> Table:
    """Table III."""
    levels, found = module("newreno", "levels"), numbers("newreno")
    columns = (
        Column("Throughput", "throughput_bit_s", "bit/s"),
        Column("RTT", "rtt_s", "s"),
        Column("p", "p", "1"),
        Column("Time-outs", "timeouts", "1"),
        Column("Fast retransmits", "fast_retransmits", "1"),
        Column("Formula", "model_bit_s", "bit/s"),
    )
    rows: Rows = []
    for row in module("newreno", "emulation").printed().to_dict("records"):
        loss = row["imposed_loss_pct"]
        name = levels.Point(levels.EMULATION, levels.DROP_TAIL, "", loss)
        point = found[levels.EMULATION, name]
        cells: list[Cell | None] = [
            Cell(row[f"published_{value}"], EMULATION.key(loss, value=value), point)
            for value in EMULATION.values
        ]
        rows.append(((f"{loss:g} %",), cells))
    return Table("table-3", "Table III: the testbed", ("Imposed loss",), columns, rows)


def _newreno_internet() -> Table:
    """Table IV, reckoned again from its counts; nothing of it can be simulated."""
    columns = (
        Column("p", "p", "1"),
        Column("Throughput", "throughput_bit_s", "bit/s"),
        Column("Formula", "model_bit_s", "bit/s"),
    )
    rows: Rows = []
    for row in module("newreno", "internet").internet_table().to_dict("records"):
        loss = row["imposed_loss_pct"]
        cells: list[Cell | None] = [
            Cell(row[f"published_{value}"], INTERNET.key(loss, value=value))
            for value in INTERNET.values
        ]
        rows.append(((f"{loss:g} %",), cells))
    title = "Table IV: transfers to Japan, reckoned again from the printed counts"
    return Table("table-4", title, ("Imposed loss",), columns, rows)


def _osu_tasks() -> list[Table]:
    """A table a part. The programme's numbers are not compared, so that none is printed beside."""
    parts = module("osu_tasks", "parts").PARTS
    files = {file.name: file for file in osu_files()}
    made: dict[str, Table] = {}
    for number, behind in enumerate(points("osu_tasks")):
        part = parts[behind.part]
        metrics, file = osu_metrics(part), files[f"{part.name}-results.csv"]
        if part.name not in made:
            columns = tuple(Column(_head(each), each, "1") for each in metrics)
            heads = tuple(map(_head, part.columns))
            title = f"Task {part.task}: {part.title}"
            made[part.name] = Table(part.name, title, heads, columns, [])
        label = tuple(
            level_texts(name, [level])[0]
            for name, level in zip(part.columns, behind.name, strict=True)
        )
        cells: list[Cell | None] = [
            Cell(None, file.key(*behind.name, value=each), number) for each in metrics
        ]
        made[part.name].rows.append((label, cells))
    return list(made.values())


_TABLES: Mapping[str, Callable[[], list[Table]]] = {
    "ubr_web": _ubr_web,
    "rfc2415": _rfc2415,
    "newreno": _newreno,
    "abr_web": _abr_web,
    "osu_tasks": _osu_tasks,
}


def _head(column: str) -> str:
    return sentence(quantity(column).name)


def _or_none(value: float) -> float | None:
    return value if isfinite(value) else None
