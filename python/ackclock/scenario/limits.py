"""Limits of a scenario's text, which protect its readers.

Tables in tables without end, numbers of thousands of digits, files of gigabytes; and control
characters, which neither a terminal nor a report can show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from ackclock.scenario.keys import DEEPEST, Path
from ackclock.scenario.problems import Problem
from ackclock.untrusted_text import CONTROLS, one_line, shortened

MOST_BYTES = 8_000_000
"""Of a scenario file."""
MOST_PARTS = 400_000
"""Keys, tables and elements of lists of a file."""
MOST_DIGITS = 100
_LONGEST_KEY = 40
"""Characters that are repeated of one that goes too deep."""
_LAYOUT = "\n\t"
"""Control characters that a text may have, and a name may not."""
_DIGITS = f"has more than {MOST_DIGITS} digits; write fewer"
TOO_DEEP = f'is nested more than {DEEPEST} deep; write keys like duration = "60 s"'
_EXPONENT = "has an exponent that is too large or too small; write for example 0.5"
_TOO_MANY = (
    f"has more than {MOST_PARTS} keys, tables and elements of lists; write groups of flows with a"
    " count, and ranges of levels"
)
_MOST_INTEGER = 10**MOST_DIGITS
_LONG_NUMBER = re.compile(rf"(?<![\w.])[+-]?[0-9][0-9_]{{{MOST_DIGITS},}}")
_SIGNS = re.compile(
    "|".join(
        [
            r'"""(?:\\.|"(?!"")|[^"\\])*+(?:""")?',
            r"'''(?:'(?!'')|[^'])*+(?:''')?",
            r'"(?:\\.|[^"\\\n])*+"?',
            r"'[^'\n]*+'?",
            r"#[^\n]*+",
            r"[\[{\]}.=,\n]",
        ]
    ),
    re.DOTALL,
)
"""Of TOML: texts and comments as a whole, and the space between names and values."""


class TooMuchError(ValueError):
    """A text that is not even read as TOML.

    Attributes:
        line: where it is too much; none if that does not show.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        """Say why, and where."""
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True)
class Unreadable:
    """A number with a point or an exponent that ``Decimal`` cannot hold.

    Attributes:
        text: as it is written.
    """

    text: str

    def __str__(self) -> str:
        """As it is written."""
        return self.text


def read_number(text: str) -> Decimal | Unreadable:
    """A number with a point or an exponent, exact. What cannot be read ``beyond`` finds."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return Unreadable(text)


def beyond(values: Any, path: Path = ()) -> list[Problem]:
    """What no scenario can have.

    Args:
        values: a table, or the value of a key.
        path: that key.
    """
    problems: list[Problem] = []
    inside: list[tuple[Path, Any]] = [(path, values)]
    while inside:
        at, value = inside.pop()
        if isinstance(value, dict | list):
            if len(at) >= DEEPEST:
                return [Problem(at[:1], TOO_DEEP)]
            inside += reversed([((*at, part), each) for part, each in _parts(value)])
        problems += _of_name(at) if at else ()
        problems += _of_value(at, value)
    return problems


def _parts(value: dict[str, Any] | list[Any]) -> Iterator[tuple[str | int, Any]]:
    yield from value.items() if isinstance(value, dict) else enumerate(value)


def _of_name(path: Path) -> Iterator[Problem]:
    name = path[-1]
    found = CONTROLS.search(name) if isinstance(name, str) else None
    if found:
        yield Problem(
            path, f"a name must have no control characters; remove {one_line(found[0])} from it"
        )


def _of_value(path: Path, value: Any) -> Iterator[Problem]:
    if isinstance(value, str):
        # Files are what they are.
        found = [] if path[:1] == ("files",) else CONTROLS.findall(value)
        wrong = next((sign for sign in found if sign not in _LAYOUT), None)
        if wrong:
            yield Problem(path, f"a text must have no control characters; remove {one_line(wrong)}")
    elif isinstance(value, Unreadable):
        yield Problem(path, _EXPONENT)
    elif isinstance(value, Decimal) and value.is_finite():
        if len(value.as_tuple().digits) > MOST_DIGITS:
            yield Problem(path, _DIGITS)
    elif isinstance(value, int) and abs(value) >= _MOST_INTEGER:
        yield Problem(path, _DIGITS)


def check_size(text: str) -> None:
    """Look at a text before it is read, which would take the square of its depth.

    Raises:
        TooMuchError: it is nested too deeply, or has too many parts.
    """
    line, depth, dots, begun, parts = 1, 0, 0, 0, 0
    for match in _SIGNS.finditer(text):
        sign = match[0]
        if sign == ".":
            dots += 1
        elif sign in "[{":
            depth += 1
            parts += depth == 1
        elif sign in "]}":
            depth -= 1
        elif sign in "=,":
            parts += 1
        if depth + dots >= DEEPEST:
            key = text[begun : match.end()].partition("=")[0].strip(" \t[")
            raise TooMuchError(f"{shortened(one_line(key), _LONGEST_KEY)}: {TOO_DEEP}", line)
        if parts > MOST_PARTS:
            raise TooMuchError(_TOO_MANY, line)
        if sign != "." and len(sign) == 1:
            dots = 0
        line += sign.count("\n")
        if sign == "\n" and depth == 0:
            begun = match.end()


def too_long(text: str) -> TooMuchError:
    """What to raise for a text with a number that cannot be read."""
    found = _LONG_NUMBER.search(text)
    if found is None:
        return TooMuchError(_DIGITS)
    line = text.count("\n", 0, found.start()) + 1
    return TooMuchError(f"the number {shortened(found[0], 20)} {_DIGITS}", line)
