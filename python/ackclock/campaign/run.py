"""Make the runs of a scenario in a folder, each once; existing ones are kept."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import Any

from ackclock.campaign.design import Compiled, Design, Point, Scenario, compile_design
from ackclock.campaign.dispatch import Dispatch
from ackclock.campaign.events import (
    CampaignWarning,
    Event,
    Failed,
    Failure,
    Finished,
    Noted,
    Progressed,
    Simulated,
    Started,
    Stopping,
)
from ackclock.campaign.executors import ExecutorPool, executor_pool, executor_problems
from ackclock.campaign.files import explained_if_unwritable, writable_folder
from ackclock.campaign.interrupt import StoppedAtOnce, on_first_interrupt
from ackclock.campaign.journal import DAMAGED, JOURNAL, damage
from ackclock.campaign.provenance import Provenance
from ackclock.campaign.reader import Campaign
from ackclock.campaign.reuse import take_over
from ackclock.campaign.schedule import EarlierRuns, Schedule, Task, values_of
from ackclock.campaign.store import Store, opened
from ackclock.campaign.worker import CORE, Functions, Order, Outcome, check, work
from ackclock.code_permission import check_code, has_code
from ackclock.errors import InputError
from ackclock.plurals import counted

OnProgress = Callable[[Event], None]

_PATIENCE_S = 2.0
"""After Ctrl-C, runs that need no more than this time, s, may end; others are stopped."""


@dataclass(frozen=True)
class Summary:
    """Result of a call.

    Attributes:
        folder: folder of the campaign.
        total: number of runs of the campaign.
        done: number of successful runs.
        failed: number of failed runs; the journal has the reasons.
        made: number of runs that this call has made, including failed ones.
        seconds: duration of the call, s.
        warnings: problems to check before you trust the results.
    """

    folder: Path
    total: int
    done: int
    failed: int
    made: int
    seconds: float
    warnings: tuple[str, ...]

    def __str__(self) -> str:
        """Return a sentence: "8 of 8 runs (8 made now) are in lab.results"."""
        verb = "is" if self.done == 1 else "are"
        made = f"{self.done} of {counted(self.total, 'run')} ({self.made} made now)"
        return f"{made} {verb} in {self.folder}"


def run_campaign(
    scenario: Scenario,
    folder: Path | str,
    *,
    measure: str,
    traces: str | None = None,
    core: str = CORE,
    text: str = "",
    sets: Sequence[str] = (),
    points: Sequence[Point] | None = None,
    replications: int | None = None,
    executor: str | Executor = "threads",
    jobs: int | None = None,
    fail_fast: bool = False,
    retry_failed: bool = False,
    again: Callable[[dict[str, Any]], bool] = lambda row: False,
    others: Sequence[Campaign] = (),
    on_progress: OnProgress = lambda event: None,
) -> Summary:
    """Make the missing runs of a scenario in a folder.

    Every run is journaled when it ends, so after any end of this process the next call continues
    from there. A failed run is journaled too, and the other runs are made.

    Args:
        scenario: scenario to run.
        folder: for the journal and the traces; it is created if missing.
        measure: "module:function" that computes the row of a run,
            ``measure(columns, facts) -> dict``.
        traces: "module:function" that returns the records of probes as tables,
            ``traces(columns) -> {name: pyarrow.Table}``; without it nothing is recorded.
        core: "module:function" that makes a run, ``core(plan text, seed) -> columns``; with a
            third parameter, ``on_progress``, it can be stopped before its end.
        text: text of the scenario's file; the folder gets a copy.
        sets: pairs key=value that changed the text's scenario; kept too.
        points: points of the scenario to run; by default all.
        replications: number of replications per point; by default the scenario's.
        executor: "threads", "processes", the address of a dask scheduler such as
            "dask://127.0.0.1:8786", or any executor; the results do not depend on it. An executor
            of the caller is not shut down.
        jobs: number of runs at a time, by default one for each processor; not for dask.
        fail_fast: begin no more runs once one has failed.
        retry_failed: make the runs again that failed in earlier calls.
        again: returns whether to make an earlier run with this row again; the row stays valid
            until a new one replaces it.
        others: campaigns that may have made the same runs; their rows are copied.
        on_progress: called in this thread with each event.

    Returns:
        The numbers of runs: all, made ones and failed ones.

    Raises:
        InputError: the scenario cannot be compiled, another process uses the folder, the folder
            cannot be written (finished runs are kept), or the executor cannot make runs.
        KeyboardInterrupt: Ctrl-C. Finished runs are kept, and so are those that end within 2 s.
            Other running ones are stopped, and the next call makes them again. A second Ctrl-C
            waits for no run and raises the subclass ``StoppedAtOnce``.

    Warns:
        CampaignWarning: lines of the journal were damaged, or points have too wide intervals.
    """
    problems = executor_problems(executor, jobs)
    if replications is not None and replications < 1:
        problems.append(f"--replications {replications}: at least 1 is needed, for example 30")
    if problems:
        raise InputError(problems)
    functions = Functions(core, measure, traces)
    code = functions.digest()
    check(functions, code)
    chosen = scenario.points() if points is None else points
    design, compiled = compile_design(
        scenario, chosen, code, sets, replications, traces=traces is not None
    )
    for each in compiled:
        check_code(each.plan)
    path = writable_folder(Path(folder), "--out")
    command = {
        "executor": executor if isinstance(executor, str) else type(executor).__name__,
        "jobs": jobs,
        "replications": replications,
        "sets": list(sets),
        "fail_fast": fail_fast,
        "retry_failed": retry_failed,
    }
    earlier = EarlierRuns(design.replications.metrics, again)
    with explained_if_unwritable(path), opened(path, design, earlier.take) as store:
        taken = take_over(others, design, earlier, store)
        schedule = Schedule(design, earlier, retry_failed=retry_failed)
        call = _Call(path, design, store, schedule, on_progress)
        call.begin(text)
        if schedule.left or taken:
            with call.resumable(), call.recorded(Provenance(path, code, command, taken)):
                if schedule.left:
                    pool = executor_pool(executor, jobs)
                    send = _Sender(functions, code, compiled, design)
                    call.make(pool, send, fail_fast=fail_fast)
        return call.end()


@dataclass(frozen=True)
class _Sender:
    """Submits runs to a worker."""

    functions: Functions
    code: str
    compiled: Sequence[Compiled]
    design: Design

    def __call__(self, executor: Executor, tasks: Sequence[Task]) -> Future[list[Outcome]]:
        orders = [self._order(task) for task in tasks]
        return executor.submit(work, self.functions, self.code, orders)

    def _order(self, task: Task) -> Order:
        point = self.compiled[task.point]
        traced = self.design.is_traced(*task)
        plan = point.traced_plan if traced else point.plan
        return Order(task, plan, self.design.seed(*task), point.facts, traced, has_code(plan))


class _Call:
    """One call of ``run_campaign``, which holds the lock of the folder."""

    def __init__(
        self,
        folder: Path,
        design: Design,
        store: Store,
        schedule: Schedule,
        on_progress: OnProgress,
    ) -> None:
        self._folder = folder
        self._design = design
        self._store = store
        self._schedule = schedule
        self._on_progress = on_progress
        self._dispatch: Dispatch | None = None
        self._pool: ExecutorPool | None = None
        self._fail_fast = self._interrupted = self._said_stopping = False
        self._warnings: list[str] = []
        self._made = self._failed = 0
        self._began = monotonic()

    def begin(self, text: str) -> None:
        """Store the request, and report the existing runs."""
        self._store.keep_what_was_asked(text)
        if self._store.damaged:
            described = damage(self._store.damaged, f"set aside in {DAMAGED}")
            self._warn(
                f"{self._folder / JOURNAL}: {described}; their runs are made again; check the disk"
            )
        self._emit(Started)

    @contextmanager
    def resumable(self) -> Iterator[None]:
        """Add to any Ctrl-C, in a run or at the end of the call, a message on how to continue."""
        try:
            yield
        except KeyboardInterrupt as interrupt:
            if interrupt.args:
                raise
            raise StoppedAtOnce(self._kept()) from interrupt

    @contextmanager
    def recorded(self, provenance: Provenance) -> Iterator[None]:
        """Record the outcome of the call, even after an error."""
        try:
            yield
        except BaseException as error:
            interrupted = isinstance(error, KeyboardInterrupt)
            outcome = "interrupted" if interrupted else f"{type(error).__name__}: {error}"
            # The user needs to see the first error, not a later one.
            with suppress(OSError):
                provenance.end(outcome, self._made, self._failed)
            raise
        outcome = "stopped at a failure" if self._schedule.left else "complete"
        provenance.end(outcome, self._made, self._failed)

    def make(self, pool: ExecutorPool, send: _Sender, *, fail_fast: bool) -> None:
        """Make the runs; return when all have ended, or after a failure when running ones have.

        Raises:
            KeyboardInterrupt: Ctrl-C. InputError: the executor or the metrics are unusable.
            OSError: the folder cannot be written.
        """
        self._fail_fast = fail_fast
        dispatch = Dispatch(self._schedule, pool, send, self._finished, self._tick)
        self._dispatch, self._pool = dispatch, pool
        at_once = True
        try:
            with on_first_interrupt(self._interrupt):
                dispatch.run()
            at_once = False
        finally:
            dispatch.cancel()
            pool.shut_down(at_once=at_once)
        if self._interrupted:
            raise KeyboardInterrupt(self._kept())

    def end(self) -> Summary:
        """Report the end, and the problems to check."""
        for point, widths in self._schedule.unreached():
            self._warn(self._too_wide(point, widths))
        schedule, warned = self._schedule, tuple(self._warnings)
        self._emit(Finished, warnings=warned)
        return Summary(
            self._folder,
            schedule.total,
            schedule.made,
            schedule.failed,
            self._made,
            monotonic() - self._began,
            warned,
        )

    def _interrupt(self) -> None:
        self._interrupted = True
        if self._dispatch:
            self._dispatch.stop(_PATIENCE_S)

    def _kept(self) -> str:
        return f"Finished runs are kept in {self._folder}; the same command resumes from there."

    def _finished(self, task: Task, outcome: Outcome) -> None:
        self._store.keep(task, outcome)
        self._made += 1
        if outcome.row:
            rule = self._design.replications
            values = () if rule.fixed else values_of(json.loads(outcome.row), rule.metrics)
            self._schedule.end(task, values)
        else:
            self._failed += 1
            self._schedule.end(task, None)
            self._emit(Failed, failure=self._failure(task, outcome))
            if self._fail_fast and self._dispatch:
                self._dispatch.stop()
        self._tick()

    def _failure(self, task: Task, outcome: Outcome) -> Failure:
        return Failure(
            self._design.points[task.point].levels,
            task.replication,
            self._design.seed(*task),
            outcome.reason,
            outcome.traceback,
        )

    def _tick(self) -> None:
        dispatch = self._dispatch
        if dispatch and dispatch.stopping and not self._said_stopping:
            self._said_stopping = True
            self._emit(Stopping, under_way=dispatch.under_way())
        for message in self._pool.messages() if self._pool else ():
            self._emit(Noted, message=message)
        self._emit(Progressed)

    def _emit(self, kind: type[Event], **more: Any) -> None:
        schedule = self._schedule
        seconds = monotonic() - self._began
        described = self._dispatch.simulated() if self._dispatch else {}
        simulated = tuple(Simulated(*task, *its) for task, its in described.items())
        numbers = (schedule.total, schedule.made, schedule.failed, self._made, seconds)
        self._on_progress(kind(*numbers, simulated=simulated, **more))

    def _warn(self, message: str) -> None:
        self._warnings.append(message)
        # Attributed to the caller of the campaign, four functions up.
        warnings.warn(message, CampaignWarning, stacklevel=4)

    def _too_wide(self, point: int, widths: dict[str, float]) -> str:
        rule = self._design.replications
        levels = self._design.points[point].levels
        where = ", ".join(f"{column} {level}" for column, level in levels.items()) or "the point"
        found = ", ".join(
            f"{metric} ± {width:.2%}" if isfinite(width) else f"no relative interval of {metric}"
            for metric, width in widths.items()
        )
        return (
            f"{where}: after the maximum of {rule.maximum} replications {found};"
            f" the target is ± {rule.target:.2%}"
        )
