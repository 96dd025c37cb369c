"""The lock that lets only one process write to a folder; it ends with the process."""

from __future__ import annotations

import fcntl
import json
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from ackclock.campaign.files import write_all
from ackclock.errors import InputError

LOCK = ".lock"
_TRIES, _SECONDS_BETWEEN_TRIES = 5, 0.01


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; the operating system releases it when this process ends.

    The file remains after the release: without it two processes could lock two different files.

    Raises:
        InputError: another process holds the lock. OSError: the file cannot be written.
    """
    # Not inherited by worker processes, which could hold the lock after the parent has ended.
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        try:
            _lock(descriptor)
        except BlockingIOError as held:
            raise InputError(
                f"{folder}: {_owner(descriptor)} is making runs there; wait until it has ended, "
                "or name another folder with --out"
            ) from held
        owner = {
            "pid": os.getpid(),
            "host": platform.node(),
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        os.ftruncate(descriptor, 0)
        write_all(descriptor, json.dumps(owner).encode())
        yield
    finally:
        os.close(descriptor)


def is_held(lock: Path) -> bool:
    """Return whether a process holds the lock of a file; False if the file does not exist."""
    try:
        descriptor = os.open(lock, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _lock(descriptor: int) -> None:
    """Lock a file; retry, because ``is_held`` in another process may lock it for a moment.

    Raises:
        BlockingIOError: another process holds the lock.
    """
    for _ in range(_TRIES):
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            error = held
            time.sleep(_SECONDS_BETWEEN_TRIES)
    raise error


def _owner(descriptor: int) -> str:
    """Return a text about the owner of the lock, who may not have written the file yet."""
    try:
        owner = json.loads(os.pread(descriptor, 10_000, 0))
        return f"process {owner['pid']} on {owner['host']} (since {owner['since']})"
    except (ValueError, KeyError, TypeError):
        return "another process"
