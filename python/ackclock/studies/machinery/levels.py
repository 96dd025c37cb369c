"""The choice of some levels of a factor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any


def choose(option: str, available: Iterable[Any], wanted: Sequence[str]) -> tuple[tuple, list[str]]:
    """The levels that an option names, in the order of the published tables.

    Args:
        option: the option's name, for messages.
        available: all levels; one that is a number matches however it is written.
        wanted: levels as typed, each perhaps several with commas between; none means all.

    Returns:
        The levels, and one message for each name that is no level.
    """
    levels = {spelling(level): level for level in available}
    names = [name.strip() for text in wanted for name in text.split(",")]
    meant = {name: name if name in levels else _shortest(name) for name in names}
    problems = []
    for name, level in meant.items():
        if level not in levels:
            folded = {level.casefold(): level for level in levels}
            close = get_close_matches(name.casefold(), folded, n=1)
            hint = f"; did you mean {folded[close[0]]}?" if close else ""
            problems.append(f"{option} {name}: choose from {', '.join(levels)}{hint}")
    chosen = set(meant.values()) or set(levels)
    return tuple(level for text, level in levels.items() if text in chosen), problems


def spelling(level: str | float) -> str:
    """A level as a person writes it: a number in its shortest form."""
    return level if isinstance(level, str) else f"{level:g}"


def _shortest(name: str) -> str:
    try:
        return f"{float(name):g}"
    except ValueError:
        return name
