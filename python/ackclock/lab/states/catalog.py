"""The scenarios on the page: those shipped with ackclock, and the user's."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ackclock.errors import InputError
from ackclock.lab.errors import NotThereError
from ackclock.lab.settings import Settings
from ackclock.scenario import limits
from ackclock.scenario.ready_made import FOLDER, ready_made

_YOURS = "yours"
_MOST_FILES = 500
_DEEPEST = 3
"""Largest depth of searched folders."""
_COMMAND = re.compile(r"#\s{3,}(\S.*)")


class Entry(NamedTuple):
    """A scenario file.

    Attributes:
        id: name, or "yours/" and the path in the user's folder; without ".toml".
        folder: "examples" or "yours".
        path: path of the file.
    """

    id: str
    folder: str
    path: Path

    @property
    def changed(self) -> float:
        """Time when the file was changed; 0 if it was removed."""
        try:
            return self.path.stat().st_mtime
        except OSError:
            return 0.0

    @property
    def text(self) -> str:
        """Return the content of the file.

        Raises:
            InputError: the file cannot be read.
        """
        try:
            content = self.path.read_bytes()[: limits.MOST_BYTES + 1]
            return content.decode("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{self.path.name}: cannot be read ({error})") from None


class See(NamedTuple):
    """The comment at the beginning of a file.

    Attributes:
        text: paragraphs, with an empty line between them.
        commands: lines that are commands.
    """

    text: str
    commands: list[str]


_known: dict[Path, dict[str, Entry]] = {}
"""Result of the last search of a folder, because every move of a slider needs the scenario."""


def entries(settings: Settings) -> dict[str, Entry]:
    """Return the scenarios by id, those shipped with ackclock first."""
    found = [Entry(name, "examples", path) for name, path in ready_made().items()]
    root = settings.folder.resolve()
    if root != FOLDER.resolve():
        for path in _files(root):
            name = path.relative_to(root).with_suffix("").as_posix()
            found.append(Entry(f"{_YOURS}/{name}", _YOURS, path))
    known = _known[settings.folder] = {each.id: each for each in found}
    return known


def entry(settings: Settings, name: str) -> Entry:
    """Return the scenario with an id.

    Raises:
        NotThereError: no scenario has this id.
    """
    known = _known.get(settings.folder, {})
    if name not in known:
        known = entries(settings)
    if name not in known:
        raise NotThereError("scenario", name, known)
    return known[name]


def id_of(path: Path) -> str:
    """Return the id of a file when its folder is the user's folder."""
    is_shipped = path.parent.resolve() == FOLDER.resolve()
    return path.stem if is_shipped else f"{_YOURS}/{path.stem}"


def _files(root: Path) -> Iterator[Path]:
    """Yield the TOML files in a folder, without hidden folders and links out of the folder."""
    count = 0
    for folder, folders, names in os.walk(root):
        inside = Path(folder).relative_to(root).parts
        hidden = len(inside) >= _DEEPEST
        folders[:] = [] if hidden else sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix == ".toml" and path.resolve().is_relative_to(root):
                yield path
                count += 1
                if count == _MOST_FILES:
                    return


def see(text: str) -> See:
    """Parse the comment at the beginning of a file."""
    paragraphs: list[list[str]] = [[]]
    commands = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        words = line.removeprefix("#").strip()
        if command := _COMMAND.fullmatch(line.rstrip()):
            commands.append(command[1])
        elif words:
            paragraphs[-1].append(words)
            continue
        paragraphs.append([])
    said = "\n\n".join(" ".join(lines) for lines in paragraphs if lines)
    return See(said.removeprefix("What to see: "), commands)
