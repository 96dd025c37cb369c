"""What was measured at a point, by replication, for the claims and comparisons of a study."""

from __future__ import annotations

from collections.abc import KeysView
from typing import Any

import numpy as np
import pandas as pd


class Values:
    """Columns of runs, point by point.

    Args:
        runs: a row a run: the columns of the point, replication, and what was measured.
        point: the named tuple of a point's levels.
    """

    def __init__(self, runs: pd.DataFrame, point: type[Any]) -> None:
        self._runs = runs
        self._rows: dict[Any, np.ndarray] = {}
        if not runs.empty:
            ordered = runs.reset_index(drop=True).sort_values("replication", kind="stable")
            groups = ordered.groupby(list(point._fields), sort=False)
            self._rows = {point(*levels): rows.index.to_numpy() for levels, rows in groups}

    @property
    def points(self) -> KeysView[Any]:
        """The points that were run."""
        return self._rows.keys()

    @property
    def fewest(self) -> int:
        """Runs of the point that has the fewest; 0 without runs."""
        return min(map(len, self._rows.values()), default=0)

    def of(self, metric: str, point: Any) -> np.ndarray:
        """A metric at a point, shape (replications,), in their order."""
        return self._runs[metric].to_numpy(dtype=float)[self._rows[point]]
