"""Numbers and lists of things in sentences."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things: "1 run", "72 runs".

    Args:
        number: of them.
        one: what one of them is called.
        many: what several are called; by default with an s.
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def listed(words: Sequence[object], last: str = "and") -> str:
    """Words with commas: "a", "a and b", "a, b and c"; empty if there are none.

    Args:
        words: what is listed.
        last: between the last two words.
    """
    texts = list(map(str, words))
    return f" {last} ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))
