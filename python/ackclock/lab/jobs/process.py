"""The process of a job: waits for its turn, then runs the command of the job.

Usage: python -m ackclock.lab.jobs.process FOLDER ID

The process does not need the server, which may stop and start again. It inherits the descriptor of
the job's lock, and holds the lock until its end.
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
    """Run a job and return the exit code of its command.

    Args:
        root: user's folder, the working directory of the command.
        name: id of the job.
    """
    # The server may have been started to ignore Ctrl-C, but Ctrl-C must end a job.
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
    """Return the number of journaled runs of the campaigns in a folder."""
    return sum(_lines(path) for path in folder.rglob(JOURNAL))


def _lines(journal: Path) -> int:
    """Return the number of lines of a journal without the first one."""
    with journal.open("rb") as file:
        return max(sum(1 for _ in file) - 1, 0)


def _command(words: list[str]) -> int:
    """Run the command ``ackclock`` with these words, and return its exit code."""
    sys.argv = ["ackclock", *words]
    try:
        runpy.run_module("ackclock", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
