"""The process of a job: waits for its turn, and makes what the command of the job makes.

Usage: python -m ackclock.lab.jobs.process FOLDER ID

It needs no server: that may end, and begin again, while this goes on. It inherits the descriptor by
which the job is held, and holds it until its end.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from ackclock.campaign.journal import JOURNAL
from ackclock.lab.jobs.folder import JobFolder, Worker, turn

_INTERRUPTED = 130


def main(root: Path, name: str) -> int:
    """Make a job; the exit code of its command.

    Args:
        root: the user's folder, the working directory of the command.
        name: id of the job.
    """
    # Whoever has started the server may have told it to ignore Ctrl-C, which ends a job.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    job = JobFolder(root, name)
    job.say(Worker(os.getpid(), waits=True))
    code = _INTERRUPTED
    with suppress(KeyboardInterrupt), turn(root):
        job.say(Worker(os.getpid(), False, time.time(), runs_in(job.path)))
        code = _command(list(job.request()["words"]))
    job.end(code)
    return code


def runs_in(folder: Path) -> int:
    """How many runs the campaigns in a folder have journaled."""
    return sum(_lines(path) for path in folder.rglob(JOURNAL))


def _lines(journal: Path) -> int:
    """The lines of a journal without its first."""
    with journal.open("rb") as file:
        return max(sum(1 for _ in file) - 1, 0)


def _command(words: list[str]) -> int:
    """Run the command ``ackclock`` with these words; its exit code."""
    sys.argv = ["ackclock", *words]
    try:
        runpy.run_module("ackclock", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
