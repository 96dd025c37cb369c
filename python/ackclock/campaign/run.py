"""Make the runs of scenarios in folders, each once; existing ones are kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

from ackclock.campaign.design import Point, Scenario
from ackclock.campaign.dispatch import Dispatch
from ackclock.campaign.events import (
    Event,
    Failed,
    Finished,
    Noted,
    Progressed,
    Simulated,
    Started,
    Stopping,
)
from ackclock.campaign.executors import ExecutorPool, executor_pool, executor_problems
from ackclock.campaign.interrupt import StoppedAtOnce, on_first_interrupt
from ackclock.campaign.opening import (
    CampaignRequest,
    OpenCampaign,
    Summary,
    compile_request,
    open_campaign,
)
from ackclock.campaign.queue import Queue
from ackclock.campaign.reader import Campaign
from ackclock.campaign.reuse import made_by, outcome_of
from ackclock.campaign.schedule import Task
from ackclock.campaign.worker import CORE, Outcome, work
from ackclock.errors import InputError

OnProgress = Callable[[Event], None]

_PATIENCE_S = 2.0
"""After Ctrl-C, runs that need no more than this time, s, may end; others are stopped."""


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
    request = CampaignRequest(
        scenario,
        folder,
        measure,
        traces,
        core,
        text,
        sets,
        points,
        replications,
        retry_failed,
        again,
        others,
    )
    (summary,) = run_campaigns(
        [request],
        executor=executor,
        jobs=jobs,
        fail_fast=fail_fast,
        on_progress=on_progress,
    )
    return summary


def run_campaigns(
    requests: Sequence[CampaignRequest],
    *,
    executor: str | Executor = "threads",
    jobs: int | None = None,
    fail_fast: bool = False,
    on_progress: OnProgress = lambda event: None,
) -> list[Summary]:
    """Make the missing runs of several campaigns with the same workers, as one queue.

    The longest expected runs come first, whatever their campaign, so that workers wait only for
    the last runs. Runs begin as soon as one campaign is open. A run that several campaigns need is
    made once, and its row is kept by each.

    Args:
        requests: the campaigns; each has a folder of its own.
        executor: see ``run_campaign``.
        jobs: see ``run_campaign``.
        fail_fast: begin no more runs once one has failed.
        on_progress: called in this thread with each event; its numbers are of all campaigns.

    Returns:
        The numbers of runs of each campaign.

    Raises:
        InputError: as ``run_campaign``. KeyboardInterrupt: as ``run_campaign``.

    Warns:
        CampaignWarning: as ``run_campaign``.
    """
    problems = executor_problems(executor, jobs)
    for number in {each.replications for each in requests}:
        if number is not None and number < 1:
            problems.append(f"--replications {number}: at least 1 is needed, for example 30")
    if problems:
        raise InputError(problems)
    command = {
        "executor": executor if isinstance(executor, str) else type(executor).__name__,
        "jobs": jobs,
        "fail_fast": fail_fast,
    }
    with ExitStack() as files:
        call = _Call(requests, command, files, on_progress)
        opening = call.open_all()
        with call.recorded():
            # Without a missing run no executor is needed.
            if any(call.queue.left for _ in opening):
                with call.resumable():
                    call.make(executor_pool(executor, jobs), opening)
        return call.end()


class _Call:
    """One call of ``run_campaigns``, which holds the locks of the folders.

    Attributes:
        queue: the missing runs.
    """

    def __init__(
        self,
        requests: Sequence[CampaignRequest],
        command: dict[str, Any],
        files: ExitStack,
        on_progress: OnProgress,
    ) -> None:
        self.queue = Queue()
        self._requests = requests
        self._command = command
        self._files = files
        self._on_progress = on_progress
        self._campaigns: list[OpenCampaign] = []
        self._dispatch: Dispatch | None = None
        self._pool: ExecutorPool | None = None
        self._interrupted = self._said_stopping = self._has_started = False
        self._early: list[Event] = []
        self._made = self._made_earlier = self._failed_earlier = 0
        self._began = monotonic()

    def open_all(self) -> Iterator[None]:
        """Open the campaigns one after the other, in short steps, and report the existing runs."""
        for number, request in enumerate(self._requests):
            compiled = yield from compile_request(request, self._files)
            campaign = open_campaign(number, request, compiled, self._files)
            self._campaigns.append(campaign)
            self.queue.add(campaign.schedule)
            self._made_earlier += campaign.schedule.made
            self._failed_earlier += campaign.schedule.failed
            self._share(number, campaign)
            asked = {
                "replications": request.replications,
                "sets": list(request.sets),
                "retry_failed": request.retry_failed,
            }
            campaign.begin(request.text, {**self._command, **asked})
            if number == len(self._requests) - 1:
                self._start()
            yield

    def _share(self, number: int, campaign: OpenCampaign) -> None:
        """Give a campaign the runs that it needs and that others of this call have."""
        if len(self._requests) == 1:
            return
        common = self.queue.shared.add(number, campaign.design)
        others = (Campaign.open(self._campaigns[each].folder) for each in sorted(common))
        for point, run in made_by(others, campaign.design):
            campaign.receive(Task(number, point, run.replication), outcome_of(run))

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
    def recorded(self) -> Iterator[None]:
        """Record the outcome of the call in each folder, even after an error."""
        try:
            yield
        except BaseException as error:
            interrupted = isinstance(error, KeyboardInterrupt)
            outcome = "interrupted" if interrupted else f"{type(error).__name__}: {error}"
            for campaign in self._campaigns:
                # The user needs to see the first error, not a later one.
                with suppress(InputError):
                    campaign.end(outcome)
            raise
        for campaign in self._campaigns:
            campaign.end("stopped at a failure")

    def make(self, pool: ExecutorPool, opening: Iterator[None]) -> None:
        """Make the runs; return when all have ended, or after a failure when running ones have.

        Args:
            pool: executors of the runs.
            opening: opens the other campaigns.

        Raises:
            KeyboardInterrupt: Ctrl-C. InputError: the executor or the metrics are unusable, or a
                folder cannot be written.
        """
        dispatch = Dispatch(self.queue, pool, self._submit, self._finished, self._tick)
        self._dispatch, self._pool = dispatch, pool
        at_once = True
        try:
            with on_first_interrupt(self._interrupt):
                dispatch.run(opening)
            at_once = False
        finally:
            dispatch.cancel()
            pool.shut_down(at_once=at_once)
        if self._interrupted:
            raise KeyboardInterrupt(self._kept())
        for _ in opening:
            # After a failure the others are opened all the same, to count their runs.
            pass

    def end(self) -> list[Summary]:
        """Report the end, and the problems to check."""
        for campaign in self._campaigns:
            campaign.warn_of_wide_intervals()
        warned = tuple(warning for campaign in self._campaigns for warning in campaign.warnings)
        self._emit(Finished, warnings=warned)
        seconds = monotonic() - self._began
        return [campaign.summary(seconds) for campaign in self._campaigns]

    def _start(self) -> None:
        """Report the existing runs of all campaigns, then what has happened meanwhile."""
        self._has_started = True
        total, earlier = self.queue.numbers.total, (self._made_earlier, self._failed_earlier)
        self._on_progress(Started(total, *earlier, 0, monotonic() - self._began))
        for event in self._early:
            self._on_progress(event)

    def _submit(self, executor: Executor, tasks: Sequence[Task]) -> Future[list[Outcome]]:
        campaign = self._campaigns[tasks[0].campaign]
        orders = [campaign.order(task) for task in tasks]
        return executor.submit(work, campaign.functions, campaign.code, orders)

    def _interrupt(self) -> None:
        self._interrupted = True
        if self._dispatch:
            self._dispatch.stop(_PATIENCE_S)

    def _kept(self) -> str:
        folder = os.path.commonpath([os.fspath(each.folder) for each in self._requests])
        return f"Finished runs are kept in {folder}; the same command resumes from there."

    def _finished(self, task: Task, outcome: Outcome) -> None:
        campaign = self._campaigns[task.campaign]
        # In the order in which campaigns take over rows: if this process is killed between two of
        # them, the next call does not make the run again.
        for each in sorted([task, *self.queue.shared.end(task)]):
            if each == task:
                campaign.keep(task, outcome)
            else:
                self._campaigns[each.campaign].receive(each, outcome)
        self._made += 1
        if not outcome.row:
            self._emit(Failed, failure=campaign.failure(task, outcome))
            if self._command["fail_fast"] and self._dispatch:
                self._dispatch.stop()
        self._tick()

    def _tick(self) -> None:
        dispatch = self._dispatch
        if dispatch and dispatch.stopping and not self._said_stopping:
            self._said_stopping = True
            self._emit(Stopping, under_way=dispatch.under_way())
        for message in self._pool.messages() if self._pool else ():
            self._emit(Noted, message=message)
        self._emit(Progressed)

    def _emit(self, kind: type[Event], **more: Any) -> None:
        described = self._dispatch.simulated() if self._dispatch else {}
        event = kind(
            *self.queue.numbers,
            self._made,
            monotonic() - self._began,
            simulated=tuple(
                Simulated(task.point, task.replication, *its) for task, its in described.items()
            ),
            share=self.queue.share,
            **more,
        )
        if self._has_started or kind is Stopping:
            self._on_progress(event)
        elif kind is not Progressed:
            self._early.append(event)
