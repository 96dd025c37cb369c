"""The missing runs of a campaign, and the check whether a point has enough replications."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import isfinite, nan
from typing import Any, NamedTuple

from ackclock.campaign.design import Design
from ackclock.campaign.journal import Entry
from ackclock.campaign.stopping_rule import Values
from ackclock.errors import InputError

_MANY = 20


class Task(NamedTuple):
    """A run: the numbers of its campaign, of its point in the design, and of its replication."""

    campaign: int
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

    @property
    def is_empty(self) -> bool:
        """Whether there are none."""
        return not self.made and not self.failed

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


class Lane:
    """Missing runs of about the same length.

    Attributes:
        size: expected length of a run, in units that are the same in all lanes of a call.
        points: their points.
        left: known number of runs that have not ended.
        begun: whether a run was begun.
        ended: number of runs that this call has made.
        seconds: their real time together, s.
    """

    def __init__(self, size: float) -> None:
        self.size = size
        self.points = array("L")
        self.left = 0
        self.begun = False
        self.ended = 0
        self.seconds = 0.0
        self._later: deque[Task] = deque()
        self._first: Iterator[Task] = iter(())

    def plan(self, first: Iterator[Task]) -> None:
        """Set the runs that are known from the start."""
        self._first = first

    def add(self, tasks: Sequence[Task]) -> None:
        """Add runs; they come before those that are known from the start."""
        self._later.extend(tasks)
        self.left += len(tasks)

    def next(self) -> Task | None:
        """Return the next run; none if all are begun or another run must end first."""
        task = self._later.popleft() if self._later else next(self._first, None)
        self.begun |= task is not None
        return task


class Schedule:
    """The runs of a campaign: which ones are missing, and how many there are.

    Use from one thread.

    Args:
        design: points and replications of the campaign.
        earlier: the existing runs.
        retry_failed: make the runs again that failed in earlier calls.
        lengths: power of two of the expected length of a run, for each point; equal by default.
        campaign: number of the campaign.

    Attributes:
        total: known number of runs.
        made: number of runs with a row.
        failed: number of failed runs.
        lanes: the missing runs, by their expected length.
    """

    def __init__(
        self,
        design: Design,
        earlier: EarlierRuns,
        *,
        retry_failed: bool,
        lengths: Sequence[int] = (),
        campaign: int = 0,
    ) -> None:
        self.total = self.made = self.failed = 0
        self._design = design
        self._rule = design.replications
        self._earlier = earlier
        self._retry_failed = retry_failed
        self._campaign = campaign
        # Only values that a rule uses are kept: for a fixed number, only these counts.
        self._missing: dict[int, int] = {}
        self._planned: dict[int, int] = {}
        self._ended: dict[int, dict[int, Values | None]] = {}
        self._received_failures: set[bytes] = set()
        self.lanes: list[Lane] = []
        numbers: dict[int, int] = {}
        self._lane_of = array("H", [0]) * len(design.points)
        for point in design.distinct():
            length = lengths[point] if lengths else 0
            number = self._lane_of[point] = numbers.setdefault(length, len(numbers))
            if number == len(self.lanes):
                self.lanes.append(Lane(2.0**length))
            self.lanes[number].points.append(point)
        for lane in self.lanes:
            for point in lane.points:
                missing = len(self._plan(point, 0, self._rule.minimum))
                lane.left += missing
                if not self._rule.fixed:
                    self._missing[point] = missing
                    self._plan_more(point)
            lane.plan(self._first(lane))

    def take(self, lane: Lane) -> Iterator[Task]:
        """Take missing runs of a lane, until all are begun or another run must end first."""
        while task := lane.next():
            # Another campaign may have made the run meanwhile.
            if task.replication not in self._ended.get(task.point, ()):
                yield task

    def end(self, task: Task, values: Values | None, seconds: float) -> None:
        """Add the result of a run.

        Args:
            task: the run.
            values: the metrics of the stopping rule, or ``None`` if it failed.
            seconds: real time of the run, s.
        """
        lane = self._lane(task.point)
        lane.ended += 1
        lane.seconds += seconds
        self._end(task, values)

    def receive(self, task: Task, values: Values | None) -> bool:
        """Add the result of a run that another campaign has made.

        Returns:
            Whether the result was missing.
        """
        if task.replication >= self._rule.maximum or self._known(task):
            return False
        identity = self._identity(task)
        if values is None:
            self._received_failures.add(identity)
        else:
            self._earlier.made[identity] = values
        if task.replication < self._planned.get(task.point, self._rule.minimum):
            self._end(task, values)
        return True

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

    def _first(self, lane: Lane) -> Iterator[Task]:
        """Yield the missing runs of the first replications; each replication at all points."""
        for replication in range(self._rule.minimum):
            for point in lane.points:
                task = Task(self._campaign, point, replication)
                if not self._known(task):
                    yield task

    def _plan(self, point: int, first: int, end: int) -> list[Task]:
        """Plan replications, count the existing ones, and return the others."""
        self.total += end - first
        missing = []
        for task in (Task(self._campaign, point, replication) for replication in range(first, end)):
            known = self._known(task)
            if known:
                self._count(task, *known)
            else:
                missing.append(task)
        return missing

    def _plan_more(self, point: int) -> None:
        """Plan more replications of a point if the planned ones have ended and it needs more."""
        while not self._rule.fixed and not self._missing[point]:
            planned = self._planned.setdefault(point, self._rule.minimum)
            needed = self._rule.needed(self._in_order(point))
            if needed == planned:
                return
            self._planned[point] = needed
            tasks = self._plan(point, planned, needed)
            self._missing[point] = len(tasks)
            self._lane(point).add(tasks)

    def _end(self, task: Task, values: Values | None) -> None:
        self._lane(task.point).left -= 1
        self._count(task, values)
        if not self._rule.fixed:
            self._missing[task.point] -= 1
            self._plan_more(task.point)

    def _known(self, task: Task) -> tuple[Values | None] | None:
        """Return the result of an existing run, in a tuple; none if it has no result."""
        if self._earlier.is_empty and not self._received_failures:
            return None
        identity = self._identity(task)
        values = self._earlier.made.get(identity)
        if values is not None:
            return (values,)
        failed = identity in self._earlier.failed and not self._retry_failed
        return (None,) if failed or identity in self._received_failures else None

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

    def _identity(self, task: Task) -> bytes:
        return bytes.fromhex(self._design.identity(task.point, task.replication))

    def _lane(self, point: int) -> Lane:
        return self.lanes[self._lane_of[point]]
