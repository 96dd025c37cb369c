"""The results that a claim of this study may use."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ackclock.stats.intervals import Interval
from ackclock.stats.ratios import ratio_interval
from ackclock.studies.common.evidence import shown
from ackclock.studies.common.values import Values
from ackclock.studies.rfc2415.levels import (
    FTPS,
    HALF,
    IWS,
    RED,
    REVERSE,
    TABLES,
    WEBS,
    Point,
    Selection,
    is_pathological,
)

HTTP10, HTTP11, INTERVALS = "HTTP/1.0", "HTTP/1.1", "intervals"
SCENARIOS = tuple((webs, ftps) for webs in WEBS for ftps in FTPS)
WITH_FTPS = tuple((webs, ftps) for webs, ftps in SCENARIOS if ftps)
ORDINARY = tuple(each for each in SCENARIOS if not is_pathological(*each))
"""Those in which the RFC sees a trend; see ``levels.is_pathological``."""
Scenario = tuple[int, int]
_NEEDED = {
    HTTP10: Selection(parts=(TABLES,), https=("1.0",)),
    HTTP11: Selection(parts=(TABLES,), https=("1.1",)),
    **{part: Selection(parts=(part,)) for part in (HALF, REVERSE, RED)},
}
_FEWEST_FOR_INTERVALS = 2


class Study:
    """The runs as a claim sees them: values by replication.

    Args:
        runs: one row a run: columns of ``Point``, replication, and what was measured.
    """

    def __init__(self, runs: pd.DataFrame) -> None:
        self.runs = runs
        self._values = Values(runs, Point)

    def missing(self, needs: Iterable[str]) -> str:
        """What is not there of what a claim needs, in words."""
        reasons = []
        for need in needs:
            if need in _NEEDED and not set(_NEEDED[need].points()) <= self._values.points:
                reasons.append(f"not all scenarios of {need} were run")
            elif need == INTERVALS and self._values.fewest < _FEWEST_FOR_INTERVALS:
                reasons.append("one replication has no intervals; --replications 30 gives them")
        return ", and ".join(reasons)

    def values(
        self,
        metric: str,
        scenario: Scenario,
        iw: int,
        *,
        http: str = "1.0",
        part: str = TABLES,
        variant: str = "",
    ) -> np.ndarray:
        """A metric at a point, shape (replications,), in their order."""
        return self._values.of(metric, Point(part, *scenario, http, iw, variant))

    def decrease(self, scenario: Scenario, iw: int, http: str = "1.0") -> Interval:
        """By how much the page delay lies below that of IW 1, % of that."""
        usual = self.values("page_delay_s", scenario, 1, http=http)
        delay = self.values("page_delay_s", scenario, iw, http=http)
        return ratio_interval(100 * (usual - delay), usual)

    def gain(self, metric: str, scenario: Scenario, http: str = "1.0") -> Interval:
        """By how much a metric at the largest IW lies above that of IW 1, % of that."""
        usual = self.values(metric, scenario, 1, http=http)
        return ratio_interval(
            100 * (self.values(metric, scenario, max(IWS), http=http) - usual), usual
        )

    def average_decreases(self, http: str) -> dict[int, np.ndarray]:
        """The page delay at each IW, averaged over the scenarios.

        Returns:
            By IW, shape (replications,): how far the delay lies below the mean delay of IW 1, % of
            that, mean over all scenarios.
        """
        return {
            iw: np.mean([self._below(each, iw, http) for each in SCENARIOS], axis=0) for iw in IWS
        }

    def _below(self, scenario: Scenario, iw: int, http: str) -> np.ndarray:
        usual = self.values("page_delay_s", scenario, 1, http=http).mean()
        return 100 * (1 - self.values("page_delay_s", scenario, iw, http=http) / usual)


def name(scenario: Scenario) -> str:
    """A scenario in words: "8 webs, 1 ftp"."""
    webs, ftps = scenario
    return f"{webs} webs, {ftps} {'ftp' if ftps == 1 else 'ftps'}"


def listed(intervals: dict[Scenario, Interval], decimals: int = 1, unit: str = " %") -> str:
    """Scenarios with their numbers."""
    return "; ".join(
        f"{name(scenario)}: {shown(each, decimals, unit)}" for scenario, each in intervals.items()
    )
