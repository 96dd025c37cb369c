"""Jobs: many runs in a process of their own, which outlives a closed tab and a stopped server.

A job is an ordinary campaign in a folder below the user's; see ``folder``. The command that it
says makes it, or goes on with it, by hand.
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

_TOLD = ("kind", "title", "study", "target", "key", "a", "b", "replications")
"""Of what was asked for, for a list."""
MOST_WAITING = 20
"""Jobs that are made or wait."""
_MOST_LISTED = 200
_SECONDS_BETWEEN_EVENTS = 1.0
_SECONDS_BETWEEN_LOOKS = 0.05
_MOST_SECONDS_TO_BEGIN = 10.0
_PACKAGES = Path(ackclock.__file__).parents[1]
"""Where this package is; the process of a job takes the same."""
_PLACE = re.compile(r"\{place\}")


def started(settings: Settings, body: Mapping[str, Any]) -> str:
    """Begin a job; its id.

    Raises:
        InputError: with all that is wrong with what is asked for, or too many jobs wait.
        NotThereError: no scenario has the id that it names.
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
    """All jobs, the newest first."""
    return [described(job) for job in reversed(job_folders(settings))][:_MOST_LISTED]


def described(job: JobFolder) -> dict[str, Any]:
    """A job, without what its runs have given."""
    request = job.request()
    # The campaigns of a study in parts are in folders of their own.
    its = next(
        (each for each in (job.path, *job.path.glob("*/")) if (each / DESIGN).is_file()), None
    )
    return {
        "id": job.name,
        **{name: request.get(name) for name in (*_TOLD, "when")},
        **progress(job, rows=False),
        "campaign": campaign_id(job.root, its) if its else None,
        "command": command(job, request),
    }


def job_of(settings: Settings, name: str) -> JobFolder:
    """The job of an id.

    Raises:
        NotThereError: there is none.
    """
    root = settings.folder.resolve()
    names = job_names(root)
    if name not in names:
        raise NotThereError("job", name, names)
    return JobFolder(root, name)


def gone_on(settings: Settings, name: str) -> None:
    """Go on with a job that has ended before its last run; nothing is to be done if it has not.

    Raises:
        NotThereError: there is no such job.
        InputError: the command of a person is at work in its folder.
    """
    job = job_of(settings, name)
    _check_not_elsewhere(job)
    with suppress(BlockingIOError):
        _begin(job)


def stopped(settings: Settings, name: str) -> None:
    """End a job as Ctrl-C does: runs under way that end within 2 s are kept, others made again.

    Asked for twice, it does not wait for them. Nothing is to be done if it has ended.

    Raises:
        NotThereError: there is no such job.
        InputError: the command of a person is at work in its folder.
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
    """All jobs, the oldest first."""
    root = settings.folder.resolve()
    return [JobFolder(root, name) for name in job_names(root)]


def _kept(job: JobFolder, wanted: Order, now: datetime) -> None:
    """Write the files of a job.

    Raises:
        InputError: something is wrong with it that only shows in its folder, which is removed.
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
    request = {name: getattr(wanted, name) for name in ("factor", *_TOLD)}
    job.ask({**request, "words": words, "when": now.isoformat(timespec="seconds")})


def _begin(job: JobFolder) -> None:
    """Begin the process of a job, in a session of its own: no Ctrl-C of this one reaches it.

    Raises:
        BlockingIOError: it has one.
    """
    paths = [str(_PACKAGES), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, paths))}
    with job.begun() as descriptor, job.log.open("ab") as log:
        process = subprocess.Popen(
            # -P: the user's folder may hold a file with the name of a module.
            [sys.executable, "-P", "-m", "ackclock.lab.jobs.process", str(job.root), job.name],
            cwd=job.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            pass_fds=[descriptor],
        )
    # The system keeps what has ended until it is waited for.
    Thread(target=process.wait, daemon=True).start()


async def events(job: JobFolder) -> AsyncIterator[str]:
    """How far a job is, at least once a second, until it ends.

    What the runs have given takes longer to find out when there are many: events that come
    meanwhile have no rows.
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
