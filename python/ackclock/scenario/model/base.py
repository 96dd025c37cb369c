"""What all tables of a scenario have in common."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from types import UnionType
from typing import Any, ClassVar, Literal, NamedTuple, Self, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.fields import FieldInfo

from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import choice
from ackclock.syntax_trees import syntax_tree


class Earlier(NamedTuple):
    """A key that an earlier version had, and that is still read.

    Attributes:
        now: the key in its place, from the same table on.
        values: what a value of the earlier key is today: values by keys of the same table.
    """

    now: tuple[str, ...]
    values: Callable[[Any], Mapping[str, Any]]


class Table(BaseModel):
    """A table of a scenario: nothing in it that is not known, and nothing changes.

    Modules of tables do not import ``annotations`` from ``__future__``: pydantic needs the types of
    all keys, and would have to evaluate 600 texts before any command can read a scenario.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    earlier: ClassVar[Mapping[str, Earlier]] = {}
    """The keys of earlier versions, by their names then."""

    def over(self, base: Self) -> Self:
        """The base table, but for the keys that are written in this one."""
        written = self.model_fields_set
        if not written:
            return base
        return base.model_copy(update={name: getattr(self, name) for name in written})

    def writes(self, first: str, *inner: str) -> bool:
        """Whether an attribute is written in the table, or one of a table in it."""
        written = first in self.model_fields_set
        return written and (not inner or getattr(self, first).writes(*inner))

    @classmethod
    def written_twice(cls, written: Any) -> tuple[str, str] | None:
        """An earlier key that is written beside what it is now, and that key; none if none is."""
        for name, its in cls.earlier.items():
            value = written
            for part in its.now:
                value = value.get(part) if isinstance(value, Mapping) else None
            if value is not None and name in written:
                return name, ".".join(its.now)
        return None

    @classmethod
    def as_now(cls, written: Any) -> Any:
        """What is written in the table, with today's keys in the place of earlier ones."""
        if not isinstance(written, Mapping) or not cls.earlier.keys() & written.keys():
            return written
        kept = {name: value for name, value in written.items() if name not in cls.earlier}
        for name in cls.earlier.keys() & written.keys():
            for now, value in cls.earlier[name].values(written[name]).items():
                both = isinstance(value, Mapping) and isinstance(kept.get(now), Mapping)
                kept[now] = {**kept[now], **value} if both else value
        return kept


class Renamed(Table):
    """A table some of whose keys had other names."""

    @model_validator(mode="before")
    @classmethod
    def _reads_earlier_keys(cls, written: Any) -> Any:
        twice = cls.written_twice(written)
        if twice is not None:
            was, now = twice
            raise ValueError(f"has both {was} and {now}, which is the same key; remove {was}")
        return cls.as_now(written)


class Key(NamedTuple):
    """What a key of a table holds: a value, or one of several tables, or a list of tables.

    Attributes:
        name: as written in a file.
        attribute: of the model.
        field: pydantic's description.
        kind: of its value, if it is one.
        tables: which may stand there, if it is a table; chosen by their ``kind``.
        many: whether it is a list of tables.
        owner: the table that has it.
    """

    name: str
    attribute: str
    field: FieldInfo
    kind: Kind | None
    tables: tuple[type[Table], ...]
    many: bool
    owner: type[Table]

    @property
    def default(self) -> Any:
        """What holds if the key is not written; ``Ellipsis`` if it must be."""
        if self.field.is_required():
            return ...
        # Not pydantic's, which makes unnecessary copies.
        make = self.field.default_factory
        return self.field.default if make is None else make()

    @property
    def meaning(self) -> str:
        """What its description or the text under its attribute says; empty if neither is there."""
        if self.field.description:
            return self.field.description
        homes = (each for each in self.owner.__mro__ if issubclass(each, Table))
        described = (_texts(each.__module__).get((each.__name__, self.attribute)) for each in homes)
        return next(filter(None, described), "")

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
        found[name] = Key(name, attribute, field, kind, tables, _is_many(field.annotation), table)
    return found


@cache
def _texts(module: str) -> Mapping[tuple[str, str], str]:
    """The texts under the attributes of the classes of a module, by class and attribute.

    Each is one line, as a row of a table needs it.
    Read at their first use: pydantic's own option reads all of them at every import.
    """
    return {
        (each.name, ast.unparse(attribute.target)): " ".join(ast.literal_eval(below.value).split())
        for each in syntax_tree(inspect.getsource(sys.modules[module])).body
        if isinstance(each, ast.ClassDef)
        for attribute, below in pairwise(each.body)
        if isinstance(attribute, ast.AnnAssign) and isinstance(below, ast.Expr)
    }


@cache
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
