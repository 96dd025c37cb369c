"""The report of the study."""

from __future__ import annotations

from ackclock.report.blocks import Block, Heading, Section, Text
from ackclock.report.numbers import fixed
from ackclock.studies.machinery.report import Page
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.words import verdicts
from ackclock.studies.ubr_web import figures, tables
from ackclock.studies.ubr_web.analysis import METRICS, errors


def _summary(result: StudyResult) -> str:
    """How many claims hold, and how far the results are from the published ones."""
    parts = [
        f"on {link} " + " and ".join(f"{fixed(row[f'{its}_error'])} in {its}" for its in METRICS)
        for link, row in errors(result.tables["comparison"]).iterrows()
    ]
    distance = f"The mean absolute difference from the published results is {'; '.join(parts)}."
    return f"{verdicts(result)} {distance}"


def _about(result: StudyResult) -> str:
    return (
        "The study (ATM Forum contribution 98-0876) sends web traffic of "
        f"{result.scenario.topology.pairs} client-server pairs over one bottleneck. The question "
        "is how the TCP flavor, the buffer and the drop policy of the switch affect efficiency "
        "and fairness. Efficiency is the share of the possible TCP throughput that the clients "
        "received; fairness is that among the clients."
    )


def _sections(result: StudyResult) -> list[Section]:
    """A section for each link."""
    return [Section(link, f"{link} link", _link(result, link)) for link in tables.links(result)]


def _link(result: StudyResult, link: str) -> list[Block]:
    """Results, their analysis if there is one, and a run over time."""
    watched = [trace for trace in result.traces if trace.point.link == link]
    drawn = [each for trace in watched if (each := figures.trace_figure(result, trace))]
    return [
        Heading("Results"),
        *(tables.results_table(result, link, metric) for metric in METRICS),
        figures.interaction_figure(result, link),
        *_analysis(result, link),
        *([Heading("One run over time"), *drawn] if drawn else []),
    ]


def _analysis(result: StudyResult, link: str) -> list[Block]:
    allocation = result.tables["allocation"]
    if allocation.empty or link not in set(allocation["link"]):
        needs = "all drop policies, TCP flavors and buffers of the link"
        each = "an efficiency and a fairness for each combination"
        return [Text(f"No analysis of variation: it needs {needs}, with {each}.", soft=True)]
    return [
        Heading("Allocation of variation"),
        figures.allocation_figure(result, link),
        tables.allocation_table(result, link),
        Heading("Main effects"),
        figures.effects_figure(result, link),
        tables.effects_table(result, link),
    ]


def _diagnostics(result: StudyResult) -> list[Section]:
    shown = [
        table(result, link)
        for link in tables.links(result)
        for table in (tables.diagnostics_table, tables.starved_table)
    ]
    return [Section("diagnostics", "Diagnostics", shown)]


PAGE = Page(
    title="WWW traffic over UBR+: simulated beside published",
    heading="WWW traffic over UBR+ with limited buffers: simulated beside published",
    about=_about,
    source="paper",
    published="Tables 4 to 12 of the paper",
    claims=(
        "Each conclusion of the paper is a test on the simulated results alone. “Above” means "
        "that the 90\u00a0% intervals of two effects do not overlap."
    ),
    sections=_sections,
    summary=_summary,
    lead=lambda result: [tables.errors_table(result), figures.agreement_figure(result)],
    after=_diagnostics,
    fixed=lambda result: [tables.fixed_table(result)],
    intervals=(
        "All combinations of a replication have the same requests. A difference between two "
        "combinations is therefore more precise than their two intervals suggest.",
    ),
    effects=(
        "A main effect has a 90\u00a0% interval, as in the paper. The interval comes from the "
        "variation of the means that main effects and first-order interactions do not explain, "
        "with Student's t at the degrees of freedom of that rest: 6 for four flavors, three "
        "buffers and two policies.",
    ),
)
