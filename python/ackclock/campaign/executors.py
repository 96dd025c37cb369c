"""Executors of runs: threads, processes, or a cluster.

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
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import Any

from ackclock.campaign import worker
from ackclock.campaign.processors import processors
from ackclock.campaign.schedule import Task

Gauge = Any
"""Six numbers in memory that two processes share. The worker writes campaign, point, replication,
simulated and total seconds of its run. The parent writes how long the run may still take, s."""
_LOCAL = ("threads", "processes")
_DASK = "dask"
_CLUSTER = re.compile(r"dask(\+(tcp|tls|ucx|wss?))?://[^/\s]+:[0-9]+")
"""A scheduler's address as dask writes it, after "dask+"; tcp may be left out."""
_EXAMPLE = "dask://127.0.0.1:8786"
_BATCH_S = 1.0
_CLUSTER_BATCH_S = 2.0
"""Whole runs up to this time: more than a second, and a small part of it is on the network."""
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
        messages: returns what has happened to the executors since the last call, in sentences.
        simulated: returns simulated and total seconds of the running runs that report progress;
            may include runs that have just ended.
        stop: ends the running runs that report progress and would take longer than the given
            seconds; on a cluster those that take longer.
    """

    slots: list[Slot]
    batch_s: float = _BATCH_S
    lost: tuple[type[BaseException], ...] = ()
    deaths: int = 1
    renew: Callable[[Executor], Executor] = field(default=lambda executor: executor)
    messages: Callable[[], list[str]] = field(default=list)
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


def executor_problems(executor: str | Executor, jobs: int | None) -> list[str]:
    """Return the errors in the arguments of ``executor_pool``, one message per error."""
    problems = []
    cluster = isinstance(executor, str) and executor.startswith(_DASK)
    if cluster and not _CLUSTER.fullmatch(str(executor)):
        problems.append(
            f"--executor {executor}: write the address of a dask scheduler, like {_EXAMPLE}"
        )
    elif isinstance(executor, str) and not cluster and executor not in _LOCAL:
        problems.append(f"--executor {executor}: choose from {', '.join(_LOCAL)}, {_EXAMPLE}")
    if cluster and jobs is not None:
        problems.append(f"--jobs {jobs}: the number of dask workers sets it; leave the option out")
    elif jobs is not None and jobs < 1:
        problems.append(f"--jobs {jobs}: at least 1 is needed, for example {processors()}")
    return problems


def executor_pool(executor: str | Executor, jobs: int | None) -> ExecutorPool:
    """Create the executors of a campaign.

    Args:
        executor: "threads", "processes", the address of a dask scheduler such as
            "dask://127.0.0.1:8786", or an executor that the caller shuts down.
        jobs: number of runs at a time; by default one for each processor.

    Raises:
        InputError: no scheduler answers.
    """
    if isinstance(executor, str) and executor.startswith(_DASK):
        return _cluster(executor)
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
        gauge = spawn.RawArray("d", [0, 0, 0, 0, 0, math.inf])
        pool = _Process(1, mp_context=spawn, initializer=_begin_process, initargs=(gauge,))
        gauges[pool] = gauge
        return pool

    def renew(broken: Executor) -> Executor:
        del gauges[broken]
        return process()

    def simulated() -> dict[Task, tuple[float, float]]:
        read = [gauge[:] for gauge in gauges.values()]
        return {
            Task(int(campaign), int(point), int(replication)): (done, whole)
            for campaign, point, replication, done, whole, _ in read
            if whole
        }

    def stop(patience_s: float) -> None:
        for gauge in gauges.values():
            gauge[5] = patience_s

    slots = [Slot(process(), lambda: 1) for _ in range(number)]
    return ExecutorPool(slots, lost=(BrokenExecutor,), renew=renew, simulated=simulated, stop=stop)


class _Process(ProcessPoolExecutor):
    """Its process never sees Ctrl-C, which in a terminal reaches all: the parent handles it."""

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        # The first call starts the process, which inherits the mask.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(function, *arguments, **options)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _begin_process(gauge: Gauge) -> None:
    threading.Thread(target=_report, args=(gauge,), daemon=True).start()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _report(gauge: Gauge) -> None:
    """Write the progress of this process's run; stop the run if the parent requests it."""
    while True:
        time.sleep(_SECONDS_BETWEEN_REPORTS)
        for task, seconds in worker.simulated().items():
            gauge[:5] = [*task, *seconds]
        worker.stop(gauge[5])


def _end_with_parent() -> None:
    """End this worker if its parent was killed; otherwise it would wait forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _cluster(name: str) -> ExecutorPool:
    """The workers of a dask scheduler."""
    from ackclock.campaign.cluster import DEATHS, Cluster, LostWorkersError

    scheme, _, place = name.partition("://")
    protocol = scheme.partition("+")[2] or "tcp"
    cluster = Cluster(f"{protocol}://{place}", f"--executor {name}")
    return ExecutorPool(
        [Slot(cluster, cluster.capacity)],
        batch_s=_CLUSTER_BATCH_S,
        lost=(LostWorkersError,),
        deaths=DEATHS,
        messages=cluster.messages,
        stop=cluster.stop,
    )
