"""Bufferbloat: delay under load behind drop-tail and queues that are managed.

Sources: T. Høiland-Jørgensen, P. Hurtig, A. Brunstrom, The good, the bad and the WiFi: modern AQMs
in a residential setting, Computer Networks 89, 2015; RFC 8290; R. Pan et al., PIE, HPSR 2013; S.
Floyd, R. Gummadi, S. Shenker, Adaptive RED, 2001.

Conventions: the load of the first source lasts 60 s after 10 s of warm-up, not 140 s; a ping is a
datagram of 84 bytes every 100 ms in each direction, and waits as long as both directions together;
every queue has the defaults of its RFC or of Linux, except for what the source of its part names.
"""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.bufferbloat import model
from ackclock.studies.bufferbloat.claims import CLAIMS
from ackclock.studies.bufferbloat.levels import (
    BULKS,
    LOADS,
    PIE,
    QUEUES,
    RED,
    RRUL,
    SENDERS,
    SPARSE,
    Pie,
    Red,
    Rrul,
    Sparse,
)
from ackclock.studies.bufferbloat.metrics import (
    LONGEST,
    MEAN_DELAY,
    MEAN_QUEUE,
    OF_PIE,
    OF_RED,
    OF_RRUL,
    OF_SPARSE,
    PING,
    PING_MOST,
)
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import files_in
from ackclock.studies.machinery.study import Choice, Part, Picture, Study, Watch

_HERE = Path(__file__).parent
_MEASURES = "ackclock.studies.bufferbloat.metrics"
_WATCHED = (Rrul("drop_tail"), Rrul("fq_codel"))
_VARIABLES = {
    "bulks": ("whole number", "Number of transfers."),
    "tcps": ("whole number", "Number of TCP flows."),
    "udps": ("whole number", "Number of UDP flows."),
    "senders": ("whole number", "Number of flows."),
}
_FILES = files_in(_HERE / "scenarios", _VARIABLES)


STUDY = Study(
    name="bufferbloat",
    title="Bufferbloat",
    source="Høiland-Jørgensen et al. 2015; RFC 8290; Pan et al. 2013; Floyd et al. 2001",
    question="How long does a packet wait behind other people's transfers, and which queue helps?",
    parts=(
        Part(
            name=RRUL,
            file=_FILES[RRUL],
            point=Rrul,
            measure=f"{_MEASURES}:rrul",
            metrics=OF_RRUL,
            probed=True,
            title="A ping beside four downloads and four uploads",
            pictures=(
                Picture(PING, "queue", y_scale="log"),
                Picture(PING_MOST, "queue", y_scale="log"),
            ),
            watch=Watch(
                choose=lambda points: [each for each in points if each in _WATCHED],
                probes=lambda its: ("probes.queue=200 ms", 'probes.cwnd=["down 1", "up 1"]'),
                folder="rrul/watched",
            ),
        ),
        Part(
            name=SPARSE,
            file=_FILES[SPARSE],
            point=Sparse,
            measure=f"{_MEASURES}:sparse",
            metrics=OF_SPARSE,
            probed=True,
            title="A sparse flow through FQ-CoDel",
            pictures=(Picture(LONGEST, "bulks", x_scale="log", y_scale="log"),),
            model={LONGEST: lambda point: model.longest_wait_s(point.bulks)},
        ),
        Part(
            name=PIE,
            file=_FILES[PIE],
            point=Pie,
            measure=f"{_MEASURES}:pie",
            metrics=OF_PIE,
            title="PIE with a reference of 20 ms",
            pictures=(Picture(MEAN_DELAY, "load"),),
        ),
        Part(
            name=RED,
            file=_FILES[RED],
            point=Red,
            measure=f"{_MEASURES}:red",
            metrics=OF_RED,
            title="RED with thresholds of 5 and 15 packets",
            pictures=(Picture(MEAN_QUEUE, "senders", "red", x_scale="log"),),
        ),
    ),
    levels=(
        Choice("queues", QUEUES, "Run these queues only, for example fq_codel.", "queue"),
        Choice("bulks", BULKS, "Run these numbers of transfers only: 1 to 32.", "bulks"),
        Choice("loads", LOADS, "Run PIE under these loads only, for example 50 TCP.", "load"),
        Choice(
            "senders", SENDERS, "Run RED with these numbers of flows only: 5 to 100.", "senders"
        ),
    ),
    evidence=RunsEvidence,
    claims=tuple(CLAIMS),
)
