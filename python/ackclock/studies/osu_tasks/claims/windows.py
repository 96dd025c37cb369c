"""The claim on large windows (002, task 6)."""

from __future__ import annotations

import numpy as np

from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.osu_tasks.claims.registry import INTERVALS, Study, intervals_text
from ackclock.studies.osu_tasks.levels import (
    BATCHED,
    FEW_SOURCES,
    FLOATING,
    INTEGER,
    STICKING_BYTES,
    WINDOWS,
    WindowsPoint,
)

CLAIMS = Claims()
_PART = WINDOWS.name
_SEGMENT_BYTES = 512


@CLAIMS.add(
    "large-cwnd-sticks",
    "task 6",
    "SMSS 512 B, integers: no cwnd grows by more than a segment beyond 262144 B, and all reach it; "
    "with N*SMSS*SMSS/cwnd every N ACKs (N > 1) every run grows beyond, and the efficiency is not "
    "below that without.",
    (_PART, INTERVALS),
)
def _sticks(study: Study) -> Verdict:
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


def _values(study: Study, metric: str, sources: int, arithmetic: str) -> np.ndarray:
    return study.values(_PART, metric, WindowsPoint(sources, arithmetic))


def _described(study: Study, sources: int) -> str:
    names = (INTEGER, *BATCHED, FLOATING)
    points = {name: WindowsPoint(sources, name) for name in names}
    cwnd = "; ".join(
        f"{name} {study.mean(_PART, 'max_cwnd_bytes', point):.0f} B"
        for name, point in points.items()
    )
    efficiency = {
        name: study.interval(_PART, "efficiency", point) for name, point in points.items()
    }
    number = "1 source" if sources == 1 else f"{sources} sources"
    return f"{number}: largest cwnd {cwnd}; efficiency {intervals_text(efficiency, 5)}"
