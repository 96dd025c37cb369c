"""An executor on the workers of a dask scheduler.

Each batch goes to one worker that is known to have the right build. Others repeat the batches of a
lost worker. When workers are idle at the end, they repeat the batches that a slow worker holds up:
the first result counts, and both are equal. All of this happens in coroutines of one thread; other
threads call the methods of ``Cluster``.
"""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from importlib.util import find_spec
from math import isfinite
from queue import Empty, SimpleQueue
from statistics import median
from time import monotonic
from typing import Any, NamedTuple

from ackclock.campaign import cluster_connection
from ackclock.campaign.cluster_connection import (
    DisconnectedError,
    LostError,
    WrongBuildError,
    connect,
    quiet_client,
    quiet_versions,
    result_of,
)
from ackclock.campaign.cluster_worker import make, packed
from ackclock.campaign.cluster_workers import QUEUE, Worker, Workers
from ackclock.campaign.worker import Functions, Order, Outcome
from ackclock.errors import InputError
from ackclock.plurals import counted

DEATHS = 3
"""A batch whose worker was lost this often is given back."""
_NO_WORKERS_S = 600.0
_SECONDS_BETWEEN_LOOKS = 1.0
_CLOSE_S = 2.0
_GRACE_S = 1.0
_SLOW = 2.0
"""An idle worker repeats a batch that runs this many times as long as the median, and longer than
the grace; or one that has waited longer than the grace."""
_REMEMBERED = 50
_ATTEMPTS = 2
"""Number of workers that make the same batch at the same time."""


class LostWorkersError(Exception):
    """A batch has lost ``DEATHS`` workers."""


