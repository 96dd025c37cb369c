"""Errors in the user's input; each reports every problem found."""

from __future__ import annotations

from collections.abc import Iterable


class InputWarning(UserWarning):
    """Input that is valid, but should be written in another way."""


class PlacedMessage(str):
    """A message with its position in a file, for programs that read messages.

    Attributes:
        line: line of the file, counted from 1; none if the error has no line of its own.
        key: dotted key, for example "link.rate"; empty if the error is about the whole file.
    """

    line: int | None
    key: str

    def __new__(cls, text: str, line: int | None, key: str) -> PlacedMessage:
        """Create the message from its text and its position."""
        made = super().__new__(cls, text)
        made.line, made.key = line, key
        return made

    def __getnewargs__(self) -> tuple[str, int | None, str]:
        """Return the arguments with which pickle makes a copy in another process."""
        return str(self), self.line, self.key


class InputError(Exception):
    """Input that cannot be used: a file, a scenario or an option.

    Attributes:
        messages: each describes one error and, where possible, how to correct it.
    """

    def __init__(self, messages: str | Iterable[str]) -> None:
        """Create an error with one message, or with several."""
        self.messages: list[str] = [messages] if isinstance(messages, str) else list(messages)
        # The list is the one argument, so that the error survives pickling between processes.
        super().__init__(self.messages)

    def __str__(self) -> str:
        """Return all messages, one per line."""
        return "\n".join(self.messages)


class CodeError(InputError):
    """An error in a congestion control in Python, which ends the run."""
