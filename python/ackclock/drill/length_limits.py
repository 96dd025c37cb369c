"""Limits for the size of values that a code block of a script computes."""

from __future__ import annotations

import re
from typing import Any

LONGEST = 10_000
"""Largest size of a value: characters of a text, bits of a number, and their sum in a tuple."""
_CONVERSION = re.compile(
    r"%(?:%|(?:\(.*?\))?[#0 +-]*(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?[hlL]?.)", re.DOTALL
)
"""Matches a conversion in a format of Python's operator %."""
_TOO_LONG = f"this becomes longer than {LONGEST} characters or bits"


def check_widths(text: str, values: Any) -> None:
    """Raise ``ValueError`` if widths and precisions of a format make the result too long."""
    left = iter(values if isinstance(values, tuple) else (values,))
    total = 0
    for match in _CONVERSION.finditer(text):
        for written in match["width"], match["precision"]:
            number = next(left, 0) if written == "*" else written or 0
            if isinstance(number, str) and len(number) > len(str(LONGEST)):
                raise ValueError(_TOO_LONG)
            total += abs(int(number)) if isinstance(number, int | str) else 0
        if not match[0].endswith("%"):
            next(left, None)
    if total > LONGEST:
        raise ValueError(_TOO_LONG)


def bounded(value: Any) -> Any:
    """Return the value if it is not too long.

    Raises:
        ValueError: the value is too long.
    """
    total, inside = 0, [value]
    while inside:
        each = inside.pop()
        if isinstance(each, tuple):
            inside += each[: LONGEST + 1]
        total += 1 + (each.bit_length() if isinstance(each, int) else 0)
        total += len(each) if isinstance(each, str) else 0
        if total + len(inside) > LONGEST + 1:
            raise ValueError(_TOO_LONG)
    return value
