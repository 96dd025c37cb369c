"""Power: the ratio of utilisation to relative delay.

    power = (goodput / capacity) / mean over the flows of (mean RTT / RTT of the idle path)

The capacity is the payload rate that the bottleneck can carry. The RTT of the idle path is the
two-way propagation delay plus the transmission of a full segment on the narrowest link. A power of
1 means that the bottleneck is always busy and has no queue. A full buffer of one bandwidth-delay
product halves the power.

Source: L. Kleinrock, Power and Deterministic Rules of Thumb for Probabilistic Problems in Computer
Communications, ICC 1979: throughput relative to its maximum, over response time relative to its
minimum. RFC 5166, section 2.1, lists power among the metrics of congestion control.
"""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import NO_CAPACITY, Columns, Metric
from ackclock.results.rates import goodputs
from ackclock.scenario.compile.facts import UNKNOWN_PATH

if TYPE_CHECKING:
    from ackclock.scenario import Facts

_BITS = 8


def _power(columns: Columns, facts: Facts) -> float:
    if not facts.payload_capacity_bit_s > 0 or not facts.idle_paths:
        return nan
    idle = {
        group: path.rtt_s + (path.segment_bytes + path.header_bytes) * _BITS / path.rate_bit_s
        for group, path in facts.idle_paths.items()
    }
    ratios = columns["flows"]["rtt_mean_s"] / [idle.get(name, nan) for name in facts.flow_groups]
    known = ratios[~np.isnan(ratios)]
    if not known.size:
        return nan
    share = min(float(goodputs(columns, facts).sum()) / facts.payload_capacity_bit_s, 1.0)
    return share / float(known.mean())


POWER_METRICS: dict[str, Metric] = {
    "power": Metric(
        "1",
        "goodput over what the bottleneck can carry, divided by mean RTT over that of the idle"
        " path",
        _power,
        f"{NO_CAPACITY}, without an RTT, or if {UNKNOWN_PATH}",
    ),
}
"""Metrics of power."""
