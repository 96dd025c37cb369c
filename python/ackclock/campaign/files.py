"""Output folders, files that are complete or absent, and the message for a full disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ackclock.errors import InputError


def writable_folder(path: Path, option: str) -> Path:
    """Create the folder if missing, and check that it is writable.

    Raises:
        InputError: the path is not a folder, or it is not writable. No file is left behind.
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
    """Let ``write`` make a temporary file beside the path, then rename it atomically."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        write(unfinished)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def write_bytes_whole(path: Path, content: bytes, *, synced: bool = True) -> None:
    """Write a file completely or not at all.

    Args:
        path: path of the file.
        content: content of the file.
        synced: wait until the data are on the disk, so that the file is complete even after a
            power failure.

    Raises:
        OSError: the file cannot be written, for example because the disk is full.
    """

    def write(unfinished: Path) -> None:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        try:
            write_all(descriptor, content)
            if synced:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)

    write_whole(path, write)


def write_pieces_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file completely or not at all, and wait until it is on the disk.

    Raises:
        OSError: the file cannot be written.
    """

    def write(unfinished: Path) -> None:
        with unfinished.open("wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())

    write_whole(path, write)


def has_content(path: Path, pieces: Iterable[bytes]) -> bool:
    """Return whether a file exists and consists of these pieces."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return all(file.read(len(piece)) == piece for piece in pieces) and not file.read(1)


def write_all(descriptor: int, content: bytes) -> None:
    """Write all bytes: on a nearly full disk, one write may write only a part of them."""
    left = memoryview(content)
    while left:
        left = left[os.write(descriptor, left) :]


@contextmanager
def explained_if_unwritable(folder: Path) -> Iterator[None]:
    """Turn an error of the file system into an ``InputError``.

    Raises:
        InputError: something in the folder could not be read or written.
    """
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        reason = "the disk is full" if full else error.strerror or str(error)
        remedy = "free some space" if full else "mend that"
        raise InputError(
            f"{folder}: cannot write there ({reason}); {remedy} and repeat the command: it"
            " resumes from the runs that are kept"
        ) from error
