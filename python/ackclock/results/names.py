"""Look-up of names that a user gives: metrics, factors, levels, flows, points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isclose
from numbers import Real
from typing import Any

from ackclock.errors import InputError
from ackclock.plots.quantities import is_number, sentence
from ackclock.suggestions import hint, there_are

_MOST_SHOWN = 20


def known(name: Any, names: Sequence[str], what: str) -> str:
    """Return the name if it exists.

    Args:
        name: name that the user gave.
        names: existing names.
        what: what the names denote, with an article: "a metric".

    Raises:
        InputError: the name does not exist; the message suggests the most similar name.
    """
    if name in names:
        return str(name)
    raise InputError(unknown(name, names, what))


def unknown(name: Any, names: Sequence[str], what: str) -> str:
    """Return the message about a name that does not exist."""
    if not names:
        return f"{name!r} is not {what}: there is none"
    meant = hint(name, names, "'")
    there = there_are(names[:_MOST_SHOWN])
    there += f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    if meant.endswith("?"):
        return f"{name!r} is not {what}; {meant} {sentence(there)}"
    return "; ".join(filter(None, [f"{name!r} is not {what}", meant, there]))


def same_level(given: Any, level: Any) -> bool:
    """Return whether a given value matches a level: numbers up to rounding, texts exactly."""
    if is_number(given) and is_number(level):
        return isclose(given, level, rel_tol=1e-9)
    return bool(given == level) and isinstance(given, bool) == isinstance(level, bool)


def level_of(given: Any, levels: Sequence[Any], factor: str) -> Any:
    """Return the level of a factor that matches a value from the table or a text.

    Args:
        given: a level, or its text with a unit ("10 ms") or without.
        levels: levels of the factor, without repetitions.
        factor: column of the factor.

    Raises:
        InputError: there is no such level.
    """
    for level in levels:
        if same_level(given, level) or (isinstance(given, str) and given == _text(level)):
            return level
    if isinstance(given, str) and (number := _number(given)) is not None:
        for level in levels:
            if same_level(number, level):
                return level
    raise InputError(unknown(given, [_text(level) for level in levels], f"a level of {factor}"))


def point_of(given: Any, points: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of the point that a number or levels identify.

    Args:
        given: number of the point, or levels by column that identify it; none if there is only one
            point.
        points: the levels of all points.

    Raises:
        InputError: there is no such point, or more than one.
    """
    if isinstance(given, int) and not isinstance(given, bool):
        if 0 <= given < len(points):
            return given
        some = (
            "there is only point 0"
            if len(points) == 1
            else f"there are points 0 to {len(points) - 1}"
        )
        raise InputError(f"point {given}: {some}")
    if given is not None and not isinstance(given, Mapping):
        raise InputError(f"point={given!r}: give a number, or levels like {_example(points)}")
    wanted = dict(given or {})
    columns = list(dict.fromkeys(column for point in points for column in point))
    for column, level in wanted.items():
        known(column, columns, "a factor")
        found = list(dict.fromkeys(point[column] for point in points if column in point))
        wanted[column] = level_of(level, found, column)
    matches = [
        number
        for number, point in enumerate(points)
        if all(same_level(level, point.get(column)) for column, level in wanted.items())
    ]
    if len(matches) == 1:
        return matches[0]
    some = "no point has these levels" if not matches else f"{len(matches)} points match"
    raise InputError(f"point={given!r}: {some}; give for example {_example(points)}")


def _example(points: Sequence[Mapping[str, Any]]) -> str:
    return f"point={dict(points[0])!r}"


def _text(level: Any) -> str:
    if isinstance(level, Real) and not isinstance(level, bool):
        return f"{level:.6g}"
    return str(level).lower() if isinstance(level, bool) else str(level)


def _number(text: str) -> float | None:
    """Return a number, or a quantity in its base unit: "10 ms" is 0.01; none for other texts."""
    try:
        return float(text)
    except ValueError:
        from ackclock.scenario.values.quantities import parse_any

        found = parse_any(text)
        return float(found[1]) if found else None
