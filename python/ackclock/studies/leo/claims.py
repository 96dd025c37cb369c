"""What the sources conclude, each conclusion as a test on this study's own results."""

from __future__ import annotations

from ackclock.studies.leo.levels import (
    CHANGES,
    CODEL,
    CUBIC,
    LTE,
    PROBE,
    SATELLITE,
    WHOLE,
    Lte,
    Satellite,
)
from ackclock.studies.leo.metrics import GOODPUT, MOST
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.evidence import RunsEvidence, shown
from ackclock.studies.machinery.variation import Number

CLAIMS = Claims()
_RATIO = 3
_CUBIC_S, _CODEL_S, _FACTOR = 7.57, 0.5, 2
_MEGA = 1e6


def _rates(path: str, evidence: RunsEvidence) -> Verdict:
    bbr, cubic = (
        evidence.at(SATELLITE, GOODPUT, Satellite(flavor, path)) for flavor in ("bbr", "cubic")
    )

    def text() -> str:
        rates = [shown(its / _MEGA, unit=" Mbit/s") for its in (bbr, cubic)]
        return f"BBR {rates[0]}, CUBIC {rates[1]}: ratio {shown(bbr / cubic, unit='')}"

    return Verdict(bbr / cubic >= _RATIO, text)


@CLAIMS.add(
    "bbr-beats-cubic",
    "wirelessmoves 2023, downloads of 30 s",
    "in 30 s over a satellite in low orbit, BBR downloads at least three times as much as CUBIC "
    "(six times, within a factor of 2)",
    (SATELLITE,),
)
def _whole(evidence: RunsEvidence) -> Verdict:
    return _rates(WHOLE, evidence)


@CLAIMS.add(
    "changes-cost-cubic",
    "Huston 2024",
    "the changes of satellite are the cause: without stray losses BBR still downloads three times "
    "as much",
    (SATELLITE,),
    exploratory=True,
)
def _changes(evidence: RunsEvidence) -> Verdict:
    return _rates(CHANGES, evidence)


def _inflicted(evidence: RunsEvidence, scheme: str) -> Number:
    """The 95 % quantile of the wait, less that of a packet that waits for the cell alone, s."""
    its, least = (evidence.at(LTE, MOST, Lte(each)) for each in (scheme, PROBE))
    return its - least


@CLAIMS.add(
    "cubic-waits-seconds",
    "Winstein et al. 2013, Figure 7, Verizon LTE downlink",
    "over LTE with an endless buffer, CUBIC inflicts a delay of 7.57 s on itself (95 % quantile, "
    "within a factor of 2)",
    (LTE,),
)
def _cubic(evidence: RunsEvidence) -> Verdict:
    its = _inflicted(evidence, CUBIC)
    holds = (its >= _CUBIC_S / _FACTOR) & (its <= _CUBIC_S * _FACTOR)
    return Verdict(holds, lambda: shown(its, unit=" s", decimals=2))


@CLAIMS.add(
    "codel-waits-half-a-second",
    "Winstein et al. 2013, comparison with CoDel, mean of eight links",
    "with CoDel this delay is at most 0.5 s (within a factor of 2)",
    (LTE,),
)
def _codel(evidence: RunsEvidence) -> Verdict:
    its = _inflicted(evidence, CODEL)
    return Verdict(its <= _CODEL_S * _FACTOR, lambda: shown(its, unit=" s", decimals=3))
