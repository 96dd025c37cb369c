"""The line of a key in a scenario file."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

Path = tuple[str | int, ...]
_QUOTED = (
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})|\'\'\'.*?\'\'\'(?:\'{0,2})|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''
)
_TOKEN = re.compile(
    rf"(?P<quoted>{_QUOTED})|#[^\n]*|(?P<sign>[\[\]{{}}.=,\n])|(?P<bare>[^\s\[\]{{}}.=,#\"']+)",
    re.DOTALL,
)
_END = ""


@dataclass(frozen=True)
class Source:
    """Where a document was read.

    Attributes:
        name: of the file, or what it is called if there is none.
        text: of the file, which is TOML; empty if there is none.
    """

    name: str
    text: str = ""

    def at(self, path: Path) -> str:
        """The name, and the line of a key or of what holds it: "lab.toml:12"."""
        line = self.line(path)
        return self.name if line is None else f"{self.name}:{line}"

    def line(self, path: Path) -> int | None:
        """The line of a key or of what holds it, from 1 on; none if neither is there."""
        ends = range(len(path), 0, -1)
        return next((self._lines[path[:end]] for end in ends if path[:end] in self._lines), None)

    @cached_property
    def _lines(self) -> dict[Path, int]:
        return lines_of(self.text)


def lines_of(text: str) -> dict[Path, int]:
    """The line of each key, table and element of a list, counted from 1.

    Args:
        text: that a TOML reader accepts; of another one the lines may be wrong.
    """
    return _Reader(text).lines


class _Token(NamedTuple):
    """A part of the text.

    Attributes:
        text: a sign, a line break, a word or a text in quotes; nothing at the end.
        line: on which it begins.
        start: where it begins.
    """

    text: str
    line: int
    start: int


class _Reader:
    """Goes through a text once. Values are passed over, but for the keys in them."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._lists: Counter[Path] = Counter()
        self._tokens = _tokens(text)
        self._next()
        table: Path = ()
        while self._token.text:
            if self._token.text == "\n":
                self._next()
            elif self._token.text == "[":
                table = self._header()
            else:
                self._pair(table)

    def _next(self) -> _Token:
        """The token that was read, and on to the following one."""
        last = getattr(self, "_token", _Token("\n", 1, 0))
        self._token = next(self._tokens, _Token(_END, last.line, last.start))
        return last

    def _header(self) -> Path:
        """A line such as [a.b] or [[a.b]]; the path of its table."""
        line, start = self._next()[1:]
        is_list = self._token.text == "[" and self._token.start == start + 1
        if is_list:
            self._next()
        path: Path = ()
        names = self._key()
        for number, name in enumerate(names, 1):
            path = (*path, name)
            if path in self._lists and not (is_list and number == len(names)):
                path = (*path, self._lists[path] - 1)
            self.lines.setdefault(path, line)
        if is_list:
            self._lists[path] += 1
            path = (*path, self._lists[path] - 1)
        # Its own header says more of a table than those of the tables in it.
        self.lines[path] = line
        while self._token.text not in ("\n", _END):
            self._next()
        return path

    def _pair(self, table: Path) -> None:
        """A key and its value."""
        line = self._token.line
        path = table
        for name in self._key():
            path = (*path, name)
            self.lines.setdefault(path, line)
        self._next()
        self._value(path)

    def _key(self) -> list[str]:
        """The parts of a dotted key, up to what follows it."""
        names = []
        while self._token.text not in ("=", "]", "\n", _END):
            part = self._next().text
            if part != ".":
                names.append(_unquoted(part))
        return names

    def _value(self, path: Path) -> None:
        if self._token.text == "[":
            self._elements(path)
        elif self._token.text == "{":
            self._pairs(path)
        else:
            while self._token.text not in (",", "]", "}", "\n", _END):
                self._next()

    def _elements(self, path: Path) -> None:
        """A list, which may go over several lines."""
        self._next()
        number = 0
        while self._token.text not in ("]", _END):
            if self._token.text in (",", "\n", "}"):
                self._next()
                continue
            element = (*path, number)
            self.lines[element] = self._token.line
            self._value(element)
            number += 1
        self._next()

    def _pairs(self, path: Path) -> None:
        """A table in braces."""
        self._next()
        while self._token.text not in ("}", _END):
            if self._token.text in (",", "\n"):
                self._next()
            else:
                self._pair(path)
        self._next()


def _tokens(text: str) -> Iterator[_Token]:
    line, counted = 1, 0
    for match in _TOKEN.finditer(text):
        if match.lastgroup:
            start = match.start()
            line += text.count("\n", counted, start)
            counted = start
            yield _Token(match[0], line, start)


def _unquoted(part: str) -> str:
    if part[0] not in "\"'":
        return part
    try:
        return tomllib.loads(f"key = {part}")["key"] if "\\" in part else part[1:-1]
    except tomllib.TOMLDecodeError:
        return part[1:-1]
