"""Reads the folder of a campaign. It writes nothing and needs no lock."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from ackclock.campaign.design import DESIGN, Design, read_design
from ackclock.campaign.events import CampaignWarning, Failure
from ackclock.campaign.journal import JOURNAL, Damaged, Entry, damage, entries
from ackclock.campaign.schedule import values_of
from ackclock.campaign.store import SCENARIO, Trace, trace_of
from ackclock.errors import InputError


class Run(NamedTuple):
    """A run that has a row.

    Attributes:
        point: number of its point in the design.
        levels: of its point, by factor column.
        replication: its number, from 0.
        seed: of the run.
        row: what was measured, by column.
        duration_s: how long it took.
        traces: files of what probes recorded, by table; they may have been removed.
    """

    point: int
    levels: dict[str, Any]
    replication: int
    seed: int
    row: dict[str, Any]
    duration_s: float
    traces: dict[str, Trace]


@dataclass(frozen=True)
class Campaign:
    """A folder as it was when it was read; another process may be adding to it.

    Attributes:
        folder: where it is.
        design: the last request: points, replications, facts.
        text: of the scenario; empty if none was kept.
        runs: those of the design that have a row, by point and replication, whatever the order in
            which they were made.
        failures: those that have none, for a reason.
        missing: number of runs that are not made yet, as far as results show.
    """

    folder: Path
    design: Design
    text: str
    runs: tuple[Run, ...]
    failures: tuple[Failure, ...]
    missing: int

    @classmethod
    def open(cls, folder: Path | str) -> Campaign:
        """Read a folder.

        Raises:
            InputError: it holds no campaign, or one of a later version, or it cannot be read.

        Warns:
            CampaignWarning: lines of the journal are damaged; their runs are missing.
        """
        path = Path(folder)
        try:
            design = read_design(path / DESIGN)
            text = (path / SCENARIO).read_text(encoding="utf-8", errors="replace")
            found = _found(path / JOURNAL)
        except FileNotFoundError as error:
            raise InputError(
                f"{path}: contains no campaign; ackclock run FILE --out {path} makes one"
            ) from error
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror})") from error
        return cls(path, design, text, *_belonging(path, design, found))

    def rows(self) -> list[dict[str, Any]]:
        """A row a run: its levels, replication and seed, and what was measured."""
        return [
            {**run.levels, "replication": run.replication, "seed": run.seed, **run.row}
            for run in self.runs
        ]


def _found(path: Path) -> dict[str, Entry]:
    """Entries by identity; one with a row takes precedence over a failed one."""
    found: dict[str, Entry] = {}
    damaged = []
    for entry in entries(path):
        if isinstance(entry, Damaged):
            damaged.append(entry)
        elif "run" in entry:
            found[entry["run"]] = entry
        elif "failed" in entry and "row" not in found.get(entry["failed"], {}):
            found[entry["failed"]] = entry
    if damaged:
        warnings.warn(
            f"{path}: {damage(damaged, 'left out')}; ackclock run makes their runs again",
            CampaignWarning,
            stacklevel=4,
        )
    return found


def _belonging(
    folder: Path, design: Design, found: dict[str, Entry]
) -> tuple[tuple[Run, ...], tuple[Failure, ...], int]:
    """Runs and failures of a design, and the number of runs that are missing."""
    runs, failures, missing = [], [], 0
    distinct = set(design.distinct())
    for number, point in enumerate(design.points):
        for replication, entry in enumerate(_replications(design, number, found)):
            if entry is None:
                missing += number in distinct
            elif "row" in entry:
                runs.append(_run(folder, design, number, replication, entry))
            else:
                seed = design.seed(number, replication)
                reason, where = entry["reason"], entry["traceback"]
                failures.append(Failure(point.levels, replication, seed, reason, where))
    return tuple(runs), tuple(failures), missing


def _replications(design: Design, point: int, found: dict[str, Entry]) -> list[Entry | None]:
    """What there is of each replication that a point needs."""
    rule = design.replications
    its = [found.get(design.identity(point, k)) for k in range(rule.maximum)]
    its = [None if entry and _lacks(entry, rule.metrics) else entry for entry in its]
    ended = [
        values_of(entry["row"], rule.metrics) if "row" in entry else None
        for entry in takewhile(bool, its)
    ]
    return its[: rule.needed(ended)]


def _lacks(entry: Entry, metrics: tuple[str, ...]) -> bool:
    """Whether a row has not what decides how often its point is run; such a run is made again."""
    return "row" in entry and not all(metric in entry["row"] for metric in metrics)


def _run(folder: Path, design: Design, point: int, replication: int, entry: Entry) -> Run:
    return Run(
        point,
        design.points[point].levels,
        replication,
        design.seed(point, replication),
        entry["row"],
        entry["duration_s"],
        {table: trace_of(folder, entry, table) for table in entry["traces"]},
    )
