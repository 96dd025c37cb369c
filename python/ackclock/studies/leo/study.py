"""Access links that change: a satellite in low orbit, and LTE.

Sources: wirelessmoves.com, 2023, and G. Huston, A transport protocol's view of Starlink, APNIC
2024, for the satellite; K. Winstein, A. Sivaraman, H. Balakrishnan, Stochastic forecasts achieve
high throughput and low delay over cellular networks (Sprout), NSDI 2013, for LTE.

Conventions: models of the paths instead of recordings (``varies`` of kind starlink and lte, with
their defaults); 150 Mbit/s, a delay of 10 to 22 ms each way and a buffer of 100 ms for the
satellite; 8 Mbit/s, 20 ms each way and a receive buffer of 6 MiB for LTE, and 300 s.
"""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.leo.claims import CLAIMS
from ackclock.studies.leo.levels import (
    CODEL,
    CUBIC,
    FLAVORS,
    LTE,
    PATHS,
    SATELLITE,
    SCHEMES,
    WHOLE,
    Lte,
    Satellite,
)
from ackclock.studies.leo.metrics import GOODPUT, MOST, OF_LTE, OF_SATELLITE
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import files_in
from ackclock.studies.machinery.study import Choice, Part, Picture, Study, Watch

_HERE = Path(__file__).parent
_MEASURES = "ackclock.studies.leo.metrics"
_VARIABLES = {
    "flavor": ("a flavor", "TCP of the download."),
    "transfers": ("whole number", "Number of transfers."),
    "alone": ("whole number", "Number of streams of small packets."),
}
_FILES = files_in(_HERE / "scenarios", _VARIABLES)
_WATCHED = (
    Satellite("cubic", WHOLE),
    Satellite("bbr", WHOLE),
    Lte(CUBIC),
    Lte(CODEL),
)


def _watch(part: str) -> Watch:
    return Watch(
        choose=lambda points: [each for each in points if each in _WATCHED],
        probes=lambda its: ("probes.queue=200 ms", "probes.cwnd=all"),
        folder=f"{part}/watched",
    )


STUDY = Study(
    name="leo",
    title="A satellite in low orbit, and LTE",
    source="wirelessmoves 2023 and Huston 2024 (Starlink); Winstein et al., NSDI 2013 (LTE)",
    question="What do paths that change all the time do to TCP?",
    parts=(
        Part(
            name=SATELLITE,
            file=_FILES["satellite"],
            point=Satellite,
            measure=f"{_MEASURES}:satellite",
            metrics=OF_SATELLITE,
            title="A download of 30 s over a satellite in low orbit",
            pictures=(Picture(GOODPUT, "path", "flavor"),),
            watch=_watch(SATELLITE),
        ),
        Part(
            name=LTE,
            file=_FILES["lte"],
            point=Lte,
            measure=f"{_MEASURES}:lte",
            metrics=OF_LTE,
            title="Downloads over LTE with an endless buffer",
            pictures=(
                Picture(MOST, "scheme", y_scale="log", redraws="part of Figure 7"),
                Picture(GOODPUT, "scheme", redraws="part of Figure 7"),
            ),
            watch=_watch(LTE),
        ),
    ),
    levels=(
        Choice("flavors", FLAVORS, "Run these TCPs only: cubic, bbr, bbr3, reno_sack.", "flavor"),
        Choice("paths", PATHS, "Run these paths only, for example 'changes only'.", "path"),
        Choice("schemes", SCHEMES, "Run these over LTE only, for example vegas.", "scheme"),
    ),
    evidence=RunsEvidence,
    claims=tuple(CLAIMS),
    published=_HERE / "published" / "printed.csv",
)
