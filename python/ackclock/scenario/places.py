"""Where dotted keys lead in a scenario: in which table, to a value of which kind."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple

from ackclock.scenario.keys import MISSING, get, show
from ackclock.scenario.model.base import Key, Table, keys, kind_of
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.source_lines import Path

UNKNOWN_KEY = "unknown key"
"""Begins what is said of a key that its table does not have."""


class UnknownKeyError(ValueError):
    """A key that no scenario has; the message says what may have been meant."""


class UnknownTableKeyError(UnknownKeyError):
    """A key that leads to a table, or a list of them, where a value is wanted."""


class Place(NamedTuple):
    """Where a key leads.

    Attributes:
        key: of a value.
        raw: what is written there; ``MISSING`` if nothing is.
        default: what holds then; ``MISSING`` if nothing does.
        rest: indices into the value, if it is a list, or the name of a variable.
    """

    key: Key
    raw: Any
    default: Any
    rest: Path


def locate(document: Any, path: Path) -> Place:
    """The value to which a key leads in a scenario.

    Raises:
        UnknownKeyError: there is no such key.
    """
    return _locate(Scenario, document, ..., path, 0)


def _locate(table: type[Table], raw: Any, default: Any, path: Path, at: int) -> Place:
    """As ``locate``, from part ``at`` of the path on.

    Args:
        table: the value at the parts before.
        raw: what is written there.
        default: what holds if nothing is: a table, ``MISSING``, or ``...`` for the table's own.
        path: the whole key.
        at: the next part.
    """
    if at == len(path):
        raise UnknownTableKeyError(
            f"{show(path)} is a table; name one of its keys: {', '.join(keys(table))}"
        )
    raw = table.as_now(raw)
    part = path[at]
    if isinstance(part, str) and part in table.earlier:
        path = (*path[:at], *table.earlier[part].now, *path[at + 1 :])
        part = path[at]
    key = keys(table).get(part) if isinstance(part, str) else None
    if key is None:
        raise UnknownKeyError(unknown(table, path[:at], part))
    raw = get(raw, (part,))
    default = _default(key, default)
    at += 1
    if key.kind is not None:
        return Place(key, raw, default, path[at:])
    if key.many:
        raw = get(raw, path[at : at + 1]) if at < len(path) else MISSING
        if raw is MISSING:
            error = UnknownTableKeyError if at == len(path) else UnknownKeyError
            raise error(f"{show(path[:at])} is a list; name one of its elements, as in [0]")
        at += 1
    table = chosen(key, raw, default)
    return _locate(table, raw, default if raw is MISSING else ..., path, at)


def chosen(key: Key, raw: Any, default: Any) -> type[Table]:
    """Which of the tables that may stand at a key does."""
    if len(key.tables) == 1:
        return key.tables[0]
    kind = get(raw, ("kind",)) if raw is not MISSING else MISSING
    for table in key.tables:
        if kind_of(table) == kind:
            return table
    return type(default) if isinstance(default, Table) else key.tables[0]


def _default(key: Key, table: Any) -> Any:
    """What holds if a key is not written: as the default of its table has it."""
    if table is MISSING:
        return MISSING
    default = getattr(table, key.attribute) if isinstance(table, Table) else key.default
    return default if key.is_value(default) else MISSING


def completed(document: Any, path: Path) -> Path | None:
    """A key whose first table is not named: ``topology.bottleneck.rate`` of ``bottleneck.rate``."""
    for name, key in keys(Scenario).items():
        if not key.tables or key.many:
            continue
        try:
            locate(document, (name, *path))
        except UnknownKeyError:
            continue
        return (name, *path)
    return None


def meant(table: type[Table], part: Any) -> str | None:
    """The key of a table that was probably meant by one that it does not have."""
    close = get_close_matches(str(part), keys(table), n=1)
    return close[0] if close else None


@cache
def _kinds_beside(table: type[Table]) -> tuple[type[Table], ...]:
    """The tables of other kinds that may stand in the place of a table."""
    found: list[type[Table]] = []
    seen: set[type[Table]] = set()
    inside: list[type[Table]] = [Scenario]
    while inside:
        owner = inside.pop()
        if owner in seen:
            continue
        seen.add(owner)
        for key in keys(owner).values():
            inside += key.tables
            if table in key.tables:
                found += [each for each in key.tables if each is not table]
    return tuple(dict.fromkeys(found))


def unknown(table: type[Table], path: Path, part: Any) -> str:
    """What to say of a key that a table does not have."""
    known = keys(table)
    prefix = f"{show(path)}." if path else ""
    for name, key in known.items():
        if any(part in keys(each) for each in key.tables) and not key.many:
            return f"{UNKNOWN_KEY}; did you mean {prefix}{name}.{part}?"
    close = meant(table, part)
    if close:
        return f"{UNKNOWN_KEY}; did you mean {prefix}{close}?"
    kinds = [f'"{kind_of(each)}"' for each in _kinds_beside(table) if part in keys(each)]
    if kinds:
        that = "that kind" if len(kinds) == 1 else "one of these kinds"
        return (
            f"{UNKNOWN_KEY}; it is a key of kind = {' or '.join(kinds)}: write {that}, "
            f"or remove {part}"
        )
    where = show(path) or "a scenario"
    return f"{UNKNOWN_KEY}; the keys of {where} are {', '.join(known)}"
