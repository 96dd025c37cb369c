"""Output folders and files that are whole or not there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ackclock.errors import InputError


def writable_folder(path: Path, option: str) -> Path:
    """The folder, created if missing; known to be writable.

    Raises:
        InputError: it is no folder, or nothing can be written there. Nothing is left behind.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(None, "Permission denied")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"{option} {path}: cannot write there ({reason}); name a folder that you may write to"
        ) from error
    return path


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` make a file beside its place, then move it there at once."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        write(unfinished)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
