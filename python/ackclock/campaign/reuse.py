"""Runs that several campaigns need: one makes them, and the others keep their rows too.

The identity of a run covers the build, but not the facts from which its metrics are computed;
these must be equal. Runs with probes are not shared, because their records stay in one folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from ackclock.campaign.design import Design
from ackclock.campaign.journal import as_json
from ackclock.campaign.reader import Campaign, Run
from ackclock.campaign.schedule import EarlierRuns, Task
from ackclock.campaign.store import Store
from ackclock.campaign.worker import Outcome


def take_over(
    others: Iterable[Campaign], design: Design, earlier: EarlierRuns, store: Store
) -> int:
    """Copy rows of missing runs from other campaigns.

    Args:
        others: campaigns that may have made the runs.
        design: design of this campaign.
        earlier: existing runs of this campaign; the copied rows are added.
        store: store of this campaign.

    Returns:
        The number of copied rows.

    Raises:
        OSError: the folder cannot be written.
    """
    taken = 0
    for point, run in made_by(others, design):
        identity = design.identity(point, run.replication)
        if bytes.fromhex(identity) not in earlier.made:
            store.keep(Task(0, point, run.replication), outcome_of(run))
            earlier.take({"run": identity, "row": run.row})
            taken += 1
    return taken


def made_by(others: Iterable[Campaign], design: Design) -> Iterator[tuple[int, Run]]:
    """Yield the runs of a design that other campaigns have made, with their points in it."""
    places: dict[bytes, int] = {}
    for other in others:
        places = places or _places(design)
        key = cache(other.design.untraced_runs)
        for run in other.runs:
            point = None if run.traces else places.get(key(run.point))
            if point is not None and _is_shared(design, point, run.replication):
                yield point, run


def outcome_of(run: Run) -> Outcome:
    """Return what a worker returned for a run."""
    return Outcome(as_json(run.row), {}, run.duration_s)


def _places(design: Design) -> dict[bytes, int]:
    """Return the points of a design by what identifies their runs."""
    return {design.untraced_runs(point): point for point in design.distinct()}


def _is_shared(design: Design, point: int, replication: int) -> bool:
    """Return whether a design may need a replication of a point, and does not record it."""
    needs = replication < design.replications.maximum
    return needs and not design.is_traced(point, replication)


class Shared:
    """The runs that several campaigns of a call need. Use from one thread."""

    def __init__(self) -> None:
        self._designs: dict[int, Design] = {}
        self._keys: dict[tuple[int, int], bytes] = {}
        self._places: dict[bytes, dict[int, int]] = {}
        self._under_way: set[tuple[bytes, int]] = set()
        self._ended: set[tuple[bytes, int]] = set()

    def add(self, campaign: int, design: Design) -> set[int]:
        """Add a campaign, and return the numbers of those that have points in common with it."""
        self._designs[campaign] = design
        found: set[int] = set()
        for key, point in _places(design).items():
            its = self._places.setdefault(key, {})
            found |= its.keys()
            its[campaign] = point
            self._keys[campaign, point] = key
        return found

    def begin(self, task: Task) -> bool:
        """Return whether to make a run: whether no other campaign is making it now."""
        run = self._run(task)
        if run in self._under_way:
            return False
        if run:
            self._under_way.add(run)
        return True

    def end(self, task: Task) -> Iterator[Task]:
        """Yield the same run in the other campaigns that need it."""
        run = self._run(task)
        if run:
            self._under_way.discard(run)
        # One that failed is made again by a campaign that was opened later; the others have it.
        if run and run not in self._ended:
            self._ended.add(run)
            for campaign, point in self._places[run[0]].items():
                needs = _is_shared(self._designs[campaign], point, task.replication)
                if campaign != task.campaign and needs:
                    yield Task(campaign, point, task.replication)

    def _run(self, task: Task) -> tuple[bytes, int] | None:
        """Return what identifies a run that may be shared."""
        key = self._keys.get((task.campaign, task.point))
        if key is None or not _is_shared(self._designs[task.campaign], *task[1:]):
            return None
        return key, task.replication
