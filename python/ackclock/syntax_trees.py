"""Parse Python in any thread.

CPython 3.11 counts the depth of the tree that it makes in one counter for all threads. If another
thread parses meanwhile, ``ast.parse`` may raise ``SystemError``.
"""

from __future__ import annotations

import ast
from threading import RLock
from typing import Any

_ONE_AT_A_TIME = RLock()


def syntax_tree(source: str | bytes, name: str = "<unknown>", mode: str = "exec") -> Any:
    """Return the syntax tree of a text; see ``ast.parse``."""
    with _ONE_AT_A_TIME:
        return ast.parse(source, name, mode)  # noqa: TID251
