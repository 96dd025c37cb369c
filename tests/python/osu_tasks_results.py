"""Made-up results of the seven TCP-over-UBR tasks: every point of every part, and no core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd

from ackclock.studies import study_of
from ackclock.studies.machinery.reproduce import StudyResult, concluded
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Trace, points_of
from ackclock.studies.machinery.settings import scenario_of
from ackclock.studies.machinery.study import Part
from ackclock.studies.osu_tasks.levels import GEO, PARTS, PER_VC_POLICIES
from ackclock.studies.osu_tasks.smallest import SEARCHED_SOURCES
from study_cases import made_for

END_S = 20.0
_WHOLE = ("cells_lost", "max_queue_cells", "timeouts", "fast_retransmits", "max_cwnd_bytes")


def example_result(
    parts: Sequence[str] = tuple(part.name for part in PARTS),
    replications: int = 2,
    sets: Sequence[str] = (),
) -> StudyResult:
    """A result with numbers between 0 and 1 for shares, and whole ones for what is counted."""
    study = study_of("osu-tasks")
    asked = Request(study, tuple(sets), {"parts": tuple(parts)}, replications)
    frames = {part: _runs(study.part(part), asked, replications) for part in parts}
    watched = [(part, point) for part in parts for point in _watched(study.part(part))]
    made = made_for(
        asked,
        frames,
        traces=tuple(_trace(*each) for each in watched),
        further=_smallest() if "buffers" in parts else None,
    )
    return concluded(made)


def _runs(part: Part, asked: Request, replications: int) -> pd.DataFrame:
    rows = []
    for number, point in enumerate(points_of(part, scenario_of(part, asked), asked)):
        for k in range(part.replications(point, replications)):
            numbers = np.random.default_rng([crc32(part.name.encode()), number, k])
            values = {name: _value(name, numbers) for name in part.metrics}
            rows.append({**point._asdict(), "replication": k, "seed": k, **values})
    return pd.DataFrame(rows)


def _watched(part: Part) -> Sequence[Any]:
    return part.watch.choose(()) if part.watch else ()


def _value(metric: str, numbers: np.random.Generator) -> float:
    share = float(numbers.uniform(0.5, 1.0))
    return round(1e4 * share) if metric in _WHOLE else share


def _smallest() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "link": GEO,
                "drop_policy": policy,
                "sources": sources,
                "status": "found" if sources < 100 else "not reached",
                "smallest_rtt": 0.375 if sources < 100 else float("nan"),
                "smallest_mean_pct": 98.4 if sources < 100 else float("nan"),
                "smallest_half_width_pct": 0.2 if sources < 100 else float("nan"),
                "fails_rtt": 0.25,
                "runs": 24,
            }
            for policy in PER_VC_POLICIES
            for sources in SEARCHED_SOURCES
        ]
    )


def _trace(part: str, point: Any) -> Trace:
    times = np.linspace(0, END_S, 50)
    cwnd = pd.DataFrame({"flow": 0, "time_s": times, "cwnd_bytes": 1e5 + 1e4 * times})
    return Trace(part, point, END_S, {}, None, {"cwnd": cwnd})
