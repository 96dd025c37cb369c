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
    "predicts the throughput of a long transfer from the losses that it meets and from its "
    "round-trip time. Here its experiments are simulated and compared with five formulas: the "
    "square root of Mathis et al., PFTK (Padhye et al.) in the approximate form that the paper "
    "calls so and in full, and the paper's model of NewReno without time-outs (NoTO) and with them "
    "(Full). The measured flows are a NewReno and a Reno flow side by side."
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
        "Section IV-E: the measured flows cross two bottlenecks, each with a background of its "
        "own.",
    ),
    UDP: (
        "UDP",
        "Section IV-F: most of the background are UDP flows that send and pause by turns.",
    ),
    SCALING: ("Scaling", "Section IV-G: rate, queue and background grow together."),
    BUFFER: (
        "Buffer size",
        "Section IV-H: half of the background are file transfers; the queue limit differs.",
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
        *(_part(result, part) for part in _PARTS),
        *kernel_section(result),
        section(
            f"part-{INTERNET}",
            "Internet",
            "Section VI: transfers from Calgary to Japan. Nothing is simulated; the table shows "
            "what follows from the printed counts, and what does not.",
            tables.internet_table(result),
        ),
    ]


PAGE = Page(
    title="Throughput of TCP NewReno: formulas beside simulation",
    heading="Throughput of TCP NewReno: formulas beside simulation",
    about=lambda result: _ABOUT,
    source="paper",
    published="the errors in the paper's text, its Tables III and IV",
    claims="What the paper concludes, each conclusion as a test on the simulated results. The "
    "numbers in brackets are the paper's; no test uses them but the last, which compares with "
    "Table III.",
    sections=_sections,
    conventions=Markup(
        "One set of conventions serves all parts of the study; what a part changes for itself is "
        "in <code>parts.py</code>. <code>--set KEY=VALUE</code> changes one."
    ),
    intervals=(
        "The mean error of a replication is that of its own predictions over the points of an "
        "experiment, as in the paper, which made one run of each. A prediction takes p and R from "
        "the run that it is compared with.",
        "By how much NewReno lies above Reno compares two flows of the same runs; the interval is "
        "Fieller's.",
        "Replications share their random numbers between combinations, so that a difference "
        "between two combinations is known better than their two intervals suggest.",
    ),
    measured=lambda result: result.made.further is not None,
)
