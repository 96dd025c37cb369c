"""The form of journal entries: the fields of a finished or failed run.

A checksum shows that a line is unchanged, not that it is valid: another tool or a person may have
written it. Readers of a journal get only entries of this form and need no further checks. Entries
may have other fields, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

_Check = Callable[[Any], bool]

_DIGITS = 64
_LONGEST_NAME = 200
_DEEPEST = 8
_VERDICTS = ("valid", "degraded", "invalid")


def problem(entry: Any) -> str:
    """Return a sentence about the first error in an entry; empty if it has no error.

    Args:
        entry: the content of a line of a journal, without its checksum.
    """
    if not isinstance(entry, dict) or ("run" in entry) == ("failed" in entry):
        return 'it must hold either "run" or "failed"'
    rules = _RUN if "run" in entry else _FAILED
    for key, (what, holds) in rules.items():
        if key not in entry:
            return f'"{key}" is missing: {what}'
        if not holds(entry[key]):
            return f'"{key}" must be {what}'
    if not _is_dict_of(entry.get("hashes", {}), _is_name, _is_hash):
        return '"hashes" must hold a SHA-256 for each file of "traces"'
    return ""


def _is_number(value: Any) -> bool:
    """Return whether a value is a number that arrays can hold, including nan and infinity."""
    return isinstance(value, float) or (isinstance(value, int) and -(2**63) <= value < 2**64)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**64


def _is_text(value: Any) -> bool:
    """Return whether a value is a text in UTF-8: JSON also allows single surrogates."""
    return isinstance(value, str) and not any("\ud800" <= each <= "\udfff" for each in value)


def _is_name(value: Any) -> bool:
    """Return whether a value is a name of a column or file."""
    return isinstance(value, str) and value.isidentifier() and len(value) <= _LONGEST_NAME


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and len(value) == _DIGITS and not set(value) - _HEXADECIMAL


_HEXADECIMAL = set("0123456789abcdef")


def _is_dict_of(value: Any, key: _Check, its: _Check) -> bool:
    return isinstance(value, dict) and all(key(k) and its(v) for k, v in value.items())


def _is_list_of(value: Any, its: _Check) -> bool:
    return isinstance(value, list) and all(map(its, value))


def _is_table(value: Any) -> bool:
    """Return whether a value is a table: columns of numbers with equal lengths."""
    lists = _is_dict_of(value, _is_name, lambda column: _is_list_of(column, _is_number))
    return lists and len({len(column) for column in value.values()}) <= 1


def _is_row(value: Any) -> bool:
    if not isinstance(value, dict) or not value:
        return False
    plain = {name: its for name, its in value.items() if name not in _TABLES}
    tables = value.keys() & _TABLES.keys()
    return _is_dict_of(plain, _is_name, _is_number) and all(
        _TABLES[name](value[name]) for name in tables
    )


def _has(rules: Mapping[str, _Check], required: tuple[str, ...] = ()) -> _Check:
    """Return a check that a dict has the required keys and that its values pass ``rules``."""

    def holds(value: Any) -> bool:
        return (
            isinstance(value, dict)
            and all(key in value for key in required)
            and all(rule(value[key]) for key, rule in rules.items() if key in value)
        )

    return holds


def _is_plain(value: Any, depth: int = 0) -> bool:
    """Return whether a value has only numbers and text, in lists and dicts of limited depth."""
    if isinstance(value, dict):
        return depth < _DEEPEST and all(
            _is_text(key) and _is_plain(each, depth + 1) for key, each in value.items()
        )
    if isinstance(value, list):
        return depth < _DEEPEST and all(_is_plain(each, depth + 1) for each in value)
    return value is None or _is_number(value) or _is_text(value)


def _is_word(value: Any) -> bool:
    return _is_text(value) and bool(value)


def _words(value: Any) -> bool:
    return _is_list_of(value, _is_word)


def _is_finite(value: Any) -> bool:
    return _is_number(value) and math.isfinite(value)


_settings = _has(
    {"profile": _is_word, "congestion": _is_word, "differences": _words},
    ("profile", "congestion", "differences"),
)
_numbers: _Check = lambda value: _is_dict_of(value, _is_text, _is_number)  # noqa: E731
_described = _has(
    {
        "verdict": lambda value: value in _VERDICTS,
        "reasons": _words,
        "settings": lambda value: _is_list_of(value, _settings),
        "configured": lambda value: isinstance(value, dict),
        **dict.fromkeys(("left_late", "entered_late", "read_delay"), _numbers),
        **dict.fromkeys(("left", "entered", "misses", "stolen_s", "deadline_us"), _is_finite),
        "scheduling": _is_text,
    },
    ("verdict", "reasons"),
)
_TABLES: dict[str, _Check] = {
    "flows": _is_table,
    "emulation": lambda value: _described(value) and _is_plain(value),
}

_Rules = dict[str, tuple[str, _Check]]
_COMMON: _Rules = {
    "levels": ("an object of levels by factor", lambda value: isinstance(value, dict)),
    "replication": ("the number of the replication, from 0", _is_count),
    "seed": ("a whole number from 0 to 2^64 - 1", _is_count),
    "duration_s": (
        "a number of seconds, 0 or more",
        lambda value: _is_finite(value) and value >= 0,
    ),
}
_IDENTITY = ("the identity of a run, 64 hexadecimal digits", _is_hash)
_RUN: _Rules = {
    "run": _IDENTITY,
    **_COMMON,
    "traces": (
        "an object of sizes in bytes by table",
        lambda value: _is_dict_of(value, _is_name, _is_count),
    ),
    "row": ("an object of numbers by metric, and of tables", _is_row),
}
_FAILED: _Rules = {
    "failed": _IDENTITY,
    **_COMMON,
    "reason": ("text", _is_text),
    "traceback": ("text", _is_text),
}
