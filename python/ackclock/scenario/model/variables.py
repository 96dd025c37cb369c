"""``[variables]``: names of the user's own."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ackclock.scenario.values.kind import Computed, Kind, exact
from ackclock.scenario.values.plain import plain

_WANTED = "expected a number, a text, true, false or a list of these; write for example 0.5"


def read_variable(raw: Any) -> Any:
    """A number as a fraction, a text, a truth, or a list of these.

    Raises:
        ValueError: it is something else.
    """
    if isinstance(raw, Computed):
        return raw.value
    if isinstance(raw, bool | str):
        return raw
    if isinstance(raw, list | tuple):
        return [read_variable(each) for each in raw]
    number = exact(raw)
    if number is None:
        raise ValueError(_WANTED)
    return number


def write_variable(value: Any) -> Any:
    """As it may stand in a file; a number that has no decimal text as an expression."""
    if isinstance(value, list):
        return [write_variable(each) for each in value]
    if not isinstance(value, Fraction):
        return value
    if value.denominator == 1:
        return int(value)
    if Fraction(repr(float(value))) == value:
        return float(value)
    return f"= {value.numerator} / {value.denominator}"


def name_problem(name: str, taken: Mapping[str, Any], functions: tuple[str, ...]) -> str | None:
    """What is wrong with the name of a variable.

    Args:
        name: of the variable.
        taken: names that mean something else in an expression.
        functions: names of functions.
    """
    if name in taken or name in functions:
        return (
            f"{name} has a meaning of its own in expressions; choose another name, like my_{name}"
        )
    if not name.isidentifier() or keyword.iskeyword(name):
        return "the name of a variable has letters, digits and _ only, like buffer_share"
    return None


def _read(raw: Any) -> dict[str, Any]:
    value = plain(raw)
    if not isinstance(value, dict):
        raise ValueError("expected a table; write it as [variables] with lines such as k = 0.5")
    return {name: _or_as_it_is(each) for name, each in value.items()}


def _or_as_it_is(raw: Any) -> Any:
    """Reports a problem of one variable on its own, not of all of them."""
    try:
        return read_variable(raw)
    except ValueError:
        return raw


_PLAIN = {"type": ["string", "number", "boolean"]}
VARIABLES = Kind(
    accepts="names, and numbers, texts, true, false or lists of these",
    example="{ k = 0.5 }",
    read=_read,
    write=lambda value: {name: write_variable(each) for name, each in value.items()},
    number=lambda value: None,
    schema={
        "type": "object",
        "additionalProperties": {"anyOf": [_PLAIN, {"type": "array", "items": _PLAIN}]},
    },
)
