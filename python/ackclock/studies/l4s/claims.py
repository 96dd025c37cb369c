"""What the sources promise, each promise as a test on this study's own results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ackclock.studies.l4s.levels import (
    AQMS,
    DEAF,
    GRID,
    LAW,
    MARK_SHARES,
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
    CUBIC_SHARE,
    L_MEAN,
    L_P99,
    RATE,
    RATIO,
    SENT_AGAIN,
    UTILISATION,
    WINDOWS,
)
from ackclock.studies.l4s.model import rate_bit_s
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import every, within
from ackclock.studies.machinery.evidence import RunsEvidence, shown, shown_by

CLAIMS = Claims()
_EVERYWHERE = tuple(Path(rate, rtt_s) for rate in RATES for rtt_s in RTTS_S)
_FAST = tuple(point for point in _EVERYWHERE if point.rate_bit_s >= 40e6)
_USUAL = tuple(point for point in _EVERYWHERE if 0.01 <= point.path_rtt_s <= 0.05)
_MS = 1000
_L_MEAN_S, _L_P99_S = 0.001, 0.002
_TARGET_S, _FACTOR = 0.015, 1.5
_FULL = 0.95
_LAW = 0.15
_PROTECTED, _POINTS = 0.10, 0.02


def _at(point: Path) -> str:
    return f"{point.rate_bit_s / 1e6:g} Mbit/s, {_MS * point.path_rtt_s:g} ms"


def _on(evidence: RunsEvidence, metric: str, points: Iterable[Path]) -> dict[Path, Any]:
    return {point: evidence.at(GRID, metric, point) for point in points}


def _between(numbers: dict[Path, Any], least: float, most: float) -> Verdict:
    """Whether all numbers lie between two; shows the least and greatest of each rate."""
    holds = every((its >= least) & (its <= most) for its in numbers.values())

    def text() -> str:
        ends = []
        for rate in RATES:
            its = sorted(
                (its.mean, point) for point, its in numbers.items() if point.rate_bit_s == rate
            )
            ends += [(_at(point), numbers[point]) for _, point in (its[0], its[-1])]
        return f"least and greatest of each rate: {shown_by(ends, unit='', decimals=2)}"

    return Verdict(holds, text)


@CLAIMS.add(
    "rates-alike",
    "RFC 9332, section 1.2",
    "one Prague flow gets 0.5 to 2 times the rate of one CUBIC flow at 4 to 120 Mbit/s and 5 to "
    "100 ms",
    (GRID,),
    exploratory=True,
)
def _rates(evidence: RunsEvidence) -> Verdict:
    return _between(_on(evidence, RATIO, _EVERYWHERE), 0.5, 2)


@CLAIMS.add(
    "rates-nearly-equal",
    "RFC 9332, section 1.2",
    "at 10 to 50 ms one Prague flow gets 0.8 to 1.25 times the rate of one CUBIC flow",
    (GRID,),
    exploratory=True,
)
def _nearly(evidence: RunsEvidence) -> Verdict:
    return _between(_on(evidence, RATIO, _USUAL), 0.8, 1.25)


@CLAIMS.add(
    "windows-alike",
    "RFC 9332, section 2.1",
    "the window of Prague, its rate times its RTT, is 0.5 to 2 times that of CUBIC",
    (GRID,),
    exploratory=True,
)
def _windows(evidence: RunsEvidence) -> Verdict:
    return _between(_on(evidence, WINDOWS, _EVERYWHERE), 0.5, 2)


@CLAIMS.add(
    "short-waits",
    "De Schepper et al., arXiv 2209.01078, abstract",
    "at 40 and 120 Mbit/s Prague's packets wait less than 1 ms on average, and 99 % of them less "
    "than 2 ms",
    (GRID,),
)
def _short(evidence: RunsEvidence) -> Verdict:
    mean, most = (_on(evidence, metric, _FAST) for metric in (L_MEAN, L_P99))
    holds = every(its < _L_MEAN_S for its in mean.values()) & every(
        its < _L_P99_S for its in most.values()
    )
    named = [(_at(point), _MS * its) for point, its in most.items()]
    return Verdict(holds, lambda: f"99 % wait less than: {shown_by(named, unit=' ms', decimals=2)}")


@CLAIMS.add(
    "classic-near-target",
    "RFC 9332, appendix A",
    "at 40 and 120 Mbit/s CUBIC's packets wait 15 ms on average, within a factor of 1.5",
    (GRID,),
    exploratory=True,
)
def _classic(evidence: RunsEvidence) -> Verdict:
    waits = _on(evidence, C_MEAN, _FAST)
    least, most = _TARGET_S / _FACTOR, _TARGET_S * _FACTOR
    holds = every((its >= least) & (its <= most) for its in waits.values())
    named = [(_at(point), _MS * its) for point, its in waits.items()]
    return Verdict(holds, lambda: f"mean wait: {shown_by(named, unit=' ms')}")


@CLAIMS.add(
    "no-loss-and-full",
    "De Schepper et al., arXiv 2209.01078, abstract",
    "Prague loses nothing to congestion, and the link is at least 95 % busy, at 40 and 120 Mbit/s",
    (GRID,),
)
def _full(evidence: RunsEvidence) -> Verdict:
    lost, used = (_on(evidence, metric, _FAST) for metric in (SENT_AGAIN, UTILISATION))
    holds = every(its <= 0 for its in lost.values()) & every(its >= _FULL for its in used.values())
    named = [(_at(point), 100 * its) for point, its in used.items()]
    return Verdict(holds, lambda: f"use of the link: {shown_by(named)}")


@CLAIMS.add(
    "one-queue-for-each-is-slower",
    "De Schepper et al., arXiv 2209.01078",
    "at 40 Mbit/s and 20 ms Prague's packets wait at least 10 times longer behind PIE and behind "
    "FQ-CoDel than behind DualPI2",
    (QUEUES,),
    exploratory=True,
)
def _slower(evidence: RunsEvidence) -> Verdict:
    waits = {each: _MS * evidence.at(QUEUES, L_MEAN, Behind(each)) for each in AQMS}
    ours, *others = waits.values()
    holds = every(its >= 10 * ours for its in others)
    return Verdict(holds, lambda: f"mean wait: {shown_by(waits, unit=' ms', decimals=2)}")


@CLAIMS.add(
    "rate-by-marks",
    "comment in Linux' tcp_prague.c",
    "if a share p of the packets is marked, Prague keeps a rate of (1 / p - 1) Mbit/s at RTTs of "
    "5, 10 and 25 ms, within 15 %",
    (LAW,),
)
def _rate(evidence: RunsEvidence) -> Verdict:
    errors = {
        point: evidence.at(LAW, RATE, point) / rate_bit_s(point.mark_share) - 1
        for point in (Marked(p, rtt_s) for p in MARK_SHARES for rtt_s in SHORT_RTTS_S)
    }
    named = [(f"p {p:g}, {_MS * rtt_s:g} ms", 100 * its) for (p, rtt_s), its in errors.items()]
    return Verdict(
        every(within(its, _LAW) for its in errors.values()),
        lambda: f"difference from the formula: {shown_by(named, signed=True)}",
    )


@CLAIMS.add(
    "rate-whatever-the-rtt",
    "comment in Linux' tcp_prague.c",
    "the rate of Prague at 5 and at 10 ms is that at 25 ms, within 15 %, for each share of marks",
    (LAW,),
)
def _whatever(evidence: RunsEvidence) -> Verdict:
    *short, longest = SHORT_RTTS_S
    errors = {
        (p, rtt_s): evidence.at(LAW, RATE, Marked(p, rtt_s))
        / evidence.at(LAW, RATE, Marked(p, longest))
        - 1
        for p in MARK_SHARES
        for rtt_s in short
    }
    named = [(f"p {p:g}, {_MS * rtt_s:g} ms", 100 * its) for (p, rtt_s), its in errors.items()]
    return Verdict(
        every(within(its, _LAW) for its in errors.values()),
        lambda: f"difference from 25 ms: {shown_by(named, signed=True)}",
    )


@CLAIMS.add(
    "classic-protected",
    "RFC 9332, section 4.2.2; default of Linux",
    "beside an L4S flow of 0.9 of the rate that ignores marks, CUBIC gets at least 10 % of it, "
    "less 2 points",
    (DEAF,),
)
def _protected(evidence: RunsEvidence) -> Verdict:
    its = evidence.at(DEAF, CUBIC_SHARE, Deaf(0.9))
    return Verdict(its >= _PROTECTED - _POINTS, lambda: f"CUBIC's share: {shown(100 * its)}")
