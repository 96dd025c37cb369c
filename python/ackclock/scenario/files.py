"""Files that a scenario names: beside it, or held in its table ``[files]``.

A campaign stores the text of its scenario. If a file were moved or changed, that text would be
invalid or change its meaning, so the campaign stores the files in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

FILES = "files"
_MOST_BYTES = 32_000_000
"""Of a file; more than a million rows, the most that there may be, can take."""
_Content = TypeVar("_Content")
_NOT_IN_TOML = re.compile(r'[\\"\x00-\x08\x0b-\x1f\x7f]')


class FileError(Exception):
    """A file that cannot be used.

    Attributes:
        reasons: each names the file, and what is wrong in which line, and a correct form.
    """

    def __init__(self, reasons: Sequence[str]) -> None:
        """Hold the reasons."""
        super().__init__(reasons)
        self.reasons = list(reasons)


class Files:
    """The files that a scenario names, each read once, at its first use.

    Attributes:
        texts: of those that were read, by their names.
    """

    def __init__(
        self, held: Any = None, folder: Path | None = None, *, within: bool = False
    ) -> None:
        """Read nothing yet.

        Args:
            held: the table ``[files]``, if the scenario has one; nothing else is read then.
            folder: to which other names are relative; the working directory if not given.
            within: whether only files in the folder may be read.
        """
        self._held = held
        self._folder = folder or Path()
        self._within = within
        self._found: dict[tuple[str, Callable[..., Any]], Any] = {}
        self.texts: dict[str, str] = {}

    def read(self, name: str, parse: Callable[[str, str], _Content]) -> _Content:
        """What is in a file.

        Args:
            name: of the file.
            parse: reads the content from the name, for messages, and the text.

        Raises:
            FileError: it cannot be read, or something in it is wrong.
        """
        if (name, parse) not in self._found:
            self._found[name, parse] = self._read(name, parse)
        found = self._found[name, parse]
        if isinstance(found, FileError):
            raise found
        return found

    def _read(self, name: str, parse: Callable[[str, str], _Content]) -> _Content | FileError:
        try:
            text = self._text(name)
            content = parse(name, text)
        except FileError as error:
            return error
        self.texts[name] = text
        return content

    def as_toml(self) -> str:
        """The files that were read, as a table ``[files]``; empty if none was."""
        if not self.texts:
            return ""
        lines = [f"{quoted(name)} = {long(text)}\n" for name, text in self.texts.items()]
        return "".join(["\n# The files that are named above, as they were.\n[files]\n", *lines])

    def _text(self, name: str) -> str:
        if self._held is not None:
            text = self._held.get(name) if isinstance(self._held, Mapping) else None
            if not isinstance(text, str):
                raise FileError([f"{name} is not in [files]; add it there, or remove [files]"])
            return text
        try:
            path = self._folder / name
            if self._within and not path.resolve().is_relative_to(self._folder.resolve()):
                raise FileError([f"{name} is not in the folder of the scenario; put it there"])
            with path.open("rb") as file:
                content = file.read(_MOST_BYTES + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise FileError(
                [
                    f"{name} cannot be read ({reason}); name a file, relative to the folder "
                    "of the scenario file"
                ]
            ) from error
        if len(content) > _MOST_BYTES:
            raise FileError([f"{name} has more than {_MOST_BYTES} bytes; write fewer rows"])
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise FileError(
                [f"{name} is not UTF-8 text (byte {error.start + 1}); save the file as UTF-8"]
            ) from error


def quoted(text: str) -> str:
    """A text as TOML, in one line."""
    return f'"{_escaped(text)}"'.replace("\n", "\\n")


def long(text: str) -> str:
    """A text as TOML, over as many lines as it has."""
    return f'"""\n{_escaped(text)}"""'


def _escaped(text: str) -> str:
    return _NOT_IN_TOML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
