"""Sizes of objects: all alike, a distribution by its name, or one in a CSV file."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from ackclock.scenario.distributions import SHIPPED, Distribution, shipped
from ackclock.scenario.units import SIZE, show
from ackclock.scenario.values.kind import Kind, shown
from ackclock.scenario.values.plain import plain
from ackclock.scenario.values.quantities import quantity
from ackclock.suggestions import nearest

CSV = ".csv"
_SIZE = quantity(SIZE, positive=True, example="12 kB")
_NAMED = ", ".join(map(shown, SHIPPED))
_WANTED = f'write {_NAMED}, the name of a CSV file like "sizes.csv", or a size like "12 kB"'


class Sizes(NamedTuple):
    """What sizes are drawn.

    Attributes:
        name: of a distribution or of a CSV file; empty if all sizes are alike.
        bytes: the one size; 0 if there is a distribution.
        distribution: none if all sizes are alike, or if the file has not been read.
    """

    name: str
    bytes: int = 0
    distribution: Distribution | None = None


def csv_name(raw: Any) -> str | None:
    """The name of the CSV file that is meant; none if something else is."""
    text = plain(raw)
    return text.strip() if isinstance(text, str) and text.strip().endswith(CSV) else None


def _read(raw: Any) -> Sizes:
    if isinstance(raw, Sizes):
        return raw
    text = plain(raw)
    name = csv_name(raw)
    if name is not None:
        return Sizes(name)
    if isinstance(text, str) and text in SHIPPED:
        return Sizes(text, 0, shipped(text))
    if isinstance(text, str) and not text.strip()[:1].isdigit():
        close = nearest(text, list(SHIPPED))
        hint = f'did you mean "{close}"?' if close else _WANTED
        raise ValueError(f"is not a distribution; {hint}")
    try:
        size: int = _SIZE.read(raw)
    except ValueError as error:
        raise ValueError(f"{error} (or name {_NAMED} or a CSV file)") from None
    return Sizes("", size)


_NAMES = {"enum": list(SHIPPED)}
_FILE = {"type": "string", "pattern": r"\.csv\s*$", "examples": ["sizes.csv"]}
SIZES = Kind(
    accepts=f"{' | '.join(map(shown, SHIPPED))}, name of a CSV file, or size above 0",
    example=shown(SHIPPED[0]),
    read=_read,
    write=lambda value: value.name or show(value.bytes, SIZE),
    number=lambda value: value.name or Fraction(value.bytes),
    unit=lambda value: None if value.name else "bytes",
    schema={"anyOf": [_NAMES, _FILE, dict(_SIZE.schema)]},
)
SizesOfObjects = Annotated[Sizes, SIZES]
"""What sizes the objects have."""
