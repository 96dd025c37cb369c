"""Throughput of TCP NewReno (Parvez et al.): every experiment, beside the formulas.

Source: N. Parvez, A. Mahanti, C. Williamson, An Analytic Throughput Model for TCP NewReno, IEEE/ACM
Transactions on Networking 18(2), 2010. With ``--emulate`` the kernel's TCP makes Table III, too.
"""

from __future__ import annotations

from collections.abc import Mapping

from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.study import Study
from ackclock.studies.newreno.analysis import tables
from ackclock.studies.newreno.claims import CLAIMS, Evidence
from ackclock.studies.newreno.kernel import request as kernel
from ackclock.studies.newreno.kernel.words import markdown
from ackclock.studies.newreno.levels import BACKGROUND
from ackclock.studies.newreno.parts import PARTS
from ackclock.studies.newreno.sensitivity import SENSITIVITY
from ackclock.studies.newreno.terminal import terminal

KERNEL_PAGE = "kernel.md"


def _texts(result: StudyResult) -> Mapping[str, str]:
    """Table III with the kernel's TCP, for a page of the documentation."""
    made = result.made.further
    return {KERNEL_PAGE: markdown(made) if made else ""}


STUDY = Study(
    name="newreno",
    title="Throughput of TCP NewReno",
    source="Parvez, Mahanti, Williamson, 2010",
    question="How well do formulas predict the throughput of NewReno from its losses and its "
    "round-trip time?",
    more_help="With --emulate this computer's kernel makes the transfers of Table III, too, in "
    "real time (Linux only). Exit code 1: this computer was too slow for one of them.",
    parts=PARTS,
    main=BACKGROUND,
    options=kernel.OPTIONS,
    problems=kernel.problems,
    further=kernel.kernel_runs,
    evidence=Evidence,
    claims=tuple(CLAIMS),
    missing="parts that were not run",
    tables=tables,
    texts=_texts,
    terminal=terminal,
    report="ackclock.studies.newreno.report:PAGE",
    printed="ackclock.studies.newreno.printed:PRINTED",
    sensitivity=SENSITIVITY,
)
