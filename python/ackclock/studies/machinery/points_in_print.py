"""Single numbers that a source prints, at points of a study.

The file has a row for each number. Its columns are part, metric, those of the points, published (in
the unit of the metric) and source. A column that a part does not have is empty in its rows. A point
may have several numbers of a metric, each from its own source. Nothing that makes results reads the
file.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pandas as pd

from ackclock.studies.machinery.analysis import comparison_table
from ackclock.studies.machinery.running import Runs
from ackclock.studies.machinery.study import Part, Study

COMPARISON = "comparison"


@cache
def _read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path)


def in_print(study: Study, part: Part) -> pd.DataFrame:
    """What is printed of a part.

    Returns:
        The columns that name a row of its means, then metric, published, source; without rows if
        nothing is printed.
    """
    keys = list(part.by or part.columns)
    columns = [*keys, "metric", "published", "source"]
    if study.published is None:
        return pd.DataFrame(columns=columns)
    everything = _read(study.published)
    its = everything[everything["part"] == part.name][columns].reset_index(drop=True)
    return its.apply(_as_numbers)


def by_source(printed: pd.DataFrame, keys: list[str]) -> dict[str, pd.DataFrame]:
    """The printed numbers of a metric, apart by source where a point has several of them.

    Args:
        printed: rows of ``in_print``, of one metric.
        keys: columns that name a row of the means.

    Returns:
        By source, its rows; all rows under "" if each point has one number.
    """
    if not printed.duplicated(keys).any():
        return {"": printed} if len(printed) else {}
    return {str(source): rows for source, rows in printed.groupby("source", sort=False)}


def _as_numbers(column: pd.Series) -> pd.Series:
    """A column as numbers, if all of it is; other parts may have words there."""
    try:
        return pd.to_numeric(column)
    except ValueError:
        return column


def comparisons(made: Runs) -> dict[str, pd.DataFrame]:
    """What is printed beside the means of each part, by the names of the files."""
    study, found = made.request.study, {}
    for part in study.parts:
        printed = in_print(study, part)
        if printed.empty:
            continue
        own = made.of(part.name, "results")
        found[file_of(study, part)] = comparison_table(own, printed, list(part.by or part.columns))
    return found


def file_of(study: Study, part: Part) -> str:
    """The name of the file with the comparison of a part, without ".csv"."""
    return f"{part.name}-{COMPARISON}" if len(study.parts) > 1 else COMPARISON
