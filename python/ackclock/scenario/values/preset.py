"""Values that may be left to the flavor of the TCP."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import plain

PRESET = "preset"
"""Stands for the value that the flavor has."""


def or_preset(kind: Kind) -> Kind:
    """Values of a kind, or the word ``PRESET``."""

    def read(raw: Any) -> Any:
        return PRESET if plain(raw) == PRESET else kind.read(raw)

    return replace(
        kind,
        accepts=f'{kind.accepts}, or "{PRESET}"',
        read=read,
        write=lambda value: value if value == PRESET else kind.write(value),
        number=lambda value: value if value == PRESET else kind.number(value),
        unit=lambda value: None if value == PRESET else kind.unit(value),
        schema={"anyOf": [dict(kind.schema), {"const": PRESET}]},
        has_preset=True,
    )
