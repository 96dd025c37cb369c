"""The plan as the core reads it, and its identity."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

SCHEMA = 13
"""Version of the plan schema that this package writes; the core refuses any other."""
GROUP = "group"
"""Kind of a part of the links that repeats some of them with a count."""
_IN_TURN = {"first", "count", "each", "begin"}
"""Keys of numbers that the members of a group have in turn, as in crates/lab/src/plan/groups.rs."""


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


def written_links(plan: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The links of a plan as they are written: of each group the links of its first member."""
    for link in plan["links"]:
        yield from link["links"] if link["kind"] == GROUP else [link]


def written_link(plan: Mapping[str, Any], number: int) -> dict[str, Any] | None:
    """A link of a plan by its number, as it is written for its group; none if there is none."""
    for link in plan["links"]:
        group = link["links"] if link["kind"] == GROUP else [link]
        links = len(group) * link.get("count", 1)
        if number < links:
            return group[number % len(group)]
        number -= links
    return None


def written_out(plan: Mapping[str, Any]) -> dict[str, Any]:
    """The same plan without groups: each flow and each link by itself."""
    links: list[dict[str, Any]] = []
    for link in plan["links"]:
        group = link["links"] if link["kind"] == GROUP else [link]
        links += [_member(each, at) for at in range(link.get("count", 1)) for each in group]
    flows = [_member(each, at) for each in plan["flows"] for at in range(each.get("count", 1))]
    return {**plan, "links": links, "flows": flows}


def _member(template: dict[str, Any], at: int) -> dict[str, Any]:
    """A flow or link of a group, or the one that is no group."""
    return {key: _of_member(each, at) for key, each in template.items() if key != "count"}


def _of_member(value: Any, at: int) -> Any:
    if not isinstance(value, dict):
        return value
    if value.keys() == _IN_TURN:
        return value["first"] + (value["begin"] + at) // value["each"] % value["count"]
    return {key: _of_member(each, at) for key, each in value.items()}
