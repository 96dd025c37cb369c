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
"""When no metric has a value that is a share of what the bottleneck can carry."""


class Metric(NamedTuple):
    """A metric of a run.

    Attributes:
        unit: as text; "1" for a number without unit.
        meaning: in one sentence.
        of: the metric of (columns, facts).
        undefined: when it has no value (nan), in words; empty if it always has one.
        share: whether it lies between 0 and 1 by what it means; its interval is then shown within.
    """

    unit: str
    meaning: str
    of: Callable[[Columns, Facts], Number]
    undefined: str = ""
    share: bool = False


class FlowMetric(NamedTuple):
    """A metric of a flow; as ``Metric``, without what it is computed by."""

    unit: str
    meaning: str
    share: bool = False


class Bottleneck(NamedTuple):
    """The link whose queue and utilisation a run is about.

    Attributes:
        of_cells: whether it carries cells; else packets.
        its: its row of the table "ports" or "links", by column.
    """

    of_cells: bool
    its: Mapping[str, Any]


def bottleneck(columns: Columns, facts: Facts) -> Bottleneck | None:
    """The bottleneck, be it a packet link or a cell link; none if there is not a single one."""
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
