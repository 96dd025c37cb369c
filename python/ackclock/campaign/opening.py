"""A campaign of a call: its folder is locked, its points are compiled, its missing runs known."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from ackclock.campaign.design import CompiledDesign, Point, Scenario, compile_design
from ackclock.campaign.events import CampaignWarning, Failure
from ackclock.campaign.files import explained_if_unwritable, writable_folder
from ackclock.campaign.journal import DAMAGED, JOURNAL, damage
from ackclock.campaign.provenance import Provenance
from ackclock.campaign.reader import Campaign
from ackclock.campaign.reuse import take_over
from ackclock.campaign.schedule import EarlierRuns, Schedule, Task, values_of
from ackclock.campaign.stopping_rule import Values
from ackclock.campaign.store import Store, opened
from ackclock.campaign.stored import storage
from ackclock.campaign.worker import CORE, Functions, Order, Outcome, check
from ackclock.code_permission import has_code
from ackclock.plurals import counted


@dataclass(frozen=True)
class CampaignRequest:
    """Runs of a scenario in a folder; ``run_campaign`` describes the attributes."""

    scenario: Scenario
    folder: Path | str
    measure: str
    traces: str | None = None
    core: str = CORE
    text: str = ""
    sets: Sequence[str] = ()
    points: Sequence[Point] | None = None
    replications: int | None = None
    retry_failed: bool = False
    again: Callable[[dict[str, Any]], bool] = lambda row: False
    others: Sequence[Campaign] = ()


@dataclass(frozen=True)
class Summary:
    """Result of a call.

    Attributes:
        folder: folder of the campaign.
        total: number of runs of the campaign.
        done: number of successful runs.
        failed: number of failed runs; the journal has the reasons.
        made: number of runs that this call has made, including failed ones.
        seconds: duration of the call, s.
        warnings: problems to check before you trust the results.
    """

    folder: Path
    total: int
    done: int
    failed: int
    made: int
    seconds: float
    warnings: tuple[str, ...]

    def __str__(self) -> str:
        """Return a sentence: "8 of 8 runs (8 made now) are in lab.results"."""
        verb = "is" if self.done == 1 else "are"
        made = f"{self.done} of {counted(self.total, 'run')} ({self.made} made now)"
        return f"{made} {verb} in {self.folder}"


class CompiledRequest(NamedTuple):
    """A request with its compiled points, and the functions that make a row with their digest."""

    functions: Functions
    code: str
    compiled: CompiledDesign


def compile_request(
    request: CampaignRequest, files: ExitStack
) -> Generator[None, None, CompiledRequest]:
    """Check a request and compile its points; yields after each point.

    Args:
        request: the request.
        files: closes what this function opens.

    Raises:
        InputError: a function does not exist, or points cannot be compiled.
    """
    functions = Functions(request.core, request.measure, request.traces)
    code = functions.digest()
    check(functions, code)
    compiled = yield from compile_design(
        request.scenario,
        request.scenario.points() if request.points is None else request.points,
        code,
        request.sets,
        request.replications,
        traces=request.traces is not None,
        storage=files.enter_context(storage()),
    )
    return CompiledRequest(functions, code, compiled)


def open_campaign(
    number: int,
    request: CampaignRequest,
    compiled: CompiledRequest,
    files: ExitStack,
) -> OpenCampaign:
    """Lock the folder, repair and read its journal, and take over rows of other campaigns.

    Args:
        number: of the campaign in its call.
        request: the request.
        compiled: its points.
        files: unlocks the folder.

    Raises:
        InputError: another process uses the folder, or it cannot be written.
    """
    folder = writable_folder(Path(request.folder), "--out")
    design, _, lengths = compiled.compiled
    earlier = EarlierRuns(design.replications.metrics, request.again)
    # It also covers the end of the call, when the journal is closed.
    files.enter_context(explained_if_unwritable(folder))
    store = files.enter_context(opened(folder, design, earlier.take))
    taken = take_over(request.others, design, earlier, store)
    schedule = Schedule(
        design, earlier, retry_failed=request.retry_failed, lengths=lengths, campaign=number
    )
    return OpenCampaign(folder, compiled, store, schedule, taken)


class OpenCampaign:
    """A campaign whose folder this process holds; ``open_campaign`` creates it.

    Attributes:
        folder: folder of the campaign.
        design: points and replications.
        schedule: the missing runs.
        functions: functions that make a row.
        code: digest of their source files.
        made: number of runs that this call has made, including failed ones.
        warnings: problems to check before you trust the results.
    """

    def __init__(
        self, folder: Path, compiled: CompiledRequest, store: Store, schedule: Schedule, taken: int
    ) -> None:
        self.folder = folder
        self.functions, self.code, self._compiled = compiled
        self.design = self._compiled.design
        self.schedule = schedule
        self.made = self._failed = 0
        self.warnings: list[str] = []
        self._store = store
        self._taken = taken
        self._provenance: Provenance | None = None

    def begin(self, text: str, command: Mapping[str, Any]) -> None:
        """Keep the request in the folder, and record this call if it adds runs.

        Args:
            text: text of the scenario's file.
            command: settings of the call.
        """
        self._store.keep_what_was_asked(text)
        if self._store.damaged:
            described = damage(self._store.damaged, f"set aside in {DAMAGED}")
            self._warn(
                f"{self.folder / JOURNAL}: {described}; their runs are made again; check the disk"
            )
        if self.schedule.left or self._taken:
            self._provenance = Provenance(self.folder, self.code, command)
        self._end_if_complete()

    def order(self, task: Task) -> Order:
        """Return what a worker needs for a run."""
        point = self._compiled.points[task.point]
        traced = self.design.is_traced(task.point, task.replication)
        plan = point.traced_plan if traced else point.plan
        seed = self.design.seed(task.point, task.replication)
        return Order(task, plan, seed, point.facts, traced, has_code(plan))

    def keep(self, task: Task, outcome: Outcome) -> None:
        """Add the outcome of a run that this campaign has ordered.

        Raises:
            InputError: the folder cannot be written, or the metrics of the stopping rule do not
                exist.
        """
        self._write(task, outcome)
        self.made += 1
        self._failed += not outcome.row
        self.schedule.end(task, self._values(outcome), outcome.duration_s)
        self._end_if_complete()

    def receive(self, task: Task, outcome: Outcome) -> None:
        """Add the outcome of a run that another campaign has ordered, if it is missing here.

        Raises:
            InputError: as ``keep``.
        """
        if self.schedule.receive(task, self._values(outcome)):
            self._write(task, outcome)
            self._taken += bool(outcome.row)
            self._end_if_complete()

    def failure(self, task: Task, outcome: Outcome) -> Failure:
        """Return a failed run and the reason."""
        return Failure(
            self.design.points[task.point].levels,
            task.replication,
            self.design.seed(task.point, task.replication),
            outcome.reason,
            outcome.traceback,
        )

    def end(self, outcome: str = "complete") -> None:
        """Record the end of this call, unless this has been done."""
        provenance, self._provenance = self._provenance, None
        if provenance:
            with explained_if_unwritable(self.folder):
                provenance.end(outcome, self.made, self._failed, self._taken)

    def summary(self, seconds: float) -> Summary:
        """Return the numbers of runs.

        Args:
            seconds: duration of the call, s.
        """
        its = self.schedule
        return Summary(
            self.folder,
            its.total,
            its.made,
            its.failed,
            self.made,
            seconds,
            tuple(self.warnings),
        )

    def warn_of_wide_intervals(self) -> None:
        """Warn of points whose intervals are too wide after the maximum of replications."""
        for point, widths in self.schedule.unreached():
            self._warn(self._too_wide(point, widths))

    def _write(self, task: Task, outcome: Outcome) -> None:
        with explained_if_unwritable(self.folder):
            self._store.keep(task, outcome)

    def _values(self, outcome: Outcome) -> Values | None:
        """Return the metrics of the stopping rule; none for a failed run."""
        rule = self.design.replications
        if not outcome.row:
            return None
        return () if rule.fixed else values_of(json.loads(outcome.row), rule.metrics)

    def _end_if_complete(self) -> None:
        if not self.schedule.left:
            self.end()

    def _warn(self, message: str) -> None:
        self.warnings.append(message)
        warnings.warn(message, CampaignWarning, stacklevel=2)

    def _too_wide(self, point: int, widths: dict[str, float]) -> str:
        rule = self.design.replications
        levels = self.design.points[point].levels
        where = ", ".join(f"{column} {level}" for column, level in levels.items()) or "the point"
        found = ", ".join(
            f"{metric} ± {width:.2%}" if isfinite(width) else f"no relative interval of {metric}"
            for metric, width in widths.items()
        )
        return (
            f"{where}: after the maximum of {rule.maximum} replications {found};"
            f" the target is ± {rule.target:.2%}"
        )
