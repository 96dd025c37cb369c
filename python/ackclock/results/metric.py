"""The definition of a metric of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ackclock.scenario import Facts

Columns = Mapping[str, Mapping[str, np.ndarray]]
"""Tables as the core returns them, each with its columns."""
Number = float | int
NO_CAPACITY = "without a single bottleneck that all flows cross"
"""Text on why a metric relative to the bottleneck's capacity may have no value."""


class Metric(NamedTuple):
    """A metric of a run.

    Attributes:
        unit: unit as text; "1" for a number without unit.
        meaning: definition in one sentence.
        of: function that computes the metric from (columns, facts).
        undefined: text that explains when the value is nan; empty if it never is.
        share: whether the metric is a share; its interval is then shown within 0 and 1.
    """

    unit: str
    meaning: str
    of: Callable[[Columns, Facts], Number]
    undefined: str = ""
    share: bool = False


class FlowMetric(NamedTuple):
    """A metric of a flow; as ``Metric``, without the function."""

    unit: str
    meaning: str
    share: bool = False


class Bottleneck(NamedTuple):
    """The bottleneck link, whose queue and utilisation the metrics describe.

    Attributes:
        of_cells: whether the link carries cells; else packets.
        its: row of the link in the table "ports" or "links", by column.
    """

    of_cells: bool
    its: Mapping[str, Any]


def bottleneck(columns: Columns, facts: Facts) -> Bottleneck | None:
    """Return the bottleneck, a packet or a cell link; none without exactly one bottleneck."""
    known = columns.get("bottleneck")
    if known is not None:
        return Bottleneck(**known) if known else None
    if facts.bottleneck_link is None:
        return None
    for table in ("links", "ports"):
        row = np.flatnonzero(columns[table]["link"] == facts.bottleneck_link)
        if row.size:
            its = {name: values[row[0]].item() for name, values in columns[table].items()}
            return Bottleneck(table == "ports", its)
    return None
