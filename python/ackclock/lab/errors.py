"""Errors of the lab, and their description for the page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ackclock.scenario.json_documents import problems_document
from ackclock.suggestions import nearest, there_are
from ackclock.untrusted_text import one_line, shortened

_SHOWN = 5


class NotThereError(Exception):
    """No object has this id; the message suggests the most similar id."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        """Create the error from the kind of object, the id, and the known ids."""
        names = list(known)
        close = nearest(name, names)
        meant = f'did you mean "{close}"?' if close else there_are(names[:_SHOWN] or ["none"])
        super().__init__(f'there is no {what} "{shortened(one_line(name))}"; {meant}')


def described(messages: list[str]) -> list[dict[str, Any]]:
    """Return messages with their keys and lines."""
    found = problems_document("", messages)["problems"]
    return [{name: each[name] for name in ("message", "key", "line")} for each in found]
