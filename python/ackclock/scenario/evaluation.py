"""Expressions of a document, each evaluated after those that it refers to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ackclock.scenario import keys, places
from ackclock.scenario.expression import (
    ExpressionError,
    Value,
    count,
    element,
    evaluate,
    is_expression,
    steps,
)
from ackclock.scenario.keys import MISSING, Path
from ackclock.scenario.model.base import keys as keys_of
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.variables import read_variable
from ackclock.scenario.presets import presets
from ackclock.scenario.problems import Problem
from ackclock.scenario.values.kind import Computed
from ackclock.scenario.values.preset import PRESET
from ackclock.suggestions import nearest

VARIABLES = "variables"
TCPS_OF_A_GROUP = ("sender_tcp", "receiver_tcp", "tcp")
WITHOUT_EXPRESSIONS = ("title", "description", "sweep", "figures", "files")
"""Tables and texts that are the same at every point, and in which "=" is a letter."""
_MOST_VALUES = 500_000
"""That the expressions of a scenario give, and read of lists, together."""


class ValueUnknownError(Exception):
    """A value is wrong in itself; the error is reported at its place."""


class References:
    """The values of a document in expressions.

    Attributes:
        computed: what the expressions evaluated so far gave, by their keys.
        problems: those that have no value.
        work: steps that the expressions take, and values that they give or that lists have.
    """

    def __init__(self, document: Mapping[str, Any], levels: Mapping[str, str]) -> None:
        """Evaluate nothing yet.

        Args:
            document: with every key that the sweep and the user have set.
            levels: names of the levels of factors with named levels.
        """
        self.document = document
        self.levels = levels
        self.computed: dict[Path, Computed] = {}
        self.problems: list[Problem] = []
        self._under_way: list[Path] = []
        self._failed: set[Path] = set()
        self.work = 0
        self._values = 0
        self._resolved: dict[Path, Value] = {}

    def evaluate_all(self) -> dict[str, Any]:
        """The document with values in the place of its expressions."""
        return {
            name: value if name in WITHOUT_EXPRESSIONS else self._settled(value, (name,))
            for name, value in self.document.items()
        }

    def _settled(self, value: Any, path: Path) -> Any:
        """A value, or a table or list of them, with values in the place of its expressions."""
        if is_expression(value):
            try:
                return Computed(self._expression(path, value))
            except ValueUnknownError:
                return value
        if isinstance(value, dict):
            return {name: self._settled(each, (*path, name)) for name, each in value.items()}
        if isinstance(value, list):
            if path[0] == VARIABLES:
                self.work += 2 * len(value)  # each is read twice
            return [self._settled(each, (*path, at)) for at, each in enumerate(value)]
        return value

    def resolve(self, path: Path) -> Value:
        """The value of a name or a dotted key.

        Raises:
            ExpressionError: there is none.
        """
        if path not in self._resolved:
            self._resolved[path] = self._look_up(path)
        return self._resolved[path]

    def _look_up(self, path: Path) -> Value:
        name = str(path[0])
        variables = self.document.get(VARIABLES)
        if isinstance(variables, Mapping) and name in variables:
            return self._variable(name, path[1:])
        if name in self.levels and len(path) == 1:
            return self.levels[name]
        top = keys_of(Scenario).get(name)
        if top is None or name in WITHOUT_EXPRESSIONS or (len(path) == 1 and top.kind is None):
            raise ExpressionError(self._unknown(path))
        inner = path[1] if name == VARIABLES else None
        if isinstance(variables, Mapping) and inner in variables:
            return self._variable(str(inner), path[2:])
        return self._key(path)

    def _variable(self, name: str, indices: Path) -> Value:
        path: Path = (VARIABLES, name)
        value = self.document[VARIABLES][name]
        for index in indices:
            if not isinstance(value, list) or not isinstance(index, int):
                raise ExpressionError(f"{name} has no {keys.show((index,))}; it is not a list")
            value, path = element(value, index, name), (*path, index)
        return self._raw(path, value)

    def _raw(self, path: Path, value: Any) -> Value:
        """What is written in [variables]: perhaps an expression, perhaps in a list."""
        if is_expression(value):
            return self._expression(path, value)
        if isinstance(value, list):
            values = [self._raw((*path, at), each) for at, each in enumerate(value)]
            try:
                self._spend(count(values))
            except ExpressionError as error:
                raise ExpressionError(f"{keys.show(path[1:])} {error}") from None
            return values
        try:
            return read_variable(value)
        except ValueError:
            raise ValueUnknownError from None

    def _key(self, path: Path) -> Value:
        try:
            places.locate(self.document, path)
            holding = self._holding(path)
            place = places.locate(self.document, holding)
        except places.UnknownKeyError as error:
            raise ExpressionError(f"{keys.show(path)}: {error}") from None
        if place.key.name == VARIABLES:
            raise ExpressionError(self._unknown(path[1:] or path))
        own = holding[: len(holding) - len(place.rest)]
        kind = place.key.kind
        assert kind is not None
        if place.raw is MISSING:
            value = place.default
        else:
            raw = place.raw
            if is_expression(raw):
                raw = Computed(self._expression(own, raw))
            elif isinstance(raw, list):
                raw = [self._element((*own, at), each) for at, each in enumerate(raw)]
            try:
                value = kind.read(raw)
            except ValueError:
                raise ValueUnknownError from None
        if value is MISSING:
            if self._is_misspelt(str(own[0])):
                raise ValueUnknownError
            raise ExpressionError(f"{keys.show(own)} is not given in this scenario")
        if kind.has_preset and value == PRESET:
            value = self._preset(path, place.key.name)
        result = kind.number(value)
        for index in place.rest:
            if not isinstance(result, list) or not isinstance(index, int):
                raise ExpressionError(f"{keys.show(own)} is neither a list nor a table")
            result = element(result, index, keys.show(own))
        return result

    def _is_misspelt(self, name: str) -> bool:
        """Whether a table is not there because its name is misspelt, which is reported there."""
        if name in self.document:
            return False
        unknown = self.document.keys() - keys_of(Scenario).keys()
        return any(places.meant(Scenario, each) == name for each in unknown)

    def _holding(self, path: Path) -> Path:
        """The key that decides: of a TCP of a group, the first of three that is written."""
        if path[0] != "flows" or len(path) < 4 or path[2] not in TCPS_OF_A_GROUP:
            return path
        general = ((*path[:2], "tcp", *path[3:]), ("tcp", *path[3:]))
        for each in (path, *general):
            if places.locate(self.document, each).raw is not MISSING:
                return each
        return general[-1]

    def _preset(self, path: Path, name: str) -> Any:
        """The preset for a key of a TCP, whose flavor may stand elsewhere than the key."""
        flavor, stack = (self.resolve((*path[:-1], key)) for key in ("flavor", "stack"))
        return presets(str(flavor), str(stack))[name]

    def _element(self, path: Path, value: Any) -> Any:
        return Computed(self._expression(path, value)) if is_expression(value) else value

    def _expression(self, path: Path, text: str) -> Value:
        if path in self.computed:
            return self.computed[path].value
        if path in self._failed or self._values > _MOST_VALUES:
            self._failed.add(path)
            raise ValueUnknownError
        if path in self._under_way:
            circle = [*self._under_way[self._under_way.index(path) :], path]
            self._failed.update(circle)
            shown = " -> ".join(map(keys.show, circle))
            self.problems.append(
                Problem(path, f"depends on itself: {shown}; give one of them a plain value")
            )
            raise ValueUnknownError
        self._under_way.append(path)
        try:
            self.work += steps(text)
            value = evaluate(text, self.resolve)
            self._spend(count(value))
        except ExpressionError as error:
            self._failed.add(path)
            self.problems.append(Problem(path, str(error)))
            raise ValueUnknownError from None
        except ValueUnknownError:
            self._failed.add(path)
            raise
        finally:
            self._under_way.pop()
        self.computed[path] = Computed(value)
        return value

    def _spend(self, values: int) -> None:
        """Count what is made and read of lists, which is reported once if it is too much."""
        self._values += values
        self.work += values
        if self._values > _MOST_VALUES:
            raise ExpressionError(
                f"with it the expressions of a scenario use more than {_MOST_VALUES} values; "
                "write shorter lists"
            )

    def _unknown(self, path: Path) -> str:
        variables = self.document.get(VARIABLES)
        names = [*(variables if isinstance(variables, Mapping) else ()), *self.levels]
        name = keys.show(path)
        if name in keys_of(Scenario) and keys_of(Scenario)[name].kind is None:
            return f"{name} is a table; name one of its keys, like tcp.smss"
        close = nearest(name, names)
        if close:
            return f"unknown name {name}; did you mean {close}?"
        return f"unknown name {name}; define it in [variables], or write a key like tcp.smss"

    @property
    def failed(self) -> set[Path]:
        """The keys whose expressions have no value."""
        return self._failed
