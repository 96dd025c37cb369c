"""One run in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.results.metric import Columns, Number
from ackclock.studies.machinery.measures import metrics

if TYPE_CHECKING:
    from ackclock.scenario import Facts

USED = "utilisation"
OF_ALL = (USED, "drop_share", "mean_queue_delay_s")


def measure(columns: Columns, facts: Facts) -> dict[str, Number]:
    """How busy the bottleneck is, what it drops, and how long packets wait there."""
    return metrics(columns, facts, *OF_ALL)
