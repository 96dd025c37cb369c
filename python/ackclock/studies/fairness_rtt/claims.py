"""What the sources conclude, each conclusion as a test on this study's own results."""

from __future__ import annotations

from ackclock.studies.fairness_rtt import levels as at
from ackclock.studies.fairness_rtt.model import window_packets
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import Estimate, every, within
from ackclock.studies.machinery.evidence import RunsEvidence, shown, shown_by

CLAIMS = Claims()


def _long(evidence: RunsEvidence, *flavors: str) -> dict[str, Estimate]:
    return {its: evidence.at(at.RTTS, "long_share", at.Rtts(its)) for its in flavors}


@CLAIMS.add(
    "long-rtt-wins",
    "Ma et al. 2017; Hock et al. 2017",
    "of two BBR flows with 10 and 50 ms in a buffer of 2 MB, the one with the longer RTT gets "
    "more; of two Reno flows the one with the shorter",
    (at.RTTS,),
)
def _wins(evidence: RunsEvidence) -> Verdict:
    shares = _long(evidence, "bbr", "reno_sack")
    holds = (shares["bbr"] > 0.5) & (shares["reno_sack"] < 0.5)
    return Verdict(holds, lambda: f"share of the long RTT: {shown_by(shares, 100)}")


@CLAIMS.add(
    "long-rtt-wins-twice",
    "Ma et al. 2017; Hock et al. 2017",
    "the BBR flow with the longer RTT gets at least twice as much",
    (at.RTTS,),
    exploratory=True,
)
def _twice(evidence: RunsEvidence) -> Verdict:
    shares = _long(evidence, "bbr")
    return Verdict(
        shares["bbr"] >= 2 / 3, lambda: f"share of the long RTT: {shown_by(shares, 100)}"
    )


@CLAIMS.add(
    "mix-has-a-balance",
    "Mishra et al. 2022, Figure 8",
    "of ten flows, a single BBR flow gets more than a tenth, each of nine gets less: what BBR gets "
    "a flow falls as it spreads, and crosses the fair share in between",
    (at.MIX,),
)
def _mix(evidence: RunsEvidence) -> Verdict:
    got = {each: evidence.at(at.MIX, "bbr_of_fair", at.Count(each)) for each in at.MIXES}
    falls = [got[one] > got[other] for one, other in ((1, 5), (5, 9))]
    holds = every([got[1] > 1, got[9] < 1, *falls])
    return Verdict(
        holds,
        lambda: (
            f"of the fair share, by the number of BBR flows: {shown_by(got, unit='', decimals=2)}"
        ),
    )


@CLAIMS.add(
    "cubic-response",
    "RFC 9438, section 5.1",
    "with a loss in 10 000 packets and 100 ms CUBIC's mean window is that of its response "
    "function, 187 packets, and Reno's 122, within 15 %",
    (at.RESPONSE,),
)
def _response(evidence: RunsEvidence) -> Verdict:
    got = {
        its: evidence.at(at.RESPONSE, "window_packets", at.Response(its, 0.0001))
        for its in ("cubic", "reno_sack")
    }
    holds = every(within(got[its] / window_packets(its, 0.0001) - 1, 0.15) for its in got)
    return Verdict(holds, lambda: shown_by(got, unit=" packets"))


@CLAIMS.add(
    "vegas-queue",
    "Brakmo 1995; Linux",
    "each of 1, 2 and 4 Vegas flows keeps 2 to 4 packets (1 packet) in the queue",
    (at.VEGAS,),
)
def _vegas(evidence: RunsEvidence) -> Verdict:
    got = {
        each: evidence.at(at.VEGAS, "queue_a_flow_packets", at.Count(each))
        for each in at.VEGAS_FLOWS
    }
    holds = every(within(its - 3, 2) for its in got.values())
    return Verdict(holds, lambda: f"packets a flow, by flows: {shown_by(got, unit='', decimals=2)}")


@CLAIMS.add(
    "ledbat-target",
    "RFC 6817",
    "a LEDBAT flow alone keeps a queue of its target, 100 ms, within 10 ms",
    (at.LEDBAT,),
)
def _target(evidence: RunsEvidence) -> Verdict:
    delay = evidence.at(at.LEDBAT, "mean_queue_delay_s", at.Alone("ledbat"))
    return Verdict(within(delay - 0.1, 0.01), lambda: f"queue: {shown(1000 * delay, unit=' ms')}")


def _first(evidence: RunsEvidence, second: str) -> Estimate:
    return evidence.at(at.YIELD, "first_share", at.Later(second))


@CLAIMS.add(
    "ledbat-yields",
    "RFC 6817",
    "beside a CUBIC flow that joins LEDBAT gets less than 0.1 (+ 0.05) of the link",
    (at.YIELD,),
    exploratory=True,
)
def _yields(evidence: RunsEvidence) -> Verdict:
    its = _first(evidence, "cubic")
    return Verdict(its < 0.15, lambda: f"LEDBAT's share: {shown(100 * its)}")


@CLAIMS.add(
    "ledbat-latecomer",
    "Carofiglio et al. 2010",
    "a LEDBAT flow that joins another one 30 s later gets at least five times as much",
    (at.YIELD,),
    exploratory=True,
)
def _latecomer(evidence: RunsEvidence) -> Verdict:
    its = _first(evidence, "ledbat")
    return Verdict(its <= 1 / 6, lambda: f"share of the first flow: {shown(100 * its)}")


@CLAIMS.add(
    "cubic-keeps-the-buffer-full",
    "Cardwell et al. 2016, Figure 5",
    "a CUBIC flow keeps a buffer of 250 ms between 70 % and full (5 points)",
    (at.CUBIC,),
)
def _full(evidence: RunsEvidence) -> Verdict:
    least, most = (
        evidence.at(at.CUBIC, f"{end}_of_buffer_share", at.Alone("cubic"))
        for end in ("least", "most")
    )
    holds = every([least >= 0.65, most >= 0.95])
    return Verdict(holds, lambda: f"queue: {shown(100 * least)} to {shown(100 * most)}")
