"""L4S: Prague beside CUBIC through DualPI2.

Sources: RFC 9332 (DualQ Coupled AQM); K. De Schepper, O. Albisser, O. Tilmans, B. Briscoe, Dual
Queue Coupled AQM: Deployable Very Low Queuing Delay for All, arXiv 2209.01078, and the authors'
grid of rates and RTTs; the comment on the rate in Linux' tcp_prague.c; P. Heist, J. Morton,
measurements, github.com/heistp/l4s-tests, 2020.

Conventions: DualPI2 with the defaults of Linux; CUBIC with ECN; 40 s after 20 s. The grid ends at
120 Mbit/s, that of the authors at 200. The flow that ignores marks is BBR, version 1, whose host
has a link of the given share of the rate; the promise is about datagrams.
"""

from __future__ import annotations

from pathlib import Path as File

from ackclock.studies.l4s import model
from ackclock.studies.l4s.claims import CLAIMS
from ackclock.studies.l4s.levels import (
    DEAF,
    GRID,
    LAW,
    LOADS,
    MARK_SHARES,
    MEASURED,
    OTHER_RATES,
    OTHER_RTTS_S,
    QUEUES,
    RATES,
    RTTS_S,
    SHORT_RTTS_S,
    Behind,
    Deaf,
    Marked,
    Path,
)
from ackclock.studies.l4s.metrics import (
    C_MEAN,
    CUBIC,
    CUBIC_SHARE,
    L_P99,
    OF_DEAF,
    OF_LAW,
    OF_PAIR,
    OF_QUEUES,
    PRAGUE,
    RATE,
    RATIO,
    WINDOWS,
)
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import files_in
from ackclock.studies.machinery.study import Choice, Part, Picture, Study

_HERE = File(__file__).parent
_MEASURES = "ackclock.studies.l4s.metrics"
_VARIABLES = {
    "rate_bit_s": ("above 0", "Rate of the link, bit/s."),
    "path_rtt_s": ("above 0", "RTT of the path without queues, s."),
    "mark_share": ("from 0 to 1", "Share of the packets that the path marks."),
    "load_share": (
        "from 0 to 1",
        "Rate of the host that ignores marks, share of that of the link.",
    ),
}
_FILES = files_in(_HERE / "scenarios", _VARIABLES)
_BEHIND = (
    'DualPI2 = { "topology.bottleneck.queue" = { kind = "dualpi2" } }',
    'PIE = { "topology.bottleneck.queue" = { kind = "pie", ecn = true } }',
    '"FQ-CoDel" = { "topology.bottleneck.queue" = { kind = "fq_codel" } }',
)


def _by_rtt(metric: str, **more: str) -> Picture:
    return Picture(metric, "path_rtt_s", "rate_bit_s", x_scale="log", y_scale="log", **more)


STUDY = Study(
    name="l4s",
    title="L4S: Prague beside CUBIC",
    source="RFC 9332; De Schepper et al., arXiv 2209.01078; tcp_prague.c; Heist and Morton 2020",
    question="Does DualPI2 keep L4S packets from waiting, and share a link fairly with CUBIC?",
    whose="the sources'",
    parts=(
        Part(
            name=GRID,
            file=_FILES["pair"],
            point=Path,
            measure=f"{_MEASURES}:pair",
            metrics=(*OF_PAIR, "prague_sent_again_share"),
            title="One Prague flow and one CUBIC flow behind DualPI2",
            pictures=tuple(_by_rtt(each) for each in (RATIO, WINDOWS, L_P99, C_MEAN)),
        ),
        Part(
            name=MEASURED,
            file=_FILES["pair"],
            own_sets=(
                f"sweep.factors={{ rate_bit_s = {list(OTHER_RATES)}, "
                f"path_rtt_s = {list(OTHER_RTTS_S)} }}",
            ),
            point=Path,
            measure=f"{_MEASURES}:pair",
            metrics=(PRAGUE, CUBIC, RATIO, WINDOWS),
            title="The same where others measured it",
            pictures=(
                Picture(RATIO, "path_rtt_s", facet="rate_bit_s", x_scale="log", y_scale="log"),
            ),
        ),
        Part(
            name=QUEUES,
            file=_FILES["pair"],
            own_sets=(f"sweep.factors={{ queue = {{ {', '.join(_BEHIND)} }} }}",),
            point=Behind,
            measure=f"{_MEASURES}:pair",
            metrics=OF_QUEUES,
            title="Three queues at 40 Mbit/s and 20 ms",
            pictures=(
                Picture(L_P99, "queue", y_scale="log"),
                Picture(RATIO, "queue", y_scale="log"),
            ),
        ),
        Part(
            name=LAW,
            file=_FILES["law"],
            point=Marked,
            measure=f"{_MEASURES}:law",
            metrics=OF_LAW,
            title="Prague on a path that marks at random",
            pictures=(Picture(RATE, "mark_share", "path_rtt_s", x_scale="log", y_scale="log"),),
            model={RATE: lambda point: model.rate_bit_s(point.mark_share)},
        ),
        Part(
            name=DEAF,
            file=_FILES["deaf"],
            point=Deaf,
            measure=f"{_MEASURES}:deaf",
            metrics=OF_DEAF,
            title="CUBIC beside an L4S flow that ignores marks",
            pictures=(Picture(CUBIC_SHARE, "load_share"), Picture(C_MEAN, "load_share")),
        ),
    ),
    levels=(
        Choice(
            "rates",
            tuple(sorted({*RATES, *OTHER_RATES})),
            "Run these rates only, bit/s: 4000000 to 120000000.",
            "rate_bit_s",
        ),
        Choice(
            "rtts",
            tuple(sorted({*RTTS_S, *OTHER_RTTS_S, *SHORT_RTTS_S})),
            "Run these RTTs of the path only, s: 0.005 to 0.1.",
            "path_rtt_s",
        ),
        Choice("marks", MARK_SHARES, "Run these shares of marks only: 0.01 to 0.91.", "mark_share"),
        Choice("loads", LOADS, "Run these loads only: 0.5 to 1.", "load_share"),
    ),
    evidence=RunsEvidence,
    claims=tuple(CLAIMS),
    published=_HERE / "published" / "printed.csv",
)
