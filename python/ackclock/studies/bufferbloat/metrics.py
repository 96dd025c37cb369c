"""One run in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.studies.machinery.measures import goodput_of, metrics, of_group

if TYPE_CHECKING:
    from ackclock.scenario import Facts

PING, PING_MOST = "ping_wait_s", "ping_wait_p95_s"
DOWN, UP = "down_bit_s", "up_bit_s"
LONGEST = "longest_wait_s"
MEAN_DELAY, MEAN_QUEUE = "mean_queue_delay_s", "mean_queue_packets"
_OTHERS = ("utilisation", "drop_share")
OF_RRUL = (PING, PING_MOST, DOWN, UP)
OF_SPARSE = (LONGEST, *_OTHERS)
OF_PIE = (MEAN_DELAY, "queue_delay_p95_s", *_OTHERS)
OF_RED = (MEAN_QUEUE, *_OTHERS)


def _wait(columns: Columns, facts: Facts, group: str, link: int | None, name: str) -> float:
    """A number of the waiting times of a group's one flow at a link, s."""
    its = columns["flow_queue_delays"]
    flow = int(np.flatnonzero(of_group(facts, group))[0])
    return float(its[name][(its["flow"] == flow) & (its["link"] == link)][0])


def rrul(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What a ping waits in both queues together, and what the transfers deliver in each direction.

    The 95 % quantiles of both directions are added, so that their sum is a bound.
    """
    ways = (("request", facts.reverse_link), ("answer", facts.bottleneck_link))
    mean, most = (
        sum(_wait(columns, facts, group, link, name) for group, link in ways)
        for name in ("mean_s", "p95_s")
    )
    return {
        PING: mean,
        PING_MOST: most,
        DOWN: goodput_of(columns, facts, "down"),
        UP: goodput_of(columns, facts, "up"),
    }


def sparse(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The longest wait of the sparse flow at the bottleneck, s."""
    longest = _wait(columns, facts, "sparse", facts.bottleneck_link, "max_s")
    return {LONGEST: longest, **metrics(columns, facts, *_OTHERS)}


def pie(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The delay of all packets at the bottleneck."""
    return metrics(columns, facts, *OF_PIE)


def red(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The mean queue of the bottleneck, packets."""
    its = metrics(columns, facts, "mean_queue", *_OTHERS)
    return {MEAN_QUEUE: its.pop("mean_queue"), **its}
