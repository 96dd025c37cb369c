"""Causes of differences beyond the limits: a table that is data, checked against the points."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ackclock.kernel_validation.parts import PARTS, is_meant, point_name

FILE = Path(__file__).with_name("causes.toml")
PAGE = "kernel"
"""The page that has the table."""
_KEYS = {"points", "differs", "cause"}


class Cause(NamedTuple):
    """Why some points are beyond their limits.

    Attributes:
        points: which, as ``--points`` of the command names them.
        differs: what is different.
        cause: why.
    """

    points: tuple[str, ...]
    differs: str
    cause: str


@cache
def causes(file: Path = FILE) -> tuple[Cause, ...]:
    """The causes that are known.

    Raises:
        ValueError: an entry does not have just the keys of ``Cause``.
    """
    entries = tomllib.loads(file.read_text(encoding="utf-8")).get("cause", [])
    for number, entry in enumerate(entries):
        if set(entry) != _KEYS or not entry["points"]:
            raise ValueError(f"{file.name}: cause {number} needs points, differs and cause")
    return tuple(Cause(tuple(e["points"]), e["differs"], e["cause"]) for e in entries)


def of_point(row: Any, known: Sequence[Cause]) -> list[Cause]:
    """The causes that are known of a point."""
    return [each for each in known if is_meant(point_name(row), each.points)]


def outside(found: pd.DataFrame) -> pd.DataFrame:
    """The points of the page with this table that have usable runs and are beyond their limit.

    Args:
        found: of ``comparison.points``.
    """
    here = found["part"].map(lambda part: PARTS[part].page == PAGE)
    return found[here & (found["usable"] > 0) & ~found["within"].astype(bool)]


def unexplained(found: pd.DataFrame, known: Sequence[Cause]) -> list[str]:
    """Names of the points beyond their limits of which no cause is known.

    Args:
        found: of ``comparison.points``.
        known: causes.
    """
    rows = outside(found).itertuples()
    return [point_name(row) for row in rows if not of_point(row, known)]
