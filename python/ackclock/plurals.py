"""Numbers of things in sentences."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things: "1 run", "72 runs".

    Args:
        number: of them.
        one: what one of them is called.
        many: what several are called; by default with an s.
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"
