"""The settings of a scenario, with their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ackclock.scenario import keys
from ackclock.scenario.evaluation import VARIABLES
from ackclock.scenario.expression import is_expression
from ackclock.scenario.model.base import Table
from ackclock.scenario.model.base import keys as keys_of
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.values.kind import shown

NOT_OF_A_RUN = (
    "title",
    "description",
    "metrics",
    "precision",
    "probes",
    "sweep",
    "figures",
    "files",
)
"""Keys that change no run."""
_NOT_GIVEN = "not given"


class Setting(NamedTuple):
    """A key that can be set.

    Attributes:
        key: dotted, for example "tcp.min_rto".
        value: what is written there, or the default; an expression is shown as such.
        accepts: what may be written.
        meaning: one sentence.
    """

    key: str
    value: str
    accepts: str
    meaning: str


def settings(scenario: Scenario) -> list[Setting]:
    """All single keys of a scenario that decide its runs, in the order of the reference.

    The value of a key that a factor of the sweep sets is "set by" and the factor's name.
    """
    swept = {path: name for point in scenario.points() for path, name in point.swept.items()}
    found = []
    for path, setting in _inside(scenario, ()):
        raw = keys.get(scenario.document, path)
        if path in swept:
            setting = setting._replace(value=f"set by {swept[path]}")
        elif is_expression(raw):
            setting = setting._replace(value=raw)
        found.append(setting)
    return found


def _inside(table: Table, path: keys.Path) -> Iterator[tuple[keys.Path, Setting]]:
    for name, key in keys_of(type(table)).items():
        if path == () and name in NOT_OF_A_RUN:
            continue
        value = getattr(table, key.attribute)
        its = (*path, name)
        if isinstance(value, Table):
            yield from _inside(value, its)
        elif name == VARIABLES:
            for variable, each in key.kind.write(value).items():
                yield (*its, variable), _setting((*its, variable), each, "", "A variable.")
        elif key.kind is not None:
            accepts, meaning = key.kind.accepts, key.meaning
            written = key.kind.write(value) if key.is_value(value) else _NOT_GIVEN
            yield its, _setting(its, written, accepts, meaning)


def _setting(path: keys.Path, value: Any, accepts: str, meaning: str) -> Setting:
    text = value if isinstance(value, str) else shown(value)
    return Setting(keys.show(path), text, accepts, meaning)
