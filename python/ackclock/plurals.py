"""Text for counts and lists in sentences."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, one: str, many: str = "") -> str:
    """Return a count with its noun: "1 run", "72 runs".

    Args:
        number: the count.
        one: the noun in the singular.
        many: the noun in the plural; by default the singular with an s.
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def listed(words: Sequence[object], last: str = "and") -> str:
    """Return words joined by commas: "a", "a and b", "a, b and c"; empty without words.

    Args:
        words: the words to list.
        last: the conjunction between the last two words.
    """
    texts = list(map(str, words))
    return f" {last} ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))
