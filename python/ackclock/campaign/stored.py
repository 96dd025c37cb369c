"""Sequences whose values are in a temporary file: each value takes 16 bytes of memory."""

from __future__ import annotations

import os
import pickle
import tempfile
import zlib
from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar, overload

from ackclock.campaign.files import explained_if_unwritable, write_all

_FASTEST = 1

T = TypeVar("T")


class Storage:
    """A temporary file without a name: the operating system removes it with this process."""

    def __init__(self, folder: Path, descriptor: int) -> None:
        self._folder = folder
        self._descriptor = descriptor
        self._size = 0

    def add(self, content: bytes) -> int:
        """Append bytes, and return their place.

        Raises:
            InputError: the folder for temporary files is full.
        """
        with explained_if_unwritable(self._folder):
            write_all(self._descriptor, content)
        self._size += len(content)
        return self._size - len(content)

    def read(self, place: int, size: int) -> bytes:
        """Return bytes that were added."""
        return os.pread(self._descriptor, size, place)


@contextmanager
def storage() -> Iterator[Storage]:
    """Open a storage in the system's folder for temporary files.

    Raises:
        InputError: there is no such folder, or it is full.
    """
    with explained_if_unwritable(Path("TMPDIR")):
        folder = Path(tempfile.gettempdir())
    with ExitStack() as files:
        with explained_if_unwritable(folder):
            file = files.enter_context(tempfile.TemporaryFile(buffering=0, dir=folder))
        yield Storage(folder, file.fileno())


class Stored(Sequence[T], Generic[T]):
    """Values in a storage. They can be pickled, and are not changed.

    Args:
        storage: keeps the values.
        recent: number of values last used that are in memory, too.
    """

    def __init__(self, storage: Storage, recent: int = 0) -> None:
        self._storage = storage
        self._at = lru_cache(recent)(self._read)
        self._places = array("Q")
        self._sizes = array("Q")

    def append(self, value: T) -> None:
        """Add a value.

        Raises:
            InputError: the folder for temporary files is full.
        """
        content = zlib.compress(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), _FASTEST)
        self._places.append(self._storage.add(content))
        self._sizes.append(len(content))

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        return self._at(at)

    def _read(self, at: int) -> T:
        content = self._storage.read(self._places[at], self._sizes[at])
        value: T = pickle.loads(zlib.decompress(content))
        return value
