"""The errors that pydantic finds in a document, in the terms of a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ackclock.scenario import keys, places
from ackclock.scenario.keys import MISSING, Path
from ackclock.scenario.model.base import Key, Table, kind_of
from ackclock.scenario.model.base import keys as keys_of
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.problems import Problem
from ackclock.scenario.values.plain import choose_from
from ackclock.suggestions import hint

_ENOUGH = 1000
"""Problems of a document: the others cost more time than they help."""
MISSING_KEY = "is missing"
"""Begins what is said of a key that must be written and is not."""


def problems(error: ValidationError, document: Any, under: Path = ()) -> list[Problem]:
    """What pydantic found, as problems with keys.

    A key that is missing because its name, or its table's, is misspelt is reported once, with the
    name that is written.

    Args:
        error: what it found.
        document: in which.
        under: key of the table that it was given.
    """
    found: list[Problem] = []
    meant: dict[Path, Path] = {}
    for detail in error.errors(include_url=False):
        if len(found) >= _ENOUGH:
            break
        path, table, key = _place((*under, *detail["loc"]))
        unknown: list[tuple[Path, type[Table]]] = []
        if detail["type"] == "extra_forbidden":
            unknown = [(path, table)]
        elif detail["type"] in ("union_tag_invalid", "union_tag_not_found"):
            found.append(_wrong_kind((*path, "kind"), key, document))
            unknown = list(_of_no_kind(path, key, document))
        else:
            found.append(_problem(detail, path, key))
        for place, its in unknown:
            found.append(Problem(place, places.unknown(its, place[:-1], place[-1])))
            close = places.meant(its, place[-1])
            if close:
                meant[*place[:-1], close] = place
    return [each for each in found if not _is_misspelt(each, meant, document)]


def _is_misspelt(problem: Problem, meant: Mapping[Path, Path], document: Any) -> bool:
    """Whether a key is missing that is written under a misspelt name.

    Args:
        problem: that may be a missing key.
        meant: names that are written, by those that they probably mean.
        document: in which.
    """
    if not problem.reason.startswith(MISSING_KEY):
        return False
    path = problem.path
    written = (
        (*meant[path[:end]], *path[end:]) for end in range(len(path) + 1) if path[:end] in meant
    )
    return any(keys.get(document, each) is not MISSING for each in written)


def _problem(detail: ErrorDetails, path: Path, key: Key | None) -> Problem:
    if detail["type"] == "missing":
        return Problem(path, f"{MISSING_KEY}; write for example {_line(path, key)}")
    cause = detail.get("ctx", {}).get("error")
    if isinstance(cause, ValueError):
        return Problem(path, str(cause))
    if key is not None and key.tables:
        return Problem(path, _wrong_table(path, key))
    return Problem(path, detail["msg"])


def _of_no_kind(path: Path, key: Key | None, document: Any) -> Iterator[tuple[Path, type[Table]]]:
    """Keys that no table has, whatever its kind, with a table that may have been meant."""
    assert key is not None
    written = keys.get(document, path)
    for part in written if isinstance(written, Mapping) else ():
        if not any(part in keys_of(table) for table in key.tables):
            yield (*path, part), key.tables[0]


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
        return Problem(path, f"{MISSING_KEY}; {choose_from(known)}")
    return Problem(path, choose_from(known, hint(written, known)))


def _wrong_table(path: Path, key: Key) -> str:
    if key.many and not isinstance(path[-1], int):
        lines = _required(key.tables[0])
        inside = f" with {' and '.join(lines)} in it" if lines else ""
        # A header in TOML has no numbers: it is of the last table of the list around it.
        header = keys.show(tuple(part for part in path if isinstance(part, str)))
        return f"expected a list of tables; write each as [[{header}]]{inside}"
    return f"expected a table; write for example {example(key)}"


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
