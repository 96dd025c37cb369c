"""Errors in the user's input; each reports every problem found."""

from __future__ import annotations

from collections.abc import Iterable


class InputWarning(UserWarning):
    """Input that is understood, but is better written in another way."""


class PlacedMessage(str):
    """A message that knows its place in a file, for programs that read it.

    Attributes:
        line: in the file, from 1 on; none if what is wrong does not stand there.
        key: dotted; empty if it is the whole file.
    """

    line: int | None
    key: str

    def __new__(cls, text: str, line: int | None, key: str) -> PlacedMessage:
        """The message as it is shown, and its place."""
        made = super().__new__(cls, text)
        made.line, made.key = line, key
        return made

    def __getnewargs__(self) -> tuple[str, int | None, str]:
        """What a copy in another process is made of."""
        return str(self), self.line, self.key


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
