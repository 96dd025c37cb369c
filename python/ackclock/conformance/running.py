"""Scripts are run as ``ackclock drill`` runs them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ackclock.drill import Subject, run_script, subject
from ackclock.drill.rendering import verdict


def drill(path: Path, flavor: str, sets: tuple[str, ...]) -> str:
    """What failed in a script, as ``ackclock drill`` reports it; empty if nothing did.

    Args:
        path: of the script.
        flavor: of the endpoint.
        sets: ``--set`` options.

    Raises:
        InputError: the script or the options cannot be read.
    """
    # Much of "exactly one segment" rests on nothing being left at the end.
    outcome = run_script(path, _subject(flavor, sets), check_left=True)
    return "" if outcome.failure is None else "\n".join(verdict(outcome))


@cache
def _subject(flavor: str, sets: tuple[str, ...]) -> Subject:
    return subject(flavor, sets)
