"""Executors of runs: threads, processes, or the workers of a dask scheduler.

All are executors of ``concurrent.futures``. They differ in the number of batches per executor, in
the target duration of a batch, and in the error that reports a lost worker.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import re
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from ackclock.campaign import worker
from ackclock.campaign.processors import processors
from ackclock.campaign.schedule import Task
from ackclock.errors import InputError

if TYPE_CHECKING:
    from distributed import Client

Gauge = Any
"""Five numbers in memory that two processes share. The worker writes point, replication, simulated
and total seconds of its run. The parent writes how long the run may still take, s."""
EXECUTORS = ("threads", "processes", "dask")
_ADDRESS = re.compile(r"((tcp|tls|ucx|wss?)://)?[^/]+:[0-9]+")
_EXAMPLE = "tcp://127.0.0.1:8786"
_BATCH_S = 1.0
_PATIENCE_S = 30.0
_SECONDS_BETWEEN_COUNTS = 5.0
_SECONDS_BETWEEN_REPORTS = 0.05


@dataclass
class Slot:
    """One executor and its batches.

    Attributes:
        executor: executor of the batches.
        capacity: number of batches to submit at a time, so that no worker has to wait.
        under_way: number of submitted batches that have not ended.
        reserved: whether the executor has only one run, to test if this run kills its worker.
    """

    executor: Executor
    capacity: Callable[[], int]
    under_way: int = 0
    reserved: bool = False


@dataclass
class ExecutorPool:
    """Executors of one kind.

    Attributes:
        slots: the executors.
        batch_s: target duration of a batch, s; 0 for batches of one run.
        lost: exceptions that report a lost worker with its batch.
        deaths: number of lost workers that one such exception stands for.
        renew: returns a new executor for one that a lost worker has broken.
        close: releases the resources of the pool other than its executors.
        simulated: returns simulated and total seconds of the running runs that report progress;
            may include runs that have just ended.
        stop: ends the running runs that report progress and would take longer than the given
            seconds; runs on other machines continue.
    """

    slots: list[Slot]
    batch_s: float = _BATCH_S
    lost: tuple[type[BaseException], ...] = ()
    deaths: int = 1
    renew: Callable[[Executor], Executor] = field(default=lambda executor: executor)
    close: Callable[[], Any] = field(default=lambda: None)
    simulated: Callable[[], dict[Task, tuple[float, float]]] = field(default=dict)
    stop: Callable[[float], None] = field(default=lambda patience_s: None)

    def workers(self) -> int:
        """Number of batches that are submitted at a time."""
        return sum(slot.capacity() for slot in self.slots)

    def shut_down(self, *, at_once: bool) -> None:
        """Shut down the executors after their runs have ended, or stop these ``at_once``."""
        if at_once:
            self.stop(0)
        for slot in self.slots:
            slot.executor.shutdown(wait=not at_once)
        self.close()


def executor_problems(
    executor: str | Executor, jobs: int | None, scheduler: str | None
) -> list[str]:
    """Return the errors in the arguments of ``executor_pool``, one message per error."""
    problems = []
    if isinstance(executor, str) and executor not in EXECUTORS:
        problems.append(f"--executor {executor}: choose from {', '.join(EXECUTORS)}")
    if executor == "dask" and not scheduler:
        problems.append(f"--executor dask: name its scheduler, --scheduler {_EXAMPLE}")
    if executor == "dask" and scheduler and not _ADDRESS.fullmatch(scheduler):
        problems.append(f"--scheduler {scheduler}: is not an address; write it like {_EXAMPLE}")
    if executor != "dask" and scheduler:
        problems.append(f"--scheduler {scheduler}: applies only to --executor dask")
    if executor == "dask" and jobs is not None:
        problems.append(f"--jobs {jobs}: the number of dask workers sets it; leave the option out")
    elif jobs is not None and jobs < 1:
        problems.append(f"--jobs {jobs}: at least 1 is needed, for example {processors()}")
    return problems


def executor_pool(
    executor: str | Executor, jobs: int | None, scheduler: str | None
) -> ExecutorPool:
    """Create the executors of a campaign.

    Args:
        executor: one of ``EXECUTORS``, or an executor that the caller shuts down.
        jobs: number of runs at a time; by default one for each processor.
        scheduler: address of the dask scheduler.

    Raises:
        InputError: no scheduler or worker answers.
    """
    if executor == "dask":
        return _dask(str(scheduler))
    number = jobs or processors()
    if executor == "processes":
        return _processes(number)
    if executor == "threads":
        # Each thread has a second run in its queue, so that it need not wait.
        slots = [Slot(ThreadPoolExecutor(number), lambda: 2 * number)]
        return ExecutorPool(slots, batch_s=0, simulated=worker.simulated, stop=worker.stop)
    return ExecutorPool([Slot(_Borrowed(executor), lambda: 2 * number)])


class _Borrowed(Executor):
    """Wraps an executor of the caller, which is not shut down."""

    def __init__(self, executor: Executor) -> None:
        self.submit = executor.submit


def _processes(number: int) -> ExecutorPool:
    """Pools of one process each, so that a dead process breaks only its own pool."""
    spawn = multiprocessing.get_context("spawn")
    # Shared memory needs no lock, so a dead worker cannot block others.
    gauges: dict[Executor, Gauge] = {}

    def process() -> Executor:
        gauge = spawn.RawArray("d", [0, 0, 0, 0, math.inf])
        pool = ProcessPoolExecutor(
            1, mp_context=spawn, initializer=_begin_process, initargs=(gauge,)
        )
        gauges[pool] = gauge
        return pool

    def renew(broken: Executor) -> Executor:
        del gauges[broken]
        return process()

    def simulated() -> dict[Task, tuple[float, float]]:
        read = [gauge[:] for gauge in gauges.values()]
        return {
            Task(int(point), int(replication)): (done, whole)
            for point, replication, done, whole, _ in read
            if whole
        }

    def stop(patience_s: float) -> None:
        for gauge in gauges.values():
            gauge[4] = patience_s

    slots = [Slot(process(), lambda: 1) for _ in range(number)]
    return ExecutorPool(slots, lost=(BrokenExecutor,), renew=renew, simulated=simulated, stop=stop)


def _begin_process(gauge: Gauge) -> None:
    threading.Thread(target=_report, args=(gauge,), daemon=True).start()
    # Ctrl-C in a terminal reaches all processes; only the parent process handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _report(gauge: Gauge) -> None:
    """Write the progress of this process's run; stop the run if the parent requests it."""
    while True:
        time.sleep(_SECONDS_BETWEEN_REPORTS)
        for task, seconds in worker.simulated().items():
            gauge[:4] = [*task, *seconds]
        worker.stop(gauge[4])


