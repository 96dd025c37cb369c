"""The results that a claim of this study may use."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ackclock.studies.abr_web.bounds import Bounds
from ackclock.studies.abr_web.levels import PAPERS, SERVERS, TABLE2, Point
from ackclock.studies.common.values import Values

INTERVALS = "intervals"
_FEWEST_FOR_INTERVALS = 2


class Study:
    """The runs of Table 2 as a claim sees them: values by replication.

    Args:
        runs: see ``analysis.in_bounds``.
        bounds: of the scenario.
    """

    def __init__(self, runs: pd.DataFrame, bounds: Bounds) -> None:
        self.bounds = bounds
        its = runs[runs["part"] == TABLE2] if len(runs) else runs
        self._values = Values(its, Point)

    def missing(self, needs: Iterable[str]) -> str:
        """What is not there of what a claim needs, in words."""
        reasons = []
        for need in needs:
            if need == TABLE2 and not {_point(each) for each in SERVERS} <= self._values.points:
                reasons.append("not all numbers of servers were run")
            elif need == INTERVALS and self._values.fewest < _FEWEST_FOR_INTERVALS:
                reasons.append("one replication has no intervals; --replications 30 gives them")
        return ", and ".join(reasons)

    def values(self, metric: str, servers: int) -> np.ndarray:
        """A metric of a row of Table 2, shape (replications,), in their order."""
        return self._values.of(metric, _point(servers))

    def means(self, metric: str) -> dict[int, float]:
        """The mean of a metric over the replications, by the number of servers."""
        return {each: float(self.values(metric, each).mean()) for each in SERVERS}


def _point(servers: int) -> Point:
    return Point(TABLE2, servers, *PAPERS)


def named(servers: int) -> str:
    """A row of Table 2 in words: "1 server", "15 servers"."""
    return f"{servers} server{'' if servers == 1 else 's'}"
