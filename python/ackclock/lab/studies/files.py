"""The numbers that a published study has written into a folder."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path

from ackclock.studies.machinery.outputs import DECIMALS
from ackclock.studies.machinery.printed import Key, OwnFile

Ours = Mapping[Key, tuple[float, float, float]]
"""Means and the ends of their intervals; nan without an interval."""
_NAN = float("nan")


def own_numbers(files: Sequence[OwnFile], folder: Path) -> Ours:
    """Return the numbers in a study's folder; a missing file has no numbers."""
    found: dict[Key, tuple[float, float, float]] = {}
    for file in files:
        for row in rows_of(folder / f"{file.name}.csv"):
            for value, columns in file.values.items():
                mean, lo, hi = (_number(row.get(column, "")) for column in columns)
                if isfinite(mean):
                    key = file.key(*(row.get(key, "") for key in file.keys), value=value)
                    found[key] = _unrounded(mean, lo, hi)
    return found


def _unrounded(mean: float, lo: float, hi: float) -> tuple[float, float, float]:
    """Return a symmetric interval if only the rounding in the file makes it asymmetric."""
    half = (hi - lo) / 2
    if abs(mean - lo - half) <= 10.0**-DECIMALS:
        return mean, mean - half, mean + half
    return mean, lo, hi


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file; empty if it cannot be read, or is a link."""
    if path.is_symlink():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error):
        return []


def _number(text: str) -> float:
    try:
        return float(text)
    except (TypeError, ValueError):
        return _NAN
