"""The folder of a job: campaign, request, present process, and exit code.

| file | what |
|---|---|
| ``job.json`` | the request, and the command of the job |
| ``job.lock`` | lock of the job's process, with its process id, start, and whether it waits |
| ``job.log`` | output of the command |
| ``ended.json`` | the exit code of the command |
| others | files of a campaign |

The whole state of a job is in its folder, so it does not depend on the server.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ackclock.campaign.files import write_bytes_whole
from ackclock.campaign.lock import is_held
from ackclock.lab.settings import JOBS

_TURNS = ".turns"
AT_ONCE = 2
"""Number of jobs that run at the same time; the others wait."""
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,80}")
_REQUEST, _LOCK, _LOG, _ENDED = "job.json", "job.lock", "job.log", "ended.json"
_MOST_LOG_BYTES = 20_000
_SECONDS_BETWEEN_LOOKS = 0.2


class Worker(NamedTuple):
    """The process of a job.

    Attributes:
        pid: process id; 0 before the process has begun to work.
        waits: whether it waits until fewer than ``AT_ONCE`` jobs run.
        since: time when it began to make runs, s since 1970.
        had: number of runs in the folder at that time.
    """

    pid: int
    waits: bool
    since: float = 0.0
    had: int = 0


class JobFolder:
    """The folder of a job.

    Args:
        root: the user's folder.
        name: id of the job, one of ``job_names``.
    """

    def __init__(self, root: Path, name: str) -> None:
        self.root = root
        self.name = name
        self.path = root / JOBS / name
        self.log = self.path / _LOG

    @property
    def place(self) -> str:
        """The path of the job from the user's folder, for commands."""
        return f"{JOBS}/{self.name}"

    def request(self) -> dict[str, Any]:
        """Return the request; empty if the file is damaged."""
        return _json(self.path / _REQUEST)

    def ask(self, request: dict[str, Any]) -> None:
        """Write the request."""
        write_bytes_whole(self.path / _REQUEST, json.dumps(request, indent=1).encode() + b"\n")

    def worker(self) -> Worker | None:
        """Return the process that runs the job or waits; none without a process."""
        lock = self.path / _LOCK
        if not is_held(lock):
            return None
        its = _json(lock)
        # The process writes the file when it has begun.
        return Worker(**its) if its else Worker(0, waits=True)

    @contextmanager
    def begun(self) -> Iterator[int]:
        """Hold the lock of the job while a process starts that inherits the descriptor.

        Raises:
            BlockingIOError: a process holds the lock already.
        """
        with _locked(self.path / _LOCK, at_once=True) as descriptor:
            self.end(None)
            os.ftruncate(descriptor, 0)
            yield descriptor

    def say(self, worker: Worker) -> None:
        """Write the process that holds the lock; only the holder may call this."""
        (self.path / _LOCK).write_text(json.dumps(worker._asdict()))

    def exit_code(self) -> int | None:
        """Return the exit code of the command; none if it has not ended by itself."""
        return _json(self.path / _ENDED).get("code")

    def end(self, code: int | None) -> None:
        """Write the exit code of the command, or remove that of an earlier one."""
        if code is None:
            (self.path / _ENDED).unlink(missing_ok=True)
        else:
            write_bytes_whole(self.path / _ENDED, json.dumps({"code": code}).encode())

    def said(self) -> list[str]:
        """Return the last lines of the command's output."""
        try:
            with self.log.open("rb") as file:
                file.seek(max(os.fstat(file.fileno()).st_size - _MOST_LOG_BYTES, 0))
                return file.read().decode(errors="replace").splitlines()
        except OSError:
            return []


def job_names(root: Path) -> list[str]:
    """Return the ids of all jobs in the user's folder, the oldest first."""
    try:
        with os.scandir(root / JOBS) as found:
            names = [each.name for each in found if each.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    return sorted(name for name in names if _ID.fullmatch(name) and _is_job(root / JOBS / name))


@contextmanager
def turn(root: Path) -> Iterator[None]:
    """Wait until fewer than ``AT_ONCE`` jobs run in the user's folder, then hold a place.

    The first waiting process holds the lock of the queue, and the next one waits for this lock, so
    jobs run in their order.
    """
    folder = root / JOBS / _TURNS
    folder.mkdir(parents=True, exist_ok=True)
    places = [folder / str(number) for number in range(AT_ONCE)]
    with ExitStack() as stack:
        with _locked(folder / "queue"):
            while not (free := [place for place in places if not is_held(place)]):
                time.sleep(_SECONDS_BETWEEN_LOOKS)
            stack.enter_context(_locked(free[0]))
        yield


@contextmanager
def _locked(path: Path, *, at_once: bool = False) -> Iterator[int]:
    """Hold the lock of a file; the operating system releases it when this process ends.

    Raises:
        BlockingIOError: another process holds the lock, and ``at_once`` is set.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (fcntl.LOCK_NB if at_once else 0))
        yield descriptor
    finally:
        os.close(descriptor)


def _is_job(path: Path) -> bool:
    return (path / _REQUEST).is_file()


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
