"""Permission to execute code that a scenario names: a congestion control in Python.

A scenario file may come from another person. Its code runs only after you have allowed it: with
``--allow-code`` on the command line, or in Python inside ``with code_allowed():``. This module is
the one place of the decision; the core refuses such plans until it has the permission.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ackclock import _core
from ackclock.errors import InputError

_CODE = '"flavor":{"python":{"'
_FILE = '"file":"'


@contextmanager
def code_allowed(allowed: bool = True) -> Iterator[None]:
    """Let this process execute the code of scenarios, for the time of a ``with`` statement.

    Args:
        allowed: whether to give the permission; if not, nothing changes.
    """
    if not allowed:
        yield
        return
    _core.allow_code(True)
    try:
        yield
    finally:
        _core.allow_code(False)


def is_code_allowed() -> bool:
    """Return whether this process may execute the code of scenarios."""
    return _core.code_is_allowed()


def has_code(plan: str) -> bool:
    """Return whether the canonical text of a plan contains code."""
    # Quotation marks inside a text have backslashes, so this is no part of one.
    return _CODE in plan


def check_code(plan: str) -> None:
    """Refuse a plan with code that this process may not execute.

    Args:
        plan: canonical text of the plan.

    Raises:
        InputError: the plan has code, and there is no permission.
    """
    if has_code(plan):
        check_files([plan.partition(_CODE)[2].partition(_FILE)[2].partition('"')[0]])


def check_files(names: Sequence[str]) -> None:
    """Refuse Python files that this process may not execute.

    Raises:
        InputError: there is such a file, and no permission.
    """
    if names and not is_code_allowed():
        raise InputError(
            f"this scenario runs Python code from {names[0]}; read it, then add --allow-code"
        )
