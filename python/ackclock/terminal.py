"""Tables that fit a terminal of any width: every command prints its tables with this module.

A number is never broken over two lines. A table that is too wide is printed in parts, one below
the other; each part repeats the columns that name the rows. If not even one more column fits
beside these, each row becomes a list. Nothing is left out. A line below gives the width at which
a terminal shows the whole table.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich import box as boxes
from rich.cells import cell_len
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.box import Box
    from rich.console import Console, ConsoleOptions, RenderResult

_LEAST_PROSE = 16
"""Smallest width of a column of prose, characters: narrower columns are hard to read."""
_LONG = 200
"""A table with more rows is drawn as one row of high cells, which is five times as fast."""
_BOUND = re.compile(r"(?<=\d) (?=[^\W\d]|[%±])|(?<=[±=]) ")
"""Matches spaces where a line must not be broken: between a number and its unit, around ±, and
after an =, which may begin a line."""
_NO_BREAK = "\u00a0"


class Look(NamedTuple):
    """Style of a table: its lines, the space between columns, whether it has an edge."""

    box: Box | None
    gap: int
    edge: bool

    def width(self, columns: Sequence[int]) -> int:
        """Return the width of a table whose columns have these widths, characters."""
        if self.box is None:
            return sum(columns) + self.gap * (len(columns) - 1)
        return sum(columns) + (2 * self.gap + 1) * len(columns) - 1 + 2 * self.edge


SIMPLE = Look(boxes.SIMPLE_HEAD, 1, True)
EDGELESS = Look(boxes.SIMPLE_HEAD, 1, False)
DENSE = Look(boxes.SIMPLE_HEAD, 0, False)
FRAMED = Look(boxes.HEAVY_HEAD, 1, True)
BARE = Look(None, 2, False)
"""The style of tables without column heads."""


class _Column(NamedTuple):
    """A column with its cells.

    Attributes:
        head: text above the column; may have several lines.
        justify: "left" or "right".
        prose: whether its cells may be wrapped between words.
        cells: one a row.
    """

    head: str
    justify: str
    prose: bool
    cells: list[Text]

    @property
    def widest(self) -> int:
        """Return the width of the widest cell, characters."""
        return max((_width(cell.plain) for cell in self.cells), default=0)

    def whole(self, *, split: bool) -> int:
        """Return the full width, characters; ``split``: one word of the head per line."""
        return max(self.widest, _longest_word(self.head) if split else _width(self.head))

    def least(self, *, split: bool) -> int:
        """Return the smallest width, characters, with prose wrapped."""
        whole = self.whole(split=split)
        if not self.prose:
            return whole
        head = _longest_word(self.head) if split else _width(self.head)
        cells = max((_longest_word(_bound(cell.plain)) for cell in self.cells), default=0)
        return min(whole, max(_LEAST_PROSE, head, cells))


class TerminalTable:
    """A table for ``rich.console.Console.print``.

    Args:
        heads: heads of the first columns, which are aligned left.
        keys: number of first columns that together name a row.
        look: style of the table.
        parts: whether a table that is too wide may be printed in parts; otherwise each row becomes
            a list, which is better for rows that are read one by one.
    """

    def __init__(self, *heads: str, keys: int = 1, look: Look = SIMPLE, parts: bool = True) -> None:
        self.keys = keys
        self.look = look
        self.parts = parts
        self._columns: list[_Column] = []
        self._sections: list[int] = []
        for head in heads:
            self.add_column(head)

    def add_column(self, head: str = "", *, justify: str = "left", prose: bool = False) -> None:
        """Add a column, before any row.

        Args:
            head: text above the column.
            justify: "left" or "right".
            prose: whether its cells may be wrapped, between words and never within a quantity.
        """
        self._columns.append(_Column(head, justify, prose, []))

    def add_row(self, *cells: str | Text) -> None:
        """Add a row with one cell per column; a string may contain rich's markup."""
        for column, cell in zip(self._columns, cells, strict=True):
            column.cells.append(Text.from_markup(cell) if isinstance(cell, str) else cell)

    def add_section(self) -> None:
        """Draw a line or an empty line below the last row."""
        self._sections.append(len(self._columns[0].cells) - 1)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the whole table, its parts, or one list per row."""
        room = options.max_width
        parts = self._parts(room)
        if parts is None:
            yield from self._lists(room)
        else:
            for number, (columns, widths) in enumerate(parts):
                if number and not self.look.edge:
                    yield Text("")
                yield from _trimmed(console, options, self._drawn(columns, widths))
        if parts is None or len(parts) > 1:
            width = self.look.width([column.whole(split=True) for column in self._columns])
            how = "as lists" if parts is None else f"in {len(parts)} parts"
            described = f" Shown {how}; whole in a terminal of {width} columns"
            yield Text(paragraph(described, room), style="dim")

    def _parts(self, room: int) -> list[tuple[list[_Column], list[int]]] | None:
        """Columns of each part with their widths; none if a column does not fit beside the keys."""
        keys, others = self._columns[: self.keys], self._columns[self.keys :]
        parts: list[list[_Column]] = []
        if self._fits(self._columns, room):
            parts = [self._columns]
        elif self.parts:
            for column in others:
                if parts and self._fits([*parts[-1], column], room):
                    parts[-1].append(column)
                elif self._fits([*keys, column], room):
                    parts.append([*keys, column])
                else:
                    return None
        if not parts:
            return None
        return [(part, self._widths(part, room)) for part in parts]

    def _fits(self, columns: Sequence[_Column], room: int) -> bool:
        return self.look.width([column.least(split=True) for column in columns]) <= room

    def _widths(self, columns: Sequence[_Column], room: int) -> list[int]:
        """Return column widths that fit the room: prose becomes narrower first, then heads."""
        split = self.look.width([column.least(split=False) for column in columns]) > room
        widths = [column.whole(split=split) for column in columns]
        least = [column.least(split=split) for column in columns]
        left = self.look.width(widths) - room
        while left > 0:
            # Of the columns that can be narrower, the widest loses a character.
            spare = [(width, at) for at, width in enumerate(widths) if width > least[at]]
            _, at = max(spare)
            second = max((width for width, other in spare if other != at), default=least[at])
            step = min(max(widths[at] - max(second, least[at]), 1), left)
            widths[at] -= step
            left -= step
        return widths

    def _drawn(self, columns: Sequence[_Column], widths: Sequence[int]) -> Table:
        look = self.look
        if look.box is None:
            table = Table.grid(padding=(0, look.gap))
        else:
            table = Table(box=look.box, padding=(0, look.gap), show_edge=look.edge)
        wrapped = []
        for column, width in zip(columns, widths, strict=True):
            table.add_column(
                Text("\n".join(_lines(column.head, width))),
                justify=column.justify,  # type: ignore[arg-type]
                width=width,
                no_wrap=True,
                overflow="crop",
            )
            fold = column.prose and column.widest > width
            wrapped.append([_folded(c, width) for c in column.cells] if fold else column.cells)
        rows = list(zip(*wrapped, strict=True))
        low = all("\n" not in cell.plain for row in rows for cell in row)
        if len(rows) > _LONG and low and not self._sections:
            table.add_row(*(Text("\n").join(cells) for cells in wrapped))
            return table
        for number, row in enumerate(rows):
            table.add_row(*row, end_section=number in self._sections)
        return table

    def _lists(self, room: int) -> Iterator[Text]:
        """Each row as lines of head and value; a value that is too wide begins below its head."""
        for number, row in enumerate(zip(*(each.cells for each in self._columns), strict=True)):
            if number:
                yield Text("")
            for column, cell in zip(self._columns, row, strict=True):
                head, value = " ".join(column.head.split()), cell.copy()
                if not value.plain.strip():
                    continue
                # A number and its unit stay together even where they are wider than the terminal.
                fold = column.justify != "right"
                if head and cell_len(f" {head}: {value.plain.strip()}") > room:
                    yield from (Text(f" {line}") for line in _lines(f"{head}:", room - 1))
                    head = ""
                label = f" {head}: " if head else "   "
                if fold and _width(value.plain) + cell_len(label) > room:
                    text = value.plain.strip()
                    # A long word gets a smaller indent before it is broken.
                    indent = " " * min(3, max(room - _longest_word(text), 0))
                    lines = _lines(text, max(room - len(indent), 1))
                    yield Text("\n".join(f"{indent}{line}" for line in lines))
                    continue
                value.plain = value.plain.strip()
                yield Text(label, overflow="ignore", no_wrap=True).append_text(value)


def paragraph(text: str, width: int) -> str:
    """Return the text in lines of this width, broken between words, never within a quantity."""
    return "\n".join(_lines(text, width))


def _trimmed(console: Console, options: ConsoleOptions, table: Table) -> Iterator[Segment]:
    """Yield the lines of a table without trailing spaces."""
    for line in console.render_lines(table, options, pad=False):
        while line and not line[-1].text.strip():
            line.pop()
        if line:
            yield from line[:-1]
            yield line[-1]._replace(text=line[-1].text.rstrip())
        yield Segment.line()


def _width(text: str) -> int:
    """Return the width of the longest line, characters."""
    return max(map(cell_len, text.split("\n")))


def _longest_word(text: str) -> int:
    # Not split(): a no-break space is within a word.
    return max(map(cell_len, re.split(r"[ \n]", text)))


def _bound(text: str) -> str:
    return _BOUND.sub(_NO_BREAK, text)


def _lines(text: str, width: int) -> list[str]:
    """Return the text in lines of this width, broken between words, never within a quantity."""
    lines = []
    for line in text.split("\n"):
        # Letters of double width get half of the room.
        room = width * len(line) // max(cell_len(line), 1)
        lines += textwrap.wrap(_bound(line), max(room, 1), break_on_hyphens=False) or [""]
    return [line.replace(_NO_BREAK, " ") for line in lines]


def _folded(cell: Text, width: int) -> Text:
    if _width(cell.plain) <= width:
        return cell
    return Text("\n".join(_lines(cell.plain, width)))
