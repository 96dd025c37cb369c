"""What is said of what is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ackclock.scenario.json_documents import problems_document
from ackclock.suggestions import nearest, there_are
from ackclock.untrusted_text import one_line, shortened

_SHOWN = 5


class NotThereError(Exception):
    """Nothing has an id; the message names the nearest."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        """Say what was looked for, by which id, and which ids there are."""
        names = list(known)
        close = nearest(name, names)
        meant = f'did you mean "{close}"?' if close else there_are(names[:_SHOWN] or ["none"])
        super().__init__(f'there is no {what} "{shortened(one_line(name))}"; {meant}')


def described(messages: list[str]) -> list[dict[str, Any]]:
    """Messages with their keys and lines."""
    found = problems_document("", messages)["problems"]
    return [{name: each[name] for name in ("message", "key", "line")} for each in found]
