"""WWW traffic over UBR+ with limited buffers (ATM Forum 98-0876): 72 points on three links."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ackclock.scenario import Scenario
from ackclock.studies.machinery.file import StudyFile
from ackclock.studies.machinery.running import bin_of
from ackclock.studies.machinery.study import Analysed, Choice, Part, Study, Watch
from ackclock.studies.ubr_web.analysis import METRICS, tables
from ackclock.studies.ubr_web.claims import CLAIMS
from ackclock.studies.ubr_web.claims.evidence import Evidence
from ackclock.studies.ubr_web.levels import (
    BUFFERS_RTT,
    DROP_POLICIES,
    FACTORS,
    LINKS,
    POINTS,
    RUNS,
    TCP_FLAVORS,
    Point,
)
from ackclock.studies.ubr_web.sensitivity import SENSITIVITY
from ackclock.studies.ubr_web.terminal import terminal

_WATCHED_PAIRS = 3
_FILE = StudyFile(
    Path(__file__).with_name("scenario.toml"),
    {
        "newreno": ("a flavor", "Which of the core's NewRenos the level NewReno is."),
        **{
            f"{link.lower()}_buffers": (
                "[three numbers of cells]",
                f"Buffers that stand for 0.5, 1 and 2 RTT on the {link} link.",
            )
            for link in LINKS
        },
        "buffers": ("", "Those of the link that is run."),
        "buffer_rtt": ("", "Which of them."),
    },
)


def _watched(points: Sequence[Point]) -> list[Point]:
    """A run of each link: the first policy, the last flavor, and of two buffers the larger."""
    first, last = points[0], points[-1]
    buffers = list(dict.fromkeys(point.buffer_rtt for point in points))
    levels = first.drop_policy, last.tcp_flavor, buffers[len(buffers) // 2]
    return [Point(link, *levels) for link in dict.fromkeys(point.link for point in points)]


def _probes(its: Scenario) -> tuple[str, ...]:
    names = its.points()[0].compile().facts.flow_names
    return (f"probes.queue={bin_of(its)}", f"probes.cwnd={json.dumps(names[:_WATCHED_PAIRS])}")


STUDY = Study(
    name="ubr-web",
    title="WWW traffic over UBR+ with limited buffers",
    source="ATM Forum 98-0876",
    question="Which has the largest effect on web traffic over ATM without guarantees: the TCP "
    "flavor, the drop policy of the switch, or its buffer?",
    parts=(
        Part(
            name=RUNS,
            file=_FILE,
            point=Point,
            points=POINTS,
            measure="ackclock.studies.ubr_web.metrics:measure",
            metrics=METRICS,
            analysed=Analysed("link", FACTORS, METRICS),
            watch=Watch(_watched, _probes, "traced"),
            folder="",
        ),
    ),
    levels=(
        Choice("links", LINKS, "Run these links only: WAN, MEO, GEO.", "link"),
        Choice("policies", DROP_POLICIES, "Run these drop policies only: EPD, SD.", "drop_policy"),
        Choice(
            "flavors",
            TCP_FLAVORS,
            "Run these TCPs only: Vanilla, Reno, NewReno, SACK.",
            "tcp_flavor",
        ),
        Choice("buffers", BUFFERS_RTT, "Run these buffers only: 0.5, 1, 2 RTT.", "buffer_rtt"),
    ),
    evidence=Evidence,
    claims=CLAIMS,
    tables=tables,
    terminal=terminal,
    report="ackclock.studies.ubr_web.report:PAGE",
    printed="ackclock.studies.ubr_web.printed:PRINTED",
    shortest=("buffer_rtt",),
    runs_a_cell=1,
    sensitivity=SENSITIVITY,
)
