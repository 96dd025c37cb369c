"""Errors that are the user's to mend, with every problem found told at once."""

from __future__ import annotations

from collections.abc import Iterable


class InputWarning(UserWarning):
    """Input that is understood, but is better written in another way."""


class InputError(Exception):
    """Input that cannot be used: a file, a scenario or an option.

    Attributes:
        messages: each names one thing that is wrong and, where it can, the remedy.
    """

    def __init__(self, messages: str | Iterable[str]) -> None:
        """Hold one message, or several."""
        self.messages: list[str] = [messages] if isinstance(messages, str) else list(messages)
        # The list is the one argument, so that the error survives pickling between processes.
        super().__init__(self.messages)

    def __str__(self) -> str:
        """All messages, one a line."""
        return "\n".join(self.messages)
