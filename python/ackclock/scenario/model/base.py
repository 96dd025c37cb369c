"""What all tables of a scenario have in common."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, NamedTuple, Self, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import choice


class Table(BaseModel):
    """A table of a scenario: nothing in it that is not known, and nothing changes."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    def over(self, base: Self) -> Self:
        """The base table, but for the keys that are written in this one."""
        written = self.model_fields_set
        if not written:
            return base
        return base.model_copy(update={name: getattr(self, name) for name in written})


class Key(NamedTuple):
    """What a key of a table holds: a value, or one of several tables, or a list of tables.

    Attributes:
        name: as it stands in a file.
        attribute: of the model.
        field: pydantic's description.
        kind: of its value, if it is one.
        tables: which may stand there, if it is a table; chosen by their ``kind``.
        many: whether it is a list of tables.
    """

    name: str
    attribute: str
    field: FieldInfo
    kind: Kind | None
    tables: tuple[type[Table], ...]
    many: bool

    @property
    def default(self) -> Any:
        """What holds if the key is not written; ``Ellipsis`` if it must be."""
        if self.field.is_required():
            return ...
        return self.field.get_default(call_default_factory=True)

    def is_value(self, default: Any) -> bool:
        """Whether a default says something, and not that the key is not there."""
        if default is None:
            return self.kind is not None and self.kind.means_none
        return default is not ...


@cache
def keys(table: type[Table]) -> Mapping[str, Key]:
    """The keys of a table by their names, in the order in which they are described."""
    found = {}
    for attribute, field in table.model_fields.items():
        name = field.alias or attribute
        tables = tuple(_tables(field.annotation))
        kind = next((each for each in field.metadata if isinstance(each, Kind)), None)
        if get_origin(field.annotation) is Literal:
            kind = choice(get_args(field.annotation))
        found[name] = Key(name, attribute, field, kind, tables, _is_many(field.annotation))
    return found


def kind_of(table: type[Table]) -> str | None:
    """What the key ``kind`` of a table says, if tables of several kinds may stand in its place."""
    field = table.model_fields.get("kind")
    if field is None or get_origin(field.annotation) is not Literal:
        return None
    return get_args(field.annotation)[0]


def _tables(annotation: Any) -> list[type[Table]]:
    if isinstance(annotation, type) and issubclass(annotation, Table):
        return [annotation]
    found = []
    for each in get_args(annotation):
        found += _tables(each)
    return found


def _is_many(annotation: Any) -> bool:
    if get_origin(annotation) in (Union, UnionType):
        return any(_is_many(each) for each in get_args(annotation))
    return get_origin(annotation) is tuple
