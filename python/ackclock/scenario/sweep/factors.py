"""Factors of a sweep and their levels, as they are written in ``[sweep.factors]``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ackclock.scenario import keys, places
from ackclock.scenario.evaluation import VARIABLES
from ackclock.scenario.keys import Path
from ackclock.scenario.model.base import keys as keys_of
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.problems import Problem, Written, brief
from ackclock.scenario.sweep.ranges import Range, read_range
from ackclock.scenario.values.flavor import own_flavor
from ackclock.suggestions import nearest

FACTORS: Path = ("sweep", "factors")
_FIXED = {
    "probes.replications": "is the same at every point",
    "title": "is the same at every point",
    "description": "is the same at every point",
    "seed": "is the same at every point; replications have seeds of their own",
    "replications": "is the same at every point",
    "precision": "is the same at every point",
    "metrics": "is the same at every point",
    "figures": "is the same at every point",
    "files": "is the same at every point",
    "sweep": "defines the points and cannot be swept",
}
_EXAMPLE = '["reno", "sack"]'


@dataclass(frozen=True)
class Level:
    """What one level of a factor sets.

    Attributes:
        name: of the level, if it has one.
        values: keys and what is written for them.
        written: how each was written, for messages; of the same keys.
    """

    name: str | None
    values: Mapping[Path, Any]
    written: Mapping[Path, Written]


@dataclass(frozen=True)
class Factor:
    """Something that differs between the points.

    Attributes:
        name: as it is written: a dotted key, or a name with named levels.
        path: the key; none if its levels are named.
        levels: those that it has; none if it is a range without numbers of its own.
        range: from which the design takes levels.
    """

    name: str
    path: Path | None
    levels: tuple[Level, ...]
    range: Range | None = None

    @property
    def column(self) -> str:
        """Name of its column, without the unit."""
        return "_".join(str(part) for part in keys.parse(self.name)).replace(".", "_")

    def level(self, raw: Any) -> Level:
        """A level of a factor that is a key."""
        assert self.path is not None
        place = (*FACTORS, self.name)
        written = Written(f"{keys.show(place)} = {brief(raw)}", place)
        return Level(None, {self.path: raw}, {self.path: written})


def read_factors(
    written: Mapping[str, Any], document: Mapping[str, Any]
) -> tuple[list[Factor], list[Problem]]:
    """The factors of a sweep, and what is wrong with them.

    Args:
        written: the table ``[sweep.factors]``.
        document: the scenario without its sweep.
    """
    factors, problems = [], []
    for name, levels in written.items():
        place = (*FACTORS, name)
        unquoted = swept_keys(place, levels, document)
        if unquoted.keys() - {place}:
            problems += [
                Problem(path, f"quote the key; write {in_quotes(key)}")
                for path, key in unquoted.items()
            ]
            continue
        try:
            factors.append(_factor(name, levels, document))
        except FactorError as error:
            problems += error.problems
        except ValueError as error:
            problems.append(Problem((*FACTORS, name), str(error)))
    problems += _set_twice(factors)
    problems += _unknown_keys(factors, document)
    return factors, problems


def swept_keys(place: Path, levels: Any, document: Mapping[str, Any]) -> dict[Path, str]:
    """Keys with levels in the place of a factor: dots without quotes make tables of a key.

    Args:
        place: of the factor, in the table of factors or in that of the sweep.
        levels: the value at that key.
        document: the scenario without its sweep.

    Returns:
        Each key, complete, by the path that it has; nothing if not all that stands there are such
        keys.
    """
    found: dict[Path, str] = {}
    inside: list[tuple[Path, str, Any]] = [(place, str(place[-1]), levels)]
    while inside:
        path, key, each = inside.pop(0)
        if isinstance(each, Mapping) and not _is_range(each):
            inside += [((*path, part), f"{key}.{part}", its) for part, its in each.items()]
            continue
        swept = _swept_key(key, document)
        if not isinstance(each, Mapping | list | tuple) or swept is None:
            return {}
        found[path] = swept
    return found


def _swept_key(key: str, document: Mapping[str, Any]) -> str | None:
    """The key that a sweep may set, complete; none if there is no such key."""
    try:
        path = sweepable(key, document)
    except ValueError:
        return None
    if _unknown_key(path, document) is None:
        return key
    whole = places.completed(document, path)
    return None if whole is None else keys.show(whole)


def in_quotes(key: str) -> str:
    """How a key is written as a factor, with levels in the place of dots."""
    return f'"{key}" = [...]'


def _is_range(levels: Any) -> bool:
    return isinstance(levels, Mapping) and ("from" in levels or "to" in levels)


class FactorError(Exception):
    """What is wrong inside the levels of a factor."""

    def __init__(self, problems: list[Problem]) -> None:
        """Hold the problems."""
        super().__init__(problems)
        self.problems = problems


def _factor(name: str, levels: Any, document: Mapping[str, Any]) -> Factor:
    if _is_range(levels):
        path = sweepable(name, document)
        found = read_range(levels, path, (*FACTORS, name), document)
        factor = Factor(name, path, (), found)
        return Factor(name, path, tuple(factor.level(raw) for raw in found.levels()), found)
    if isinstance(levels, Mapping):
        return _named(name, levels, document)
    if not isinstance(levels, list | tuple):
        raise ValueError(f"expected a list of levels; write it like {_EXAMPLE}")
    if not levels:
        raise ValueError(f"there is no level; write them like {_EXAMPLE}")
    path = sweepable(name, document)
    if any(isinstance(raw, Mapping) and own_flavor(raw) is None for raw in levels):
        raise ValueError(
            "a level that is a table needs a name; write for example "
            '{ small = { "topology.bottleneck.queue.limit" = "10 packets" } }'
        )
    factor = Factor(name, path, ())
    return Factor(name, path, tuple(factor.level(raw) for raw in levels))


def sweepable(name: str, document: Mapping[str, Any]) -> Path:
    """The key that a factor's name means.

    Raises:
        ValueError: it is none, or the same at every point.
    """
    path = keys.parse(name)
    variables = document.get(VARIABLES)
    if isinstance(variables, Mapping) and path[0] in variables:
        path = (VARIABLES, *path)
    for fixed in (keys.show(path), str(path[0])):
        if fixed in _FIXED:
            raise ValueError(f"{fixed} {_FIXED[fixed]}; name another key, like tcp.flavor")
    if path[0] == VARIABLES and len(path) > 1:
        if not isinstance(variables, Mapping) or path[1] not in variables:
            raise ValueError(f"there is no {keys.show(path)}; define it in [variables]")
        return path
    return path


def flat(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Dotted keys and values of a table, also where the dots have become tables."""
    for name, value in table.items():
        if isinstance(value, Mapping) and not _is_value(name, value):
            for inner, each in flat(value):
                yield f"{name}.{inner}", each
        else:
            yield name, value


