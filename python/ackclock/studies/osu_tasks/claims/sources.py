"""Claims on bursty sources, large windows and delayed retransmission (002, tasks 5 to 7)."""

from __future__ import annotations

from itertools import combinations
from math import isnan, nan, sqrt

import numpy as np

from ackclock.stats.intervals import two_sided_t
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.effects import effects_text, numbers_text
from ackclock.studies.machinery.estimates import CONFIDENCE, Estimate, every, none_of, within
from ackclock.studies.machinery.evidence import RunsEvidence, mean, shown
from ackclock.studies.osu_tasks.levels import (
    BATCHED,
    BURSTY,
    FEW_SOURCES,
    FLOATING,
    HALF_RTT,
    INTEGER,
    NO_WAIT,
    PERSISTENT,
    RETRANSMIT,
    RETRANSMIT_BUFFERS_RTT,
    SOURCES,
    STICKING_BYTES,
    TCP_FLAVORS,
    WINDOWS,
    WWW,
    RetransmitPoint,
    WindowsPoint,
)

CLAIMS = Claims()
_SEGMENT_BYTES = 512
_NOTHING = 0.001
"""A change of efficiency that is none: what is in flight at both ends of the measured time."""
_BREAKING_SHARE = 0.05
"""Of all possible runs, those that may behave otherwise where none of ours did."""
_REPLICATIONS = 30


@CLAIMS.add(
    "bursty-like-persistent",
    "summary",
    "GEO: the order of the flavors' efficiency effects is the same for WWW and for persistent "
    "traffic.",
    (BURSTY.name,),
)
def _like_persistent(study: RunsEvidence) -> Verdict:
    effects = {
        traffic: study.variation(BURSTY.name, traffic, "efficiency").effects("tcp_flavor")
        for traffic in (WWW, PERSISTENT)
    }
    www, persistent = effects.values()
    same = []
    for one, other in combinations(TCP_FLAVORS, 2):
        first, second = (its[one].effect > its[other].effect for its in (www, persistent))
        same.append((first & second) | (~first & ~second))

    def evidence() -> str:
        return ". ".join(f"{traffic}: {effects_text(its)}" for traffic, its in effects.items())

    return Verdict(every(same), evidence)


@CLAIMS.add(
    "large-cwnd-sticks",
    "task 6",
    "SMSS 512 B, integer arithmetic: every cwnd reaches 262144 B, and none grows more than a "
    "segment beyond it. With N*SMSS*SMSS/cwnd every N ACKs (N > 1) every run grows further, and "
    "the efficiency is not below that of plain integer arithmetic.",
    (WINDOWS.name,),
)
def _sticks(study: RunsEvidence) -> Verdict:
    """What must be so in every run is decided by how many runs there are."""
    most = STICKING_BYTES + _SEGMENT_BYTES
    broken = {}
    for sources in FEW_SOURCES:
        stuck = _cwnd(study, sources, INTEGER)
        broken[WindowsPoint(sources, INTEGER)] = (stuck < STICKING_BYTES) | (stuck > most)
        for each in BATCHED:
            broken[WindowsPoint(sources, each)] = _cwnd(study, sources, each) <= most
    suffers = [
        _efficiency(study, sources, arithmetic) - _efficiency(study, sources, INTEGER)
        for sources in FEW_SOURCES
        for arithmetic in BATCHED
    ]
    kept = every(change >= -_NOTHING for change in suffers)
    if study.draws:
        drawn = [study.of_runs(WINDOWS.name, point, its) for point, its in broken.items()]
        return Verdict(kept & every(~its for its in drawn), str)
    return Verdict(
        none_of(np.concatenate(list(broken.values())), _BREAKING_SHARE) & kept,
        lambda: ". ".join(_described(study, sources) for sources in FEW_SOURCES),
    )


def _cwnd(study: RunsEvidence, sources: int, arithmetic: str) -> np.ndarray:
    return study.values(WINDOWS.name, "max_cwnd_bytes", WindowsPoint(sources, arithmetic))


def _efficiency(study: RunsEvidence, sources: int, arithmetic: str) -> Estimate:
    return study.at(WINDOWS.name, "efficiency", WindowsPoint(sources, arithmetic))


def _described(study: RunsEvidence, sources: int) -> str:
    names = (INTEGER, *BATCHED, FLOATING)
    cwnd = "; ".join(f"{name} {_cwnd(study, sources, name).mean():.0f} B" for name in names)
    efficiency = {name: _efficiency(study, sources, name) for name in names}
    number = "1 source" if sources == 1 else f"{sources} sources"
    return f"{number}: largest cwnd {cwnd}; efficiency {numbers_text(efficiency, decimals=5)}"


@CLAIMS.add(
    "delayed-retransmit-useless",
    "task 7",
    "Waiting RTT/2 before the fast retransmit changes SACK's efficiency, the mean over all numbers "
    "of sources and buffers, by less than half the width of the 95 % interval that 30 replications "
    "give it without the wait.",
    (RETRANSMIT.name,),
)
def _useless(study: RunsEvidence) -> Verdict:
    """The width is taken for 30 replications, whatever their number, so that it does not grow."""
    points = [
        RetransmitPoint(sources, buffer_rtt, NO_WAIT)
        for sources in SOURCES
        for buffer_rtt in RETRANSMIT_BUFFERS_RTT
    ]
    delayed = [point._replace(wait=HALF_RTT) for point in points]
    at_once, waited = (study.over(RETRANSMIT.name, "efficiency", its) for its in (points, delayed))
    each = [study.values(RETRANSMIT.name, "efficiency", point) for point in points]
    fewest = min(map(len, each))
    half = _half_width(mean([its[:fewest] for its in each]))

    def evidence() -> str:
        change = shown(waited - at_once, decimals=4, unit="", signed=True)
        text = numbers_text({"at once": at_once, "after RTT/2": waited})
        width = "" if isnan(half) else f"; half the width is {half:.4f}"
        return f"{text}; change {change}, paired{width}"

    return Verdict(within(waited - at_once, half), evidence)


def _half_width(runs: np.ndarray) -> float:
    """Of the interval of a mean of 30 replications that scatter like these; nan for one."""
    if runs.size == 1:
        return nan
    t = float(two_sided_t(CONFIDENCE, _REPLICATIONS - 1))
    return t * float(runs.std(ddof=1)) / sqrt(_REPLICATIONS)
