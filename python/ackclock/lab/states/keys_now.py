"""Every key of a scenario with its value now, for the editor of all keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ackclock.scenario import Scenario, keys
from ackclock.scenario.keys import Path
from ackclock.scenario.model.base import Table
from ackclock.scenario.model.base import keys as keys_of
from ackclock.scenario.values.kind import shown

_APART = ("sweep", "figures", "files")
"""What is not of a point."""


def keys_now(scenario: Scenario) -> list[dict[str, str]]:
    """Keys and their values as they would be written, of a scenario at a point."""
    return [{"key": keys.show(path), "text": text} for path, text in _values(scenario, ())]


def _values(table: Table, within: Path) -> Iterator[tuple[Path, str]]:
    for name, key in keys_of(type(table)).items():
        if name in _APART and not within:
            continue
        value, path = getattr(table, key.attribute), (*within, name)
        if isinstance(value, Table):
            yield from _values(value, path)
        elif key.many and key.tables:
            for at, each in enumerate(value or ()):
                yield from _values(each, (*path, at))
        elif key.kind is None:
            if isinstance(value, str):
                yield path, value
        elif isinstance(value, Mapping):
            yield from (((*path, each), shown(raw)) for each, raw in value.items())
        elif key.is_value(value):
            written = key.kind.write(value)
            yield path, written if isinstance(written, str) else shown(written)
