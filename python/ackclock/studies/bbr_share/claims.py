"""What the paper concludes, each conclusion as a test on this study's own results."""

from __future__ import annotations

from itertools import combinations

from ackclock.studies.bbr_share.levels import (
    ALONE,
    BBRS,
    BDPS,
    BUFFERS,
    CROWD,
    OTHERS,
    Alone,
    Beside,
    Crowd,
)
from ackclock.studies.bbr_share.metrics import LEAST_RTT, SHARE
from ackclock.studies.bbr_share.model import least_rtt_s, share
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import at_least, every, within
from ackclock.studies.machinery.evidence import RunsEvidence, shown, shown_by

CLAIMS = Claims()
_HALF, _RESOLUTION = 0.5, 0.05
_SPREAD = 0.10
_SINGLE = 0.15
"""Share of the formula by which a single buffer may differ from it."""
_MEDIAN = {"cubic": 0.05, "reno_sack": 0.08}
"""The same for half of the buffers, by the TCP of the other flow."""


def _of_crowd(evidence: RunsEvidence) -> dict[int, object]:
    return {others: evidence.at(CROWD, SHARE, Crowd(others)) for others in OTHERS}


@CLAIMS.add(
    "half-at-most",
    "equation 5",
    "in a buffer of 32 BDP one BBR flow gets at most half of the link (0.50 + 0.05) beside 1, 2, "
    "4, 8 and 16 CUBIC flows",
    (CROWD,),
)
def _half(evidence: RunsEvidence) -> Verdict:
    shares = _of_crowd(evidence)
    holds = every(its <= _HALF + _RESOLUTION for its in shares.values())
    return Verdict(holds, lambda: f"BBR's share by CUBIC flows: {shown_by(shares, 100)}")


@CLAIMS.add(
    "same-whatever-the-number",
    "section 4",
    "the share does not depend on the number of CUBIC flows: from 1 to 16 flows it spreads over no "
    "more than 0.10 (+ 0.05)",
    (CROWD,),
)
def _same(evidence: RunsEvidence) -> Verdict:
    shares = _of_crowd(evidence)
    pairs = combinations(shares.values(), 2)
    holds = every(within(one - other, _SPREAD + _RESOLUTION) for one, other in pairs)
    return Verdict(holds, lambda: f"BBR's share by CUBIC flows: {shown_by(shares, 100)}")


def _formula(flavor: str, evidence: RunsEvidence) -> Verdict:
    errors = {
        buffer: evidence.at(BUFFERS, SHARE, Beside(flavor, buffer)) / share(buffer) - 1
        for buffer in BDPS
    }
    half = at_least(len(BDPS) // 2, [within(its, _MEDIAN[flavor]) for its in errors.values()])
    each = every(within(its, _SINGLE) for its in errors.values())

    def text() -> str:
        listed = "; ".join(
            f"{buffer} BDP: {shown(100 * its, signed=True)}" for buffer, its in errors.items()
        )
        return f"difference from the formula by buffer: {listed}"

    return Verdict(half & each, text)


@CLAIMS.add(
    "formula-beside-cubic",
    "equations 9 to 11",
    "beside one CUBIC flow the share is that of the formula: within 5 % for half of the buffers of "
    "2 to 64 BDP, within 15 % for each",
    (BUFFERS,),
)
def _cubic(evidence: RunsEvidence) -> Verdict:
    return _formula("cubic", evidence)


@CLAIMS.add(
    "formula-beside-reno",
    "equations 9 to 11",
    "beside one Reno flow the share is that of the formula: within 8 % for half of the buffers of "
    "2 to 64 BDP, within 15 % for each",
    (BUFFERS,),
)
def _reno(evidence: RunsEvidence) -> Verdict:
    return _formula("reno_sack", evidence)


@CLAIMS.add(
    "inflated-rtt",
    "equation 6",
    "N BBR flows alone see a least RTT of max(l, 4 N / c), within 5 %, for 2 to 64 flows",
    (ALONE,),
)
def _rtt(evidence: RunsEvidence) -> Verdict:
    seen = {each: evidence.at(ALONE, LEAST_RTT, Alone(each)) for each in BBRS}
    holds = every(within(its / least_rtt_s(each) - 1, _RESOLUTION) for each, its in seen.items())

    def text() -> str:
        listed = "; ".join(
            f"{each}: {shown(1000 * its, unit=' ms')}, formula {1000 * least_rtt_s(each):.1f} ms"
            for each, its in seen.items()
        )
        return f"least RTT by BBR flows: {listed}"

    return Verdict(holds, text)
