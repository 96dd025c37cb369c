"""Check that a table of runs is a full balanced factorial experiment.

All problems are reported at once; messages name rows by the labels of the frame's index.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from difflib import get_close_matches
from itertools import islice, product
from math import prod

import numpy as np
import pandas as pd

_MOST_NAMED = 10


def design_problems(frame: pd.DataFrame, response: str, factors: Sequence[str]) -> list[str]:
    """Return all problems of a design, one message per problem; empty if it can be analysed.

    Args:
        frame: one row per run.
        response: name of the numeric column to explain.
        factors: names of the columns that hold the levels.

    A problem is: no factor or a factor named twice or named as the response; an unknown column; no
    row; a response that is not a finite number; a row without a level; a factor with a single
    level; a combination of levels without a value, or with fewer values than others.
    """
    names = list(dict.fromkeys(factors))
    problems = _naming_problems(response, list(factors))
    problems += [
        _unknown(name, frame) for name in dict.fromkeys([response, *names]) if name not in frame
    ]
    if frame.empty:
        return [*problems, "there is no row to analyse"]
    if response in frame and response not in names:
        problems += _response_problems(frame[response])
    known = [name for name in names if name in frame]
    for name in known:
        problems += _level_problems(frame[name])
    if known and known == names and not frame[known].isna().any(axis=None):
        problems += _cell_problems(frame[known])
    return problems


def finite_numbers(column: pd.Series) -> pd.Series:
    """Return a column as floating-point numbers; nan for values that are not finite numbers."""
    numbers = pd.to_numeric(column, errors="coerce").astype(float)
    return numbers.where(np.isfinite(numbers))


def level_text(level: Hashable) -> str:
    """Return a level as text; a whole number without decimals."""
    return str(int(level)) if isinstance(level, float) and level.is_integer() else str(level)


def rows_text(labels: Iterable[object]) -> str:
    """Return text that names the rows with these labels; a long list ends in a count."""
    texts = [str(label) for label in labels]
    if len(texts) == 1:
        return f"row {texts[0]}"
    more = len(texts) - _MOST_NAMED
    return f"rows {', '.join(texts[:_MOST_NAMED])}" + (f" and {more} more" if more > 0 else "")


def column_problems(
    frame: pd.DataFrame, names: Sequence[str], own: Collection[str], given: Sequence[str]
) -> list[str]:
    """Return problems of the used columns' names; ``given`` stand beside ``own`` in the result."""
    problems = [f"column {name!r} is named twice" for name, n in Counter(names).items() if n > 1]
    problems += [
        f"the result has a column {name!r} of its own: rename the factor"
        for name in given
        if name in own
    ]
    known = ", ".join(str(column) for column in frame)
    unknown = [name for name in dict.fromkeys(names) if name not in frame]
    return [*problems, *(f"no column {name!r} among {known}" for name in unknown)]


def _naming_problems(response: str, factors: list[str]) -> list[str]:
    problems = [] if factors else ["an analysis needs at least one factor"]
    problems += [f"factor {name!r} is named twice" for name, n in Counter(factors).items() if n > 1]
    if response in factors:
        problems.append(f"{response!r} cannot be both the response and a factor")
    return problems


def _unknown(name: str, frame: pd.DataFrame) -> str:
    available = [str(column) for column in frame]
    close = get_close_matches(name, available, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"no column {name!r} among {', '.join(available)}{hint}"


def _response_problems(column: pd.Series) -> list[str]:
    bad = finite_numbers(column).isna()
    if not bad.any():
        return []
    return [f"response {column.name!r} is not a finite number in {rows_text(column.index[bad])}"]


def _level_problems(column: pd.Series) -> list[str]:
    blank = column.isna()
    problems = []
    if blank.any():
        problems.append(f"factor {column.name!r} has no level in {rows_text(column.index[blank])}")
    levels = column[~blank].unique()
    if len(levels) == 1:
        only = level_text(levels[0])
        problems.append(f"factor {column.name!r} has a single level, {only}: it needs two or more")
    return problems


def _cell_problems(levels: pd.DataFrame) -> list[str]:
    coded = [pd.factorize(levels[name]) for name in levels]
    counts = Counter(zip(*(codes.tolist() for codes, _ in coded), strict=True))
    shape = [len(uniques) for _, uniques in coded]

    def named(cells: Iterable[tuple[int, ...]], count: int) -> str:
        texts = [
            ", ".join(
                f"{name}={level_text(uniques[code])}"
                for name, (_, uniques), code in zip(levels, coded, cell, strict=True)
            )
            for cell in islice(cells, _MOST_NAMED)
        ]
        more = count - len(texts)
        return "; ".join(texts) + (f"; and {more} more" if more else "")

    if missing := prod(shape) - len(counts):
        # Lazily: a column that is not really a factor may span far more cells than rows.
        absent = (cell for cell in product(*map(range, shape)) if cell not in counts)
        return [
            f"{missing} of {prod(shape)} combinations of levels have no value: "
            + named(absent, missing)
        ]
    full = max(counts.values())
    short = sorted(cell for cell, count in counts.items() if count < full)
    if not short:
        return []
    return [
        f"combinations of levels have unequal numbers of values; fewer than {full} at: "
        + named(short, len(short))
    ]
