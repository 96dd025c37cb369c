"""CSV files that a scenario names: their rows, and the line of everything that is wrong.

Lines that begin with ``#`` say what people should know. The first other line names the columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal

from ackclock.plurals import counted
from ackclock.scenario.files import FileError

MOST_ROWS = 10**6
_MOST_REPORTED = 10
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?")


class Problems:
    """What is wrong with a file: the first reasons, and how many more there are."""

    def __init__(self, name: str) -> None:
        """Nothing yet.

        Args:
            name: of the file.
        """
        self._name = name
        self._reasons: list[str] = []
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def add(self, reason: str, at: int | None = None, column: str | None = None) -> None:
        """One more.

        Args:
            reason: what is wrong, and a correct form.
            at: number of the line, if one is to blame.
            column: its name, if one is to blame.
        """
        self._number += 1
        if len(self._reasons) < _MOST_REPORTED:
            line = "" if at is None else f", line {at}"
            where = line if column is None else f"{line}, column {column}"
            self._reasons.append(f"{self._name}{where}: {reason}")

    def check(self) -> None:
        """Go on if there are none.

        Raises:
            FileError: there are some.
        """
        more = self._number - len(self._reasons)
        if more:
            raise FileError([*self._reasons, f"{self._name}: and {counted(more, 'more problem')}"])
        if self._reasons:
            raise FileError(self._reasons)


class CsvFile:
    """A CSV file that is read row by row.

    Attributes:
        columns: their names, in the order of the file.
        problems: what is wrong with its rows.
    """

    def __init__(
        self,
        name: str,
        text: str,
        examples: Mapping[str, str],
        empty: str,
        header_problem: Callable[[list[str]], str],
    ) -> None:
        """Read the names of the columns.

        Args:
            name: of the file, for messages.
            text: of the file.
            examples: a correct cell of each column that there may be.
            empty: what to write into an empty file.
            header_problem: what is wrong with names of columns; empty if nothing is.

        Raises:
            FileError: there are no such names, or these are wrong.
        """
        self._name = name
        self._lines = lines_of(text)
        at, first = next(self._lines, (0, ""))
        if not first:
            raise FileError([f"{name} is empty; {empty}"])
        self.columns = [cell.strip() for cell in first.split(",")]
        self.problems = Problems(name)
        if wrong := header_problem(self.columns):
            self.problems.add(f'"{first}": {wrong}', at)
            self.problems.check()
        self._example = ",".join(examples[column] for column in self.columns)

    def rows(self) -> Iterator[tuple[int, dict[str, str]]]:
        """The number of each line and its cells by column; what has other cells is a problem.

        Raises:
            FileError: there are too many lines.
        """
        number, several = 0, len(self.columns)
        wanted = "one value" if several == 1 else f"{several} values"
        for number, (at, line) in enumerate(self._lines, start=1):
            if number > MOST_ROWS:
                reason = f"there are more than {MOST_ROWS} rows; write fewer"
                raise FileError([f"{self._name}, line {at}: {reason}"])
            cells = [cell.strip() for cell in line.split(",")]
            if len(cells) == len(self.columns):
                yield at, dict(zip(self.columns, cells, strict=True))
            else:
                self.problems.add(f'"{line}": write {wanted} like {self._example}', at)
        if not number:
            self.problems.add(
                f"there is no line below the header; write lines like {self._example}"
            )


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers."""
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def number_of(cell: str) -> Decimal | int | None:
    """The number that a cell holds; none if it holds no number."""
    if cell.isascii() and cell.isdigit() and len(cell) < 20:
        return int(cell)
    return Decimal(cell) if len(cell) < 100 and _NUMBER.fullmatch(cell) else None
