"""What pydantic finds wrong with a document, in the words of a scenario."""

from __future__ import annotations

from typing import Any

from pydantic_core import ErrorDetails

from ackclock.scenario import keys
from ackclock.scenario.keys import MISSING, Path
from ackclock.scenario.model.base import Key, Table, kind_of
from ackclock.scenario.model.base import keys as keys_of
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.problems import Problem
from ackclock.scenario.values.plain import choose_from
from ackclock.suggestions import hint


def problem(detail: ErrorDetails, document: Any) -> Problem:
    """One of pydantic's errors as a problem with a key."""
    path, table, key = _place(detail["loc"])
    what = detail["type"]
    if what == "extra_forbidden":
        return Problem(path, keys.unknown(table, path[:-1], path[-1]))
    if what == "missing":
        return Problem(path, f"is missing; write for example {_line(path, key)}")
    if what in ("union_tag_invalid", "union_tag_not_found"):
        return _wrong_kind((*path, "kind"), key, document)
    cause = detail.get("ctx", {}).get("error")
    if isinstance(cause, ValueError):
        return Problem(path, str(cause))
    if key is not None and key.tables:
        return Problem(path, _wrong_table(path, key))
    return Problem(path, detail["msg"])


def _place(location: tuple[str | int, ...]) -> tuple[Path, type[Table], Key | None]:
    """The key that an error is about, without the tags that pydantic adds; and in which table."""
    table: type[Table] = Scenario
    inner = table
    path: list[str | int] = []
    key = None
    parts = list(location)
    while parts:
        table = inner
        part = parts.pop(0)
        path.append(part)
        key = keys_of(table).get(part) if isinstance(part, str) else None
        if key is None or not key.tables:
            return (*path, *parts), table, key
        if key.many and parts and isinstance(parts[0], int):
            path.append(parts.pop(0))
        inner = key.tables[0]
        if len(key.tables) > 1 and parts:
            tag = parts.pop(0)
            inner = next(each for each in key.tables if kind_of(each) == tag)
    return tuple(path), table, key


def _wrong_kind(path: Path, key: Key | None, document: Any) -> Problem:
    assert key is not None
    known = [str(kind_of(table)) for table in key.tables]
    written = keys.get(document, path)
    if written is MISSING:
        return Problem(path, f"is missing; {choose_from(known)}")
    return Problem(path, choose_from(known, hint(written, known)))


def _wrong_table(path: Path, key: Key) -> str:
    if key.many and not isinstance(path[-1], int):
        lines = _required(key.tables[0])
        inside = f" with {' and '.join(lines)} in it" if lines else ""
        # A header in TOML has no numbers: it is of the last table of the list around it.
        header = keys.show(tuple(part for part in path if isinstance(part, str)))
        return f"a list of tables is wanted; write each as [[{header}]]{inside}"
    return f"a table is wanted; write for example {example(key)}"


def _line(path: Path, key: Key | None) -> str:
    """The line that is missing."""
    assert key is not None
    return f"{path[-1]} = {example(key)}"


def example(key: Key) -> str:
    """A correct value of a key, with everything that must be in it."""
    if key.kind is not None:
        return key.kind.example
    table = _table_example(key.tables[0])
    return f"[{table}]" if key.many and len(key.tables) == 1 else table


def _table_example(table: type[Table]) -> str:
    lines = _required(table)
    return f"{{ {', '.join(lines)} }}" if lines else "{}"


def _required(table: type[Table]) -> list[str]:
    """Correct lines of the keys that must be in a table."""
    required = [key for key in keys_of(table).values() if key.default is ...]
    return [f"{key.name} = {example(key)}" for key in required]
