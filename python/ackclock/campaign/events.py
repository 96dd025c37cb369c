"""What a campaign reports while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class CampaignWarning(UserWarning):
    """Something to check before the results are trusted."""


class Failure(NamedTuple):
    """A run without a row, and why.

    Attributes:
        levels: of its point, by factor column.
        replication: its number, from 0.
        seed: of the run.
        reason: in one line.
        traceback: of the worker; empty if it died.
    """

    levels: dict[str, Any]
    replication: int
    seed: int
    reason: str
    traceback: str

    def __str__(self) -> str:
        """The run and the reason."""
        point = ", ".join(f"{column} {level}" for column, level in self.levels.items())
        run = ", ".join(filter(None, [point, f"replication {self.replication}"]))
        return f"{run} (seed {self.seed}): {self.reason}"


class Simulated(NamedTuple):
    """How far a run is that is being made.

    Attributes:
        point: its number.
        replication: its number, from 0.
        done_s: seconds that are simulated.
        duration_s: seconds that will be.
    """

    point: int
    replication: int
    done_s: float
    duration_s: float


@dataclass(frozen=True)
class Event:
    """How far a campaign is.

    Attributes:
        total: runs, as far as is known; it grows when a point needs more replications.
        done: runs that have a row, with those that were there when the call began.
        failed: runs that have none, likewise.
        made: runs that this call has made, failed ones among them.
        seconds: since the call began.
        simulated: runs of more than a second that are being made by threads or processes of this
            computer.
    """

    total: int
    done: int
    failed: int
    made: int
    seconds: float
    simulated: tuple[Simulated, ...] = field(default=(), kw_only=True)

    @property
    def rate(self) -> float | None:
        """Runs a second of this call."""
        return self.made / self.seconds if self.made and self.seconds else None

    @property
    def left_s(self) -> float | None:
        """Seconds until the end at this rate, if no point needs more replications."""
        return (self.total - self.done - self.failed) / self.rate if self.rate else None


class Started(Event):
    """The first event of a call."""


class Progressed(Event):
    """Runs have ended, or a second has passed."""


@dataclass(frozen=True)
class Failed(Event):
    """A run has failed.

    Attributes:
        failure: which, and why.
    """

    failure: Failure


@dataclass(frozen=True)
class Stopping(Event):
    """No more runs are begun.

    Attributes:
        under_way: runs whose end is waited for.
    """

    under_way: int


@dataclass(frozen=True)
class Finished(Event):
    """The last event of a call that was not interrupted.

    Attributes:
        warnings: what to check before the results are trusted.
    """

    warnings: tuple[str, ...]
