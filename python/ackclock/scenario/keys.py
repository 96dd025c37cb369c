"""Dotted keys: ``flows[2].tcp.flavor`` names a value in a nested document.

``places`` says which of them a scenario has; nothing here needs its tables, so that who reads a
result does not wait for them.
"""

from __future__ import annotations

import re
from typing import Any

from ackclock.scenario.source_lines import Path
from ackclock.scenario.values.kind import shown

_PART = re.compile(r'(?P<name>[\w-]+|"[^"\n]+")(?P<indices>(\[[0-9]{1,9}\])*)(\.|$)')
_BARE = re.compile(r"[\w-]+")
DEEPEST = 32
"""Parts of a dotted key, and tables and lists in each other, at most."""
MISSING = object()
"""The value of a key that is not written."""


def parse(text: str) -> Path:
    """The parts of a dotted key; a part with dots of its own stands in quotes.

    Raises:
        ValueError: it is none.
    """
    path: list[str | int] = []
    rest = f"{text.strip()}"
    at = 0
    while at < len(rest) or not path:
        match = _PART.match(rest, at)
        if match is None or (match.end() == len(rest) and rest.endswith(".")):
            raise ValueError("is not a dotted key; write it like tcp.min_rto or flows[0].count")
        path += [match["name"].strip('"'), *map(int, re.findall(r"[0-9]+", match["indices"]))]
        at = match.end()
        if len(path) > DEEPEST:
            raise ValueError(f"has more than {DEEPEST} parts; write it like tcp.min_rto")
    return tuple(path)


def show(path: Path) -> str:
    """A dotted key as it is written."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if _BARE.fullmatch(part) else f'."{part}"'
    return text.removeprefix(".")


def get(document: Any, path: Path) -> Any:
    """What is written at a key; ``MISSING`` if nothing is."""
    for part in path:
        if isinstance(part, str) and isinstance(document, dict):
            document = document.get(part, MISSING)
        elif isinstance(part, int) and isinstance(document, list):
            document = document[part] if part < len(document) else MISSING
        else:
            return MISSING
        if document is MISSING:
            return MISSING
    return document


def put(document: Any, path: Path, value: Any) -> Any:
    """The document with another value at a key; what does not change is shared.

    Raises:
        ValueError: the key leads through something that is no table, or to a list element that is
            not there.
    """
    if not path:
        return value
    part, rest = path[0], path[1:]
    if isinstance(part, int):
        if not isinstance(document, list) or part >= len(document):
            count = len(document) if isinstance(document, list) else 0
            raise ValueError(f"there is no element [{part}]; the list has {count}, from [0] on")
        changed = list(document)
        changed[part] = put(document[part], rest, value)
        return changed
    if document is MISSING:
        document = {}
    if isinstance(document, list):
        raise ValueError(f"is in a list; write its number, as in [0].{show(path)}")
    if not isinstance(document, dict):
        raise ValueError(f"{shown(document)} is not a table and has no key {part}")
    return {**document, part: put(document.get(part, MISSING), rest, value)}
