"""One run in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.results.metric import Columns, Number
from ackclock.studies.machinery.measures import metrics

if TYPE_CHECKING:
    from ackclock.scenario import Facts

ROUND_TRIPS, COMPLETION = "round_trips", "completion_s"
PAGE_DELAY, SENT_AGAIN = "page_delay_s", "retransmitted_share"
OF_ROUNDS = (ROUND_TRIPS, COMPLETION)
OF_PAGES = (PAGE_DELAY, SENT_AGAIN, "timeouts", "utilisation")


def rounds(columns: Columns, facts: Facts) -> dict[str, Number]:
    """Round trips with data: all but that of the handshake, and the last ACK is not waited for."""
    its = metrics(columns, facts, COMPLETION)
    (path,) = facts.idle_paths.values()
    return {ROUND_TRIPS: its[COMPLETION] / path.rtt_s - 0.5, **its}


def pages(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The median time of a page, and what it costs."""
    return metrics(columns, facts, *OF_PAGES)
