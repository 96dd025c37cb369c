"""WWW over ABR with ERICA+ (Vandalore et al.): 1 to 15 servers, and the same load over UBR+.

Source: Vandalore, Kalyanaraman, Jain, Goyal, Fahmy, Simulation study of World Wide Web traffic over
the ATM ABR service, SPIE 3530, 1998. The comparison with UBR is not the paper's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ackclock.scenario import Scenario
from ackclock.studies.abr_web.analysis import METRICS, in_units_of_the_network, tables
from ackclock.studies.abr_web.claims import CLAIMS, Evidence
from ackclock.studies.abr_web.levels import (
    CARRIER,
    SERVERS,
    SERVICE,
    SERVICES_SWEEP,
    TABLE2,
    Point,
    row_of_table2,
    service,
)
from ackclock.studies.abr_web.sensitivity import SENSITIVITY
from ackclock.studies.abr_web.terminal import terminal
from ackclock.studies.machinery.file import StudyFile
from ackclock.studies.machinery.running import bin_of
from ackclock.studies.machinery.study import Choice, Part, Study, Watch

_MEASURE = "ackclock.studies.abr_web.metrics:measure"
_WATCHED_SERVERS = (2, 5, 15)
"""A light load, a full one, and twice as much."""
_FILE = StudyFile(
    Path(__file__).with_name("scenario.toml"),
    {"servers": ("", "Servers, each with so many clients.")},
    sweep_stays=True,
)


def _watched(points: Sequence[Point]) -> list[Point]:
    """Those with ``_WATCHED_SERVERS``; if none of them is run, the one with the most servers."""
    found = [point for point in points if point.servers in _WATCHED_SERVERS]
    return found or [max(points, key=lambda point: point.servers)]


def _probes(its: Scenario) -> tuple[str, ...]:
    return (f"probes.queue={bin_of(its)}", f"probes.acr={bin_of(its)}")


STUDY = Study(
    name="abr-web",
    title="WWW over ABR with ERICA+",
    source="Vandalore et al., SPIE 3530, 1998",
    question="How much buffer do switches with ERICA+ need when the number of web servers grows?",
    parts=(
        Part(
            name=TABLE2,
            file=_FILE,
            point=Point,
            point_of=row_of_table2,
            measure=_MEASURE,
            metrics=METRICS,
            by=("servers",),
            watch=Watch(_watched, _probes, "watched"),
        ),
        Part(
            name=SERVICE,
            file=_FILE,
            own_sets=(SERVICES_SWEEP,),
            point=Point,
            point_of=service,
            measure=_MEASURE,
            metrics=METRICS,
            by=("servers", *CARRIER),
        ),
    ),
    levels=(
        Choice(
            "servers",
            SERVERS,
            "Run these numbers of servers only: 1 to 15; services are compared at 3, 5 and 10.",
            "servers",
        ),
    ),
    evidence=Evidence,
    claims=tuple(CLAIMS),
    tables=tables,
    terminal=terminal,
    report="ackclock.studies.abr_web.report:PAGE",
    printed="ackclock.studies.abr_web.printed:PRINTED",
    derived=in_units_of_the_network,
    missing="numbers of servers that were not run",
    runs_a_cell=1,
    sensitivity=SENSITIVITY,
)
