"""Tables of a scenario as TOML text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from ackclock.scenario.files import long, quoted

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml(tables: Mapping[str, Any]) -> str:
    """A document as a TOML reader reads it again: first the values of a table, then its tables.

    Args:
        tables: texts, numbers, truths, lists and tables; a number with a point is a ``Decimal``.

    Raises:
        TypeError: something else is in them.
    """
    return "\n".join(_lines(tables, ())).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], within: tuple[str, ...]) -> Iterator[str]:
    inside = {key: value for key, value in table.items() if _is_table(value)}
    for key, value in table.items():
        if key not in inside:
            is_long = isinstance(value, str) and "\n" in value
            yield f"{_key(key)} = {long(value) if is_long else inline(value)}"
    for key, value in inside.items():
        path = (*within, key)
        name = ".".join(map(_key, path))
        if isinstance(value, Mapping):
            # A table of tables needs no line of its own.
            if not value or not all(map(_is_table, value.values())):
                yield f"\n[{name}]"
            yield from _lines(value, path)
            continue
        for each in value:
            yield f"\n[[{name}]]"
            yield from _lines(each, path)


def _is_table(value: Any) -> bool:
    """Whether a value is a table, or a list of them; one of both is written in a line."""
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(each, Mapping) for each in value)
    return isinstance(value, Mapping)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else quoted(key)


def inline(value: Any) -> str:
    """A value in one line.

    Raises:
        TypeError: TOML has no form for it.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int | Decimal):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(key)} = {inline(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(inline, value))}]"
    raise TypeError(f"TOML has no form for {value!r}")
