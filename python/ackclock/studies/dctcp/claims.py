"""What the paper concludes, each conclusion as a test on this study's own results."""

from __future__ import annotations

from ackclock.studies.dctcp.levels import (
    BUSY,
    CONVERGENCE,
    DCTCP,
    INCAST,
    MANY,
    OSCILLATION,
    PORT,
    SAWTEETH,
    TCP,
    THRESHOLD,
    THRESHOLDS,
    USUAL_RTO_S,
    WORST,
    Busy,
    Joining,
    K,
    Marked,
    Query,
    Sawtooth,
)
from ackclock.studies.dctcp.metrics import (
    AMPLITUDE,
    GOODPUT,
    HIGHEST,
    LEAST_JAIN,
    MEDIAN,
    PERIOD,
    QUERY,
    SLOW,
    UTILISATION,
    VARIATION,
)
from ackclock.studies.dctcp.model import (
    amplitude_packets,
    highest_packets,
    least_threshold_packets,
    period_s,
)
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import every, within
from ackclock.studies.machinery.evidence import RunsEvidence, shown, shown_by

CLAIMS = Claims()
_PACKETS = 5
_GBIT = 1e9
_GOODPUT, _NEARLY = 0.95e9, 0.01e9
_TIMES = 10
_TENTH = 0.10
_FULL = 0.99
_SOME = 0.01
_JAIN, _CLOSE = 0.99, 0.01
_TEETH = tuple(point for point in SAWTEETH if point != MANY)


@CLAIMS.add(
    "queue-near-threshold",
    "section 4.1, Figures 1 and 13",
    "with 2 and with 20 long DCTCP flows the median queue lies between K and K + n packets, within "
    "5 packets, for K = 20",
    (PORT,),
)
def _near(evidence: RunsEvidence) -> Verdict:
    its = {each: evidence.at(PORT, MEDIAN, Busy(DCTCP, each)) for each in BUSY}
    decisions = [(its[each] >= K - _PACKETS) & (its[each] <= K + each + _PACKETS) for each in BUSY]
    return Verdict(
        every(decisions),
        lambda: f"median queue by flows: {shown_by(its, unit=' packets')}",
    )


@CLAIMS.add(
    "queue-of-tcp",
    "section 4.1, Figure 1",
    "with 2 long flows the median queue of TCP is at least 10 times that of DCTCP",
    (PORT,),
)
def _tenfold(evidence: RunsEvidence) -> Verdict:
    ratio = evidence.at(PORT, MEDIAN, Busy(TCP, 2)) / evidence.at(PORT, MEDIAN, Busy(DCTCP, 2))
    return Verdict(
        ratio >= _TIMES, lambda: f"TCP's queue over that of DCTCP: {shown(ratio, unit=' times')}"
    )


@CLAIMS.add(
    "same-throughput",
    "section 4.1",
    "2 and 20 long flows of both TCPs together deliver 0.95 Gbit/s, within 0.01 Gbit/s",
    (PORT,),
)
def _throughput(evidence: RunsEvidence) -> Verdict:
    its = {
        f"{flavor}, {each} flows": evidence.at(PORT, GOODPUT, Busy(flavor, each))
        for flavor in (DCTCP, TCP)
        for each in BUSY
    }
    holds = every(within(each - _GOODPUT, _NEARLY) for each in its.values())
    scaled = {name: each / _GBIT for name, each in its.items()}
    return Verdict(holds, lambda: f"goodput: {shown_by(scaled, unit=' Gbit/s', decimals=3)}")


def _against(evidence: RunsEvidence, metric: str, given: dict[Sawtooth, float]) -> Verdict:
    """Whether a number differs by no more than 10 % from what the analysis gives."""
    errors = {
        point: evidence.at(OSCILLATION, metric, point) / its - 1 for point, its in given.items()
    }
    named = [
        (f"{rate / _GBIT:g} Gbit/s, K {k}, {flows} flows", 100 * its)
        for (rate, k, flows), its in errors.items()
    ]
    return Verdict(
        every(within(its, _TENTH) for its in errors.values()),
        lambda: f"difference from the formula: {shown_by(named, signed=True)}",
    )


@CLAIMS.add(
    "longest-queue",
    "section 3.3",
    "with up to 10 flows the queue reaches K + N packets, within 10 %",
    (OSCILLATION,),
)
def _longest(evidence: RunsEvidence) -> Verdict:
    given = {point: highest_packets(*point[1:]) for point in _TEETH}
    return _against(evidence, HIGHEST, given)


@CLAIMS.add(
    "amplitude",
    "equation 8",
    "with up to 10 flows the longest queue less the shortest one is sqrt(2 N (C RTT + K)) / 2, "
    "within 10 %",
    (OSCILLATION,),
)
def _amplitude(evidence: RunsEvidence) -> Verdict:
    return _against(evidence, AMPLITUDE, {point: amplitude_packets(*point) for point in _TEETH})


