"""Names and numbers of nodes and flows."""

from __future__ import annotations

from typing import Annotated

from ackclock.scenario.values.plain import whole, word
from ackclock.untrusted_text import code

MOST_FLOWS = 2_000_000
MOST_FLOWS_OF_CELLS = 100_000
"""Where the network carries cells."""


def _name_problem(text: str) -> str | None:
    unseen = next((sign for sign in text if not sign.isprintable()), None)
    if unseen is not None:
        return f"a name has only visible characters; remove {code(unseen)}"
    if not text or text != text.strip():
        return "a name has at least one character, no line break, and no space at its ends"
    return None


NAME = word("h1", _name_problem, r"^\S(.*\S)?$")
Name = Annotated[str, NAME]
"""Name of a node or of a flow."""
Count = Annotated[int, whole(1, MOST_FLOWS, 2)]
"""How many there are."""
CountOfCells = Annotated[int, whole(1, MOST_FLOWS_OF_CELLS, 2)]
"""How many there are where the network carries cells."""
