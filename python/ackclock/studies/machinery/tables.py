"""Cells of a report's tables: means with their intervals, and printed numbers beside them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any, Literal

from ackclock.report.blocks import Cell, Row, heading, number, number_heading, published
from ackclock.report.numbers import fixed, grouped, half_width

SOURCES = ("simulated", "published")


def pairs_head(names: Sequence[str], pairs: Sequence[str]) -> list[Row]:
    """Two rows of headings: of the columns that name a row, and of pairs of ``SOURCES``."""
    first = [heading(text, rows=2) for text in names]
    first += [heading(text, columns=2) for text in pairs]
    return [first, [number_heading(source) for _ in pairs for source in SOURCES]]


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
    """A simulated mean and the published number, with a mark that says whether the interval has it.

    Args:
        row: of a comparison: simulated, lo, hi, published.
        decimals: of the mean, as for ``mean_cell``.
        printed: the same of the published number; by default as many.
        unit: in which both are shown.
    """
    mark: Literal["", "inside", "outside"] = ""
    if isfinite(row.hi - row.lo):
        mark = "inside" if row.lo <= row.published <= row.hi else "outside"
    mean = mean_cell(row.simulated / unit, row.lo / unit, row.hi / unit, decimals)
    places = decimals if printed is None else printed
    value = row.published / unit
    return [mean, published(fixed(value, places) if places else grouped(value), mark=mark)]
