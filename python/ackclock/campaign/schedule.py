"""The missing runs, and the check whether a point has enough replications."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import isfinite, nan
from typing import Any, NamedTuple

from ackclock.campaign.design import Design
from ackclock.campaign.journal import Entry
from ackclock.campaign.stopping_rule import Values
from ackclock.errors import InputError

_MANY = 20


class Task(NamedTuple):
    """A run of a design: the numbers of its point and of its replication."""

    point: int
    replication: int


class EarlierRuns:
    """The runs of earlier calls, as far as a schedule needs them.

    Args:
        metrics: columns that the stopping rule uses.
        again: returns whether to make a run with this row again.
    """

    def __init__(
        self,
        metrics: tuple[str, ...],
        again: Callable[[dict[str, Any]], bool] = lambda row: False,
    ) -> None:
        self.made: dict[bytes, Values] = {}
        self.failed: set[bytes] = set()
        self._metrics = metrics
        self._again = again

    def take(self, entry: Entry) -> None:
        """Add an entry of the journal."""
        if "run" in entry:
            identity = bytes.fromhex(entry["run"])
            if self._again(entry["row"]):
                # The run may have been made again already: the last row counts.
                self.made.pop(identity, None)
            else:
                # Without the metric the stopping rule cannot use the run: it is made again.
                with suppress(InputError):
                    self.made[identity] = values_of(entry["row"], self._metrics)
        elif "failed" in entry:
            self.failed.add(bytes.fromhex(entry["failed"]))


def values_of(row: dict[str, Any], metrics: tuple[str, ...]) -> Values:
    """Return the metrics of the stopping rule; nan for a metric that is not finite.

    Raises:
        InputError: a metric is not among the columns of the row.
    """
    numbers = {name: value for name, value in row.items() if isinstance(value, int | float)}
    unknown = [metric for metric in metrics if metric not in numbers]
    if unknown:
        known = ", ".join(list(numbers)[:_MANY])
        raise InputError(
            f"[precision] metrics: {metric} is not measured; choose from {known}"
            for metric in unknown
        )
    return tuple(float(numbers[metric]) if isfinite(numbers[metric]) else nan for metric in metrics)


class Schedule:
    """The missing runs of a design, the first replication of every point first.

    The set of runs depends on the results alone. Use it from one thread.

    Args:
        design: the requested points and replications.
        earlier: runs of earlier calls.
        retry_failed: make failed runs again.

    Attributes:
        total: known number of runs; it grows when a point needs more replications.
        made: number of successful runs.
        failed: number of failed runs.
    """

    def __init__(self, design: Design, earlier: EarlierRuns, *, retry_failed: bool) -> None:
        self.total = self.made = self.failed = 0
        self._design = design
        self._rule = design.replications
        self._earlier = earlier
        self._retry_failed = retry_failed
        # Only values that a rule uses are kept: for a fixed number, only these counts.
        self._missing: dict[int, int] = {}
        self._planned: dict[int, int] = {}
        self._ended: dict[int, dict[int, Values | None]] = {}
        self._more: deque[Task] = deque()
        points = list(design.distinct())
        for point in points:
            self._missing[point] = len(self._plan(point, 0, self._rule.minimum))
            self._plan_more(point)
        self._first = (
            task
            for replication in range(self._rule.minimum)
            for task in (Task(point, replication) for point in points)
            if not self._known(task)
        )

    def next(self) -> Task | None:
        """Return the next run; none if all are scheduled or another run must end first."""
        return self._more.popleft() if self._more else next(self._first, None)

    def end(self, task: Task, values: Values | None) -> None:
        """Add the result of a run: the metrics of the stopping rule, or ``None`` if it failed."""
        self._count(task, values)
        self._missing[task.point] -= 1
        self._plan_more(task.point)

    @property
    def left(self) -> int:
        """Known number of runs that have not ended."""
        return self.total - self.made - self.failed

    def unreached(self) -> Iterator[tuple[int, dict[str, float]]]:
        """Yield points at the maximum that miss the target, with their relative half-widths."""
        for point, ended in self._ended.items():
            if len(ended) == self._rule.maximum:
                widths = self._rule.half_widths(self._in_order(point))
                missed = {name: w for name, w in widths.items() if not w <= self._rule.target}
                if missed:
                    yield point, missed

    def _plan(self, point: int, first: int, end: int) -> list[Task]:
        """Plan replications, count the existing ones, and return the others."""
        self._planned[point] = end
        self.total += end - first
        missing = []
        for task in (Task(point, replication) for replication in range(first, end)):
            known = self._known(task)
            if known:
                self._count(task, *known)
            else:
                missing.append(task)
        return missing

    def _plan_more(self, point: int) -> None:
        """Plan more replications of a point if the planned ones have ended and it needs more."""
        while not self._rule.fixed and not self._missing[point]:
            planned = self._planned[point]
            needed = self._rule.needed(self._in_order(point))
            if needed == planned:
                return
            tasks = self._plan(point, planned, needed)
            self._missing[point] = len(tasks)
            self._more.extend(tasks)

    def _known(self, task: Task) -> tuple[Values | None] | None:
        """Return the result of a run in an earlier call, in a tuple; none if it has no result."""
        identity = bytes.fromhex(self._design.identity(*task))
        values = self._earlier.made.get(identity)
        if values is not None:
            return (values,)
        if identity in self._earlier.failed and not self._retry_failed:
            return (None,)
        return None

    def _count(self, task: Task, values: Values | None) -> None:
        if values is None:
            self.failed += 1
        else:
            self.made += 1
        if not self._rule.fixed:
            self._ended.setdefault(task.point, {})[task.replication] = values

    def _in_order(self, point: int) -> list[Values | None]:
        ended = self._ended[point]
        return [ended[k] for k in range(len(ended))]
