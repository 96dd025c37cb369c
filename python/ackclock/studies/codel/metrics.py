"""One run in numbers."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.studies.machinery.measures import metrics

if TYPE_CHECKING:
    from ackclock.scenario import Facts

MEDIAN, THREE_QUARTERS, MOST, LONGEST = (
    "median_delay_s",
    "p75_delay_s",
    "p95_delay_s",
    "longest_delay_s",
)
DELIVERED = "delivered_bytes"
OF_LAW = ("second_drop_s", "third_drop_s", "fourth_drop_s", "fifth_drop_s")
OF_RATES = (MEDIAN, THREE_QUARTERS, MOST, LONGEST, DELIVERED)
OF_STATIC = ("queue_delay_p50_s", "queue_delay_p95_s", "utilisation", "drop_share")
_OF_LINK = ("drop_share", "median_delay_s", "carried_bytes")
OF_EDGE = tuple(f"{way}_{name}" for way in ("down", "up") for name in _OF_LINK)
_BIN_S = 0.1
_EARLY = "early drop"


def law(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The times of four drops, counted from the first, s."""
    its = columns["packets"]
    dropped = np.sort(its["dropped_s"][np.asarray(its["lost"]) == _EARLY])
    return dict(zip(OF_LAW, map(float, dropped[1:] - dropped[0]), strict=False))


def rates(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What the bottleneck carries, and its delay over the time of the run.

    The delay is the mean over the packets of each tenth of a second in which some leave the queue.
    """
    its = columns["packets"]
    if not its:
        # A run that is watched records its queue instead; nothing is read from its row.
        return dict.fromkeys(OF_RATES, nan)
    left = its["left_s"]
    order = np.argsort(left)
    order = order[~np.isnan(left[order])]
    # A packet leaves the queue when the one before it has been sent.
    started = np.maximum(its["offered_s"][order], np.concatenate([[0.0], left[order][:-1]]))
    waited = started - its["offered_s"][order]
    bins = np.floor(started / _BIN_S).astype(int)
    sums, counts = np.bincount(bins, waited), np.bincount(bins)
    means = sums[counts > 0] / counts[counts > 0]
    quantiles = np.quantile(means, (0.5, 0.75, 0.95))
    return {
        **dict(zip((MEDIAN, THREE_QUARTERS, MOST), map(float, quantiles), strict=True)),
        LONGEST: float(waited.max()),
        DELIVERED: float(its["bytes"][order].sum()),
    }


def static(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The delay of packets at the bottleneck, and how busy it is."""
    return metrics(columns, facts, *OF_STATIC)


def edge(columns: Columns, facts: Facts) -> dict[str, Number]:
    """Drops, median delay and bytes of the bottleneck, in both directions."""
    links, delays = columns["links"], columns["queue_delays"]
    row: dict[str, Number] = {}
    for way, link in (("down", facts.bottleneck_link), ("up", facts.reverse_link)):
        at, waits = links["link"] == link, delays["link"] == link
        numbers = (
            float(links["packets_dropped"][at][0] / links["packets_offered"][at][0]),
            float(delays["p50_s"][waits][0]),
            float(links["bytes_sent"][at][0]),
        )
        row |= {f"{way}_{name}": its for name, its in zip(_OF_LINK, numbers, strict=True)}
    return row
