"""The runs still to be made, and when a point has enough of them."""

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
    """A run of a design: the number of its point, and of its replication."""

    point: int
    replication: int


class EarlierRuns:
    """What earlier calls have made, as far as a schedule must know it.

    Args:
        metrics: columns on which stopping depends.
        again: whether a run with such a row is to be made again.
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
        """Learn from an entry of the journal."""
        if "run" in entry:
            identity = bytes.fromhex(entry["run"])
            if self._again(entry["row"]):
                # It may have been made again already: the last row counts.
                self.made.pop(identity, None)
            else:
                # Without such a metric it decides nothing, and is made again.
                with suppress(InputError):
                    self.made[identity] = values_of(entry["row"], self._metrics)
        elif "failed" in entry:
            self.failed.add(bytes.fromhex(entry["failed"]))


def values_of(row: dict[str, Any], metrics: tuple[str, ...]) -> Values:
    """The metrics on which stopping depends; nan for one that is not finite.

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
    """The runs of a design that are not made yet, the first replication of every point first.

    Which runs there are depends on the results alone. Use from one thread.

    Args:
        design: the requested points and replications.
        earlier: what earlier calls have made.
        retry_failed: make runs again that have failed.

    Attributes:
        total: runs, as far as is known; it grows when a point needs more replications.
        made: runs that have a row.
        failed: runs that have none, for a reason.
    """

    def __init__(self, design: Design, earlier: EarlierRuns, *, retry_failed: bool) -> None:
        self.total = self.made = self.failed = 0
        self._design = design
        self._rule = design.replications
        self._earlier = earlier
        self._retry_failed = retry_failed
        # Only what a rule uses is kept: for a fixed number nothing but these counts.
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
        """A run to make now; none if there is none, or none before another run has ended."""
        return self._more.popleft() if self._more else next(self._first, None)

    def end(self, task: Task, values: Values | None) -> None:
        """Say what a run gave: the metrics on which stopping depends, or ``None`` if it failed."""
        self._count(task, values)
        self._missing[task.point] -= 1
        self._plan_more(task.point)

    @property
    def left(self) -> int:
        """Runs that have not ended, as far as is known."""
        return self.total - self.made - self.failed

    def unreached(self) -> Iterator[tuple[int, dict[str, float]]]:
        """Points at the maximum whose means are not known well enough: relative half-widths."""
        for point, ended in self._ended.items():
            if len(ended) == self._rule.maximum:
                widths = self._rule.half_widths(self._in_order(point))
                missed = {name: w for name, w in widths.items() if not w <= self._rule.target}
                if missed:
                    yield point, missed

    def _plan(self, point: int, first: int, end: int) -> list[Task]:
        """Plan replications, count those that are there already, and report the others."""
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
        """If a point has all that was planned, see whether it needs more."""
        while not self._rule.fixed and not self._missing[point]:
            planned = self._planned[point]
            needed = self._rule.needed(self._in_order(point))
            if needed == planned:
                return
            tasks = self._plan(point, planned, needed)
            self._missing[point] = len(tasks)
            self._more.extend(tasks)

    def _known(self, task: Task) -> tuple[Values | None] | None:
        """What an earlier call says of a run, if anything."""
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
