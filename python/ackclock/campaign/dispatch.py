"""Submits runs to a pool in batches, and collects the results in the order of completion."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from itertools import islice
from queue import Empty, SimpleQueue
from typing import NamedTuple

from ackclock.campaign.executors import ExecutorPool, Slot
from ackclock.campaign.schedule import Schedule, Task
from ackclock.campaign.worker import Outcome
from ackclock.errors import InputError

DEATHS = 3
"""A run of which so many workers have died is a failure."""
_LARGEST_BATCH = 256
_WEIGHT_OF_LATEST = 0.2
_SECONDS_BETWEEN_TICKS = 1.0

Submit = Callable[[Executor, Sequence[Task]], "Future[list[Outcome]]"]


class _Batch(NamedTuple):
    """Runs that an executor is given together; ``alone`` if it has nothing else meanwhile."""

    slot: Slot
    tasks: list[Task]
    alone: bool


class Dispatch:
    """The runs of a schedule, made by a pool. Use from one thread; ``stop`` from a signal handler.

    Args:
        schedule: the runs.
        pool: who makes them.
        submit: gives a batch of runs to an executor.
        finished: called with each run and what it gave; updates the schedule.
        tick: called about once a second while nothing ends.

    Attributes:
        stopping: no more runs are given out.
    """

    def __init__(
        self,
        schedule: Schedule,
        pool: ExecutorPool,
        submit: Submit,
        finished: Callable[[Task, Outcome], None],
        tick: Callable[[], None],
    ) -> None:
        self.stopping = False
        self._patience_s = math.inf
        self._schedule = schedule
        self._pool = pool
        self._submit = submit
        self._finished = finished
        self._tick = tick
        self._given: dict[Future[list[Outcome]], _Batch] = {}
        # Its put may be called in a signal handler, and in the threads that end a future.
        self._ended: SimpleQueue[Future[list[Outcome]] | None] = SimpleQueue()
        self._suspects: deque[Task] = deque()
        self._deaths: Counter[Task] = Counter()
        self._seconds_a_run = 0.0

    def stop(self, patience_s: float = math.inf) -> None:
        """Give out no more runs; those under way that end within so many seconds are kept."""
        self.stopping = True
        self._patience_s = patience_s
        self._ended.put(None)

    def run(self) -> None:
        """Return when all runs have ended, or those under way after ``stop``.

        Raises:
            InputError: the executor cannot make runs at all. What ``finished`` raises.
        """
        self._give_out()
        while self._given:
            try:
                ended = self._ended.get(timeout=_SECONDS_BETWEEN_TICKS)
            except Empty:
                # Again: a run may have begun while the others were stopped.
                self._pool.stop(self._patience_s)
                self._tick()
                continue
            if ended is None:
                self.cancel()
                self._pool.stop(self._patience_s)
                self._tick()
            else:
                self._take_back(self._given.pop(ended), ended)
                self._give_out()

    def cancel(self) -> None:
        """Take back the batches that no worker has begun."""
        for future in list(self._given):
            future.cancel()

    def under_way(self) -> int:
        """Runs that have been given out, and have not ended or been taken back."""
        return sum(
            len(batch.tasks) for future, batch in self._given.items() if not future.cancelled()
        )

    def simulated(self) -> dict[Task, tuple[float, float]]:
        """Simulated seconds and all seconds of the runs under way that report progress."""
        given = {task for batch in self._given.values() for task in batch.tasks}
        return {task: its for task, its in sorted(self._pool.simulated().items()) if task in given}

    def _give_out(self) -> None:
        for slot in self._pool.slots:
            while not self.stopping and (batch := self._batch_for(slot)):
                self._start(batch)

    def _batch_for(self, slot: Slot) -> _Batch | None:
        """The next runs for an executor; none if there are none, or if it is to wait."""
        if slot.reserved:
            return None
        if self._suspects:
            # Only of a run that is alone with an executor is it known that it killed the worker.
            if slot.under_way:
                return None
            slot.reserved = True
            return _Batch(slot, [self._suspects.popleft()], alone=True)
        capacity = slot.capacity()
        if slot.under_way >= capacity:
            return None
        size = self._batch_size()
        tasks = list(islice(iter(self._schedule.next, None), size))
        return _Batch(slot, tasks, alone=capacity == len(tasks) == 1) if tasks else None

    def _batch_size(self) -> int:
        """Runs that take as long as a batch should, but few enough to leave all workers some."""
        if not self._seconds_a_run:
            return 1
        share = (self._schedule.left - self.under_way()) // (2 * self._pool.workers())
        by_time = int(self._pool.batch_s / self._seconds_a_run)
        return max(1, min(by_time, share, _LARGEST_BATCH))

    def _start(self, batch: _Batch) -> None:
        slot = batch.slot
        try:
            try:
                future = self._submit(slot.executor, batch.tasks)
            except self._pool.lost:
                # The worker died while it had nothing to do.
                slot.executor = self._pool.renew(slot.executor)
                future = self._submit(slot.executor, batch.tasks)
        except Exception as error:
            raise _unusable(error) from error
        slot.under_way += 1
        self._given[future] = batch
        future.add_done_callback(self._ended.put)

    def _take_back(self, batch: _Batch, future: Future[list[Outcome]]) -> None:
        batch.slot.under_way -= 1
        batch.slot.reserved = False
        try:
            outcomes = future.result()
        except self._pool.lost:
            self._lose(batch)
        except CancelledError as error:
            if not self.stopping:
                raise _unusable(error) from error
        except Exception as error:
            raise _unusable(error) from error
        else:
            # A worker that was stopped returns fewer.
            for task, outcome in zip(batch.tasks, outcomes, strict=not self.stopping):
                self._learn(outcome.duration_s)
                self._finished(task, outcome)

    def _learn(self, seconds: float) -> None:
        last = self._seconds_a_run or seconds
        self._seconds_a_run = last + _WEIGHT_OF_LATEST * (seconds - last)

    def _lose(self, batch: _Batch) -> None:
        """Make the runs of a lost batch again, except one that has killed too many workers."""
        slot = batch.slot
        slot.executor = self._pool.renew(slot.executor)
        for task in batch.tasks:
            self._deaths[task] += self._pool.deaths if batch.alone else 1
            if self._deaths[task] < DEATHS:
                self._suspects.append(task)
            else:
                del self._deaths[task]
                reason = f"{DEATHS} workers died while they made this run (out of memory?)"
                self._finished(task, Outcome("", {}, 0.0, reason))


def _unusable(error: BaseException) -> InputError:
    """What is said when not a run but the executor fails."""
    if isinstance(error, InputError):
        return error
    what = f"{type(error).__name__}: {error}"
    if isinstance(error, CancelledError):
        what = "it cancelled the runs"
    return InputError(
        f"the executor accepts no more runs ({what}); repeat the command when it does: it resumes"
        " from the runs that are kept"
    )
