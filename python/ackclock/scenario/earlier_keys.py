"""Keys of earlier versions: their places in a document, and their present form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ackclock.scenario import keys, places
from ackclock.scenario.expression import is_expression
from ackclock.scenario.keys import MISSING, Path
from ackclock.scenario.model.base import Earlier, Table
from ackclock.scenario.model.base import keys as keys_of
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.values.kind import shown


def as_written(document: Any, path: Path) -> Path:
    """Return a key under the name in the file: that of an earlier version, if the file has it."""
    table: type[Table] = Scenario
    raw = document
    for at, part in enumerate(path):
        for name, its in table.earlier.items():
            end = at + len(its.now)
            if path[at:end] == its.now and keys.get(raw, (name,)) is not MISSING:
                return (*path[:at], name, *path[end:])
        raw = keys.get(raw, (part,))
        if isinstance(part, str):
            key = keys_of(table).get(part)
            if key is None or not key.tables:
                break
            table = places.chosen(key, raw, MISSING)
    return path


def hints(document: Mapping[str, Any], swept: Iterable[Path]) -> dict[Path, str]:
    """What to write in the place of each key of an earlier version.

    Args:
        document: as it is written.
        swept: the keys that its sweep sets.
    """
    found = {path: _hint(path, its, raw) for path, its, raw in _inside(Scenario, document, ())}
    for path in swept:
        its = _earlier(path)
        if its is not None:
            found.setdefault(path, _hint(path, its, MISSING))
    return found


def _inside(table: type[Table], raw: Any, path: Path) -> Iterator[tuple[Path, Earlier, Any]]:
    """The earlier keys in a table, and in the tables in it."""
    if not isinstance(raw, Mapping):
        return
    for name, its in table.earlier.items():
        if name in raw:
            yield (*path, name), its, raw[name]
    for name, key in keys_of(table).items():
        if not key.tables or name not in raw:
            continue
        value = raw[name]
        if key.many and isinstance(value, list):
            for at, each in enumerate(value):
                yield from _inside(places.chosen(key, each, MISSING), each, (*path, name, at))
        else:
            yield from _inside(places.chosen(key, value, MISSING), value, (*path, name))


def _earlier(path: Path) -> Earlier | None:
    """What became of a key; none if it is one of today."""
    table: type[Table] = Scenario
    for part in path:
        if not isinstance(part, str):
            continue
        if part in table.earlier:
            return table.earlier[part]
        key = keys_of(table).get(part)
        if key is None or not key.tables:
            return None
        table = key.tables[0]
    return None


def _hint(path: Path, its: Earlier, raw: Any) -> str:
    """How a key is called now, and what to write in its place."""
    within = path[:-1]
    said = f"{keys.show(path)} is now {keys.show((*within, *its.now))}"
    if raw is MISSING or is_expression(raw):
        names = (name if name != its.now[0] else ".".join(its.now) for name in its.values(raw))
        return f"{said}; write {' and '.join(keys.show((*within, *n.split('.'))) for n in names)}"
    lines = (_line(within, name, value) for name, value in its.values(raw).items())
    return f"{said}; write {' and '.join(lines)}"


def _line(within: Path, name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        ((inner, value),) = value.items()
        # A header in TOML has no numbers: it is of the last table of the list around it.
        header = keys.show(tuple(part for part in (*within, name) if isinstance(part, str)))
        return f"{inner} = {shown(value)} below [{header}]"
    return f"{name} = {shown(value)}"
