"""One run, made in a thread, another process or on another machine.

Orders to a worker can be pickled: functions by name, plans and rows as text, tables as the bytes of
Parquet files.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import io
import math
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from ackclock.campaign.identity import code_digest
from ackclock.campaign.journal import as_json
from ackclock.campaign.schedule import Task
from ackclock.errors import InputError

CORE = "ackclock._core:run"
_LONG_S = 1.0


class Functions(NamedTuple):
    """What makes a row of a plan; each is written "module:function".

    Attributes:
        core: ``run(plan text, seed) -> columns``. One with a third parameter, ``on_progress``,
            calls it every now and then with the seconds that are simulated and those that will be,
            and ends with what it raises.
        measure: ``measure(columns, facts) -> row``, a dict of what JSON has a form for.
        traces: ``traces(columns) -> {table: pyarrow.Table}``; none if nothing is to be recorded.
    """

    core: str
    measure: str
    traces: str | None

    def digest(self) -> str:
        """Of their names and the files that they are in: another build gives other rows.

        Raises:
            InputError: a module is not there.
        """
        return _digest(self)


class Order(NamedTuple):
    """A run to make: a plan's text, a seed, the facts to measure by, and whether to record it.

    The task is its point and its replication.
    """

    task: Task
    plan: str
    seed: int
    facts: Any
    traced: bool


class Outcome(NamedTuple):
    """What came of it: a row, or the reason why there is none.

    Attributes:
        row: as JSON text; empty if the run failed.
        traces: Parquet files by table.
        duration_s: of the run, with its measuring.
        reason: why it failed, in one line.
        traceback: where it failed.
    """

    row: str
    traces: dict[str, bytes]
    duration_s: float
    reason: str = ""
    traceback: str = ""


class StoppedError(Exception):
    """A run that was stopped under way; it has no row."""


class _Progress:
    """How far a run is: its core calls it, other threads read it, and stop the run by it.

    Attributes:
        seconds: those that are simulated, and those that will be.
        patience_s: how long the run may still take, as far as that is known; then it is stopped.
    """

    def __init__(self) -> None:
        self.seconds = (0.0, 0.0)
        self.patience_s = math.inf
        self._began = time.monotonic()

    def __call__(self, simulated_s: float, duration_s: float) -> None:
        self.seconds = simulated_s, duration_s
        left_s = self.elapsed_s() * (duration_s / simulated_s - 1) if simulated_s else math.inf
        if left_s > self.patience_s:
            raise StoppedError

    def elapsed_s(self) -> float:
        """Real time since its start."""
        return time.monotonic() - self._began


_under_way: dict[Task, _Progress] = {}
"""Runs that the threads of this process make, with a core that reports progress."""


def simulated() -> dict[Task, tuple[float, float]]:
    """Of runs that take long: the seconds that are simulated, and those that will be."""
    return {
        task: progress.seconds
        for task, progress in list(_under_way.items())
        if progress.elapsed_s() > _LONG_S
    }


def stop(patience_s: float) -> None:
    """Stop the runs of this process that would still take longer than so many seconds."""
    for progress in list(_under_way.values()):
        progress.patience_s = patience_s


def work(functions: Functions, digest: str, orders: Sequence[Order]) -> list[Outcome]:
    """Make runs one after the other; what goes wrong in one is in its outcome.

    Returns:
        Their outcomes; without those of a run that was stopped and of the runs after it.

    Raises:
        InputError: this worker has another build than the process that sent the orders.
    """
    check(functions, digest)
    outcomes: list[Outcome] = []
    with suppress(StoppedError):
        outcomes.extend(_made(functions, order) for order in orders)
    return outcomes


def check(functions: Functions, digest: str) -> None:
    """Raise ``InputError`` unless the functions are there, in files of this digest."""
    for name in filter(None, functions):
        _function(name)
    if functions.digest() != digest:
        raise InputError(
            "a worker has a different build of ackclock from this process, and its results could"
            " differ; install the same build on all machines"
        )


def _made(functions: Functions, order: Order) -> Outcome:
    start = time.perf_counter()
    row, traces, reason, where = "", {}, "", ""
    try:
        columns = _columns(_function(functions.core), order)
        row = as_json(_function(functions.measure)(columns, order.facts))
        if order.traced and functions.traces:
            traces = _files(_function(functions.traces)(columns))
    except (KeyboardInterrupt, StoppedError):
        raise
    # Not only Exception: a panic of the core is none.
    except BaseException as error:
        row, traces = "", {}
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        where = traceback.format_exc()
    return Outcome(row, traces, time.perf_counter() - start, reason, where)


def _columns(core: Callable[..., Any], order: Order) -> Any:
    if not _reports_progress(core):
        return core(order.plan, order.seed)
    progress = _under_way[order.task] = _Progress()
    try:
        return core(order.plan, order.seed, progress)
    finally:
        del _under_way[order.task]


@cache
def _reports_progress(core: Callable[..., Any]) -> bool:
    return len(inspect.signature(core).parameters) > 2


def _files(tables: dict[str, Any]) -> dict[str, bytes]:
    import pyarrow.parquet

    files = {}
    for name, table in tables.items():
        buffer = io.BytesIO()
        pyarrow.parquet.write_table(table, buffer, compression="zstd")
        files[name] = buffer.getvalue()
    return files


@cache
def _function(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    try:
        return getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise InputError(f"{name}: a worker cannot import this function ({error})") from error


@cache
def _digest(functions: Functions) -> str:
    """Read once: a process keeps the modules that it has, whatever becomes of their files."""
    files: dict[str, Path] = {}
    for name in filter(None, functions):
        _collect(name.partition(":")[0], files)
    # By name and not by path: the same build may lie elsewhere on another machine.
    code = code_digest(files[module] for module in sorted(files))
    return hashlib.sha256(" ".join([code, *map(str, functions)]).encode()).hexdigest()


def _collect(module: str, files: dict[str, Path]) -> None:
    """Add a module's file, and those of the modules of its package that it imports from."""
    if module in files:
        return
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise InputError(f"{module}: there is no such module")
    files[module] = Path(spec.origin)
    if files[module].suffix != ".py":
        return
    package = module.partition(".")[0]
    # Imports for type checkers only are in an `if` and do not affect a row.
    for statement in ast.parse(files[module].read_bytes()).body:
        imported = getattr(statement, "module", None)
        if imported and imported.partition(".")[0] == package:
            _collect(imported, files)
