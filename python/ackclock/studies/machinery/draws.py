"""Tables of single runs, as a paper prints them that ran every cell once, drawn from our runs."""

from __future__ import annotations

from typing import Any, NamedTuple
from zlib import crc32

import numpy as np


class Draws(NamedTuple):
    """Tables, each with one of our replications in each cell; cells are drawn independently.

    Attributes:
        tables: number of tables.
        seed: seed of the draws.
    """

    tables: int = 2000
    seed: int = 1

    def of(self, part: str, point: Any, by_replication: np.ndarray) -> np.ndarray:
        """Return the value at a point in each table, shape (tables,).

        All metrics at a point come from the same run.

        Args:
            part: name of the part.
            point: the point.
            by_replication: values, shape (replications,).
        """
        random = np.random.default_rng([self.seed, crc32(f"{part} {point!r}".encode())])
        return by_replication[random.integers(by_replication.size, size=self.tables)]
