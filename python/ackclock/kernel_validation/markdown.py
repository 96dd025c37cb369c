"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite

MISSING = "–"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """A table.

    Args:
        head: of its columns.
        rows: their cells.
        words: so many columns, from the left, hold words; the others hold numbers.
    """
    marks = ["---"] * words + ["---:"] * (len(head) - words)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, marks, *rows)) + "\n"


def number(value: float, decimals: int = 2) -> str:
    """A number; a dash if there is none."""
    return f"{value:,.{decimals}f}" if isfinite(value) else MISSING


def pair(simulated: float, kernel: float, decimals: int = 2) -> str:
    """Two numbers, the simulated one first: "2.31, 2.29"."""
    return f"{number(simulated, decimals)}, {number(kernel, decimals)}"


def share(value: float, decimals: int = 1) -> str:
    """A share in per cent: "7.5 %"."""
    return f"{100 * value:.{decimals}f} %"
