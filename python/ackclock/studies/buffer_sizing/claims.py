"""What the papers conclude, each conclusion as a test on this study's own results."""

from __future__ import annotations

from ackclock.studies.buffer_sizing.levels import BDPS, MANY, MULTIPLES, ONE, Many, One
from ackclock.studies.buffer_sizing.metrics import USED
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import every, within
from ackclock.studies.machinery.evidence import RunsEvidence, shown
from ackclock.studies.machinery.variation import Number

CLAIMS = Claims()
_SMALLEST, _WHOLE = min(BDPS), max(BDPS)
_FULL = 0.99
_CUBIC_FULL_FROM = 0.43
_HUNDRED = {0.5: (0.932, 0.964), 1: (0.966, 1.0), 2: (0.983, 1.0), 3: (0.982, 1.0)}
"""With 100 flows, by the multiple of BDP / sqrt(n): from 1.5 points below the lower to 1.5 points
above the higher of two numbers, a router's and ns-2's."""
_CROWDS = (300, 400)


def _one(evidence: RunsEvidence, flavor: str, buffer_bdp: float) -> Number:
    return evidence.at(ONE, USED, One(flavor, buffer_bdp))


def _listed(found: dict[float, Number], unit: str) -> str:
    return "; ".join(f"{level} {unit}: {shown(100 * its)}" for level, its in found.items())


@CLAIMS.add(
    "reno-needs-a-bdp",
    "Appenzeller et al. 2004, section 2",
    "one Reno flow keeps the link 75 % busy (within 2 points) with hardly a buffer, and at least "
    "99.5 % with one BDP",
    (ONE,),
)
def _reno(evidence: RunsEvidence) -> Verdict:
    found = {buffer: _one(evidence, "reno_sack", buffer) for buffer in (_SMALLEST, _WHOLE)}
    holds = within(found[_SMALLEST] - 0.75, 0.02) & (found[_WHOLE] >= 0.995)
    return Verdict(holds, lambda: _listed(found, "BDP"))


@CLAIMS.add(
    "cubic-needs-less",
    "geometry of RFC 9438, section 4.6",
    "one CUBIC flow keeps the link at least 99 % busy with every buffer from 1/0.7 - 1 = 0.43 BDP "
    "on, and less than 99 % with 0.1 BDP",
    (ONE,),
)
def _cubic(evidence: RunsEvidence) -> Verdict:
    large = {its: _one(evidence, "cubic", its) for its in BDPS if its >= _CUBIC_FULL_FROM}
    small = _one(evidence, "cubic", 0.1)
    holds = every(its >= _FULL for its in large.values()) & (small < _FULL)
    return Verdict(holds, lambda: _listed({0.1: small, **large}, "BDP"))


def _needs(flavor: str, evidence: RunsEvidence) -> Verdict:
    found = {its: _one(evidence, flavor, its) / _one(evidence, flavor, _WHOLE) for its in _ENDS}
    holds = (found[_ENDS[0]] < _FULL) & (found[_ENDS[1]] >= _FULL)
    return Verdict(holds, lambda: f"of what it carries with 1 BDP: {_listed(found, 'BDP')}")


_ENDS = (0.15, 0.5)
_NEEDS = (
    "one {} flow needs 0.25 to 0.40 BDP (within 0.1): compared with a buffer of 1 BDP, it carries "
    "at least 99 % with 0.5 BDP and less than 99 % with 0.15 BDP"
)
_SPANG = "Spang et al. 2021, abstract"


@CLAIMS.add("cubic-a-third", _SPANG, _NEEDS.format("CUBIC"), (ONE,))
def _cubic_needs(evidence: RunsEvidence) -> Verdict:
    return _needs("cubic", evidence)


@CLAIMS.add("bbr-a-third", _SPANG, _NEEDS.format("BBR"), (ONE,))
def _bbr_needs(evidence: RunsEvidence) -> Verdict:
    return _needs("bbr", evidence)


@CLAIMS.add(
    "root-of-n",
    "Appenzeller et al. 2004, section 5.1.1",
    "300 and 400 Reno flows keep the link at least 98 % busy with a buffer of BDP / sqrt(n), and "
    "at least 99.9 % with twice that",
    (MANY,),
)
def _root(evidence: RunsEvidence) -> Verdict:
    least = {1: 0.98, 2: 0.999}
    found = {
        (flows, times): evidence.at(MANY, USED, Many(flows, times))
        for flows in _CROWDS
        for times in least
    }
    holds = every(its >= least[times] for (_, times), its in found.items())

    def text() -> str:
        return "; ".join(
            f"{flows} flows, {times} x: {shown(100 * its, decimals=2)}"
            for (flows, times), its in found.items()
        )

    return Verdict(holds, text)


@CLAIMS.add(
    "hundred-flows",
    "Appenzeller et al. 2004, Figure 15",
    "100 Reno flows keep the link busy for 93.2 to 96.4 %, at least 96.6 %, 98.3 % and 98.2 % "
    "with a buffer of 0.5, 1, 2 and 3 BDP / sqrt(n)",
    (MANY,),
)
def _hundred(evidence: RunsEvidence) -> Verdict:
    found = {times: evidence.at(MANY, USED, Many(100, times)) for times in MULTIPLES}
    holds = every(
        (found[times] >= least) & (found[times] <= most) if most < 1 else found[times] >= least
        for times, (least, most) in _HUNDRED.items()
    )
    return Verdict(holds, lambda: _listed(found, "x"))
