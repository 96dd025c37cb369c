"""A distribution of sizes as a table: its quantiles, or a list of sizes.

A CSV file with the columns ``u,bytes`` holds quantiles: a share u of all sizes is not above
``bytes``. One with the column ``bytes`` alone is a list, whose sizes are used in turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction

from ackclock.scenario.csv_file import CsvFile, number_of

MOST_BYTES = 2**32 - 1
PPB = 10**9
LINEAR, LOG, NONE = "linear", "log", "none"
INTERPOLATIONS = (LOG, LINEAR, NONE)
"""Sizes between two quantiles: on a straight line of their logarithm or of the size itself, or only
the upper one. Below the first quantile, a straight line of the size begins at 0; by the other rules
all sizes are the first one.
"""
_PRECISE = Context(prec=30)
_EXAMPLES = {"u": "0.5", "bytes": "2112"}
_COLUMNS = (["bytes"], ["bytes", "u"])
_WANTED = "expected u,bytes (quantiles) or bytes alone (a list)"
_EMPTY = "write u,bytes and below it lines like 0.5,2112"


@dataclass(frozen=True)
class Distribution:
    """Sizes and how often they come.

    Attributes:
        u_ppb: shares of all sizes that are not above each of ``bytes``, parts per billion,
            increasing, the last 10^9; empty if the sizes are a list.
        bytes: the sizes.
    """

    u_ppb: tuple[int, ...]
    bytes: tuple[int, ...]

    @property
    def is_list(self) -> bool:
        """Whether the sizes come in turn, and are not drawn."""
        return not self.u_ppb

    def median(self, interpolation: str) -> float:
        """The size that half of all sizes do not exceed, bytes.

        Args:
            interpolation: one of ``INTERPOLATIONS``.
        """
        if self.is_list:
            ordered, half = sorted(self.bytes), len(self.bytes) // 2
            return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
        at = next(at for at, u in enumerate(self.u_ppb) if 2 * u >= PPB)
        if interpolation == NONE or (at == 0 and interpolation == LOG):
            return self.bytes[at]
        low, below = (self.u_ppb[at - 1], self.bytes[at - 1]) if at else (0, 0)
        high, above = self.u_ppb[at], self.bytes[at]
        part = (PPB / 2 - low) / (high - low)
        if interpolation == LINEAR:
            return below + part * (above - below)
        return below * (above / below) ** part

    def mean(self, interpolation: str) -> Fraction:
        """The mean size, bytes; the same number on every machine.

        Args:
            interpolation: one of ``INTERPOLATIONS``.
        """
        if self.is_list:
            return Fraction(sum(self.bytes), len(self.bytes))
        first = Fraction(self.bytes[0], 2 if interpolation == LINEAR else 1)
        total = self.u_ppb[0] * first
        for at in range(1, len(self.bytes)):
            between = _mean_between(self.bytes[at - 1], self.bytes[at], interpolation)
            total += (self.u_ppb[at] - self.u_ppb[at - 1]) * between
        return total / PPB


def _mean_between(below: int, above: int, interpolation: str) -> Fraction:
    """The mean of the sizes between two quantiles."""
    if interpolation == NONE or above == below:
        return Fraction(above)
    if interpolation == LINEAR:
        return Fraction(below + above, 2)
    # Not with the logarithm of the platform, whose last digit may differ: the mean becomes a gap.
    ratio = _PRECISE.divide(Decimal(above), Decimal(below))
    return Fraction(_PRECISE.divide(Decimal(above - below), _PRECISE.ln(ratio)))


def parse(name: str, text: str) -> Distribution:
    """The distribution that a CSV file holds; arguments and errors are those of ``CsvFile``."""
    file = CsvFile(name, text, _EXAMPLES, _EMPTY, _header_problem)
    rows = _Rows(is_list=file.columns == ["bytes"])
    last = (0, "")
    for at, cells in file.rows():
        for column, cell in cells.items():
            if reason := rows.share(cell) if column == "u" else rows.size(cell):
                file.problems.add(f"{cell or 'nothing'} {reason}", at, column)
        last = (at, cells.get("u", ""))
    if rows.u_ppb and not file.problems and rows.u_ppb[-1] != PPB:
        at, cell = last
        file.problems.add(f"{cell} is the last; the last u must be 1", at, "u")
    file.problems.check()
    return Distribution(tuple(rows.u_ppb), tuple(rows.bytes))


def _header_problem(columns: list[str]) -> str:
    if sorted(columns) in _COLUMNS:
        return ""
    missing = "" if "bytes" in columns else "column bytes is missing, "
    return f"{missing}{_WANTED}"


class _Rows:
    """Takes one cell after the other, and says what is wrong with it."""

    def __init__(self, *, is_list: bool) -> None:
        self._is_list = is_list
        self.u_ppb: list[int] = []
        self.bytes: list[int] = []

    def share(self, cell: str) -> str:
        number = number_of(cell)
        ppb = None if number is None else round(number * PPB)
        if ppb is None or not 0 < ppb <= PPB:
            return "is not a share above 0 and at most 1; write it like 0.5"
        before = self.u_ppb[-1] if self.u_ppb else 0
        self.u_ppb.append(ppb)
        if ppb <= before:
            return f"is not above {_share_text(before)}, the value before; u must increase"
        return ""

    def size(self, cell: str) -> str:
        number = number_of(cell)
        if number is None or number != int(number) or not 1 <= number <= MOST_BYTES:
            return f"is not a whole number from 1 to {MOST_BYTES}; write it like 2112"
        before = self.bytes[-1] if self.bytes else 0
        self.bytes.append(int(number))
        if not self._is_list and number < before:
            return f"is below {before}, the value before; with u the sizes must not fall"
        return ""


def _share_text(ppb: int) -> str:
    return f"{Decimal(ppb) / PPB:f}"
