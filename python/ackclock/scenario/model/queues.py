"""Where packets wait for a link: a table for each queue discipline of the core.

The core says which there are and which parameters they have; nothing here names one of them but
the first, which holds if a scenario says no ``kind``.
"""

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
from ackclock.scenario.units import AVERAGE, FREQUENCY, RATE, SIZE, TIME
from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import (
    FLAG,
    POSITIVE_SHARE,
    choice,
    or_word,
    plain,
    whole,
)
from ackclock.scenario.values.quantities import Amount, QueueLimit, quantity

PPB = 10**9
PPM = 10**6


class Unit(NamedTuple):
    """How values of a unit are written in a scenario and in a plan.

    Attributes:
        kind: of values in a scenario.
        to_plan: a value as the core reads it.
        from_plan: the value that the core means.
    """

    kind: Kind
    to_plan: Callable[[Any], int | bool | str]
    from_plan: Callable[[int], Any]


def _parts(of: int) -> tuple[Callable[[Any], int], Callable[[int], Fraction]]:
    """Numbers that a plan counts in so many parts of 1."""
    return lambda value: round(value * of), lambda parts: Fraction(parts, of)


MOST_COUNT = 10**9
UNITS: Mapping[str, Unit] = {
    "flag": Unit(FLAG, bool, bool),
    "share": Unit(POSITIVE_SHARE, *_parts(PPB)),
    "average_packets": Unit(quantity(AVERAGE, positive=True), *_parts(PPM)),
    "size": Unit(quantity(SIZE, positive=True), int, int),
    "time": Unit(quantity(TIME, positive=True), int, int),
    "rate": Unit(quantity(RATE, positive=True), int, int),
    "frequency": Unit(quantity(FREQUENCY, positive=True), *_parts(PPM)),
    "count": Unit(whole(1, MOST_COUNT, 1024), int, int),
}
"""By their names in the core."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a queue discipline.

    Attributes:
        name: its key in a scenario.
        key: its key in a plan.
        unit: what it is counted in.
        default: what holds if nothing is written; ``None`` if that is a word.
        word: "auto" for a parameter that follows the link, "off" for one that may be off.
        meaning: what it is, in one line.
    """

    name: str
    key: str
    unit: Unit
    default: Any
    word: str | None
    meaning: str

    @property
    def kind(self) -> Kind:
        """Of its values in a scenario."""
        return self.unit.kind if self.word is None else or_word(self.unit.kind, self.word)

    def to_plan(self, value: Any) -> int | bool | str | None:
        """A value as the core reads it; ``None`` if it is off."""
        return None if value is None else self.unit.to_plan(value)


@dataclass(frozen=True)
class Discipline:
    """A queue discipline of the core.

    Attributes:
        name: the ``kind`` of its table.
        title: how prose calls it, before the word "queue".
        summary: which packets it drops or marks; one line.
        limit: of a queue that does not say it.
        is_random: whether it draws random numbers.
        parameters: those that it has beside the limit.
    """

    name: str
    title: str
    summary: str
    limit: Amount
    is_random: bool
    parameters: tuple[Parameter, ...]


def _unit(row: Mapping[str, Any]) -> Unit:
    words = row["words"]
    return Unit(choice(words), str, words.__getitem__) if words else UNITS[row["unit"]]


def _parameter(row: Mapping[str, Any]) -> Parameter:
    unit, default = _unit(row), row["default"]
    word = default if isinstance(default, str) else None
    value = None if word else unit.from_plan(default)
    return Parameter(row["name"], row["key"], unit, value, word, row["meaning"])


def _discipline(row: Mapping[str, Any]) -> Discipline:
    packets = row["limit"]
    limit = Amount(Fraction(1), "rtt") if packets is None else Amount(packets, "packets")
    parameters = tuple(map(_parameter, row["parameters"]))
    return Discipline(
        row["name"], row["title"], row["summary"], limit, row["is_random"], parameters
    )


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
        "limit": (QueueLimit, Field(discipline.limit, description=limit)),
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
