"""One run in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.results.metric import Columns, Number
from ackclock.studies.machinery.measures import metrics

if TYPE_CHECKING:
    from ackclock.scenario import Facts

GOODPUT, MOST = "goodput_bit_s", "queue_delay_p95_s"
OF_SATELLITE = (GOODPUT, MOST, "retransmitted_share", "timeouts")
OF_LTE = (GOODPUT, MOST, "queue_delay_p50_s", "timeouts")


def satellite(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What arrives, and what it costs."""
    return metrics(columns, facts, *OF_SATELLITE)


def lte(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What arrives, and how long packets wait for the cell."""
    return metrics(columns, facts, *OF_LTE)
