"""Jobs: many runs in a separate process, which continues after the tab or the server is closed.

A job is an ordinary campaign in a folder below the user's folder; see ``folder``. You can also
start or continue it with the command that the page shows.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

from starlette.concurrency import run_in_threadpool

import ackclock
from ackclock.campaign.design import DESIGN
from ackclock.campaign.files import explained_if_unwritable, write_bytes_whole
from ackclock.campaign.lock import LOCK, is_held
from ackclock.campaign.store import SCENARIO
from ackclock.errors import InputError
from ackclock.lab.campaigns.folders import campaign_id
from ackclock.lab.endpoints import NotThereError
from ackclock.lab.jobs.folder import JobFolder, job_names
from ackclock.lab.jobs.kinds import Order, order, posed
from ackclock.lab.jobs.progress import RUNNING, WAITING, command, progress
from ackclock.lab.settings import Settings

_LISTED_KEYS = ("kind", "title", "study", "target", "key", "a", "b", "replications")
"""Keys of the request that a list contains."""
MOST_WAITING = 20
"""Largest number of running and waiting jobs."""
_MOST_LISTED = 200
_SECONDS_BETWEEN_EVENTS = 1.0
_SECONDS_BETWEEN_LOOKS = 0.05
_MOST_SECONDS_TO_BEGIN = 10.0
_PACKAGES = Path(ackclock.__file__).parents[1]
"""Folder of this package, which the process of a job uses too."""
_PLACE = re.compile(r"\{place\}")


def started(settings: Settings, body: Mapping[str, Any]) -> str:
    """Begin a job and return its id.

    Raises:
        InputError: with all errors in the request, or too many jobs wait.
        NotThereError: no scenario has the id in the request.
    """
    wanted = order(settings, body)
    if sum(job.worker() is not None for job in job_folders(settings)) >= MOST_WAITING:
        raise InputError(
            f"{MOST_WAITING} jobs are waiting already; stop one, or wait until one has ended"
        )
    root = settings.folder.resolve()
    now = datetime.now(UTC)
    job = JobFolder(root, f"{now:%Y%m%d-%H%M%S}-{wanted.kind}-{secrets.token_hex(3)}")
    with explained_if_unwritable(job.path):
        job.path.mkdir(parents=True)
        _kept(job, wanted, now)
    _begin(job)
    return job.name


def jobs(settings: Settings) -> list[dict[str, Any]]:
    """Return all jobs, the newest first."""
    return [described(job) for job in reversed(job_folders(settings))][:_MOST_LISTED]


def described(job: JobFolder) -> dict[str, Any]:
    """Return a job without the results of its runs."""
    request = job.request()
    # A study in parts has a folder for each campaign.
    its = next(
        (each for each in (job.path, *job.path.glob("*/")) if (each / DESIGN).is_file()), None
    )
    return {
        "id": job.name,
        **{name: request.get(name) for name in (*_LISTED_KEYS, "when")},
        **progress(job, rows=False),
        "campaign": campaign_id(job.root, its) if its else None,
        "command": command(job, request),
    }


def job_of(settings: Settings, name: str) -> JobFolder:
    """Return the job with an id.

    Raises:
        NotThereError: no job has this id.
    """
    root = settings.folder.resolve()
    names = job_names(root)
    if name not in names:
        raise NotThereError("job", name, names)
    return JobFolder(root, name)


def gone_on(settings: Settings, name: str) -> None:
    """Continue a job that has ended before its last run; do nothing if it still runs.

    Raises:
        NotThereError: there is no such job.
        InputError: a command in a terminal is using the folder.
    """
    job = job_of(settings, name)
    _check_not_elsewhere(job)
    with suppress(BlockingIOError):
        _begin(job)


def stopped(settings: Settings, name: str) -> None:
    """End a job as Ctrl-C does: running runs that end within 2 s are kept.

    A second call does not wait for these runs. Nothing happens if the job has ended.

    Raises:
        NotThereError: there is no such job.
        InputError: a command in a terminal is using the folder.
    """
    job = job_of(settings, name)
    _check_not_elsewhere(job)
    worker = job.worker()
    until = monotonic() + _MOST_SECONDS_TO_BEGIN
    while worker is not None and not worker.pid and monotonic() < until:
        sleep(_SECONDS_BETWEEN_LOOKS)
        worker = job.worker()
    if worker is not None and worker.pid:
        os.kill(worker.pid, signal.SIGINT)


def _check_not_elsewhere(job: JobFolder) -> None:
    if job.worker() is None and is_held(job.path / LOCK):
        raise InputError(
            f"{job.place}: a command in a terminal makes these runs; press Ctrl-C there to stop it"
        )


def job_folders(settings: Settings) -> list[JobFolder]:
    """Return all jobs, the oldest first."""
    root = settings.folder.resolve()
    return [JobFolder(root, name) for name in job_names(root)]


def _kept(job: JobFolder, wanted: Order, now: datetime) -> None:
    """Write the files of a job.

    Raises:
        InputError: a check that needs the folder fails; the folder is removed.
    """
    words = [_PLACE.sub(job.place, word) for word in wanted.words]
    if wanted.text is not None:
        write_bytes_whole(job.path / SCENARIO, wanted.text.encode())
    if wanted.target:
        try:
            posed(words, job.path / SCENARIO)
        except InputError as error:
            shutil.rmtree(job.path)
            named = f"{job.path / SCENARIO}: "
            raise InputError([each.removeprefix(named) for each in error.messages]) from None
    request = {name: getattr(wanted, name) for name in ("factor", *_LISTED_KEYS)}
    job.ask({**request, "words": words, "when": now.isoformat(timespec="seconds")})


def _begin(job: JobFolder) -> None:
    """Start the process of a job in a new session, so that Ctrl-C of the server does not reach it.

    Raises:
        BlockingIOError: the job has a process already.
    """
    paths = [str(_PACKAGES), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, paths))}
    with job.begun() as descriptor, job.log.open("ab") as log:
        process = subprocess.Popen(
            # -P, because the user's folder may contain a file with the name of a module.
            [sys.executable, "-P", "-m", "ackclock.lab.jobs.process", str(job.root), job.name],
            cwd=job.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            pass_fds=[descriptor],
        )
    # Wait for the process, so that it does not remain as a zombie.
    Thread(target=process.wait, daemon=True).start()


async def events(job: JobFolder) -> AsyncIterator[str]:
    """Yield the progress of a job, at least once a second, until it ends.

    With many runs it takes longer to compute the rows of results: events in the meantime have no
    rows.
    """
    while True:
        whole = asyncio.create_task(run_in_threadpool(progress, job))
        while not (await asyncio.wait({whole}, timeout=_SECONDS_BETWEEN_EVENTS))[0]:
            yield _event(await run_in_threadpool(progress, job, rows=False))
        its = whole.result()
        yield _event(its)
        if its["state"] not in (RUNNING, WAITING):
            return
        await asyncio.sleep(_SECONDS_BETWEEN_EVENTS)


def _event(its: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(its, allow_nan=False)}\n\n"
