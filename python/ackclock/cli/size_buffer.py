"""``ackclock size-buffer``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from ackclock.cli.json_output import say_json
from ackclock.cli.options import AllowCode, Executor, Several
from ackclock.cli.output import say
from ackclock.cli.reading import console, warnings_shown
from ackclock.cli.screen import Screen
from ackclock.cli.simulated import simulated
from ackclock.cli.stopping import stopped_at_once

if TYPE_CHECKING:
    from rich.status import Status

    from ackclock.sizing import BufferJudged, Sizing

NOT_FOUND = 1


def size_buffer(
    file: Path,
    /,
    *,
    target: str,
    key: str | None = None,
    from_: Annotated[str | None, Parameter(name="--from")] = None,
    to: str | None = None,
    point: int | None = None,
    confidence: float = 0.95,
    replications_max: int = 40,
    tolerance: float = 0.05,
    seed: int | None = None,
    out: Path | None = None,
    jobs: int | None = None,
    executor: Executor = "threads",
    set: Several | None = None,
    allow_code: AllowCode = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Find the smallest buffer with which a scenario reaches a target.

    The search is a bisection. Each buffer is run with the same seeds until its confidence interval
    excludes the target. Repeat an interrupted command to continue it. Exit code 1: no such buffer
    was found.

    Args:
        file: A scenario file (TOML).
        target: A metric, >= or <=, and a value: "efficiency >= 98 %", "page_delay_s <= 1.2 s".
        key: Key of the scenario that sets the buffer; by default that of the bottleneck.
        from_: Smallest buffer to try, in any unit of the key; by default "0.0625 rtt".
        to: Largest buffer to try; by default "4 rtt".
        point: Number of the sweep point, from 0 on; `ackclock explain` lists them. A sweep over the
            buffer itself is ignored.
        confidence: Probability that the whole answer is right.
        replications_max: Largest number of runs of a buffer; one that is not decided by then counts
            as undecided.
        tolerance: Relative precision of the answer; in whole packets or cells, at best 1.
        seed: Seed from which the seeds of all runs are derived; by default the scenario's.
        out: Folder for the runs and the answer; by default FILE.sizing, without .toml.
        jobs: Number of runs at the same time; by default one per processor.
        executor: Where the runs are made: here, or by the workers of a dask scheduler,
            dask://HOST:PORT; the results do not depend on it.
        set: Change one key of the scenario: KEY=VALUE; may be repeated.
        allow_code: Let the Python code run that the scenario names; read it first.
        json: Print the answer as JSON.
    """
    from ackclock.code_permission import code_allowed
    from ackclock.sizing import Question, RunsFailedError
    from ackclock.sizing import size_buffer as sized

    question = Question(
        target=target,
        key=key,
        start=from_,
        end=to,
        point=point,
        confidence=confidence,
        replications_max=replications_max,
        tolerance=tolerance,
        sets=tuple(set or ()),
        seed=seed,
    )
    try:
        with (
            code_allowed(allow_code),
            stopped_at_once(),
            warnings_shown(),
            _described(target) as described,
        ):
            found = sized(
                file,
                question,
                out,
                jobs=jobs,
                executor=executor,
                on_look=described.look,
                on_progress=described.progress,
            )
    except RunsFailedError as error:
        say(f"ackclock: a run has failed: {error}", err=True)
        return NOT_FOUND
    _show(found, as_json=json)
    return 0 if found.found else NOT_FOUND


def _show(found: Sizing, *, as_json: bool) -> None:
    """The answer, and where its files are."""
    from ackclock.results.grids import rich_table
    from ackclock.sizing import rendering

    written = rendering.write(found)
    for warning in found.warnings():
        say(f"ackclock: warning: {warning}", err=True)
    if as_json:
        say_json(rendering.as_json(found))
        return
    console().print(rich_table(rendering.answer_table(found)))
    say("\n".join(rendering.answer_lines(found)))
    counts = f"{found.runs} runs ({found.made} made now) of {len(found.probes)} buffers"
    say(f"{counts} are in {found.folder}")
    say(f"The answer: {', '.join(map(str, written))}")


@contextmanager
def _described(target: str) -> Iterator[_Reporter]:
    """Prints on standard error how the search goes."""
    screen = Screen(stderr=True, highlight=False, soft_wrap=True)
    if not screen.is_terminal:
        yield _Reporter(screen, target)
        return
    with screen.status("") as status:
        yield _Reporter(screen, target, status)


class _Reporter:
    """One line per decided buffer; on a terminal also the progress of the current one."""

    def __init__(self, screen: Screen, target: str, status: Status | None = None) -> None:
        self._screen = screen
        self._status = status
        self._target = target
        self._doing = ""

    def look(self, looked: BufferJudged) -> None:
        """A buffer has been judged."""
        from ackclock.sizing.rendering import WORDS

        size, n = looked.level.text, looked.interval.n
        if looked.verdict is None:
            self._doing = f"{size} is undecided after {n} runs; "
            return
        self._doing = ""
        runs = "1 run" if n == 1 else f"{n} runs"
        self._screen.print(f"{size}: {WORDS[looked.verdict]}, {runs}", markup=False)

    def progress(self, event: Any) -> None:
        """An event of the campaign."""
        from ackclock.campaign import Failed, Noted, Stopping

        if isinstance(event, Failed):
            self._screen.print(f"Failed: {event.failure}", markup=False)
        elif isinstance(event, Noted):
            self._screen.print(event.message, markup=False)
        elif isinstance(event, Stopping):
            self._screen.print(
                f"Stopping: {event.under_way} runs are under way; press Ctrl-C again to abandon"
                " them"
            )
        if self._status:
            ended = event.done + event.failed
            described = simulated(event) or f"run {ended} of {event.total}"
            self._status.update(f"{self._target}: {self._doing}{described}")
