"""The plan as the core reads it, and its identity."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

SCHEMA = 13
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


def _refuse_reals(value: Mapping[str, Any] | Sequence[Any]) -> None:
    # JSON has a form for dicts, lists and tuples only; a Mapping that is no dict it refuses itself.
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, float):
            raise TypeError(f"a plan holds integers only, not {each!r}")
        if isinstance(each, dict | list | tuple):
            _refuse_reals(each)
