"""Read the folder of a campaign, without writing to it and without a lock."""

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
    """A successful run.

    Attributes:
        point: number of the run's point in the design.
        levels: levels of the point, by factor column.
        replication: number of the replication, from 0.
        seed: seed of the run.
        row: metrics and other measured values, by column.
        duration_s: real time of the run, s.
        traces: files with records of probes, by table; they may have been removed.
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
    """The content of a folder when it was read; another process may add to the folder.

    Attributes:
        folder: path of the folder.
        design: the last request: points, replications, facts.
        text: text of the scenario; empty if none was kept.
        runs: successful runs of the design, sorted by point and replication.
        failures: failed runs of the design.
        missing: number of runs that are not made yet, as far as it is known.
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
            InputError: the folder has no campaign, or one of a later version, or cannot be read.

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
        """Return one row per run: levels, replication, seed and measured values."""
        return [
            {**run.levels, "replication": run.replication, "seed": run.seed, **run.row}
            for run in self.runs
        ]


def _found(path: Path) -> dict[str, Entry]:
    """Return the entries by identity; a successful one takes precedence over a failed one."""
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
    """Return runs and failures of a design, and the number of missing runs."""
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
    """Return the entry of each replication that a point needs; none for a missing one."""
    rule = design.replications
    its = [found.get(design.identity(point, k)) for k in range(rule.maximum)]
    its = [None if entry and _lacks(entry, rule.metrics) else entry for entry in its]
    ended = [
        values_of(entry["row"], rule.metrics) if "row" in entry else None
        for entry in takewhile(bool, its)
    ]
    return its[: rule.needed(ended)]


def _lacks(entry: Entry, metrics: tuple[str, ...]) -> bool:
    """Return whether a row lacks a metric of the stopping rule; such a run is made again."""
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