@CLAIMS.add(
    "period",
    "equation 9",
    "with up to 10 flows the windows grow for sqrt(2 (C RTT + K) / N) / 2 round trips before they "
    "are reduced again, within 10 %",
    (OSCILLATION,),
)
def _period(evidence: RunsEvidence) -> Verdict:
    return _against(evidence, PERIOD, {point: period_s(*point) for point in _TEETH})


@CLAIMS.add(
    "many-flows-vary-less",
    "section 3.3, Figure 12",
    "with 40 flows the queue varies less than the formula gives",
    (OSCILLATION,),
)
def _many(evidence: RunsEvidence) -> Verdict:
    its, given = evidence.at(OSCILLATION, AMPLITUDE, MANY), amplitude_packets(*MANY)
    return Verdict(
        its < given, lambda: f"{shown(its, unit=' packets')}, formula {given:.1f} packets"
    )


@CLAIMS.add(
    "threshold-for-full-use",
    "equation 13",
    "at 10 Gbit/s every threshold above C RTT / 7 = 12 packets gives 99 % of the rate with 2 and "
    "with 12 flows; with 12 flows a threshold of 4 packets gives less",
    (THRESHOLD,),
)
def _threshold(evidence: RunsEvidence) -> Verdict:
    least = least_threshold_packets(MANY.rate_bit_s)
    points = [point for point in evidence.points(THRESHOLD) if point.threshold_packets > least]
    low = Marked(THRESHOLDS[0], WORST)
    used = {each: evidence.at(THRESHOLD, UTILISATION, each) for each in (*points, low)}
    holds = every(used[each] >= _FULL for each in points) & (used[low] < _FULL)
    named = [(f"K {k}, {n} flows", 100 * its) for (k, n), its in used.items() if k <= K]
    return Verdict(holds, lambda: f"use of the port: {shown_by(named)}")


@CLAIMS.add(
    "incast-of-tcp",
    "section 4.2.1, Figure 18",
    "with TCP a query to 5 servers never waits for a time-out, and more than 1 % of the queries to "
    "15 servers do (the paper: from 10 servers on)",
    (INCAST,),
)
def _incast_tcp(evidence: RunsEvidence) -> Verdict:
    its = {each: evidence.at(INCAST, SLOW, Query(TCP, USUAL_RTO_S, each)) for each in (5, 10, 15)}
    return Verdict(
        (its[5] <= 0) & (its[15] > _SOME),
        lambda: f"queries with a time-out by servers: {shown_by(its, 100)}",
    )


@CLAIMS.add(
    "incast-of-dctcp",
    "section 4.2.1, Figure 18",
    "with DCTCP a query to up to 30 servers never waits for a time-out and takes 8 to 10 ms",
    (INCAST,),
)
def _incast_dctcp(evidence: RunsEvidence) -> Verdict:
    points = [Query(DCTCP, USUAL_RTO_S, each) for each in (1, 5, 10, 15, 20, 25, 30)]
    slow = [evidence.at(INCAST, SLOW, point) for point in points]
    took = [1000 * evidence.at(INCAST, QUERY, point) for point in points]
    holds = every(its <= 0 for its in slow) & every((its >= 8) & (its <= 10) for its in took)
    named = [(point.senders, its) for point, its in zip(points, took, strict=True)]
    return Verdict(holds, lambda: f"time of a query by servers: {shown_by(named, unit=' ms')}")


@CLAIMS.add(
    "incast-of-many",
    "section 4.2.1, Figure 18",
    "with DCTCP more than 1 % of the queries to 40 servers wait for a time-out (the paper: from 35 "
    "servers on)",
    (INCAST,),
)
def _incast_many(evidence: RunsEvidence) -> Verdict:
    its = 100 * evidence.at(INCAST, SLOW, Query(DCTCP, USUAL_RTO_S, 40))
    return Verdict(
        its > 100 * _SOME, lambda: f"queries to 40 servers with a time-out: {shown(its)}"
    )


@CLAIMS.add(
    "fair",
    "section 4.1, Figure 16",
    "Jain's index of the DCTCP flows is 0.99 in each step, within 0.01",
    (CONVERGENCE,),
)
def _fair(evidence: RunsEvidence) -> Verdict:
    least = evidence.at(CONVERGENCE, LEAST_JAIN, Joining(DCTCP))
    return Verdict(
        least >= _JAIN - _CLOSE,
        lambda: f"least of all steps: {shown(least, unit='', decimals=3)}",
    )


@CLAIMS.add(
    "steadier-than-tcp",
    "section 4.1, Figure 16",
    "the rates of TCP flows vary at least twice as much as those of DCTCP flows",
    (CONVERGENCE,),
)
def _steadier(evidence: RunsEvidence) -> Verdict:
    its = {each: 100 * evidence.at(CONVERGENCE, VARIATION, Joining(each)) for each in (DCTCP, TCP)}
    return Verdict(
        its[TCP] >= 2 * its[DCTCP],
        lambda: f"standard deviation over the mean: {shown_by(its)}",
    )
