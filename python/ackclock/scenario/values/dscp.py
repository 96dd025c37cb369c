"""The DSCP of packets: a name, or a number from 0 to 63."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ackclock.scenario.values.kind import Kind, exact, shown
from ackclock.scenario.values.plain import plain
from ackclock.suggestions import hint

MOST = 63
NAMES = {
    **{f"CS{number}": 8 * number for number in range(8)},
    **{f"AF{x}{y}": 8 * x + 2 * y for x in range(1, 5) for y in range(1, 4)},
    "EF": 46,
    "VA": 44,
    "LE": 1,
}
"""RFC 2474, 2597, 3246, 5865 and 8622."""
_TEXTS = {number: name for name, number in NAMES.items()}
_WANTED = f'write a name such as "EF" or "CS1", or a number from 0 to {MOST}'


def _read(raw: Any) -> int:
    value = plain(raw)
    if isinstance(value, str) and value in NAMES:
        return NAMES[value]
    number = exact(value)
    if number is not None and number.denominator == 1 and 0 <= number <= MOST:
        return int(number)
    close = hint(value, list(NAMES)) if isinstance(value, str) else ""
    raise ValueError(f"{shown(value)} is not a DSCP; {close or _WANTED}")


DSCP = Kind(
    accepts=f"name of a DSCP, or whole number from 0 to {MOST}",
    example='"EF"',
    read=_read,
    write=lambda value: _TEXTS.get(value, value),
    number=lambda value: Fraction(value),
    unit=lambda value: "",
    schema={
        "anyOf": [
            {"enum": list(NAMES)},
            {"type": "integer", "minimum": 0, "maximum": MOST, "examples": [46]},
        ]
    },
)
"""Of a group of flows."""
