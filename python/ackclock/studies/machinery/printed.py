"""Printed numbers as the lab shows them: each beside the study's own, which one of its files holds.

A number of a study's own has a key: the file, the columns that identify a row, which number of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from ackclock.plots.quantities import level_texts, quantity, sentence
from ackclock.studies.machinery.points_in_print import file_of, in_print
from ackclock.studies.machinery.study import Part, Study

Key = tuple[str, ...]
"""Of a number: the file, what identifies a row of it, which number of the row."""
Numbers = Mapping[tuple[str, Any], int]
"""The number of each point of a study, by the name of its part and its named tuple."""
SIMULATED = "simulated"
_SHOWN_METRICS = 4


class Ends(NamedTuple):
    """Columns of a number.

    Attributes:
        mean: of the number itself.
        lo, hi: of the ends of its interval; empty if it has none.
        run_lo, run_hi: of the ends of the prediction interval of one run; empty if there is none.
    """

    mean: str
    lo: str = ""
    hi: str = ""
    run_lo: str = ""
    run_hi: str = ""


class OwnFile(NamedTuple):
    """A table that a study writes.

    Attributes:
        name: of the file, without ".csv".
        keys: columns that identify a row.
        values: the columns of each number, by a name for it.
    """

    name: str
    keys: tuple[str, ...]
    values: Mapping[str, Ends]

    def key(self, *its: Any, value: str = SIMULATED) -> Key:
        """The key of a number in it."""
        return (self.name, *map(spelled, its), value)

    def key_of(self, row: Mapping[str, Any], value: str = SIMULATED) -> Key:
        """The key of a number in a row that has the columns of the file."""
        return self.key(*(row[name] for name in self.keys), value=value)


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
        key: of the study's own.
        point: number of the point behind it; none if it is of several.
        note: what there is to know of the printed number.
    """

    published: float | None
    key: Key
    point: int | None = None
    note: str = ""


Rows = Sequence[tuple[tuple[str, ...], Sequence[Cell | None]]]
"""Labels, and a cell a column; a cell may be missing."""


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


class Printed(NamedTuple):
    """What a study has in print.

    Attributes:
        files: that hold the study's own numbers.
        tables: of the numbers of its points, the printed tables.
    """

    files: Sequence[OwnFile]
    tables: Callable[[Numbers], list[Table]]


def compared(keys: Sequence[str], name: str = "comparison") -> OwnFile:
    """A file that ``analysis.comparison_table`` has made."""
    return OwnFile(name, tuple(keys), {SIMULATED: Ends(SIMULATED, "lo", "hi", "run_lo", "run_hi")})


def with_ends(name: str) -> Ends:
    """A mean and the ends of its interval, as ``analysis.means_table`` names them."""
    return Ends(name, f"{name}_lo", f"{name}_hi")


def spelled(value: Any) -> str:
    """A level as text, however its number was written."""
    try:
        return f"{float(value):g}"
    except ValueError:
        return str(value)


def arranged(
    id: str,
    title: str,
    heads: tuple[str, ...],
    columns: Mapping[Hashable, Column],
    cells: Iterable[tuple[tuple[str, ...], Hashable, Cell]],
) -> Table:
    """A table from its cells, each with the labels of its row and the key of its column."""
    at = {key: number for number, key in enumerate(columns)}
    rows: dict[tuple[str, ...], list[Cell | None]] = {}
    for labels, column, cell in cells:
        rows.setdefault(labels, [None] * len(columns))[at[column]] = cell
    return Table(id, title, heads, tuple(columns.values()), list(rows.items()))


def as_printed(
    id: str,
    title: str,
    printed: pd.DataFrame,
    file: OwnFile,
    columns: Mapping[str, Column],
    published: str = "{}",
) -> Table:
    """A table of no single points, whose printed file has the columns of the study's own.

    Args:
        id: short name.
        title: above it.
        printed: the file.
        file: the study's own.
        columns: by the names of the numbers in ``file``.
        published: the column of a number in print, by its name.
    """
    cells = [
        (
            tuple(str(row[key]) for key in file.keys),
            value,
            Cell(_or_none(row[published.format(value)]), file.key_of(row, value)),
        )
        for row in printed.to_dict("records")
        for value in columns
    ]
    return arranged(id, title, tuple(map(str.capitalize, file.keys)), columns, cells)


def of_means(study: Study) -> Printed:
    """A table a part with its means, and the single numbers of it that are in print."""
    beside = {part.name: _in_print(study, part) for part in study.parts}
    files = {
        part.name: OwnFile(
            f"{part.name}-results" if len(study.parts) > 1 else "results",
            tuple(part.by or part.columns),
            {metric: with_ends(metric) for metric in part.metrics[:_SHOWN_METRICS]},
        )
        for part in study.parts
    }

    def tables(numbers: Numbers) -> list[Table]:
        made = []
        for part in study.parts:
            file, its = files[part.name], [each for each in numbers if each[0] == part.name]
            columns = {each: Column(_head(each), each, "1") for each in file.values}
            cells = [
                (
                    tuple(level_texts(name, [getattr(point, name)])[0] for name in file.keys),
                    metric,
                    _cell(file, beside[part.name], point, metric, numbers[part.name, point]),
                )
                for _, point in its
                for metric in columns
            ]
            title = part.title or part.name
            title = f"Task {part.task}: {title}" if part.task else title
            heads = tuple(map(_head, file.keys))
            made.append(arranged(part.name, title, heads, columns, cells))
        return made

    others = [its for its, values in beside.values() if values]
    return Printed((*files.values(), *others), tables)


def _in_print(study: Study, part: Part) -> tuple[OwnFile, dict[Key, float]]:
    """The file with the comparison of a part, and the printed number of each of its keys."""
    keys = (*(part.by or part.columns), "metric")
    file = compared(keys, file_of(study, part))
    rows = in_print(study, part).to_dict("records")
    return file, {file.key_of(row): row["published"] for row in rows}


def _cell(
    own: OwnFile, print_: tuple[OwnFile, dict[Key, float]], point: Any, metric: str, number: int
) -> Cell:
    """A mean beside what is printed, if anything is."""
    file, values = print_
    key = file.key_of({**point._asdict(), "metric": metric})
    if key in values:
        return Cell(values[key], key, number)
    return Cell(None, own.key_of(point._asdict(), metric), number)


def _head(column: str) -> str:
    return sentence(quantity(column).name)


def _or_none(value: float) -> float | None:
    return None if pd.isna(value) else value
