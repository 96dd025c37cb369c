"""One writer a folder: the lock that keeps a second process out, and is gone when its owner is."""

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
    """Hold the folder's lock; the operating system releases it whatever ends this process.

    The file stays when the lock is released: to remove it would let two processes lock two files.

    Raises:
        InputError: another process holds the lock. OSError: the file cannot be written.
    """
    # Not inherited by a worker process, which would hold the lock after its parent's death.
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
    """Whether a process holds the lock of a file; not if there is no such file."""
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
    """Lock a file that ``is_held`` may be looking at, for a moment.

    Raises:
        BlockingIOError: another process holds it.
    """
    for _ in range(_TRIES):
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            error = held
            time.sleep(_SECONDS_BETWEEN_TRIES)
    raise error


def _owner(descriptor: int) -> str:
    """Who holds the lock, in words; the owner may be about to write it."""
    try:
        owner = json.loads(os.pread(descriptor, 10_000, 0))
        return f"process {owner['pid']} on {owner['host']} (since {owner['since']})"
    except (ValueError, KeyError, TypeError):
        return "another process"
