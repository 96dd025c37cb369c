"""Submit runs to a pool in batches, and collect the results in the order of completion."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future
from queue import Empty, SimpleQueue
from typing import NamedTuple

from ackclock.campaign.executors import ExecutorPool, Slot
from ackclock.campaign.queue import Queue
from ackclock.campaign.schedule import Task
from ackclock.campaign.worker import Outcome
from ackclock.errors import InputError

DEATHS = 3
"""A run that has killed this many workers is a failure."""
_LARGEST_BATCH = 256
_SECONDS_BETWEEN_TICKS = 1.0

_END = object()

Submit = Callable[[Executor, Sequence[Task]], "Future[list[Outcome]]"]


class _Batch(NamedTuple):
    """Runs of one submission; ``alone`` if the executor has no other batch at that time."""

    slot: Slot
    tasks: list[Task]
    alone: bool


class Dispatch:
    """The runs of a queue, made by a pool. Use from one thread; ``stop`` from a signal handler.

    Args:
        queue: the runs.
        pool: executors of the runs.
        submit: submits a batch of runs to an executor.
        finished: called with each run and its outcome; updates the queue.
        tick: called about once a second while no run ends.

    Attributes:
        stopping: whether no more runs are submitted.
    """

    def __init__(
        self,
        queue: Queue,
        pool: ExecutorPool,
        submit: Submit,
        finished: Callable[[Task, Outcome], None],
        tick: Callable[[], None],
    ) -> None:
        self.stopping = False
        self._patience_s = math.inf
        self._queue = queue
        self._pool = pool
        self._submit = submit
        self._finished = finished
        self._tick = tick
        self._given: dict[Future[list[Outcome]], _Batch] = {}
        # Its put may be called in a signal handler, and in the threads that complete a future.
        self._ended: SimpleQueue[Future[list[Outcome]] | None] = SimpleQueue()
        self._suspects: deque[Task] = deque()
        self._deaths: Counter[Task] = Counter()

    def stop(self, patience_s: float = math.inf) -> None:
        """Submit no more runs; running ones that end within ``patience_s`` seconds are kept."""
        self.stopping = True
        self._patience_s = patience_s
        self._ended.put(None)

    def run(self, meanwhile: Iterable[None] = ()) -> None:
        """Return when all runs have ended, or after ``stop`` when the running ones have ended.

        Args:
            meanwhile: short steps of this thread while the workers make runs; they may add runs.

        Raises:
            InputError: the executor cannot make runs at all. Errors of ``finished`` and of the
                steps pass through.
        """
        steps: Iterator[None] | None = iter(meanwhile)
        self._give_out()
        while self._given or steps:
            try:
                ended = self._ended.get(timeout=0 if steps else _SECONDS_BETWEEN_TICKS)
            except Empty:
                if steps is None:
                    # Stop again: a run may have begun while the others were stopped.
                    self._pool.stop(self._patience_s)
                    self._tick()
                elif self.stopping or next(steps, _END) is _END:
                    steps = None
                # Workers may have joined a cluster, or a step has added runs.
                self._give_out()
                continue
            if ended is None:
                self.cancel()
                self._pool.stop(self._patience_s)
                self._tick()
            else:
                self._take_back(self._given.pop(ended), ended)
                self._give_out()

    def cancel(self) -> None:
        """Cancel the batches that no worker has begun."""
        for future in list(self._given):
            future.cancel()

    def under_way(self) -> int:
        """Number of submitted runs that have not ended and are not cancelled."""
        return sum(
            len(batch.tasks) for future, batch in self._given.items() if not future.cancelled()
        )

    def simulated(self) -> dict[Task, tuple[float, float]]:
        """Return simulated and total seconds of the running runs that report progress."""
        given = {task for batch in self._given.values() for task in batch.tasks}
        return {task: its for task, its in sorted(self._pool.simulated().items()) if task in given}

    def _give_out(self) -> None:
        for slot in self._pool.slots:
            while not self.stopping and (batch := self._batch_for(slot)):
                self._start(batch)

    def _batch_for(self, slot: Slot) -> _Batch | None:
        """Return the next runs for an executor; none without runs, or if it must wait."""
        if slot.reserved:
            return None
        if self._suspects:
            # Only if a run is alone in an executor is it certain that this run killed the worker.
            if slot.under_way:
                return None
            slot.reserved = True
            return _Batch(slot, [self._suspects.popleft()], alone=True)
        capacity = slot.capacity()
        if slot.under_way >= capacity:
            return None
        # Leave runs for all workers.
        share = (self._queue.left - self.under_way()) // (2 * self._pool.workers())
        tasks = self._queue.take(self._pool.batch_s, min(share, _LARGEST_BATCH))
        return _Batch(slot, tasks, alone=capacity == len(tasks) == 1) if tasks else None

    def _start(self, batch: _Batch) -> None:
        slot = batch.slot
        try:
            try:
                future = self._submit(slot.executor, batch.tasks)
            except self._pool.lost:
                # The worker died while it was idle.
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
            # A stopped worker returns fewer outcomes.
            for task, outcome in zip(batch.tasks, outcomes, strict=not self.stopping):
                self._finished(task, outcome)

    def _lose(self, batch: _Batch) -> None:
        """Schedule the runs of a lost batch again, except a run that killed too many workers."""
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
    """Return the error for a failure of the executor itself."""
    if isinstance(error, InputError):
        return error
    what = f"{type(error).__name__}: {error}"
    if isinstance(error, CancelledError):
        what = "it cancelled the runs"
    return InputError(
        f"the executor accepts no more runs ({what}); repeat the command when it does: it resumes"
        " from the runs that are kept"
    )
