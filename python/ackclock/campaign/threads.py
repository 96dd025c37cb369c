"""Runs on threads: the core releases the interpreter's lock while it runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def run_on_threads(
    tasks: Iterable[Task],
    execute: Callable[[Task], Result],
    jobs: int,
    finished: Callable[[Task, Result], None],
) -> None:
    """Execute tasks on threads, and hand each result to ``finished`` as it comes.

    Args:
        tasks: what to execute.
        execute: called on a thread; shares nothing that it changes.
        jobs: number of threads.
        finished: called on the calling thread, in the order of completion.

    When a task fails, or on Ctrl-C, no further task starts; those under way end, what they give is
    handed over too, and then the error is raised.
    """
    pool = ThreadPoolExecutor(jobs)
    pending: dict[Future[Result], Task] = {pool.submit(execute, task): task for task in tasks}
    try:
        for future in as_completed(list(pending)):
            finished(pending.pop(future), future.result())
    except BaseException:
        pool.shutdown(cancel_futures=True)
        for future, task in pending.items():
            if not future.cancelled() and future.exception() is None:
                finished(task, future.result())
        raise
    pool.shutdown()


def processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
