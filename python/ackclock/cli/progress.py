"""Progress of many runs, on standard error."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_SECONDS_BETWEEN_LINES = 30.0


@contextmanager
def progress() -> Iterator[Callable[[int, int], None]]:
    """A function to call with the number of runs done and of all runs: at the start, then often.

    A terminal shows a bar; a file or a pipe gets a line at the start and every half minute. Runs
    that are done at the start are kept from an earlier command.
    """
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield _lines(console)
        return
    columns = TextColumn("Runs"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("runs", total=None)

        def move(done: int, total: int) -> None:
            if bar.tasks[0].total is None and done:
                bar.console.print(_kept(done, total))
            bar.update(task, completed=done, total=total)

        yield move


def _lines(console: Console) -> Callable[[int, int], None]:
    last: float | None = None

    def tell(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if last is None and done:
            console.print(_kept(done, total))
        elif last is None or now - last >= _SECONDS_BETWEEN_LINES:
            console.print(f"{done} of {total} runs done")
        else:
            return
        last = now

    return tell


def _kept(done: int, total: int) -> str:
    return f"{done} of {total} runs are kept from an earlier command"