class Cluster(Executor):
    """Makes batches of runs on the workers of a dask scheduler.

    Args:
        address: address of the scheduler, as dask writes it.
        name: how messages name the cluster.

    Raises:
        InputError: dask is not installed, no scheduler answers, or it has another version of
            distributed.
    """

    def __init__(self, address: str, name: str) -> None:
        if find_spec("distributed") is None:
            raise InputError(
                f'{name}: dask is not installed; install it with pip install "ackclock[dask]"'
            )
        self._address = address
        self._name = name
        self._messages: SimpleQueue[str] = SimpleQueue()
        self._threads = 0
        self._waiting = 0
        self._seconds: deque[float] = deque(maxlen=_REMEMBERED)
        self._batches: set[_Batch] = set()
        self._unusable: InputError | None = None
        self._watching: asyncio.Task[None] | None = None
        connected: Future[None] = Future()
        # A daemon: a process that is stopped at once does not wait for the network.
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(connected)), name=name, daemon=True
        )
        with quiet_versions():
            self._thread.start()
            connected.result()

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        """Make a batch; the arguments are those of ``worker.work``."""
        functions, _, orders = arguments
        batch = _Batch(functions, orders)
        self._call(self._begin, batch)
        return batch.future

    def capacity(self) -> int:
        """Return the number of batches to submit at a time, so that no worker has to wait."""
        return QUEUE * max(1, self._threads)

    def messages(self) -> list[str]:
        """Return what has happened to the cluster since the last call, in sentences."""
        found: list[str] = []
        with suppress(Empty):
            while True:
                found.append(self._messages.get_nowait())
        return found

    def stop(self, patience_s: float) -> None:
        """End the batches that have not ended after ``patience_s`` seconds."""
        if isfinite(patience_s):
            self._call(self._loop.call_later, patience_s, self._cancel)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect; the workers stop the runs that have not ended."""
        self._call(self._closing.set)
        self._thread.join(_CLOSE_S)

    def _call(self, function: Any, *arguments: Any) -> None:
        """Call a function in the thread of the loop; do nothing if the loop has ended."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *arguments)

    # What follows happens in the thread of the loop.

    async def _serve(self, connected: Future[None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        self._changed = asyncio.Event()
        with quiet_client():
            try:
                self._client = await connect(self._address, self._name)
            except BaseException as error:
                connected.set_exception(error)
                return
            self._workers = Workers(self._client, self._name, self._messages.put)
            # Later only those with the right build count.
            with suppress(OSError):
                self._threads = sum((await self._client.nthreads()).values())
            connected.set_result(None)
            await self._closing.wait()
            self._cancel()
            await asyncio.gather(*self._tasks(), return_exceptions=True)
            with suppress(OSError, TimeoutError):
                await self._client.close(_CLOSE_S)

    def _begin(self, batch: _Batch) -> None:
        if not self._watching:
            self._watching = asyncio.create_task(self._watch())
        self._batches.add(batch)
        batch.task = task = asyncio.create_task(self._finish(batch))
        batch.future.add_done_callback(
            lambda future: future.cancelled() and self._call(task.cancel)
        )

    def _tasks(self) -> list[asyncio.Task[None]]:
        tasks = [batch.task for batch in self._batches]
        return [task for task in [*tasks, self._watching] if task]

    def _cancel(self) -> None:
        for task in self._tasks():
            task.cancel()

    async def _finish(self, batch: _Batch) -> None:
        """Complete the future of a batch."""
        # The future may have been cancelled in the meantime.
        with suppress(InvalidStateError):
            try:
                batch.future.set_result(await self._make(batch))
            except asyncio.CancelledError:
                batch.future.set_result([])
            except Exception as error:
                batch.future.set_exception(error)
        self._batches.discard(batch)

    async def _make(self, batch: _Batch) -> list[Outcome]:
        """Return the outcomes of a batch from the first worker that has made it.

        Raises:
            LostWorkersError: too many workers died. InputError: the cluster is unusable.
        """
        attempts: list[_Attempt] = []
        losses = 0
        try:
            while losses < DEATHS:
                if not attempts:
                    attempts.append(await self._first_attempt(batch))
                await asyncio.wait(
                    [attempt.outcomes for attempt in attempts],
                    timeout=_SECONDS_BETWEEN_LOOKS,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                for attempt in [each for each in attempts if each.outcomes.done()]:
                    attempts.remove(attempt)
                    try:
                        outcomes: list[Outcome] = attempt.outcomes.result()
                    except LostError:
                        losses += 1
                    except DisconnectedError:
                        continue
                    except WrongBuildError as error:
                        # Between two looks another worker has got the address of this one.
                        self._workers.refuse(attempt.worker.address, f"has {error}")
                    else:
                        self._seconds.append(attempt.elapsed_s())
                        return outcomes
                attempts += self._further_attempt(batch, attempts)
            raise LostWorkersError
        finally:
            for attempt in attempts:
                attempt.outcomes.cancel()

    async def _first_attempt(self, batch: _Batch) -> _Attempt:
        """Wait until a worker has room for a batch."""
        self._waiting += 1
        try:
            while not self._unusable:
                if self._client.status == "running":
                    with suppress(OSError):
                        await self._workers.require(batch.functions)
                        self._threads = self._workers.threads()
                    if worker := self._workers.with_room():
                        return self._attempt(batch, worker)
                self._changed.clear()
                await self._changed.wait()
            raise self._unusable
        finally:
            self._waiting -= 1

    def _further_attempt(self, batch: _Batch, attempts: Sequence[_Attempt]) -> Iterator[_Attempt]:
        """Yield an attempt of an idle worker if the worker of a batch is slow or busy."""
        if self._waiting or not 0 < len(attempts) < _ATTEMPTS:
            return
        first = attempts[0]
        usual_s = median(self._seconds) if self._seconds else float("inf")
        limit_s = _GRACE_S + (_SLOW * usual_s if first.is_running() else 0)
        if first.elapsed_s() > limit_s and (worker := self._workers.idle(first.worker)):
            yield self._attempt(batch, worker)

    def _attempt(self, batch: _Batch, worker: Worker) -> _Attempt:
        worker.queue.append(batch)
        worker.begin_first()
        outcomes = asyncio.create_task(self._outcomes(batch, worker))

        # Not in the coroutine, which may be cancelled before its first line.
        def leave(task: asyncio.Task[Any]) -> None:
            worker.queue.remove(batch)
            worker.begin_first()
            self._changed.set()

        outcomes.add_done_callback(leave)
        outcomes.add_done_callback(_ignore)
        return _Attempt(batch, worker, outcomes)

    async def _outcomes(self, batch: _Batch, worker: Worker) -> list[Outcome]:
        self._workers.used = True
        build = self._workers.build(batch.functions)
        future = self._client.submit(
            pickle.loads,
            packed(make, build, batch.functions, batch.orders),
            # Not pure: dask must not reuse an earlier result when a run is made again.
            pure=False,
            workers=[worker.address],
            allow_other_workers=False,
        )
        # It is never cancelled: dask fetches results together, so that others would be, too.
        result = asyncio.create_task(result_of(future))
        result.add_done_callback(_ignore)
        try:
            await asyncio.wait({result, worker.gone}, return_when=asyncio.FIRST_COMPLETED)
            if not result.done():
                raise LostError
            return result.result()
        finally:
            # A worker stops the runs of a released batch, and then the result fails.
            future.release()

    async def _watch(self) -> None:
        """Follow scheduler and workers; give up after some time without them."""
        trouble, since = None, monotonic()
        try:
            while True:
                if self._client.status == "running":
                    # If the connection is lost, the client's status says so at the next look.
                    with suppress(OSError):
                        await self._workers.refresh()
                else:
                    self._workers.forget()
                self._threads = self._workers.threads()
                now = self._trouble()
                if now != trouble:
                    trouble, since = now, monotonic()
                    self._messages.put(f"{self._name}: {now.waiting() if now else self._well()}")
                late = trouble and monotonic() - since > trouble.patience_s
                if trouble and (late or self._client.status == "closed"):
                    raise InputError(f"{self._name}: {trouble.given_up()}")
                self._changed.set()
                await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        except Exception as error:
            usual = isinstance(error, InputError)
            what = f"{self._name}: {type(error).__name__}: {error}"
            self._unusable = error if usual else InputError(what)
            self._changed.set()

    def _trouble(self) -> _Trouble | None:
        if self._client.status != "running":
            patience_s = cluster_connection.SCHEDULER_LOST_S
            return _Trouble("the scheduler does not answer", patience_s, "start it again")
        if self._workers.checked and not self._workers.threads():
            start = f"start some with: dask worker {self._address}"
            return _Trouble("there are no workers", _NO_WORKERS_S, start)
        return None

    def _well(self) -> str:
        return f"{counted(len(self._workers), 'worker')} can make runs"


class _Trouble(NamedTuple):
    """Why no runs are made, how long to wait, s, and what the user can do."""

    what: str
    patience_s: float
    remedy: str

    def waiting(self) -> str:
        return f"{self.what}; waiting up to {self.patience_s:.0f} s ({self.remedy})"

    def given_up(self) -> str:
        return (
            f"{self.what}, after {self.patience_s:.0f} s; finished runs are kept: {self.remedy},"
            " then repeat the command, which resumes from there"
        )


class _Batch:
    """Runs that are made together; other threads have the future."""

    def __init__(self, functions: Functions, orders: Sequence[Order]) -> None:
        self.functions = functions
        self.orders = orders
        self.future: Future[list[Outcome]] = Future()
        self.task: asyncio.Task[None] | None = None
        self._begun = False

    def begin(self) -> None:
        """Mark the batch as running, so that it is not cancelled as one that waits."""
        if not self._begun and not self.future.cancelled():
            self._begun = self.future.set_running_or_notify_cancel()


class _Attempt:
    """A batch in the queue of a worker."""

    def __init__(self, batch: _Batch, worker: Worker, outcomes: asyncio.Task[Any]) -> None:
        self.worker = worker
        self.outcomes = outcomes
        self._batch = batch
        self._began = monotonic()

    def elapsed_s(self) -> float:
        return monotonic() - self._began

    def is_running(self) -> bool:
        return self._batch in self.worker.running()


def _ignore(task: asyncio.Task[Any]) -> None:
    """Take the error of a task that comes too late, so that asyncio does not report it."""
    if not task.cancelled():
        task.exception()
