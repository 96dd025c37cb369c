"""Values that may be left to the flavor of the TCP."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import plain

PRESET = "preset"
"""Stands for the value that the flavor has."""


AS_PUBLISHED = "as_published"
"""Stands for the value that the source of the flavor has."""


def or_preset(kind: Kind) -> Kind:
    """Values of a kind, or the word ``PRESET``."""
    return replace(_or_word(kind, PRESET), has_preset=True)


def or_published(kind: Kind) -> Kind:
    """Values of a kind, or the word ``AS_PUBLISHED``."""
    return _or_word(kind, AS_PUBLISHED)


def _or_word(kind: Kind, word: str) -> Kind:
    """Values of a kind, or a word, which stays as it is."""

    def read(raw: Any) -> Any:
        return word if plain(raw) == word else kind.read(raw)

    return replace(
        kind,
        accepts=f'{kind.accepts}, or "{word}"',
        read=read,
        write=lambda value: value if value == word else kind.write(value),
        number=lambda value: value if value == word else kind.number(value),
        unit=lambda value: None if value == word else kind.unit(value),
        schema={"anyOf": [dict(kind.schema), {"const": word}]},
    )
