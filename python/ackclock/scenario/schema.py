"""JSON Schema of scenario files, from which editors complete and check.

It knows each key and how a value is written, and accepts an expression in the place of any value.
It requires no key, since a sweep may set any; `ackclock check` says what is missing.
"""

from __future__ import annotations

from typing import Any

from ackclock.scenario.keys import MISSING
from ackclock.scenario.model.base import Key, Table, keys
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.values.kind import EXPRESSION

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> dict[str, Any]:
    """The schema; every value in it can be written as JSON."""
    definitions: dict[str, Any] = {}
    whole = _table(Scenario, definitions)
    return {"$schema": DIALECT, "title": "ackclock scenario", **whole, "$defs": definitions}


def _table(table: type[Table], definitions: dict[str, Any]) -> dict[str, Any]:
    properties = {name: _key(key, definitions) for name, key in keys(table).items()}
    for name, its in table.earlier.items():
        now = f"Now `{'.'.join(its.now)}`."
        properties[name] = {"description": now, "deprecated": True}
    return {
        "description": (table.__doc__ or "").partition("\n")[0],
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _key(key: Key, definitions: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {"description": key.meaning}
    if key.kind is not None:
        default = written_default(key)
        if default is not MISSING:
            described["default"] = default
        return {**described, "anyOf": [dict(key.kind.schema), EXPRESSION]}
    one: dict[str, Any] = {"anyOf": [_reference(each, definitions) for each in key.tables]}
    return {**described, **({"type": "array", "items": one} if key.many else one)}


def _reference(table: type[Table], definitions: dict[str, Any]) -> dict[str, Any]:
    name = table.__name__
    if name not in definitions:
        definitions[name] = {}  # stands for it while it is built, should it contain itself
        definitions[name] = _table(table, definitions)
    return {"$ref": f"#/$defs/{name}"}


def written_default(key: Key) -> Any:
    """The default of a value as it would be written; ``MISSING`` if there is none."""
    assert key.kind is not None
    return key.kind.write(key.default) if key.is_value(key.default) else MISSING
