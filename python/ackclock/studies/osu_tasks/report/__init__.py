"""The report of the study: a section a task."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from markupsafe import Markup

from ackclock.plots.shares import Paint
from ackclock.plots.style import (
    BLACK,
    BLUE,
    LIGHT,
    PUBLISHED,
    SERIES,
    SIMULATED,
    VERMILLION,
    series_look,
)
from ackclock.report.blocks import Section, Verdicts
from ackclock.studies.machinery.experiment import Experiment, Style, Task
from ackclock.studies.machinery.figures import INTERACTIONS
from ackclock.studies.machinery.report import Page, rows_of
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.tables import ERROR
from ackclock.studies.osu_tasks.levels import (
    ANALYSED_METRICS,
    BUFFERED,
    BURSTY,
    DROP_POLICIES,
    EFFICIENCY,
    FAIRNESS,
    GFR,
    GUARANTEED_RATE,
    PERSISTENT,
    POLICIES,
    RETRANSMIT,
    TCP_FLAVORS,
    WINDOWS,
    WWW,
)
from ackclock.studies.osu_tasks.report.guarantees import gfr, guaranteed_rate
from ackclock.studies.osu_tasks.report.sources import bursty, retransmit, windows
from ackclock.studies.osu_tasks.report.switches import buffers, policies

STYLE = Style(
    metrics=ANALYSED_METRICS,
    names={
        "drop_policy": "Drop policy",
        "tcp_flavor": "TCP flavor",
        "sources": "Sources",
        "buffer": "Buffer",
        "buffer_rtt": "Buffer",
        "share": "Guaranteed part",
    },
    said={
        "sources": "number of sources",
        "drop_policy": "drop policy",
        "tcp_flavor": "TCP flavor",
        "buffer_rtt": "buffer",
        "share": "guaranteed part",
        "port": "queueing and drop policy",
        "group": "group of VCs",
    },
    looks={
        "drop_policy": {policy: series_look(place) for place, policy in enumerate(DROP_POLICIES)},
        "tcp_flavor": dict(zip(TCP_FLAVORS, SERIES, strict=True)),
        "metric": {EFFICIENCY: SIMULATED, FAIRNESS: PUBLISHED},
        "traffic": {PERSISTENT: SIMULATED, WWW: PUBLISHED},
    },
    paints={
        "Drop policy": Paint(VERMILLION),
        "TCP flavor": Paint(BLUE),
        "Sources": Paint("#00664A"),
        "Buffer": Paint("#8C510A"),
        INTERACTIONS: Paint(LIGHT, BLACK),
        ERROR: Paint("white", BLACK, BLACK),
    },
)
_TASKS: Mapping[str, Callable[[Experiment], Task]] = {
    POLICIES.name: policies,
    BUFFERED.name: buffers,
    GUARANTEED_RATE.name: guaranteed_rate,
    GFR.name: gfr,
    BURSTY.name: bursty,
    WINDOWS.name: windows,
    RETRANSMIT.name: retransmit,
}


def _sections(result: StudyResult) -> list[Section]:
    """In the order of the tasks: 1, 2; 3; 4a; ..."""
    by_task = sorted(result.parts.items(), key=lambda item: item[1].part.task)
    experiments = {name: Experiment(result, its, STYLE) for name, its in by_task}
    return [its.section(_TASKS[name](its)) for name, its in experiments.items()]


def _all_claims(result: StudyResult) -> Verdicts:
    shown = {claim.id for claim in result.study.claims if set(claim.needs) & set(result.parts)}
    return Verdicts(rows_of(result), elsewhere=frozenset(shown))


PAGE = Page(
    title="TCP over UBR: seven tasks",
    heading="TCP over UBR: seven tasks",
    about=lambda result: Markup(
        "The programme (Jain, Goyal, Kalyanaraman, Fahmy, Vandalore and others, <i>TCP over UBR: "
        "issues to study</i>, Ohio State University) studied what switches and end systems must "
        "do so that TCP works over the unspecified bit rate (UBR) service of ATM, especially on "
        "satellite paths. Its slides state questions and answers without numbers. Here each task "
        "is a separate experiment, and each answer is a test on the simulated results alone."
    ),
    source="slides",
    published="none; no number of the programme's papers is used",
    claims="The conclusions of the programme. “Above” and “below” between effects or means state "
    "that their 90\u00a0% intervals do not overlap. The section of the task has the evidence.",
    sections=_sections,
    all_claims=_all_claims,
    conventions=Markup(
        "Each part has its own scenario file. The clock and the TCP are the same in all parts, "
        "except for flavor, segment size and windows. <code>--set KEY=VALUE</code> changes a "
        "setting in every part that has it."
    ),
    intervals=(
        "A mean over several points is computed replication by replication, over the replications "
        "that all of these points have.",
        "All combinations of a replication have the same random numbers. A difference between two "
        "combinations is therefore more precise than their two intervals suggest; the task on "
        "retransmission uses this.",
    ),
    effects=(
        "The intervals of effects (90\u00a0%) come from the variation of the means that the "
        "factors and their first-order interactions do not explain, not from the replications.",
    ),
)
