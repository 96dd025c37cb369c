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
        "bottleneck of {:g}\u00a0Mbit/s. Each client has a virtual circuit of its own, whose rate "
        "the switches set. It asks whether bursts of many such clients make long queues in the "
        "switches, and whether the bottleneck stays busy."
    ).format(topology.clients_per_server, topology.trunk.rate / 1e6)


def _sections(result: StudyResult) -> list[Section]:
    """Sections of the page: id, name, text, and the tables and figures that are there."""
    return [
        section(
            "table2",
            "Queue and efficiency",
            "How long the bottleneck's queue becomes and how much of its capacity is used, as the "
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
            "The same requests over UBR with drop policies in the switches, and what the clients "
            "notice of it. The paper does not compare them.",
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
    claims="What the paper concludes, each conclusion as a test on the simulated results alone. "
    "The bound of the queue is computed from the network, not taken from print.",
    sections=_sections,
    summary=_summary,
    intervals=(
        "The paper prints one value for each number of servers and no interval with it. A single "
        "run scatters more than a mean does: it may lie outside the interval of the mean although "
        "both describe the same system.",
        "A maximum over a run grows with the run's length; its mean over replications is the mean "
        "maximum of runs of this length.",
        "Replications share their requests between services, so that a difference between two "
        "services is known better than their two intervals suggest.",
    ),
)
