"""Processor time of a command."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Sequence
from typing import NamedTuple


class Timed(NamedTuple):
    """A command that has run.

    Attributes:
        seconds: user and system time of it and its children.
        output: what it printed.
    """

    seconds: float
    output: str


def in_children(command: Sequence[str]) -> Timed:
    """Run a command.

    Raises:
        RuntimeError: it failed.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Timed(seconds, done.stdout)
