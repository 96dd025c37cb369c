"""How many rows the probes of a scenario record, and how much memory these take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ackclock import _core
from ackclock.scenario.compile.compiler import network_of
from ackclock.scenario.compile.groups import groups
from ackclock.scenario.compile.probes import IN_BINS, records_anything, rows_when_full
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.topology import AtmClients, AtmDumbbell, AtmNetwork
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.points import Point

_UNITS = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


class ProbeRow(NamedTuple):
    """What a probe takes in a run.

    Attributes:
        probe: its key in ``[probes]``.
        rows: that it records at most; a run that would record more fails.
        row_bytes: memory of a row, in the simulator and in the table that it returns.
        when_full: about how many rows it records if the flows fill their links; none if that is
            not known.
    """

    probe: str
    rows: int
    row_bytes: int
    when_full: int | None

    @property
    def memory(self) -> int:
        """Memory that its rows take at most, bytes."""
        return self.rows * self.row_bytes

    @property
    def text(self) -> str:
        """The rows and their memory, in words."""
        at_most = "" if self.probe in IN_BINS else "at most "
        text = f"{at_most}{_rows(self.rows)} in a run, {size_text(self.memory)} of memory"
        if self.when_full is None:
            return text
        memory = size_text(self.when_full * self.row_bytes)
        return f"{text}; about {_rows(self.when_full)}, {memory}, if the flows fill their links"


def probe_rows(points: Iterable[Point]) -> list[ProbeRow]:
    """What each probe takes in a run, at the point where it takes most.

    Args:
        points: of a scenario, without conflicts.
    """
    most: dict[str, ProbeRow] = {}
    for point in points:
        for row in _rows_at(point):
            before = most.get(row.probe, row)
            when_full = max(filter(None, (before.when_full, row.when_full)), default=None)
            most[row.probe] = row._replace(rows=max(before.rows, row.rows), when_full=when_full)
    return list(most.values())


def probe_documents(rows: Iterable[ProbeRow]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "probe": row.probe,
            "rows_at_most": row.rows,
            "memory_at_most_bytes": row.memory,
            "rows_when_full": row.when_full,
        }
        for row in rows
    ]


def size_text(size: int) -> str:
    """Bytes with three digits at most."""
    for unit, name in _UNITS:
        if size >= unit:
            return (
                f"{size / unit:.{2 if size < 10 * unit else 1 if size < 100 * unit else 0}f} {name}"
            )
    return f"{size} B"


def _rows_at(point: Point) -> list[ProbeRow]:
    scenario = point.scenario
    if not records_anything(scenario.probes):
        return []
    when_full = _rows_when_full(scenario)
    bounds = _core.probe_bounds(canonical_json(point.compile().plan))
    return [
        ProbeRow(probe, rows, size, min(rows, when_full[probe]) if probe in when_full else None)
        for probe, rows, size in bounds
    ]


def _rows_when_full(scenario: Scenario) -> dict[str, int]:
    if isinstance(scenario.topology, AtmDumbbell | AtmClients | AtmNetwork):
        return {}
    return rows_when_full(scenario, network_of(scenario.topology, groups(scenario)))


def _rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"
