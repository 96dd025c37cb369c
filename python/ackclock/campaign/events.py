"""Events and warnings of a running campaign."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class CampaignWarning(UserWarning):
    """A problem to check before you trust the results."""


class Failure(NamedTuple):
    """A failed run and the reason.

    Attributes:
        levels: levels of the run's point, by factor column.
        replication: number of the replication, from 0.
        seed: seed of the run.
        reason: reason in one line.
        traceback: traceback of the worker; empty if the worker died.
    """

    levels: dict[str, Any]
    replication: int
    seed: int
    reason: str
    traceback: str

    def __str__(self) -> str:
        """Return the run and the reason."""
        point = ", ".join(f"{column} {level}" for column, level in self.levels.items())
        run = ", ".join(filter(None, [point, f"replication {self.replication}"]))
        return f"{run} (seed {self.seed}): {self.reason}"


class Simulated(NamedTuple):
    """Progress of a running run.

    Attributes:
        point: number of the point.
        replication: number of the replication, from 0.
        done_s: seconds that are simulated already.
        duration_s: total seconds to simulate.
    """

    point: int
    replication: int
    done_s: float
    duration_s: float


@dataclass(frozen=True)
class Event:
    """Progress of one or several campaigns.

    Attributes:
        total: known number of runs; it grows when a point needs more replications.
        done: number of runs with a row, including those that existed before this call.
        failed: number of failed runs, including those of earlier calls.
        made: number of runs that this call has made, including failed ones.
        seconds: time since the call began, s.
        simulated: running runs that take more than a second, in threads or processes of this
            computer.
        share: share of the expected time of this call's runs that has passed, from 0 to 1.
    """

    total: int
    done: int
    failed: int
    made: int
    seconds: float
    simulated: tuple[Simulated, ...] = field(default=(), kw_only=True)
    share: float = field(default=0.0, kw_only=True)

    @property
    def rate(self) -> float | None:
        """Runs per second of this call."""
        return self.made / self.seconds if self.made and self.seconds else None

    @property
    def left_s(self) -> float | None:
        """Expected remaining time, s, if no point needs more replications."""
        return self.seconds * (1 - self.share) / self.share if self.share else None


class Started(Event):
    """The first event of a call."""


class Progressed(Event):
    """Runs have ended, or a second has passed."""


@dataclass(frozen=True)
class Noted(Event):
    """Something has happened to the workers of a cluster.

    Attributes:
        message: what, in a sentence.
    """

    message: str


@dataclass(frozen=True)
class Failed(Event):
    """A run has failed.

    Attributes:
        failure: the run and the reason.
    """

    failure: Failure


@dataclass(frozen=True)
class Stopping(Event):
    """The campaign begins no more runs.

    Attributes:
        under_way: number of running runs that the campaign waits for.
    """

    under_way: int


@dataclass(frozen=True)
class Finished(Event):
    """The last event of a call that was not interrupted.

    Attributes:
        warnings: problems to check before you trust the results.
    """

    warnings: tuple[str, ...]
