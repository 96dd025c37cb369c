"""The scenarios that the page offers: those that come with ackclock, and the user's."""

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

_FOLDERS = (
    Path(__file__).parents[4] / "scenarios",
    Path(__file__).parents[2] / "scenario" / "starters",
)
_SOURCES = next(folder for folder in _FOLDERS if folder.is_dir())
"""The teaching set beside the package; an installed package has the starters alone."""
_YOURS = "yours"
_MOST_FILES = 500
_DEEPEST = 3
"""Folders in each other that are searched."""
_COMMAND = re.compile(r"#\s{3,}(\S.*)")


class Entry(NamedTuple):
    """A scenario file.

    Attributes:
        id: its name, or "yours/" and its path in the user's folder; without ".toml".
        folder: "examples" or "yours".
        path: of the file.
    """

    id: str
    folder: str
    path: Path

    @property
    def changed(self) -> float:
        """When its file was; 0 if there is none any more."""
        try:
            return self.path.stat().st_mtime
        except OSError:
            return 0.0

    @property
    def text(self) -> str:
        """What is in it.

        Raises:
            InputError: it cannot be read.
        """
        try:
            content = self.path.read_bytes()[: limits.MOST_BYTES + 1]
            return content.decode("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{self.path.name}: cannot be read ({error})") from None


class See(NamedTuple):
    """What the comment at the beginning of a file says.

    Attributes:
        text: paragraphs, with an empty line between them.
        commands: lines that are commands.
    """

    text: str
    commands: list[str]


_known: dict[Path, dict[str, Entry]] = {}
"""What was found when a folder was last searched; a run asks for its scenario at each move."""


def entries(settings: Settings) -> dict[str, Entry]:
    """The scenarios by their ids, those that come with ackclock first."""
    shipped = sorted(_SOURCES.glob("*.toml"))
    found = [Entry(path.stem, "examples", path) for path in shipped]
    root = settings.folder.resolve()
    if root != _SOURCES.resolve():
        for path in _files(root):
            name = path.relative_to(root).with_suffix("").as_posix()
            found.append(Entry(f"{_YOURS}/{name}", _YOURS, path))
    known = _known[settings.folder] = {each.id: each for each in found}
    return known


def entry(settings: Settings, name: str) -> Entry:
    """The scenario of an id.

    Raises:
        NotThereError: there is none.
    """
    known = _known.get(settings.folder, {})
    if name not in known:
        known = entries(settings)
    if name not in known:
        raise NotThereError("scenario", name, known)
    return known[name]


def id_of(path: Path) -> str:
    """The id of a file in the user's folder, where that is the folder that the file is in."""
    is_shipped = path.parent.resolve() == _SOURCES.resolve()
    return path.stem if is_shipped else f"{_YOURS}/{path.stem}"


def _files(root: Path) -> Iterator[Path]:
    """The TOML files in a folder, but those behind links that lead out of it and in hidden ones."""
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
    """What the comment at the beginning of a file says to look at."""
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
