"""``[sweep]``: the points at which a scenario is run."""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import Field

from ackclock.scenario.model.base import Table
from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import choice, plain, whole

MOST_POINTS = 100_000
CROSS, ZIP, LATIN_HYPERCUBE, LIST = "cross", "zip", "latin_hypercube", "list"
_NUMBER = whole(1, MOST_POINTS, 20)
_POINTS_EXAMPLE = 'points = 20, or as tables [[sweep.points]] with lines "tcp.flavor" = "reno"'


def _read_points(raw: Any) -> int | tuple[dict[str, Any], ...]:
    if isinstance(raw, list | tuple) and raw and all(isinstance(each, dict) for each in raw):
        return tuple(raw)
    if isinstance(raw, list | tuple | dict | str):
        raise ValueError(f"expected a number or a list of tables; write {_POINTS_EXAMPLE}")
    return int(_NUMBER.read(raw))


def _read_factors(raw: Any) -> dict[str, Any]:
    if not isinstance(plain(raw), dict):
        raise ValueError('expected a table; write it as [sweep.factors] with "key" = [levels]')
    return raw


def _written(value: Any) -> Any:
    """As it was written; a number with a point as a float, whose text is the same."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {name: _written(each) for name, each in value.items()}
    return [_written(each) for each in value] if isinstance(value, list | tuple) else value


_LEVEL = {"type": ["string", "number", "boolean"]}
_RANGE = {
    "type": "object",
    "required": ["from", "to"],
    "properties": {
        "from": _LEVEL,
        "to": _LEVEL,
        "count": {"type": "integer", "minimum": 2},
        "step": _LEVEL,
        "scale": {"enum": ["linear", "log"]},
    },
    "additionalProperties": False,
}
_NAMED = {"type": "object", "additionalProperties": {"type": "object"}, "minProperties": 1}
FACTORS = Kind(
    accepts="table: a dotted key and its levels",
    example='{ "tcp.flavor" = ["reno", "sack"] }',
    read=_read_factors,
    write=_written,
    number=lambda value: None,
    schema={
        "type": "object",
        "additionalProperties": {
            "anyOf": [{"type": "array", "items": _LEVEL, "minItems": 1}, _RANGE, _NAMED]
        },
    },
)
POINTS = Kind(
    accepts=f"whole number from 1 to {MOST_POINTS}, or list of tables",
    example="20",
    read=_read_points,
    write=_written,
    number=lambda value: None,
    schema={
        "anyOf": [
            dict(_NUMBER.schema),
            {"type": "array", "items": {"type": "object"}, "minItems": 1},
        ]
    },
)


class Sweep(Table):
    """The points at which the scenario is run: combinations of levels of factors."""

    design: Annotated[str, choice([CROSS, ZIP, LATIN_HYPERCUBE, LIST])] = CROSS
    """How points are made: all combinations (cross), equal positions in all lists (zip), evenly
    spread random points (latin_hypercube), or the listed points (list).
    """
    points: Annotated[int | tuple[dict[str, Any], ...] | None, POINTS] = None
    """latin_hypercube: number of points. list: the points, each a [[sweep.points]] with keys and
    levels.
    """
    factors: Annotated[dict[str, Any], FACTORS] = Field(default_factory=dict)
    """Factors: a dotted key with its levels or a range, or a name with named levels that set
    several keys.
    """
