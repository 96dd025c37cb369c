"""A distribution of sizes as a table: its quantiles, or a list of sizes.

A CSV file with the columns ``u,bytes`` holds quantiles: a share u of all sizes is not above
``bytes``. One with the column ``bytes`` alone is a list, whose sizes are used in turn. Lines that
begin with ``#`` say what people should know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import log

from ackclock.plurals import counted

MOST_ROWS = 10**6
MOST_BYTES = 2**32 - 1
PPB = 10**9
_MOST_REPORTED = 10
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?")
_COLUMNS = (["bytes"], ["bytes", "u"])
_WANTED = "u,bytes (quantiles) or bytes alone (a list) is wanted"


class DistributionError(Exception):
    """A table that cannot be used.

    Attributes:
        reasons: each names the file, and what is wrong in which line, and a correct form.
    """

    def __init__(self, reasons: Sequence[str]) -> None:
        """Hold the reasons."""
        super().__init__(reasons)
        self.reasons = list(reasons)


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

    def median(self, *, interpolated: bool) -> float:
        """The size that half of all sizes do not exceed, bytes.

        Args:
            interpolated: whether quantiles are joined log-linearly.
        """
        if self.is_list:
            ordered, half = sorted(self.bytes), len(self.bytes) // 2
            return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
        at = next(at for at, u in enumerate(self.u_ppb) if 2 * u >= PPB)
        if not interpolated or at == 0:
            return self.bytes[at]
        low, high = self.u_ppb[at - 1], self.u_ppb[at]
        below, above = self.bytes[at - 1], self.bytes[at]
        return below * (above / below) ** ((PPB / 2 - low) / (high - low))

    def mean(self, *, interpolated: bool) -> float:
        """The mean size, bytes.

        Args:
            interpolated: whether quantiles are joined log-linearly.
        """
        if self.is_list:
            return sum(self.bytes) / len(self.bytes)
        total = float(self.u_ppb[0] * self.bytes[0])
        for at in range(1, len(self.bytes)):
            below, above = self.bytes[at - 1], self.bytes[at]
            mean = float(above)
            if interpolated and above > below:
                mean = (above - below) / log(above / below)
            total += (self.u_ppb[at] - self.u_ppb[at - 1]) * mean
        return total / PPB


def parse(name: str, text: str) -> Distribution:
    """The distribution that a CSV file holds.

    Args:
        name: of the file, for messages.
        text: of the file.

    Raises:
        DistributionError: with everything that is wrong, the first lines of it.
    """
    lines = _lines(text)
    at, header = next(lines, (0, ""))
    if not header:
        hint = "write u,bytes and below it lines like 0.5,2112"
        raise DistributionError([f"{name} is empty; {hint}"])
    columns = [cell.strip() for cell in header.split(",")]
    if sorted(columns) not in _COLUMNS:
        missing = "" if "bytes" in columns else "column bytes is missing, "
        raise DistributionError([f'{name}, line {at}: "{header}": {missing}{_WANTED}'])
    reader = _Reader(name, columns)
    for at, line in lines:
        reader.take(at, line)
    return reader.distribution()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers."""
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


class _Reader:
    """Takes one row after the other."""

    def __init__(self, name: str, columns: list[str]) -> None:
        self._name = name
        self._columns = columns
        self._number = "one value" if len(columns) == 1 else f"{len(columns)} values"
        self._example = ",".join("0.5" if column == "u" else "2112" for column in columns)
        self._reasons: list[str] = []
        self._wrong = 0
        self._u_ppb: list[int] = []
        self._bytes: list[int] = []
        self._last = (0, "")
        self._rows = 0

    def take(self, at: int, line: str) -> None:
        """A row, right or wrong.

        Raises:
            DistributionError: there are too many.
        """
        self._rows += 1
        if self._rows > MOST_ROWS:
            raise DistributionError(
                [f"{self._name}, line {at}: there are more than {MOST_ROWS} rows; write fewer"]
            )
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) != len(self._columns):
            self._describe(f'line {at}: "{line}": write {self._number} like {self._example}')
            return
        for column, cell in zip(self._columns, cells, strict=True):
            reason = self._share(cell) if column == "u" else self._size(cell)
            if reason:
                self._describe(f"line {at}, column {column}: {cell or 'nothing'} {reason}")
            if column == "u":
                self._last = (at, cell)

    def distribution(self) -> Distribution:
        """What all rows came to.

        Raises:
            DistributionError: rows were wrong, or there were none.
        """
        if not self._rows:
            self._describe(f"there is no line below the header; write lines like {self._example}")
        elif self._u_ppb and not self._wrong and self._u_ppb[-1] != PPB:
            at, cell = self._last
            self._describe(f"line {at}, column u: {cell} is the last; the last u must be 1")
        if self._wrong > len(self._reasons):
            more = self._wrong - len(self._reasons)
            self._reasons.append(f"{self._name}: and {counted(more, 'more problem')}")
        if self._reasons:
            raise DistributionError(self._reasons)
        return Distribution(tuple(self._u_ppb), tuple(self._bytes))

    def _describe(self, reason: str) -> None:
        self._wrong += 1
        if len(self._reasons) < _MOST_REPORTED:
            separator = ", " if reason.startswith("line") else ": "
            self._reasons.append(f"{self._name}{separator}{reason}")

    def _share(self, cell: str) -> str:
        number = _number(cell)
        ppb = None if number is None else round(number * PPB)
        if ppb is None or not 0 < ppb <= PPB:
            return "is no share above 0 and at most 1; write it like 0.5"
        before = self._u_ppb[-1] if self._u_ppb else 0
        self._u_ppb.append(ppb)
        if ppb <= before:
            return f"is not above {_share_text(before)}, the value before; u must increase"
        return ""

    def _size(self, cell: str) -> str:
        number = _number(cell)
        if number is None or number != int(number) or not 1 <= number <= MOST_BYTES:
            return f"is no whole number from 1 to {MOST_BYTES}; write it like 2112"
        before = self._bytes[-1] if self._bytes else 0
        self._bytes.append(int(number))
        if len(self._columns) > 1 and number < before:
            return f"is below {before}, the value before; with u the sizes must not fall"
        return ""


def _number(cell: str) -> Decimal | int | None:
    if cell.isascii() and cell.isdigit() and len(cell) < 20:
        return int(cell)
    return Decimal(cell) if len(cell) < 100 and _NUMBER.fullmatch(cell) else None


def _share_text(ppb: int) -> str:
    return f"{Decimal(ppb) / PPB:f}"
