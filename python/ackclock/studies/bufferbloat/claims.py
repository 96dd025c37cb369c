"""What the sources conclude, each conclusion as a test on this study's own results."""

from __future__ import annotations

from collections.abc import Mapping

from ackclock.studies.bufferbloat.levels import (
    ADAPTIVE,
    BULKS,
    LOADS,
    PIE,
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
    PING,
    PING_MOST,
)
from ackclock.studies.bufferbloat.model import PACKET_S, longest_wait_s
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import every
from ackclock.studies.machinery.evidence import RunsEvidence, shown, shown_by

CLAIMS = Claims()
_FACTOR = 2
_LEAST_DROP_TAIL_S, _MOST_S, _MOST_95_S = 0.5, 0.01, 0.02
_PIE_S = (0.015, 0.025)
_PIE_TOLERANCE = 0.3
_BAND = (9, 11)
_BAND_TOLERANCE = 0.1


@CLAIMS.add(
    "hundreds-to-a-few",
    "Høiland-Jørgensen et al. 2015",
    "four downloads and four uploads make a ping wait 500 ms or more behind drop-tail, and behind "
    "FQ-CoDel at most 10 ms on average and 20 ms in 95 % of cases, each within a factor of 2",
    (RRUL,),
    exploratory=True,
)
def _rrul(evidence: RunsEvidence) -> Verdict:
    tail = evidence.at(RRUL, PING, Rrul("drop_tail"))
    mean, most = (evidence.at(RRUL, name, Rrul("fq_codel")) for name in (PING, PING_MOST))
    holds = (
        (tail >= _LEAST_DROP_TAIL_S / _FACTOR)
        & (mean <= _FACTOR * _MOST_S)
        & (most <= _FACTOR * _MOST_95_S)
    )
    found = {"drop-tail": tail, "FQ-CoDel": mean, "FQ-CoDel, 95 %": most}
    return Verdict(holds, lambda: shown_by(found, 1000, unit=" ms"))


@CLAIMS.add(
    "sparse-waits-a-round",
    "RFC 8290, section 5.1",
    "a sparse flow beside 1 to 32 transfers waits in FQ-CoDel at most for a quantum of 1514 bytes "
    "of each",
    (SPARSE,),
)
def _sparse(evidence: RunsEvidence) -> Verdict:
    return _bounded(evidence, {bulks: longest_wait_s(bulks) for bulks in BULKS})


@CLAIMS.add(
    "sparse-waits-a-round-and-a-packet",
    "RFC 8290, section 5.1",
    "the same, and for the packet that is being sent when its own arrives",
    (SPARSE,),
)
def _sparse_and_packet(evidence: RunsEvidence) -> Verdict:
    return _bounded(evidence, {bulks: longest_wait_s(bulks) + PACKET_S for bulks in BULKS})


def _bounded(evidence: RunsEvidence, bounds: Mapping[int, float]) -> Verdict:
    found = {bulks: evidence.at(SPARSE, LONGEST, Sparse(bulks)) for bulks in BULKS}
    holds = every(its <= bounds[bulks] for bulks, its in found.items())

    def text() -> str:
        return "; ".join(
            f"{bulks}: {shown(1000 * its, unit=' ms', decimals=2)}, "
            f"bound {1000 * bounds[bulks]:.2f} ms"
            for bulks, its in found.items()
        )

    return Verdict(holds, text)


@CLAIMS.add(
    "pie-holds-its-reference",
    "Pan et al. 2013",
    "with a reference of 20 ms PIE's mean delay is 15 to 25 ms (within 30 %) under light, heavy "
    "and mixed load",
    (PIE,),
    exploratory=True,
)
def _pie(evidence: RunsEvidence) -> Verdict:
    found = {load: evidence.at(PIE, MEAN_DELAY, Pie(load)) for load in LOADS}
    least, most = _PIE_S[0] * (1 - _PIE_TOLERANCE), _PIE_S[1] * (1 + _PIE_TOLERANCE)
    holds = every((its >= least) & (its <= most) for its in found.values())
    return Verdict(holds, lambda: shown_by(found, 1000, unit=" ms"))


@CLAIMS.add(
    "adaptive-red-stays-in-its-band",
    "Floyd, Gummadi and Shenker 2001",
    "with thresholds of 5 and 15 packets, adaptive RED's mean queue is 9 to 11 packets (within "
    "10 %) for 5 to 100 flows",
    (RED,),
    exploratory=True,
)
def _red(evidence: RunsEvidence) -> Verdict:
    found = {its: evidence.at(RED, MEAN_QUEUE, Red(its, ADAPTIVE)) for its in SENDERS}
    least, most = _BAND[0] * (1 - _BAND_TOLERANCE), _BAND[1] * (1 + _BAND_TOLERANCE)
    holds = every((its >= least) & (its <= most) for its in found.values())
    return Verdict(holds, lambda: shown_by(found, unit=" packets"))
