"""The numbers that a published study has written into a folder."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from ackclock.studies.machinery.outputs import DECIMALS
from ackclock.studies.machinery.printed import Key, OwnFile

_NAN = float("nan")


class Own(NamedTuple):
    """A number of your own.

    Attributes:
        mean, lo, hi: mean and the ends of its interval; nan without an interval.
        run_lo, run_hi: ends of the prediction interval of one run; nan if there is none.
    """

    mean: float
    lo: float
    hi: float
    run_lo: float
    run_hi: float


Ours = Mapping[Key, Own]
"""Your own numbers by their keys."""


def own_numbers(files: Sequence[OwnFile], folder: Path) -> Ours:
    """Return the numbers in a study's folder; a missing file has no numbers."""
    found: dict[Key, Own] = {}
    for file in files:
        for row in rows_of(folder / f"{file.name}.csv"):
            for value, columns in file.values.items():
                its = Own(*(number_of(row.get(column, "")) for column in columns))
                if isfinite(its.mean):
                    key = file.key(*(row.get(key, "") for key in file.keys), value=value)
                    found[key] = _unrounded(its)
    return found


def _unrounded(its: Own) -> Own:
    """Return a symmetric interval if only the rounding in the file makes it asymmetric."""
    half = (its.hi - its.lo) / 2
    if abs(its.mean - its.lo - half) <= 10.0**-DECIMALS:
        return its._replace(lo=its.mean - half, hi=its.mean + half)
    return its


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file; empty if it cannot be read, or is a link."""
    if path.is_symlink():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error):
        return []


def number_of(text: str) -> float:
    """Return a number of a file; nan if the text is none."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return _NAN
