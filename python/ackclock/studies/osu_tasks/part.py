"""What a part of the study is: an experiment with a scenario file of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

from ackclock.studies.common.file import StudyFile

MANY_SOURCES = 50
"""Points with as many sources, or more, are replicated less often."""
MANY_SHARE, MANY_LEAST = 3, 2
_SCENARIOS = Path(__file__).with_name("scenarios")


@dataclass(frozen=True)
class Analysed:
    """A full factorial whose variation is allotted to its factors.

    Attributes:
        by: the column that identifies an analysis, for example "link".
        factors: columns of the factors. They and ``by`` are all columns of the point.
        metrics: columns of the responses; each is analysed by itself.
    """

    by: str
    factors: tuple[str, ...]
    metrics: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """An experiment.

    Attributes:
        name: on the command line; that of its scenario file without ".toml".
        task: which of the programme's tasks, for example "1, 2".
        title: of its section.
        point: named tuple of a point. Its fields are the columns of the sweep in the scenario file,
            in the order of the factors there; a field ``sources`` says how many TCP sources a
            point has.
        measure: "module:function" that makes a row of a run.
        metrics: columns of the row whose means are reported with intervals.
        variables: what is accepted and what it means, of each of the file's variables.
        decided: keys that mean nothing beside what else the file says.
        analysed: what is allotted to factors, if anything is.
        watched: points of which replication 0 is made once more and recorded over time.
        left_out: returns the points of the sweep that the study does not run; none if not given.
    """

    name: str
    task: str
    title: str
    point: type[Any]
    measure: str
    metrics: tuple[str, ...]
    variables: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    decided: tuple[str, ...] = ()
    analysed: Analysed | None = None
    watched: tuple[Any, ...] = ()
    left_out: Callable[[Any], bool] | None = None

    @property
    def file(self) -> StudyFile:
        """Its scenario file, and what may be changed in it."""
        path = _SCENARIOS / f"{self.name}.toml"
        return StudyFile(path, "--parts", self.variables, self.decided, sweep_stays=True)

    @property
    def columns(self) -> list[str]:
        """Columns of its points."""
        return list(self.point._fields)


def has_many_sources(point: Any) -> bool:
    """Whether a point is replicated less often."""
    return getattr(point, "sources", 0) >= MANY_SOURCES


def replications_of(point: Any, asked: int) -> int:
    """How often a point is run.

    Args:
        point: of a part.
        asked: replications that were asked for.

    Returns:
        What was asked for; with many sources a third of it, rounded up, but no fewer than
        ``MANY_LEAST`` if so many were asked for. A run with many sources takes longer, and is a
        mean over more of them.
    """
    if not has_many_sources(point):
        return asked
    return max(ceil(asked / MANY_SHARE), min(asked, MANY_LEAST))
