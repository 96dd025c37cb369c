"""What the sources conclude, each conclusion as a test on this study's own results."""

from __future__ import annotations

from ackclock.studies.codel.levels import (
    CODEL,
    DROP_TAIL,
    EDGE,
    EDGE_RATES,
    FTPS,
    LAW,
    NOMINAL,
    RATES,
    SMALL,
    STATIC,
    STATIC_RATES,
    USUAL_S,
    Edge,
    Law,
    Rates,
    Static,
)
from ackclock.studies.codel.metrics import DELIVERED, LONGEST, MEDIAN, MOST, OF_LAW, THREE_QUARTERS
from ackclock.studies.codel.model import after_first_s
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import every, within
from ackclock.studies.machinery.evidence import RunsEvidence, shown
from ackclock.studies.machinery.variation import Number

CLAIMS = Claims()
_PACKET_S = 1500 * 8 / 10e6
_TAIL_S = 830 * 1500 * 8 / 1e6
_NOT_MORE = {MEDIAN: 0.0027, THREE_QUARTERS: 0.005, MOST: 0.090}
_TOLERANCE = 1.3
_MEGA = 1e6


def _ms(number: Number) -> str:
    return shown(1000 * number, unit=" ms")


@CLAIMS.add(
    "inverse-square-root",
    "RFC 8289, section 3.3",
    "while packets wait for too long, drops follow the first one after 100, 170.7, 228.4 and 278.4 "
    "ms, within the time of one packet (1.2 ms)",
    (LAW,),
)
def _law(evidence: RunsEvidence) -> Verdict:
    found = [evidence.at(LAW, name, Law(USUAL_S)) for name in OF_LAW]
    holds = every(
        within(its - after_first_s(number, USUAL_S), _PACKET_S)
        for number, its in enumerate(found, start=1)
    )
    return Verdict(holds, lambda: f"after the first drop: {'; '.join(map(_ms, found))}")


@CLAIMS.add(
    "tail-drop-waits-seconds",
    "section on dynamic links, Figure 7",
    "behind tail drop, packets wait for up to 10 s (within 30 %) when the rate falls to 1 Mbit/s",
    (RATES,),
)
def _tail(evidence: RunsEvidence) -> Verdict:
    longest = evidence.at(RATES, LONGEST, Rates(DROP_TAIL, NOMINAL))
    holds = within(longest / _TAIL_S - 1, _TOLERANCE - 1)
    return Verdict(holds, lambda: f"the longest wait is {shown(longest, unit=' s')}")


@CLAIMS.add(
    "codel-waits-milliseconds",
    "section on dynamic links",
    "behind CoDel, the delay is at most 2.7 ms for half of the time, 5 ms for three quarters and "
    "90 ms for 95 % (each + 30 %), though the rate changes from 100 to 1 Mbit/s",
    (RATES,),
)
def _codel(evidence: RunsEvidence) -> Verdict:
    found = {name: evidence.at(RATES, name, Rates(CODEL, NOMINAL)) for name in _NOT_MORE}
    holds = every(its <= _TOLERANCE * _NOT_MORE[name] for name, its in found.items())
    parts = dict(zip(_NOT_MORE, ("50 %", "75 %", "95 %"), strict=True))
    return Verdict(
        holds,
        lambda: "; ".join(f"{parts[name]} of the time: {_ms(its)}" for name, its in found.items()),
    )


@CLAIMS.add(
    "almost-the-same-bytes",
    "section on dynamic links, Figure 7",
    "CoDel delivers almost as much as tail drop: at least 95 %",
    (RATES,),
)
def _bytes(evidence: RunsEvidence) -> Verdict:
    codel, tail = (evidence.at(RATES, DELIVERED, Rates(its, NOMINAL)) for its in (CODEL, DROP_TAIL))
    return Verdict(
        codel / tail >= 0.95,
        lambda: f"{shown(100 * codel / tail)} of {shown(tail / _MEGA, decimals=0, unit=' MB')}",
    )


@CLAIMS.add(
    "small-buffers-cost",
    "section on dynamic links",
    "buffers of 10 packets deliver about 75 % less than 830 packets with CoDel (within 10 points)",
    (RATES,),
)
def _small(evidence: RunsEvidence) -> Verdict:
    much = evidence.at(RATES, DELIVERED, Rates(CODEL, NOMINAL))
    less = {
        its: 1 - evidence.at(RATES, DELIVERED, Rates(its, SMALL)) / much
        for its in (DROP_TAIL, CODEL)
    }
    holds = every(within(its - 0.75, 0.1) for its in less.values())
    return Verdict(
        holds,
        lambda: "; ".join(f"{name}: {shown(100 * its)} less" for name, its in less.items()),
    )


@CLAIMS.add(
    "near-the-target",
    "section on static links, Figure 5",
    "on links of 3, 10, 45 and 100 Mbit/s with 5 and 20 CUBIC flows, the median delay is 2 to 8 ms "
    "and the link is busy for at least 92 % of the time",
    (STATIC,),
    exploratory=True,
)
def _static(evidence: RunsEvidence) -> Verdict:
    points = [Static(ftps, rate) for ftps in FTPS for rate in STATIC_RATES]
    delays = {each: evidence.at(STATIC, "queue_delay_p50_s", each) for each in points}
    busy = [evidence.at(STATIC, "utilisation", each) for each in points]
    holds = every((its >= 0.002) & (its <= 0.008) for its in delays.values())
    holds &= every(its >= 0.92 for its in busy)
    least = min(busy, key=lambda its: float(its.mean))

    def text() -> str:
        listed = "; ".join(
            f"{each.ftps} flows, {each.rate_bit_s / _MEGA:g} Mbit/s: {_ms(its)}"
            for each, its in delays.items()
        )
        return f"{listed}; least use {shown(100 * least)}"

    return Verdict(holds, text)


@CLAIMS.add(
    "consumer-edge",
    "section on the consumer edge, table",
    "on downloads at 512 kbit/s and 1.5 Mbit/s CoDel halves the median delay at least, carries at "
    "least 85 % of tail drop's bytes, and does not drop a larger share (+ 1 point)",
    (EDGE,),
)
def _edge(evidence: RunsEvidence) -> Verdict:
    decisions, parts = [], []
    for rate in EDGE_RATES:
        delay, carried, dropped = (
            [evidence.at(EDGE, f"down_{name}", Edge(rate, its)) for its in (CODEL, DROP_TAIL)]
            for name in ("median_delay_s", "carried_bytes", "drop_share")
        )
        decisions += [
            delay[0] / delay[1] <= 0.5,
            carried[0] / carried[1] >= 0.85,
            dropped[0] - dropped[1] <= 0.01,
        ]
        parts.append((rate, delay, carried, dropped))

    def text() -> str:
        return "; ".join(
            f"{rate / 1000:g} kbit/s: {_ms(delay[0])} of {_ms(delay[1])}, "
            f"{shown(100 * carried[0] / carried[1])} of the bytes, drops "
            f"{shown(100 * dropped[0])} and {shown(100 * dropped[1])}"
            for rate, delay, carried, dropped in parts
        )

    return Verdict(every(decisions), text)
