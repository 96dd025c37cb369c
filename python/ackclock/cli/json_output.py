"""What commands print with ``--json``: one document on standard output."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any

from ackclock.cli.output import say


def say_json(document: Any) -> None:
    """Print a document as JSON; a number that is none or has no end (nan, inf) is null."""
    say(json.dumps(_plain(document), indent=2, ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    """Made of dictionaries, lists, texts and numbers, as JSON has them."""
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str | Path):
        return str(value)
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else float(value)
    if hasattr(value, "item"):
        return _plain(value.item())
    return value if isfinite(value) else None
