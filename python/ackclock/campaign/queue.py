"""The order of the runs of several campaigns: the longest expected ones first.

Then the last runs are short, and no worker waits long for the last one. A run is expected to take
as long as the runs of its lane that this call has made; before one has ended, a lane's size is
scaled by what other runs took for theirs. Each lane's first run comes before all others, because
it measures the lane.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from ackclock.campaign.reuse import Shared
from ackclock.campaign.schedule import Lane, Schedule, Task


class Numbers(NamedTuple):
    """Numbers of runs of all campaigns: known, with a row, failed."""

    total: int
    made: int
    failed: int


class _Expected(NamedTuple):
    """A lane of a campaign, and the expected time of a run of it, s."""

    schedule: Schedule
    lane: Lane
    seconds: float


class Queue:
    """The runs of several campaigns. Use from one thread.

    Attributes:
        shared: runs that several of the campaigns need.
    """

    def __init__(self) -> None:
        self.shared = Shared()
        self._schedules: list[Schedule] = []

    def add(self, schedule: Schedule) -> None:
        """Add the runs of a campaign."""
        self._schedules.append(schedule)

    @property
    def numbers(self) -> Numbers:
        """Numbers of runs."""
        its = self._schedules
        return Numbers(
            sum(each.total for each in its),
            sum(each.made for each in its),
            sum(each.failed for each in its),
        )

    @property
    def left(self) -> int:
        """Known number of runs that have not ended."""
        return sum(each.left for each in self._schedules)

    @property
    def share(self) -> float:
        """The share of the expected time of this call's runs that has passed, from 0 to 1."""
        made = left = 0.0
        for _, lane, seconds in self._expected():
            made += seconds * lane.ended
            left += seconds * lane.left
        return made / (made + left) if made else 0.0

    def take(self, seconds: float, most: int) -> list[Task]:
        """Return the next runs; none if all are begun or others must end first.

        Args:
            seconds: target for the time of the runs together, s.
            most: number of runs that are returned at most.

        Returns:
            Runs of one campaign; at least one, if there is one.
        """
        in_order = sorted(self._expected(), key=lambda each: (each.lane.begun, -each.seconds))
        for schedule, lane, expected in in_order:
            known = seconds / expected if lane.ended and expected else 1
            number = int(max(1, min(known, most)))
            if tasks := list(islice(filter(self.shared.begin, schedule.take(lane)), number)):
                return tasks
        return []

    def _expected(self) -> list[_Expected]:
        everywhere = _seconds_a_unit(lane for each in self._schedules for lane in each.lanes)
        found = []
        for schedule in self._schedules:
            unit_s = _seconds_a_unit(schedule.lanes) or everywhere or 1.0
            for lane in schedule.lanes:
                known = lane.seconds / lane.ended if lane.ended else lane.size * unit_s
                found.append(_Expected(schedule, lane, known))
        return found


def _seconds_a_unit(lanes: Iterable[Lane]) -> float:
    """Return how long the runs of some lanes took for each unit of their size; 0 before one."""
    seconds = units = 0.0
    for lane in lanes:
        seconds += lane.seconds
        units += lane.size * lane.ended
    return seconds / units if units else 0.0
