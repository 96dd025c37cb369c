"""The report of the study."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from markupsafe import Markup

from ackclock.report.blocks import Block, Section, section
from ackclock.studies.machinery.report import Page
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.newreno import figures, tables
from ackclock.studies.newreno.kernel.report import kernel_section
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

_ABOUT = Markup(
    "The paper (Parvez, Mahanti, Williamson, <i>An Analytic Throughput Model for TCP NewReno</i>) "
    "predicts the throughput of a long transfer from its losses and its round-trip time. This "
    "page simulates the paper's experiments and compares them with five formulas: the square root "
    "formula of Mathis et al.; the approximate formula of Padhye et al. (PFTK in the paper) and "
    "their full formula; and the paper's model of NewReno without time-outs (NoTO) and with "
    "time-outs (Full). The measured flows are a NewReno and a Reno flow side by side."
)


_PARTS = {
    BURSTY: (
        "Loss events of several losses",
        "Section IV-B: each segment begins a loss event with probability p, in which m segments "
        "are lost back to back.",
    ),
    BERNOULLI: (
        "Independent losses",
        "Section IV-C: each segment is lost with the same probability.",
    ),
    BACKGROUND: (
        "Web sessions and file transfers",
        "Section IV-D: three quarters of the background flows are web sessions, the others file "
        "transfers.",
    ),
    BOTTLENECKS: (
        "Two bottlenecks",
        "Section IV-E: the measured flows cross two bottlenecks, each with its own background.",
    ),
    UDP: (
        "UDP",
        "Section IV-F: most background flows are UDP flows that alternately send and pause.",
    ),
    SCALING: ("Scaling", "Section IV-G: rate, queue and background grow together."),
    BUFFER: (
        "Buffer size",
        "Section IV-H: half of the background flows are file transfers; the queue limit varies.",
    ),
    EMULATION: (
        "Emulated network",
        "Section V: a sender that acts like FreeBSD 4.11 and a receiver that delays ACKs as Linux "
        "does.",
    ),
}
"""Heading and text of the section of each part."""
_BESIDES: Mapping[str, Callable[[StudyResult], Block | None]] = {
    BURSTY: figures.variants_figure,
    BERNOULLI: figures.loss_rates_figure,
    EMULATION: tables.emulation_table,
}
"""What it shows besides the throughputs."""


def _part(result: StudyResult, part: str) -> Section:
    name, text = _PARTS[part]
    return section(
        f"part-{part}",
        name,
        text,
        figures.throughput_figure(result, part),
        _BESIDES[part](result) if part in _BESIDES else None,
        tables.advantage_table(result, part),
    )


def _sections(result: StudyResult) -> list[Section]:
    """The sections, in the order of the paper."""
    return [
        section(
            "errors",
            "Error of each formula",
            "All formulas use values of the flow itself from the same run: its loss event rate "
            "and its mean round-trip time.",
            tables.errors_table(result),
        ),
        section(
            "trust",
            "Which formula where",
            "The same errors, sorted for choosing a formula: by experiment, and by the pattern of "
            "losses.",
            tables.trust_table(result),
            tables.trust_by_loss_table(result),
            tables.inputs_table(result),
        ),
        *(_part(result, part) for part in _PARTS),
        *kernel_section(result),
        section(
            f"part-{INTERNET}",
            "Internet",
            "Section VI: transfers from Calgary to Japan. Nothing is simulated here. The table "
            "shows which printed numbers follow from the printed counts.",
            tables.internet_table(result),
        ),
    ]


PAGE = Page(
    title="Throughput of TCP NewReno: formulas beside simulation",
    heading="Throughput of TCP NewReno: formulas beside simulation",
    about=lambda result: _ABOUT,
    source="paper",
    published="the errors in the paper's text, its Tables III and IV",
    claims="Each conclusion of the paper is a test on the simulated results. The numbers in "
    "brackets are the paper's. Only the last test uses them: it compares with Table III.",
    sections=_sections,
    conventions=Markup(
        "All parts of the study use the same conventions; <code>parts.py</code> has the settings "
        "that a part changes. <code>--set KEY=VALUE</code> changes a convention."
    ),
    intervals=(
        "The mean error of a replication is the mean over the predictions for the points of an "
        "experiment, as in the paper, which made one run of each point. A prediction uses p and R "
        "of the run with which it is compared.",
        "The lead of NewReno over Reno compares two flows of the same runs; its interval is "
        "Fieller's.",
        "All combinations of a replication have the same random numbers. A difference between two "
        "combinations is therefore more precise than their two intervals suggest.",
    ),
    measured=lambda result: result.made.further is not None,
)
