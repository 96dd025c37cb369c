"""The statements of RFC 9406, each as a test on this study's own results."""

from __future__ import annotations

from typing import Any

from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import every, within
from ackclock.studies.machinery.evidence import RunsEvidence, shown, shown_by
from ackclock.studies.slow_start.levels import (
    HYSTART,
    LESS_S,
    LOSSES,
    MORE_S,
    PLUS_PLUS,
    RISE,
    RISING_RTTS_S,
    RTTS_S,
    SENDERS,
    SPIKE,
    STANDARD,
    Rise,
    Spike,
    Transfer,
)
from ackclock.studies.slow_start.metrics import (
    AGAIN,
    COMPLETION,
    ENDED,
    ROUNDS,
    SENT_AGAIN,
    SLOWED,
    TIMEOUTS,
)

CLAIMS = Claims()
_HALF, _POINTS = -0.50, 0.15
_CSS_ROUNDS = 5
_ALIKE, _LONGER = 0.10, 1.5
_MS = 1000
_ALWAYS = 0.99
"""Of the runs."""


def _mean(evidence: RunsEvidence, metric: str, start: str) -> Any:
    """The mean over all paths and numbers of transfers."""
    points = [Transfer(start, each, rtt_s) for each in SENDERS for rtt_s in RTTS_S]
    return evidence.over(LOSSES, metric, points)


@CLAIMS.add(
    "half-sent-again",
    "RFC 9406, section 5",
    "with HyStart++ half as many bytes are sent again as with the standard slow start: -50 %, "
    "within 15 points",
    (LOSSES,),
    exploratory=True,
)
def _again(evidence: RunsEvidence) -> Verdict:
    ours, standard = (_mean(evidence, SENT_AGAIN, each) for each in (PLUS_PLUS, STANDARD))
    change = ours / standard - 1
    return Verdict(
        within(change - _HALF, _POINTS),
        lambda: f"change of the bytes sent again: {shown(100 * change, signed=True)}",
    )


@CLAIMS.add(
    "fewer-timeouts",
    "RFC 9406, section 5",
    "there are fewer time-outs with HyStart++ than with the standard slow start",
    (LOSSES,),
    exploratory=True,
)
def _timeouts(evidence: RunsEvidence) -> Verdict:
    its = {each: _mean(evidence, TIMEOUTS, each) for each in (STANDARD, PLUS_PLUS)}
    return Verdict(
        its[PLUS_PLUS] < its[STANDARD],
        lambda: f"time-outs a run: {shown_by(its, unit='', decimals=2)}",
    )


@CLAIMS.add(
    "as-fast",
    "RFC 9406, section 1",
    "transfers of 20 MB take as long with HyStart++ as with the standard slow start, within 10 %",
    (LOSSES,),
    exploratory=True,
)
def _fast(evidence: RunsEvidence) -> Verdict:
    ours, standard = (_mean(evidence, COMPLETION, each) for each in (PLUS_PLUS, STANDARD))
    change = ours / standard - 1
    return Verdict(
        within(change, _ALIKE),
        lambda: f"change of the mean time: {shown(100 * change, signed=True)}",
    )


@CLAIMS.add(
    "threshold",
    "RFC 9406, section 4.2",
    "slow start slows down if the RTT rises by 0.5 ms more than an eighth of it (4 ms at least, 16 "
    "ms at most), and does not if it rises by 0.5 ms less; at RTTs of 20, 50, 80 and 200 ms",
    (RISE,),
)
def _threshold(evidence: RunsEvidence) -> Verdict:
    more, less = (
        {rtt_s: evidence.at(RISE, SLOWED, Rise(rtt_s, margin)) for rtt_s in RISING_RTTS_S}
        for margin in (MORE_S, LESS_S)
    )
    holds = every(its >= _ALWAYS for its in more.values()) & every(
        its <= 0 for its in less.values()
    )

    def text() -> str:
        named = [(f"{_MS * rtt_s:g} ms", 100 * its) for rtt_s, its in more.items()]
        others = [(f"{_MS * rtt_s:g} ms", 100 * its) for rtt_s, its in less.items()]
        return f"slowed down above: {shown_by(named)}; below: {shown_by(others)}"

    return Verdict(holds, text)


@CLAIMS.add(
    "five-rounds",
    "RFC 9406, section 4.2",
    "if the RTT stays longer, congestion avoidance follows after 5 rounds",
    (RISE,),
)
def _rounds(evidence: RunsEvidence) -> Verdict:
    points = [Rise(rtt_s, MORE_S) for rtt_s in RISING_RTTS_S]
    rounds = {point: evidence.at(RISE, ROUNDS, point) for point in points}
    ended = [evidence.at(RISE, ENDED, point) for point in points]
    holds = every(within(its - _CSS_ROUNDS, 0.01) for its in rounds.values()) & every(
        its >= _ALWAYS for its in ended
    )
    named = [(f"{_MS * point.path_rtt_s:g} ms", its) for point, its in rounds.items()]
    return Verdict(holds, lambda: f"rounds by RTT: {shown_by(named, unit='')}")


@CLAIMS.add(
    "goes-on-after-a-spike",
    "RFC 9406, section 4.2",
    "if the RTT is longer for two round trips only, HyStart++ goes on with slow start",
    (SPIKE,),
)
def _goes_on(evidence: RunsEvidence) -> Verdict:
    its = {rtt_s: evidence.at(SPIKE, AGAIN, Spike(PLUS_PLUS, rtt_s)) for rtt_s in RISING_RTTS_S}
    named = [(f"{_MS * rtt_s:g} ms", 100 * each) for rtt_s, each in its.items()]
    return Verdict(
        every(each >= _ALWAYS for each in its.values()),
        lambda: f"slow start again, by RTT: {shown_by(named)}",
    )


@CLAIMS.add(
    "spike-costs-hystart-more",
    "RFC 9406, section 1",
    "after such a spike a transfer of 16 MB takes at least 1.5 times longer with HyStart than with "
    "HyStart++",
    (SPIKE,),
    exploratory=True,
)
def _costs(evidence: RunsEvidence) -> Verdict:
    ratios = {
        rtt_s: evidence.at(SPIKE, COMPLETION, Spike(HYSTART, rtt_s))
        / evidence.at(SPIKE, COMPLETION, Spike(PLUS_PLUS, rtt_s))
        for rtt_s in RISING_RTTS_S
    }
    named = [(f"{_MS * rtt_s:g} ms", its) for rtt_s, its in ratios.items()]
    return Verdict(
        every(its >= _LONGER for its in ratios.values()),
        lambda: f"HyStart over HyStart++ by RTT: {shown_by(named, unit='')}",
    )
