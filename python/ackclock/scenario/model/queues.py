"""Where packets wait for a link: a table for each queue discipline of the core.

The core says which there are and which parameters they have; nothing here names one of them but
the first, which holds if a scenario says no ``kind``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import Discriminator, Field, Tag, create_model

from ackclock import _core
from ackclock.scenario.model.base import Table
from ackclock.scenario.units import AVERAGE, SIZE, TIME
from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import FLAG, POSITIVE_SHARE, or_word, plain
from ackclock.scenario.values.quantities import AUTO, Amount, QueueLimit, quantity

PPB = 10**9
PPM = 10**6
_TO_AUTO = {AUTO: None}


class Unit(NamedTuple):
    """How values of a unit are written in a scenario and in a plan.

    Attributes:
        kind: of values in a scenario.
        auto: of values that may be "auto".
        to_plan: a value as the core reads it.
        from_plan: the value that the core means.
    """

    kind: Kind
    auto: Kind
    to_plan: Callable[[Any], int | bool]
    from_plan: Callable[[int], Any]


UNITS: Mapping[str, Unit] = {
    "flag": Unit(FLAG, or_word(FLAG, AUTO), bool, bool),
    "share": Unit(
        POSITIVE_SHARE,
        or_word(POSITIVE_SHARE, AUTO),
        lambda value: int(value * PPB),
        lambda ppb: Fraction(ppb, PPB),
    ),
    "average_packets": Unit(
        quantity(AVERAGE, positive=True),
        quantity(AVERAGE, positive=True, words=_TO_AUTO),
        lambda value: round(value * PPM),
        lambda ppm: Fraction(ppm, PPM),
    ),
    "size": Unit(
        quantity(SIZE, positive=True), quantity(SIZE, positive=True, words=_TO_AUTO), int, int
    ),
    "time": Unit(
        quantity(TIME, positive=True), quantity(TIME, positive=True, words=_TO_AUTO), int, int
    ),
}
"""By their names in the core."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a queue discipline.

    Attributes:
        name: its key in a scenario.
        key: its key in a plan.
        unit: what it is counted in.
        default: what holds if nothing is written; ``None`` follows the link ("auto").
        meaning: what it is, in one line.
    """

    name: str
    key: str
    unit: Unit
    default: Any
    meaning: str

    @property
    def kind(self) -> Kind:
        """Of its values in a scenario."""
        return self.unit.auto if self.default is None else self.unit.kind


@dataclass(frozen=True)
class Discipline:
    """A queue discipline of the core.

    Attributes:
        name: the ``kind`` of its table.
        title: how prose calls it, before the word "queue".
        summary: which packets it drops or marks; one line.
        is_random: whether it draws random numbers.
        parameters: those that it has beside the limit.
    """

    name: str
    title: str
    summary: str
    is_random: bool
    parameters: tuple[Parameter, ...]


def _parameter(row: Mapping[str, Any]) -> Parameter:
    unit = UNITS[row["unit"]]
    default = None if row["default"] is None else unit.from_plan(row["default"])
    return Parameter(row["name"], row["key"], unit, default, row["meaning"])


def _discipline(row: Mapping[str, Any]) -> Discipline:
    parameters = tuple(map(_parameter, row["parameters"]))
    return Discipline(row["name"], row["title"], row["summary"], row["is_random"], parameters)


DISCIPLINES: Mapping[str, Discipline] = {
    row["name"]: _discipline(row) for row in json.loads(_core.queue_disciplines())
}
"""Those of the core by their names."""
DEFAULT = next(iter(DISCIPLINES))
"""That of a queue that does not say its kind: drop-tail."""


class QueueTable(Table):
    """What the tables of all disciplines have."""

    if TYPE_CHECKING:
        kind: str
        limit: Amount

    @property
    def discipline(self) -> Discipline:
        """What the core says of it."""
        return DISCIPLINES[self.kind]


def _table(discipline: Discipline) -> type[QueueTable]:
    name = discipline.name
    default = name if name == DEFAULT else ...
    limit = "How much may wait, the packet being sent not counted."
    fields: dict[str, Any] = {
        "kind": (Literal[name], Field(default, description=discipline.summary)),
        "limit": (QueueLimit, Field(Amount(Fraction(1), "rtt"), description=limit)),
    }
    for each in discipline.parameters:
        described = Field(each.default, description=each.meaning)
        fields[each.name] = (Annotated[Any, each.kind], described)
    class_name = "".join(map(str.capitalize, name.split("_"))) + "Queue"
    return create_model(class_name, __base__=QueueTable, __doc__=discipline.summary, **fields)


TABLES: Mapping[str, type[QueueTable]] = {
    name: _table(discipline) for name, discipline in DISCIPLINES.items()
}
"""The table of each kind of queue."""
DropTail = TABLES[DEFAULT]


def _kind(written: Any) -> Any:
    """Which table is meant; the first if the value is no table, so that this is reported."""
    if isinstance(written, QueueTable):
        return written.kind
    return plain(written.get("kind", DEFAULT)) if isinstance(written, Mapping) else DEFAULT


def _union() -> UnionType:
    return reduce(or_, (Annotated[table, Tag(name)] for name, table in TABLES.items()))


if TYPE_CHECKING:
    Queue = QueueTable
else:
    Queue = Annotated[_union(), Discriminator(_kind)]
"""A queue of any kind."""
