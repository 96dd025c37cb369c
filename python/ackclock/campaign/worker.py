"""One run, made in a thread, another process or on another machine.

Orders to a worker can be pickled: they have functions by name, plans and rows as text, and tables
as the bytes of Parquet files.
"""

from __future__ import annotations

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
from ackclock.code_permission import code_allowed
from ackclock.errors import CodeError, InputError
from ackclock.syntax_trees import syntax_tree

CORE = "ackclock._core:run"
_LONG_S = 1.0


class Functions(NamedTuple):
    """The functions that make a row from a plan, each as "module:function".

    Attributes:
        core: ``run(plan text, seed) -> columns``. A core with a third parameter, ``on_progress``,
            calls it regularly with simulated and total seconds, and passes its exceptions on.
        measure: ``measure(columns, facts) -> row``, a dict that JSON can represent.
        traces: ``traces(columns) -> {table: pyarrow.Table}``; none to record nothing.
    """

    core: str
    measure: str
    traces: str | None

    def digest(self) -> str:
        """Return a digest of the names and source files, because other code gives other rows.

        Raises:
            InputError: a module does not exist.
        """
        return _digest(self)


class Order(NamedTuple):
    """A run to make: a plan's text, a seed, facts for the metrics, and whether to record it.

    The task has the numbers of the run. ``has_code`` says that the plan has code, and that the
    sender of the order has the permission to execute it.
    """

    task: Task
    plan: str
    seed: int
    facts: Any
    traced: bool
    has_code: bool = False


class Outcome(NamedTuple):
    """The outcome of a run: a row, or the reason of a failure.

    Attributes:
        row: row as JSON text; empty if the run failed.
        traces: Parquet files by table.
        duration_s: real time of the run and of its metrics, s.
        reason: reason of the failure, in one line.
        traceback: traceback of the failure.
    """

    row: str
    traces: dict[str, bytes]
    duration_s: float
    reason: str = ""
    traceback: str = ""


class StoppedError(Exception):
    """A run was stopped before its end; it has no row."""


class _Progress:
    """Progress of a run: the core calls it; other threads read it and stop the run through it.

    Args:
        unwanted: returns whether nobody waits for the run any more.

    Attributes:
        seconds: simulated and total seconds.
        patience_s: the run is stopped if it is estimated to need longer than this, s.
    """

    def __init__(self, unwanted: Callable[[], bool]) -> None:
        self.seconds = (0.0, 0.0)
        self.patience_s = math.inf
        self._unwanted = unwanted
        self._began = time.monotonic()

    def __call__(self, simulated_s: float, duration_s: float) -> None:
        self.seconds = simulated_s, duration_s
        left_s = self.elapsed_s() * (duration_s / simulated_s - 1) if simulated_s else math.inf
        if left_s > self.patience_s or self._unwanted():
            raise StoppedError

    def elapsed_s(self) -> float:
        """Return the real time since the start, s."""
        return time.monotonic() - self._began


_under_way: dict[_Progress, Task] = {}
"""Running runs in threads of this process whose core reports progress.

A worker of a cluster may make runs of two campaigns at a time, which have the same tasks.
"""


def simulated() -> dict[Task, tuple[float, float]]:
    """Return simulated and total seconds of long runs."""
    return {
        task: progress.seconds
        for progress, task in list(_under_way.items())
        if progress.elapsed_s() > _LONG_S
    }


def stop(patience_s: float) -> None:
    """Stop the runs of this process that need more than another ``patience_s`` seconds."""
    for progress in list(_under_way):
        progress.patience_s = patience_s


def work(
    functions: Functions,
    digest: str,
    orders: Sequence[Order],
    unwanted: Callable[[], bool] = lambda: False,
) -> list[Outcome]:
    """Make runs one after the other; the outcome of a failed run has the reason.

    Args:
        functions: functions that make a row.
        digest: their digest in the process that sends the orders.
        orders: the runs.
        unwanted: returns whether nobody waits for the outcomes any more, so that the runs stop.

    Returns:
        The outcomes, without those of a stopped run and of the runs after it.

    Raises:
        InputError: the build of this worker differs from that of the sender of the orders.
    """
    check(functions, digest)
    outcomes: list[Outcome] = []
    with suppress(StoppedError):
        outcomes.extend(_made(functions, order, unwanted) for order in orders)
    return outcomes


def check(functions: Functions, digest: str) -> None:
    """Raise ``InputError`` if a function is missing or its files have another digest."""
    for name in filter(None, functions):
        _function(name)
    if functions.digest() != digest:
        raise InputError(
            "a worker has a different build of ackclock from this process, and its results could"
            " differ; install the same build on all machines"
        )


def _made(functions: Functions, order: Order, unwanted: Callable[[], bool]) -> Outcome:
    if unwanted():
        raise StoppedError
    start = time.perf_counter()
    row, traces, reason, where = "", {}, "", ""
    try:
        with code_allowed(order.has_code):
            columns = _columns(_function(functions.core), order, unwanted)
        row = as_json(_function(functions.measure)(columns, order.facts))
        if order.traced and functions.traces:
            traces = _files(_function(functions.traces)(columns))
    except (KeyboardInterrupt, StoppedError, CodeError):
        raise
    # Not only Exception: a panic of the core is a BaseException.
    except BaseException as error:
        row, traces = "", {}
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        where = traceback.format_exc()
    return Outcome(row, traces, time.perf_counter() - start, reason, where)


def _columns(core: Callable[..., Any], order: Order, unwanted: Callable[[], bool]) -> Any:
    if not _reports_progress(core):
        return core(order.plan, order.seed)
    progress = _Progress(unwanted)
    _under_way[progress] = order.task
    try:
        return core(order.plan, order.seed, progress)
    finally:
        del _under_way[progress]


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
    """Return the digest, computed once: a process keeps its modules if their files change."""
    files: dict[str, Path] = {}
    for name in filter(None, functions):
        _collect(name.partition(":")[0], files)
    # By name and not by path: the same build may have another path on another machine.
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
    for statement in syntax_tree(files[module].read_bytes()).body:
        imported = getattr(statement, "module", None)
        if imported and imported.partition(".")[0] == package:
            _collect(imported, files)
