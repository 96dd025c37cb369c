"""The rules of the RFCs and of Linux, each as a test on this study's own results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import every, within
from ackclock.studies.machinery.evidence import RunsEvidence, shown_by
from ackclock.studies.tail_loss.levels import (
    LINUX,
    LOST,
    PATTERNS,
    REDUCTION,
    REORDERING,
    RFC,
    RTTS_S,
    SPIKE,
    SPREADS,
    TAIL,
    TAILS,
    Reduction,
    Reordering,
    Spike,
    Tail,
)
from ackclock.studies.tail_loss.metrics import (
    BURST,
    LATE,
    OVER_SSTHRESH,
    PROBE,
    RESTORED,
    SENT_AGAIN,
    SPURIOUS,
    TIMEOUTS,
)
from ackclock.studies.tail_loss.model import probe_s

CLAIMS = Claims()
_MS = 1000
_RESOLUTION_S = 0.005
_QUARTER = 0.25
_SEGMENT, _AT_ONCE = 1, 2
_SPURIOUS = 2
_WHOLE = 0.99


def _probes(evidence: RunsEvidence, points: Iterable[Tail]) -> Verdict:
    waits = {point: evidence.at(TAIL, PROBE, point) for point in points}
    timeouts = [evidence.at(TAIL, TIMEOUTS, point) for point in waits]
    holds = every(
        within(its - probe_s(point.stack, point.path_rtt_s, point.tail), _RESOLUTION_S)
        for point, its in waits.items()
    ) & every(its <= 0 for its in timeouts)
    named = [(_of_tail(point), _MS * its) for point, its in waits.items()]
    return Verdict(holds, lambda: f"wait: {shown_by(named, unit=' ms')}")


def _of_tail(point: Tail) -> str:
    return f"{point.stack}, {point.tail} lost, {_MS * point.path_rtt_s:g} ms"


@CLAIMS.add(
    "probe-of-linux",
    "Linux 6.18, tcp_output.c",
    "if the last 2, 4 or 8 segments are lost, Linux sends a probe 2 R + 2 ms after the last ACK, "
    "within 5 ms, and no time-out follows",
    (TAIL,),
)
def _linux(evidence: RunsEvidence) -> Verdict:
    return _probes(evidence, [Tail(LINUX, r, n) for n in TAILS if n > 1 for r in RTTS_S])


@CLAIMS.add(
    "probe-of-rfc",
    "RFC 8985, section 7.2",
    "if the last 2, 4 or 8 segments are lost, the probe of the RFC leaves after 2 R, within 5 ms, "
    "and no time-out follows",
    (TAIL,),
)
def _rfc(evidence: RunsEvidence) -> Verdict:
    return _probes(evidence, [Tail(RFC, r, n) for n in TAILS if n > 1 for r in RTTS_S])


@CLAIMS.add(
    "probe-for-one-segment-of-rfc",
    "RFC 8985, section 7.2",
    "if the last segment alone is lost, the probe of the RFC leaves after 2 R + 200 ms, within 5 "
    "ms",
    (TAIL,),
)
def _one_rfc(evidence: RunsEvidence) -> Verdict:
    return _probes(evidence, [Tail(RFC, r, 1) for r in RTTS_S])


@CLAIMS.add(
    "probe-for-one-segment-of-linux",
    "Linux 6.18, tcp_output.c",
    "if the last segment alone is lost, Linux sends a probe after 2 R + 200 ms, within 5 ms",
    (TAIL,),
)
def _one_linux(evidence: RunsEvidence) -> Verdict:
    return _probes(evidence, [Tail(LINUX, r, 1) for r in RTTS_S])


def _named(spread: float) -> str:
    return f"{spread:g} R"


@CLAIMS.add(
    "quarter-of-the-rtt",
    "RFC 8985, section 6.2",
    "once the sender has seen that packets are reordered (after 1 s), nothing is sent again if "
    "packets are late by a quarter of the RTT or less, and some if they are later; without DSACK",
    (REORDERING,),
)
def _quarter(evidence: RunsEvidence) -> Verdict:
    its = {each: evidence.at(REORDERING, SPURIOUS, Reordering(each, False)) for each in SPREADS}
    holds = every(each <= 0 if spread <= _QUARTER else each > 0 for spread, each in its.items())
    named = [(_named(spread), each) for spread, each in its.items()]
    return Verdict(holds, lambda: f"sent again, by lateness: {shown_by(named, unit='')}")


@CLAIMS.add(
    "dsack-widens",
    "RFC 8985, section 6.2",
    "with DSACK the window for reordering grows until nothing is sent again: nothing in the second "
    "half of 20 s",
    (REORDERING,),
)
def _widens(evidence: RunsEvidence) -> Verdict:
    its = {each: evidence.at(REORDERING, LATE, Reordering(each, True)) for each in SPREADS}
    named = [(_named(spread), each) for spread, each in its.items()]
    return Verdict(
        every(each <= 0 for each in its.values()),
        lambda: f"sent again in the second half: {shown_by(named, unit='')}",
    )


def _reductions(evidence: RunsEvidence, metric: str) -> dict[Reduction, Any]:
    points = [Reduction(True, lost, pattern) for pattern in PATTERNS for lost in LOST]
    return {point: evidence.at(REDUCTION, metric, point) for point in points}


@CLAIMS.add(
    "ends-at-ssthresh",
    "RFC 9937, section 6",
    "if 1 to 30 of 100 segments are lost, cwnd is ssthresh at the end of the recovery, within a "
    "segment",
    (REDUCTION,),
)
def _ends(evidence: RunsEvidence) -> Verdict:
    its = _reductions(evidence, OVER_SSTHRESH)
    named = [(f"{p.lost_segments} {p.pattern}", each) for p, each in its.items()]
    return Verdict(
        every(within(each, _SEGMENT) for each in its.values()),
        lambda: f"cwnd less ssthresh: {shown_by(named, unit='', decimals=2)}",
    )


@CLAIMS.add(
    "two-at-once",
    "RFC 9937",
    "if 1 to 30 of 100 segments are lost, an ACK lets the sender send no more than 2 segments",
    (REDUCTION,),
    exploratory=True,
)
def _at_once(evidence: RunsEvidence) -> Verdict:
    its = _reductions(evidence, BURST)
    named = [(f"{p.lost_segments} {p.pattern}", each) for p, each in its.items()]
    return Verdict(
        every(each <= _AT_ONCE for each in its.values()),
        lambda: f"longest burst: {shown_by(named, unit='')}",
    )


@CLAIMS.add(
    "two-spurious",
    "RFC 5682",
    "if a link stops for a second, no more than 2 segments are sent again",
    (SPIKE,),
)
def _spurious(evidence: RunsEvidence) -> Verdict:
    its = {rtt_s: evidence.at(SPIKE, SENT_AGAIN, Spike(True, rtt_s)) for rtt_s in RTTS_S}
    named = [(f"{_MS * rtt_s:g} ms", each) for rtt_s, each in its.items()]
    return Verdict(
        every(each <= _SPURIOUS for each in its.values()),
        lambda: f"sent again, by RTT: {shown_by(named, unit='')}",
    )


@CLAIMS.add(
    "window-restored",
    "RFC 5682; Linux",
    "a second later cwnd is what it was (99 % or more)",
    (SPIKE,),
)
def _restored(evidence: RunsEvidence) -> Verdict:
    its = {rtt_s: evidence.at(SPIKE, RESTORED, Spike(True, rtt_s)) for rtt_s in RTTS_S}
    named = [(f"{_MS * rtt_s:g} ms", 100 * each) for rtt_s, each in its.items()]
    return Verdict(
        every(each >= _WHOLE for each in its.values()),
        lambda: f"cwnd as a share of the earlier one: {shown_by(named)}",
    )
