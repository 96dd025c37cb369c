"""Files that a scenario names: beside it, or held in its table ``[files]``.

A campaign stores the text of its scenario. If a CSV file were moved or changed, that text would be
invalid or change its meaning, so the campaign stores the files in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ackclock.scenario.distributions import Distribution, DistributionError, parse

FILES = "files"
_MOST_BYTES = 32_000_000
"""Of a CSV file; more than a million rows, the most that there may be, can take."""
_NOT_IN_TOML = re.compile(r'[\\"\x00-\x08\x0b-\x1f\x7f]')


class Files:
    """The files that a scenario names, each read once, at its first use.

    Attributes:
        texts: of those that were read, by their names.
    """

    def __init__(self, held: Any = None, folder: Path | None = None) -> None:
        """Read nothing yet.

        Args:
            held: the table ``[files]``, if the scenario has one; nothing else is read then.
            folder: to which other names are relative; the working directory if not given.
        """
        self._held = held
        self._folder = folder or Path()
        self._found: dict[str, Distribution | DistributionError] = {}
        self.texts: dict[str, str] = {}

    def distribution(self, name: str) -> Distribution:
        """The distribution in a CSV file.

        Raises:
            DistributionError: it cannot be read, or something in it is wrong.
        """
        if name not in self._found:
            try:
                text = self._text(name)
                self._found[name] = parse(name, text)
                self.texts[name] = text
            except DistributionError as error:
                self._found[name] = error
        found = self._found[name]
        if isinstance(found, DistributionError):
            raise found
        return found

    def as_toml(self) -> str:
        """The files that were read, as a table ``[files]``; empty if none was."""
        if not self.texts:
            return ""
        lines = [f"{_quoted(name)} = {_long(text)}\n" for name, text in self.texts.items()]
        return "".join(["\n# The files that are named above, as they were.\n[files]\n", *lines])

    def _text(self, name: str) -> str:
        if self._held is not None:
            text = self._held.get(name) if isinstance(self._held, Mapping) else None
            if not isinstance(text, str):
                raise DistributionError(
                    [f"{name} is not in [files]; add it there, or remove [files]"]
                )
            return text
        try:
            with (self._folder / name).open("rb") as file:
                content = file.read(_MOST_BYTES + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise DistributionError(
                [
                    f"{name} cannot be read ({reason}); name a CSV file, relative to the folder "
                    "of the scenario file"
                ]
            ) from error
        if len(content) > _MOST_BYTES:
            raise DistributionError([f"{name} has more than {_MOST_BYTES} bytes; write fewer rows"])
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise DistributionError(
                [f"{name} is not UTF-8 text (byte {error.start + 1}); save the file as UTF-8"]
            ) from error


def _quoted(text: str) -> str:
    """A text as TOML, in one line."""
    return f'"{_escaped(text)}"'.replace("\n", "\\n")


def _long(text: str) -> str:
    """A text as TOML, over as many lines as it has."""
    return f'"""\n{_escaped(text)}"""'


def _escaped(text: str) -> str:
    return _NOT_IN_TOML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
