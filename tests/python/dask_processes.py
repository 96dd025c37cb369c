"""A dask scheduler and workers, processes on the loopback interface.

They see the packages that are installed beside dask, but not ackclock unless it is said: the
scheduler never does, because it needs none.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import distributed

import ackclock

HERE = Path(__file__).parent
INSTALLED = str(Path(distributed.__file__).parents[1])
OURS = (str(Path(ackclock.__file__).parents[1]), str(HERE))


def wait_until(true, seconds=40):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "took too long"
        time.sleep(0.02)


class Dask:
    """A scheduler, and the workers that are begun."""

    def __init__(self, folder):
        self._file = folder / "scheduler.json"
        self._begun = []
        self.workers = []
        self.port = 0
        self.begin_scheduler()

    @property
    def address(self):
        return f"tcp://127.0.0.1:{self.port}"

    @property
    def executor(self):
        """What a user writes after --executor."""
        return f"dask://127.0.0.1:{self.port}"

    def begin_scheduler(self):
        """Begin the scheduler, or begin it again with the same address."""
        self._file.unlink(missing_ok=True)
        file = ("--scheduler-file", str(self._file))
        self.scheduler = self._begin("scheduler", (), "--port", str(self.port), *file)
        wait_until(lambda: self._file.exists() and self._file.read_text().strip())
        self.port = int(json.loads(self._file.read_text())["address"].rpartition(":")[2])

    def begin_worker(self, *options, sees=OURS, threads=1):
        """Begin a worker.

        Args:
            options: of the command.
            sees: folders of modules, before those that are installed.
            threads: number of its threads.
        """
        few = ("--nthreads", str(threads), "--no-nanny")
        self.workers.append(self._begin("worker", sees, self.address, *few, *options))

    def _begin(self, kind, sees, *options):
        command = [sys.executable, "-S", "-m", f"distributed.cli.dask_{kind}", "--no-dashboard"]
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", *options],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([*sees, INSTALLED])},
            # Python looks for modules there, too.
            cwd=self._file.parent,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._begun.append(process)
        return process

    def wait_for_workers(self, number):
        """Wait until the scheduler knows so many workers."""
        with distributed.Client(self.address, set_as_default=False) as client:
            wait_until(lambda: len(client.nthreads()) == number)

    def is_busy(self):
        """Whether a worker makes runs."""
        with distributed.Client(self.address, set_as_default=False) as client:
            return any(client.call_stack().values())

    def end(self):
        for process in self._begun:
            process.kill()
        for process in self._begun:
            process.wait()


@contextmanager
def dask(folder, workers=0, **how):
    """A scheduler and so many workers, which are there."""
    made = Dask(folder)
    try:
        for _ in range(workers):
            made.begin_worker(**how)
        if workers:
            made.wait_for_workers(workers)
        yield made
    finally:
        made.end()
