"""Initial windows of 3, 4 and 10 segments: round trips of a transfer, and web pages.

Source: J. Chu, N. Dukkipati, Y. Cheng, M. Mathis, Increasing TCP's Initial Window, RFC 6928.

Conventions: the RTT is that of the propagation. For the round trips, the link is so fast that a
flight takes no time, and every segment is acknowledged. Pages have four objects of the same size;
two clients fetch them, with the TCP of Linux, at an RTT of 70 ms and with a buffer of 100 ms.
"""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.initial_window import model
from ackclock.studies.initial_window.claims import CLAIMS
from ackclock.studies.initial_window.levels import (
    OBJECTS,
    PAGES,
    RATES,
    ROUNDS,
    SEGMENTS,
    WINDOWS,
    Page,
    Transfer,
)
from ackclock.studies.initial_window.metrics import (
    OF_PAGES,
    OF_ROUNDS,
    PAGE_DELAY,
    ROUND_TRIPS,
    SENT_AGAIN,
)
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import files_in
from ackclock.studies.machinery.study import Choice, Part, Picture, Study

_HERE = Path(__file__).parent
_MEASURES = "ackclock.studies.initial_window.metrics"
_VARIABLES = {
    "initial_window": ("whole number", "Initial window, segments."),
    "segments": ("whole number", "Size of the transfer, segments."),
    "rate_bit_s": ("above 0", "Rate of the link, bit/s."),
    "object_bytes": ("whole number", "Size of each object of a page, bytes."),
}
_FILES = files_in(_HERE / "scenarios", _VARIABLES)

STUDY = Study(
    name="initial-window",
    title="Initial windows of 3, 4 and 10 segments",
    source="RFC 6928",
    question="How many round trips does a larger initial window save, and what does it cost?",
    whose="the RFC's",
    parts=(
        Part(
            name=ROUNDS,
            file=_FILES["rounds"],
            point=Transfer,
            measure=f"{_MEASURES}:rounds",
            metrics=OF_ROUNDS,
            title="Round trips of a transfer without losses",
            pictures=(Picture(ROUND_TRIPS, "segments", "initial_window", x_scale="log"),),
            model={ROUND_TRIPS: lambda point: model.rounds(*point)},
        ),
        Part(
            name=PAGES,
            file=_FILES["pages"],
            point=Page,
            measure=f"{_MEASURES}:pages",
            metrics=OF_PAGES,
            title="Web pages on two links",
            pictures=(
                Picture(
                    PAGE_DELAY,
                    "object_bytes",
                    "initial_window",
                    "rate_bit_s",
                    x_scale="log",
                    y_scale="log",
                ),
                Picture(SENT_AGAIN, "object_bytes", "initial_window", "rate_bit_s", x_scale="log"),
            ),
        ),
    ),
    levels=(
        Choice("windows", WINDOWS, "Run these initial windows only: 3, 4, 10.", "initial_window"),
        Choice("segments", SEGMENTS, "Run these sizes only, segments: 10 to 300.", "segments"),
        Choice("rates", RATES, "Run these rates only, bit/s: 1500000, 10000000.", "rate_bit_s"),
        Choice(
            "objects", OBJECTS, "Run these objects only, bytes: 8000 to 128000.", "object_bytes"
        ),
    ),
    evidence=RunsEvidence,
    claims=tuple(CLAIMS),
)
