"""What a metric of a run is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ackclock.scenario import Facts

Columns = Mapping[str, Mapping[str, np.ndarray]]
"""Tables as the core returns them, each with its columns."""
Number = float | int


class Metric(NamedTuple):
    """A metric of a run.

    Attributes:
        unit: as text; "1" for a number without unit.
        meaning: in one sentence.
        of: the metric of (columns, facts).
    """

    unit: str
    meaning: str
    of: Callable[[Columns, Facts], Number]
