"""The report of the study."""

from __future__ import annotations

from markupsafe import Markup

from ackclock.report.blocks import Section, section
from ackclock.studies.abr_web import figures, tables
from ackclock.studies.abr_web.analysis import errors_line
from ackclock.studies.machinery.report import Page
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.words import verdicts


def _summary(result: StudyResult) -> str:
    found = verdicts(result)
    return found if result.tables["comparison"].empty else f"{found} {errors_line(result)}"


def _about(result: StudyResult) -> str:
    topology = result.scenario.topology
    return Markup(
        "The study (Vandalore, Kalyanaraman, Jain, Goyal, Fahmy, <i>Simulation study of World Wide "
        "Web traffic over the ATM ABR service</i>) puts web servers with {} clients each behind a "
        "bottleneck of {:g}\u00a0Mbit/s. Each client has its own virtual circuit, and the "
        "switches set the rate of each circuit. The questions are whether bursts of many such "
        "clients make long queues in the switches, and whether the bottleneck stays busy."
    ).format(topology.clients_per_server, topology.trunk.rate / 1e6)


def _sections(result: StudyResult) -> list[Section]:
    """Sections of the page: id, name, text, and the tables and figures that are there."""
    return [
        section(
            "table2",
            "Queue and efficiency",
            "The length of the bottleneck's queue and the used share of its capacity, as the "
            "number of servers grows.",
            tables.table2(result),
            figures.queue_figure(result),
            figures.efficiency_figure(result),
            tables.details_table(result),
        ),
        section(
            "over-time",
            "One run over time",
            "The queue at the bottleneck, and the rates that the switches allow.",
            *(figures.trace_figure(result, trace) for trace in result.traces),
        ),
        section(
            "services",
            "ABR beside UBR",
            "The same requests over UBR with drop policies in the switches, and the effect on the "
            "clients. The paper does not make this comparison.",
            tables.services_table(result),
            figures.responses_figure(result),
        ),
    ]


PAGE = Page(
    title="WWW over ABR: simulated beside published",
    heading="WWW over ABR with ERICA+: simulated beside published",
    about=_about,
    source="paper",
    published="Table 2 of the paper",
    claims="Each conclusion of the paper is a test on the simulated results alone. The bound of "
    "the queue is computed from the network; it is not the printed number.",
    sections=_sections,
    summary=_summary,
    intervals=(
        "A maximum over a run grows with the length of the run. The mean over replications is the "
        "mean maximum of runs of this length.",
        "All services of a replication have the same requests. A difference between two services "
        "is therefore more precise than their two intervals suggest.",
    ),
)
