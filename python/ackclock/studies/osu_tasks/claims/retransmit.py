"""The claim on delayed retransmission (002, task 7)."""

from __future__ import annotations

from ackclock.stats import mean_interval
from ackclock.stats.intervals import Interval
from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.osu_tasks.analysis import CONFIDENCE
from ackclock.studies.osu_tasks.claims.registry import INTERVALS, Study, intervals_text
from ackclock.studies.osu_tasks.levels import (
    HALF_RTT,
    NO_WAIT,
    RETRANSMIT,
    RETRANSMIT_BUFFERS_RTT,
    SOURCES,
    RetransmitPoint,
)

CLAIMS = Claims()
_PART = RETRANSMIT.name


@CLAIMS.add(
    "delayed-retransmit-useless",
    "task 7",
    "Waiting RTT/2 before the fast retransmit changes SACK's efficiency, the mean over all numbers "
    "of sources and buffers, by less than half the width of its 95 % interval without the wait.",
    (_PART, INTERVALS),
)
def _useless(study: Study) -> Verdict:
    points = [
        RetransmitPoint(sources, buffer_rtt, NO_WAIT)
        for sources in SOURCES
        for buffer_rtt in RETRANSMIT_BUFFERS_RTT
    ]
    delayed = [point._replace(wait=HALF_RTT) for point in points]
    at_once = study.together(_PART, "efficiency", points)
    waited = study.together(_PART, "efficiency", delayed)
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


def _is_beyond(study: Study, point: RetransmitPoint) -> bool:
    its = mean_interval(study.values(_PART, "efficiency", point), CONFIDENCE)
    return abs(_change(study, point)) >= _half_width(its)


def _change(study: Study, point: RetransmitPoint) -> float:
    waited = study.mean(_PART, "efficiency", point._replace(wait=HALF_RTT))
    return waited - study.mean(_PART, "efficiency", point)


def _half_width(interval: Interval) -> float:
    return (interval.hi - interval.lo) / 2


def _named(study: Study, points: list[RetransmitPoint]) -> str:
    if not points:
        return ""
    text = ", ".join(
        f"{point.sources} sources {point.buffer_rtt:g} RTT {_change(study, point):+.4f}"
        for point in points
    )
    return f" ({text})"
