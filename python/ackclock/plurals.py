"""Numbers of things, and several of them, in sentences."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things: "1 run", "72 runs".

    Args:
        number: of them.
        one: what one of them is called.
        many: what several are called; by default with an s.
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def listed(words: Sequence[object]) -> str:
    """Words in a row: "5, 15 and 50"; nothing if there are none."""
    *first, last = map(str, words or [""])
    return f"{', '.join(first)} and {last}" if first else last
