"""Tables of reports: means by levels, printed numbers beside them, allocation of variation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import isfinite, nan
from typing import Any, Literal, NamedTuple

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
from ackclock.report.numbers import fixed, grouped, half_width
from ackclock.stats.factorial import ERROR as _ERROR
from ackclock.studies.machinery.running import PartRuns

ERROR = "Error"
SOURCES = ("simulated", "published")


class Column(NamedTuple):
    """A column of means.

    Attributes:
        metric: whose means.
        heading: of the column.
        above: heading of this column and of its neighbours that have the same.
        where: levels of factors that are no keys of the table.
        unit: in which the means are shown.
        decimals: 0 for whole numbers with thousands separators.
    """

    metric: str
    heading: str
    above: str = ""
    where: Mapping[str, Any] = {}
    unit: float = 1
    decimals: int = 3


def pairs_head(names: Sequence[str], pairs: Sequence[str]) -> list[Row]:
    """Two rows of headings: of the columns that name a row, and of pairs of ``SOURCES``."""
    return two_rows(names, dict.fromkeys(pairs, SOURCES))


def two_rows(names: Sequence[str], below: Mapping[str, Sequence[str]]) -> list[Row]:
    """Two rows of headings: of the columns that name a row, and others with those below them."""
    first = [heading(text, rows=2) for text in names]
    first += [heading(text, columns=len(its)) for text, its in below.items()]
    return [first, [number_heading(text) for its in below.values() for text in its]]


def mean_cell(value: float, lo: float, hi: float, decimals: int = 3) -> Cell:
    """A mean with half of its interval, if there is one.

    Args:
        value: the mean.
        lo: the lower end of its interval; nan if there is none.
        hi: the upper end.
        decimals: of both numbers; with 0, thousands are set apart.
    """
    text = fixed(value, decimals) if decimals else grouped(value)
    return number(text, half_width(lo, hi, decimals) if isfinite(value) else "")


def pair(row: Any, decimals: int = 3, printed: int | None = None, unit: float = 1) -> list[Cell]:
    """A simulated mean and the published number, with a mark: whether one of our runs may give it.

    Args:
        row: of a comparison: simulated, lo, hi, run_lo, run_hi, published.
        decimals: of the mean, as for ``mean_cell``.
        printed: the same of the published number; by default as many.
        unit: in which both are shown.
    """
    mark: Literal["", "inside", "outside"] = ""
    if isfinite(row.run_hi - row.run_lo):
        mark = "inside" if row.run_lo <= row.published <= row.run_hi else "outside"
    mean = mean_cell(row.simulated / unit, row.lo / unit, row.hi / unit, decimals)
    places = decimals if printed is None else printed
    value = row.published / unit
    return [mean, published(fixed(value, places) if places else grouped(value), mark=mark)]


def means_table(
    id: str,
    caption: str,
    results: pd.DataFrame,
    keys: Mapping[str, str],
    columns: Sequence[Column],
) -> Table:
    """Means, each with half of its interval.

    Args:
        id: unique in the page.
        caption: what the table shows.
        results: see ``analysis.means_table``.
        keys: headings of the columns that name a row. Rows that share all but the last are a group.
        columns: the others; a cell is empty where there is no such point.
    """
    rows = []
    for levels, its in results.groupby(list(keys), sort=False):
        records = its.to_dict("records")
        rows.append((levels, [_mean(records, column) for column in columns]))
    return Table(id, caption, _head(list(keys.values()), columns), in_groups(rows))


def in_groups(rows: Iterable[tuple[tuple[Any, ...], Sequence[Cell]]]) -> list[list[Row]]:
    """Rows with headings before their cells; those that share all but the last are a group.

    Args:
        rows: the headings of each, and its cells.
    """
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for levels, cells in rows:
        groups.setdefault(levels[:-1], []).append([row_heading(str(levels[-1])), *cells])
    for levels, group in groups.items():
        group[0] = [*(row_heading(str(each), rows=len(group)) for each in levels), *group[0]]
    return list(groups.values())


def allocation_table(its: PartRuns, names: Mapping[str, str]) -> Table | None:
    """The allocation of variation: a row a component, a column a level and metric.

    Args:
        its: the runs of a part.
        names: of its factors, in words.
    """
    analysed, table = its.part.analysed, its.allocation
    if analysed is None or table.empty:
        return None
    columns = list(table[[analysed.by, "metric"]].drop_duplicates().itertuples(index=False))
    values = table.set_index([analysed.by, "metric", "component"])["percent"]
    shown = [name for name in table["component"].unique() if _is_shown(name, analysed.factors)]
    levels = groupby(columns, key=lambda column: column[0])
    below = {level: [metric.capitalize() for _, metric in its] for level, its in levels}
    rows = [
        [
            row_heading(component_name(component, names)),
            *(number(fixed(values.get((*column, component), nan), 1)) for column in columns),
        ]
        for component in shown
    ]
    caption = (
        "Allocation of variation: share of the total sum of squares of the means, %. The error "
        "holds the interactions of three factors and more."
    )
    return Table(f"{its.part.name}-allocation", caption, two_rows(("Component",), below), [rows])


def component_name(component: str, names: Mapping[str, str]) -> str:
    """A factor, or two with a sign between them."""
    if component == _ERROR:
        return ERROR
    return " × ".join(names[each] for each in component.split(":"))


def _is_shown(component: str, factors: Sequence[str]) -> bool:
    """Whether a component is a factor, a pair of factors or the error, and not their total."""
    return component == _ERROR or set(component.split(":")) <= set(factors)


def _head(keys: Sequence[str], columns: Sequence[Column]) -> list[Row]:
    names = [number_heading(column.heading) for column in columns]
    if not any(column.above for column in columns):
        return [[*map(heading, keys), *names]]
    above = [
        heading(name, columns=len(list(its)))
        for name, its in groupby(columns, key=lambda column: column.above)
    ]
    return [[*(heading(key, rows=2) for key in keys), *above], names]


def _mean(rows: Sequence[Mapping[Any, Any]], column: Column) -> Cell:
    its = [row for row in rows if all(row[name] == at for name, at in column.where.items())]
    if not its:
        return number("")
    mean, lo, hi = (its[0][f"{column.metric}{end}"] / column.unit for end in ("", "_lo", "_hi"))
    return mean_cell(mean, lo, hi, column.decimals)
