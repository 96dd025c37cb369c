"""The kernel for virtual time: where it is."""

from __future__ import annotations

import os
from pathlib import Path

from ackclock.errors import InputError

MISSING = (
    "--virtual-time: there is no kernel for virtual time here; make one with"
    " `make virtual-time-kernel` (15 minutes of processor time, 2 GB of disk while it builds)"
)


def kernel_path() -> Path:
    """Return where the kernel is, or will be: in the user's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "ackclock" / "virtual-time" / "linux"


def kernel() -> Path:
    """Return the path of the kernel.

    Raises:
        InputError: there is none.
    """
    path = kernel_path()
    if not os.access(path, os.X_OK):
        raise InputError(MISSING)
    return path