def _is_value(name: str, table: Mapping[str, Any]) -> bool:
    """Whether a table of a level stands for a whole value of the scenario: it says which kind."""
    return not table or "kind" in table or own_flavor(table) is not None


def _named(name: str, levels: Mapping[str, Any], document: Mapping[str, Any]) -> Factor:
    if not levels:
        raise ValueError(f"there is no level; write them like {_EXAMPLE}")
    keys.parse(name)
    variables = document.get(VARIABLES)
    if isinstance(variables, Mapping) and name in variables:
        raise ValueError(f"{name} is a variable; give its levels as a list, or use another name")
    found, problems = [], []
    for level, table in levels.items():
        place: Path = (*FACTORS, name, level)
        if not isinstance(table, Mapping):
            example = '{ "topology.bottleneck.queue.limit" = "10 packets" }'
            problems.append(Problem(place, f"expected a table of keys; write it like {example}"))
            continue
        try:
            found.append(assignments(table, level, place, document))
        except ValueError as error:
            problems.append(Problem(place, str(error)))
    if problems:
        raise FactorError(problems)
    return Factor(name, None, tuple(found))


def assignments(
    table: Mapping[str, Any], name: str | None, place: Path, document: Mapping[str, Any]
) -> Level:
    """What a table of dotted keys and values sets.

    Raises:
        ValueError: a key is none, or cannot be swept.
    """
    values: dict[Path, Any] = {}
    written: dict[Path, Written] = {}
    for key, raw in flat(table):
        path = sweepable(key, document)
        values[path] = raw
        shown = "" if isinstance(raw, Mapping) else f" = {brief(raw)}"
        written[path] = Written(f"{keys.show((*place, key))}{shown}", (*place, key))
    return Level(name, values, written)


def _unknown_keys(factors: list[Factor], document: Mapping[str, Any]) -> Iterator[Problem]:
    """Keys that no scenario has; reported here, or every level would report them again."""
    set_by_levels = [level.values for factor in factors for level in factor.levels]
    values = [each for its in set_by_levels for each in its.items()]
    if any(path[-1] == "kind" or isinstance(raw, Mapping) for path, raw in values):
        return  # which keys there are differs from point to point
    for factor in factors:
        if factor.path is not None:
            described: dict[Path, Path] = {factor.path: (*FACTORS, factor.name)}
        else:
            described = {
                path: (*FACTORS, factor.name, str(level.name), keys.show(path))
                for level in factor.levels
                for path in level.values
            }
        for path, place in described.items():
            reason = _unknown_key(path, document)
            if reason is not None:
                yield Problem(place, reason)


def _unknown_key(path: Path, document: Mapping[str, Any]) -> str | None:
    if path[0] == VARIABLES:
        return None
    try:
        places.locate(document, path)
    except places.UnknownTableKeyError:
        return None  # the levels of a table have names, and each is checked
    except places.UnknownKeyError as error:
        whole = places.completed(document, path)
        if whole is not None:
            return f"{places.UNKNOWN_KEY}; did you mean {keys.show(whole)}?"
        variables = document.get(VARIABLES)
        names = [*keys_of(Scenario), *(variables if isinstance(variables, Mapping) else ())]
        close = nearest(path[0], names)
        if len(path) == 1 and close is None:
            return (
                f"{places.UNKNOWN_KEY}; define {path[0]} in [variables] to sweep a value of your"
                " own"
            )
        return f"{places.UNKNOWN_KEY}; did you mean {close}?" if len(path) == 1 else str(error)
    return None


def _set_twice(factors: list[Factor]) -> Iterator[Problem]:
    """Two factors that set the same key, or one the table of the other's key."""
    taken: dict[Path, str] = {}
    for factor in factors:
        own = {path for level in factor.levels for path in level.values}
        if factor.path is not None:
            own.add(factor.path)
        for path in sorted(own, key=str):
            for other, name in taken.items():
                if path[: len(other)] == other[: len(path)]:
                    yield Problem(
                        (*FACTORS, factor.name),
                        f'{keys.show(path)} is set by the factor "{name}" too; '
                        "remove it from one of the two",
                    )
                    break
        taken.update(dict.fromkeys(own, factor.name))
