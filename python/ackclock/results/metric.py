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
        share: whether it lies between 0 and 1 by what it means; its interval is then shown within.
    """

    unit: str
    meaning: str
    of: Callable[[Columns, Facts], Number]
    share: bool = False


class FlowMetric(NamedTuple):
    """A metric of a flow; as ``Metric``, without what it is computed by."""

    unit: str
    meaning: str
    share: bool = False
