"""Claims on bursty sources, large windows and delayed retransmission (002, tasks 5 to 7)."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from ackclock.stats import mean_interval
from ackclock.stats.intervals import Interval
from ackclock.studies.machinery.analysis import CONFIDENCE
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.evidence import INTERVALS, RunsEvidence
from ackclock.studies.osu_tasks.claims.intervals import above, effects_text, intervals_text
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


@CLAIMS.add(
    "bursty-like-persistent",
    "summary",
    "GEO: the order of the flavors' efficiency effects is the same for WWW and for persistent "
    "traffic: the highest is the same, and no two flavors whose 90 % intervals do not overlap "
    "have the opposite order with the other traffic.",
    (BURSTY.name,),
)
def _like_persistent(study: RunsEvidence) -> Verdict:
    effects = {
        traffic: {
            flavor: study.analysis(BURSTY.name, traffic, "efficiency").effect("tcp_flavor", flavor)
            for flavor in TCP_FLAVORS
        }
        for traffic in (WWW, PERSISTENT)
    }
    www, persistent = effects[WWW], effects[PERSISTENT]
    highest = {max(its, key=lambda flavor: its[flavor].effect) for its in effects.values()}
    turned = [
        f"{one}, {other}"
        for one, other in permutations(TCP_FLAVORS, 2)
        if above(www[one], www[other]) and above(persistent[other], persistent[one])
    ]
    described = ". ".join(f"{traffic}: {effects_text(its)}" for traffic, its in effects.items())
    holds = len(highest) == 1 and not turned
    return holds, described + (f". The other way round: {'; '.join(turned)}" if turned else "")


@CLAIMS.add(
    "large-cwnd-sticks",
    "task 6",
    "SMSS 512 B, integer arithmetic: every cwnd reaches 262144 B, and none grows more than a "
    "segment beyond it. With N*SMSS*SMSS/cwnd every N ACKs (N > 1) every run grows further, and "
    "the efficiency is not below that of plain integer arithmetic.",
    (WINDOWS.name, INTERVALS),
)
def _sticks(study: RunsEvidence) -> Verdict:
    holds, described = True, []
    for sources in FEW_SOURCES:
        stuck = _values(study, "max_cwnd_bytes", sources, INTEGER)
        holds &= bool(
            (stuck >= STICKING_BYTES).all() and (stuck <= STICKING_BYTES + _SEGMENT_BYTES).all()
        )
        plain = _values(study, "efficiency", sources, INTEGER)
        for arithmetic in BATCHED:
            largest = _values(study, "max_cwnd_bytes", sources, arithmetic)
            efficiency = _values(study, "efficiency", sources, arithmetic)
            holds &= bool((largest > STICKING_BYTES + _SEGMENT_BYTES).all())
            holds &= bool(efficiency.mean() >= plain.mean())
        described.append(_described(study, sources))
    return holds, ". ".join(described)


def _values(study: RunsEvidence, metric: str, sources: int, arithmetic: str) -> np.ndarray:
    return study.values(WINDOWS.name, metric, WindowsPoint(sources, arithmetic))


def _described(study: RunsEvidence, sources: int) -> str:
    names = (INTEGER, *BATCHED, FLOATING)
    points = {name: WindowsPoint(sources, name) for name in names}
    cwnd = "; ".join(
        f"{name} {study.mean(WINDOWS.name, 'max_cwnd_bytes', point):.0f} B"
        for name, point in points.items()
    )
    efficiency = {
        name: study.interval(WINDOWS.name, "efficiency", point) for name, point in points.items()
    }
    number = "1 source" if sources == 1 else f"{sources} sources"
    return f"{number}: largest cwnd {cwnd}; efficiency {intervals_text(efficiency, 5)}"


@CLAIMS.add(
    "delayed-retransmit-useless",
    "task 7",
    "Waiting RTT/2 before the fast retransmit changes SACK's efficiency, the mean over all numbers "
    "of sources and buffers, by less than half the width of its 95 % interval without the wait.",
    (RETRANSMIT.name, INTERVALS),
)
def _useless(study: RunsEvidence) -> Verdict:
    points = [
        RetransmitPoint(sources, buffer_rtt, NO_WAIT)
        for sources in SOURCES
        for buffer_rtt in RETRANSMIT_BUFFERS_RTT
    ]
    delayed = [point._replace(wait=HALF_RTT) for point in points]
    at_once = study.together(RETRANSMIT.name, "efficiency", points)
    waited = study.together(RETRANSMIT.name, "efficiency", delayed)
    its = mean_interval(at_once, CONFIDENCE)
    change = mean_interval(waited - at_once, CONFIDENCE)
    text = {"at once": its, "after RTT/2": mean_interval(waited, CONFIDENCE)}
    beyond = [point for point in points if _is_beyond(study, point)]
    evidence = (
        f"{intervals_text(text)}; change {change.mean:+.4f} ({change.lo:+.4f}, {change.hi:+.4f}), "
        f"paired. At {len(beyond)} of {len(points)} single points the change exceeds half the "
        f"width of that point's interval{_named(study, beyond)}"
    )
    return abs(change.mean) < _half_width(its), evidence


def _is_beyond(study: RunsEvidence, point: RetransmitPoint) -> bool:
    its = mean_interval(study.values(RETRANSMIT.name, "efficiency", point), CONFIDENCE)
    return abs(_change(study, point)) >= _half_width(its)


def _change(study: RunsEvidence, point: RetransmitPoint) -> float:
    waited = study.mean(RETRANSMIT.name, "efficiency", point._replace(wait=HALF_RTT))
    return waited - study.mean(RETRANSMIT.name, "efficiency", point)


def _half_width(interval: Interval) -> float:
    return (interval.hi - interval.lo) / 2


def _named(study: RunsEvidence, points: list[RetransmitPoint]) -> str:
    if not points:
        return ""
    text = ", ".join(
        f"{point.sources} sources {point.buffer_rtt:g} RTT {_change(study, point):+.4f}"
        for point in points
    )
    return f" ({text})"
