"""The ready-made scenarios: files that every installation has, and copies of them by name."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path

from ackclock.errors import InputError
from ackclock.suggestions import nearest

FOLDER = Path(__file__).parents[1] / "scenarios"
"""In a clone a link to the folder ``scenarios``; a wheel has the files themselves."""


def ready_made() -> dict[str, Path]:
    """The files of the ready-made scenarios, by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}


def descriptions() -> dict[str, str]:
    """What each ready-made scenario is about, in one sentence, by name."""
    return {
        name: tomllib.loads(path.read_text(encoding="utf-8"))["description"]
        for name, path in ready_made().items()
    }


def copy_of(name: str, out: Path | None = None) -> str:
    """The text of a ready-made scenario.

    Args:
        name: of the scenario.
        out: file of the copy; the commands in its comments then name this file.

    Raises:
        InputError: there is no ready-made scenario of this name.
    """
    known = ready_made()
    if name not in known:
        close = nearest(name, known)
        raise InputError(
            f"--from {name}: there is no ready-made scenario of this name"
            f"{f'; did you mean {close}?' if close else '.'} `ackclock new --list` lists all"
        )
    text = known[name].read_text(encoding="utf-8")
    place = str(out) if out is not None and out.suffix == ".toml" else ""
    # A name that a shell reads differently could also break the comment.
    is_plain = place and shlex.quote(place) == place
    return text.replace(f"scenarios/{name}", place.removesuffix(".toml")) if is_plain else text
