"""Progress of many runs: a bar or lines on standard error, or JSON on standard output."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, Progress, TextColumn

from ackclock.cli.screen import Screen
from ackclock.cli.simulated import runs_simulated, simulated

if TYPE_CHECKING:
    from ackclock.campaign import Event, OnProgress

_SECONDS_BETWEEN_LINES = 30.0
_SECONDS_BETWEEN_OBJECTS = 1.0
_SHOWN_FAILURES = 10
_WIDTH_OF_BAR = 14


@contextmanager
def campaign_progress(*, as_json: bool) -> Iterator[OnProgress]:
    """A function that shows the events of campaigns to a person, or to a program.

    Args:
        as_json: one JSON object a line on standard output, at most one a second for progress. If
            not, a terminal shows a bar with rate and time left, and how far runs of more than a
            second are; a file or a pipe gets a line at the start and every half minute.
    """
    if as_json:
        yield _Objects()
        return
    console = Screen(stderr=True, highlight=False, soft_wrap=True)
    if not console.is_terminal:
        yield _Reporter(console)
        return
    columns = (
        TextColumn("Runs"),
        BarColumn(_WIDTH_OF_BAR),
        TextColumn("{task.fields[described]}"),
        TextColumn("{task.fields[rate]}"),
        # By the expected times of the runs: the longest come first.
        TextColumn("{task.fields[left]}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        bar.add_task("runs", total=None, described="", rate="", left="")
        yield _Reporter(console, bar)


class _Reporter:
    """Shows progress to a person: in a bar, or without one as printed lines."""

    def __init__(self, console: Screen, bar: Progress | None = None) -> None:
        self._console = console
        self._bar = bar
        self._last = float("-inf")
        self._failures = 0

    def __call__(self, event: Event) -> None:
        from ackclock.campaign import Failed, Noted, Started, Stopping

        ended = event.done + event.failed
        if isinstance(event, Failed):
            self._print_failure(event)
        elif isinstance(event, Noted):
            self._console.print(event.message, markup=False)
        elif isinstance(event, Stopping):
            self._console.print(
                f"Stopping: {event.under_way} runs are under way; press Ctrl-C again to abandon"
                " them"
            )
        elif isinstance(event, Started) and ended:
            self._last = time.monotonic()
            self._console.print(_kept(ended, event.total))
        if self._bar:
            within = simulated(event)
            self._bar.update(
                self._bar.task_ids[0],
                completed=runs_simulated(event),
                total=event.total,
                described=within or f"{ended}/{event.total}",
                rate="" if within else _rate(event),
                left=_left(event),
            )
        elif time.monotonic() - self._last >= _SECONDS_BETWEEN_LINES:
            self._last = time.monotonic()
            described = [f"{ended} of {event.total} runs done", _rate(event), _left(event)]
            self._console.print(", ".join(filter(None, described)))

    def _print_failure(self, event: Any) -> None:
        self._failures += 1
        if self._failures <= _SHOWN_FAILURES:
            self._console.print(f"Failed: {event.failure}", markup=False)
        elif self._failures == _SHOWN_FAILURES + 1:
            self._console.print("More runs failed; the journal lists all of them")


def _kept(ended: int, total: int) -> str:
    return f"{ended} of {total} runs were made earlier"


def _rate(event: Event) -> str:
    return f"{event.rate:.3g} runs/s" if event.rate else ""


def _left(event: Event) -> str:
    if event.left_s is None:
        return ""
    minutes, seconds = divmod(round(event.left_s), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02} left"


class _Objects:
    """Prints for a program."""

    def __init__(self) -> None:
        self._last = float("-inf")

    def __call__(self, event: Event) -> None:
        from ackclock.campaign import Failed, Finished, Noted, Progressed, Started, Stopping

        names = {
            Started: "started",
            Progressed: "progress",
            Failed: "failed",
            Noted: "noted",
            Stopping: "stopping",
            Finished: "finished",
        }
        now = time.monotonic()
        if isinstance(event, Progressed):
            if now - self._last < _SECONDS_BETWEEN_OBJECTS:
                return
            self._last = now
        described: dict[str, Any] = {
            "event": names[type(event)],
            "total": event.total,
            "done": event.done,
            "failed": event.failed,
            "made": event.made,
            "elapsed_s": round(event.seconds, 3),
            "rate_per_s": event.rate and round(event.rate, 3),
            "eta_s": event.left_s and round(event.left_s, 3),
        }
        if isinstance(event, Failed):
            run = event.failure._asdict()
            described |= {key: run[key] for key in ("levels", "replication", "seed", "reason")}
        elif isinstance(event, Noted):
            described["message"] = event.message
        elif isinstance(event, Stopping):
            described["under_way"] = event.under_way
        elif isinstance(event, Finished):
            described["warnings"] = event.warnings
        _print_object(described)


def _print_object(described: dict[str, Any]) -> None:
    try:
        print(json.dumps(described), flush=True)
    except BrokenPipeError:
        # Nobody reads any more: the runs are worth more than what is said about them.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
