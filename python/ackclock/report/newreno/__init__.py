"""The report of the study of NewReno's throughput."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ackclock.report import page
from ackclock.report.conventions import conventions_table
from ackclock.report.newreno import figures, printed, tables
from ackclock.report.newreno.kernel import kernel_section
from ackclock.report.sections import section
from ackclock.report.words import seed_words, verdicts
from ackclock.studies.newreno.levels import (
    BACKGROUND,
    BERNOULLI,
    BOTTLENECKS,
    BUFFER,
    BURSTY,
    EMULATION,
    INTERNET,
    SCALING,
    UDP,
)
from ackclock.studies.newreno.result import NewRenoResult, Request
from ackclock.studies.newreno.settings import STUDY, study_scenario

TEMPLATE = "newreno.html"


def write_report(result: NewRenoResult, path: Path) -> None:
    """Write the report: one page that needs no other file.

    Args:
        result: of the study, with any number of replications and any parts.
        path: of the file; the same result gives the same bytes.
    """
    usual = Request(selection=result.selection)
    page.write(
        path,
        TEMPLATE,
        source="paper",
        published="the errors in the paper's text, its Tables III and IV",
        result=result,
        summary=verdicts(result, "parts that they need"),
        seeds=seed_words(result),
        measured=result.kernel is not None,
        sections=[each for each in _sections(result) if each["shown"]],
        claims=result.claims.to_dict("records"),
        conventions=conventions_table(
            result, STUDY.settings(result.scenario), STUDY.settings(study_scenario(usual))
        ),
    )


def _sections(result: NewRenoResult) -> list[dict[str, Any]]:
    """Sections of the page: id, name, text, and the tables and figures that are there."""
    return [
        section(
            "errors",
            "How far each formula is off",
            "All formulas take what the flow itself has met in the same run: the loss event rate "
            "and the mean round-trip time.",
            tables.errors_table(result),
        ),
        section(
            "trust",
            "Which formula where",
            "The same errors in the order in which a reader chooses a formula: by the experiment, "
            "and by what the losses are like.",
            tables.trust_table(result),
            tables.trust_by_loss_table(result),
            tables.inputs_table(result),
        ),
        section(
            f"part-{BURSTY}",
            "Loss events of several losses",
            "Section IV-B: each segment begins a loss event with probability p, in which m "
            "segments are lost back to back.",
            figures.throughput_figure(result, BURSTY),
            figures.variants_figure(result),
        ),
        section(
            f"part-{BERNOULLI}",
            "Independent losses",
            "Section IV-C: each segment is lost with the same probability.",
            figures.throughput_figure(result, BERNOULLI),
            figures.loss_rates_figure(result),
            tables.advantage_table(result, BERNOULLI),
        ),
        section(
            f"part-{BACKGROUND}",
            "Web sessions and file transfers",
            "Section IV-D: three quarters of the background flows are web sessions, the others "
            "file transfers.",
            figures.throughput_figure(result, BACKGROUND),
            tables.advantage_table(result, BACKGROUND),
        ),
        section(
            f"part-{BOTTLENECKS}",
            "Two bottlenecks",
            "Section IV-E: the measured flows cross two bottlenecks, each with a background of its "
            "own.",
            figures.throughput_figure(result, BOTTLENECKS),
            tables.advantage_table(result, BOTTLENECKS),
        ),
        section(
            f"part-{UDP}",
            "UDP",
            "Section IV-F: most of the background are UDP flows that send and pause by turns.",
            figures.throughput_figure(result, UDP),
            tables.advantage_table(result, UDP),
        ),
        section(
            f"part-{SCALING}",
            "Scaling",
            "Section IV-G: rate, queue and background grow together.",
            figures.throughput_figure(result, SCALING),
            tables.advantage_table(result, SCALING),
        ),
        section(
            f"part-{BUFFER}",
            "Buffer size",
            "Section IV-H: half of the background are file transfers; the queue limit differs.",
            figures.throughput_figure(result, BUFFER),
            tables.advantage_table(result, BUFFER),
        ),
        section(
            f"part-{EMULATION}",
            "Emulated network",
            "Section V: a sender that acts like FreeBSD 4.11 and a receiver that delays ACKs as "
            "Linux does.",
            figures.throughput_figure(result, EMULATION),
            printed.emulation_table(result),
        ),
        kernel_section(result),
        section(
            f"part-{INTERNET}",
            "Internet",
            "Section VI: transfers from Calgary to Japan. Nothing is simulated; the table shows "
            "what follows from the printed counts, and what does not.",
            printed.internet_table(result),
        ),
    ]