def _end_with_parent() -> None:
    """End this worker if its parent was killed; otherwise it would wait forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _dask(scheduler: str) -> ExecutorPool:
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise InputError(
            '--executor dask: dask is not installed; install it with pip install "ackclock[dask]"'
        ) from error
    try:
        client = Client(scheduler, timeout=_PATIENCE_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"--scheduler {scheduler}: no dask scheduler answers at this address ({error});"
            " start one with: dask scheduler"
        ) from error
    try:
        client.wait_for_workers(1, timeout=_PATIENCE_S)
    except TimeoutError as error:
        client.close()
        raise InputError(
            f"--scheduler {scheduler}: has no workers; start some with: dask worker {scheduler}"
        ) from error
    # Not pure: dask must not reuse the first result when a run is made again.
    slot = Slot(client.get_executor(pure=False), _Capacity(client))
    # When dask gives up a task, it has killed more workers than this package allows.
    return ExecutorPool([slot], lost=(KilledWorker,), deaths=3, close=client.close)


class _Capacity:
    """Two batches for each thread of the workers, whose number may change."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._counted = float("-inf")
        self._batches = 1

    def __call__(self) -> int:
        now = time.monotonic()
        if now - self._counted > _SECONDS_BETWEEN_COUNTS:
            self._counted = now
            # The futures report a lost scheduler.
            with suppress(OSError):
                self._batches = max(1, 2 * sum(self._client.nthreads().values()))
        return self._batches
