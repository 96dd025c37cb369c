"""The plan as the core reads it, and its identity."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

SCHEMA = 4
"""Version of the plan schema that this package writes; the core refuses any other."""


def canonical_json(plan: Mapping[str, Any]) -> str:
    """The one text of a plan: sorted keys, no spaces; equal plans give equal text.

    Raises:
        TypeError: the plan holds a real number, whose text could differ between machines, or
            something that JSON has no form for.
    """
    _refuse_reals(plan)
    return json.dumps(plan, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def plan_hash(plan: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(canonical_json(plan).encode()).hexdigest()


def _refuse_reals(value: Any) -> None:
    if isinstance(value, float):
        raise TypeError(f"a plan holds integers only, not {value!r}")
    if isinstance(value, Mapping):
        for each in value.values():
            _refuse_reals(each)
    elif isinstance(value, list | tuple):
        for each in value:
            _refuse_reals(each)
