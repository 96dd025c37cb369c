"""The metrics of delivered data: goodput, throughput, efficiency, fairness, offered load.

Sources: ATM Forum 98-0876, section 6, for efficiency and max-min fairness; R. Jain, D. Chiu,
W. Hawe, A Quantitative Measure of Fairness and Discrimination (1984), for the index.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import NO_CAPACITY, Columns, Metric
from ackclock.stats.fairness import efficiency, fairness_index, max_min_shares

if TYPE_CHECKING:
    from ackclock.scenario import Facts

# An endless source writes 2**61 bytes at once; the largest finite transfer is 10**15 bytes.
_ENDLESS_BYTES = 2**60


def throughputs(columns: Columns, facts: Facts) -> np.ndarray:
    """Return the rate of all data that each flow received in the measured time, bit/s."""
    return _rates(columns, facts, "received_bytes")


def goodputs(columns: Columns, facts: Facts) -> np.ndarray:
    """Return the rate of data that each receiver delivered in order in the measured time, bit/s.

    A gap that is filled after the warm-up also releases data that arrived during the warm-up.
    These data do not count.
    """
    early = _rates(columns, facts, "delivered_early_bytes")
    return _rates(columns, facts, "delivered_bytes") - early


def to_send(flows: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the bytes that each sender had to send, including what the warm-up left unsent."""
    return flows["scheduled_bytes"] + flows["backlog_bytes"]


def _rates(columns: Columns, facts: Facts, name: str) -> np.ndarray:
    """Return a column of bytes of the flows divided by the measured time, bit/s."""
    return columns["flows"][name].astype(float) * (8 / facts.duration_s)


def _goodput(columns: Columns, facts: Facts) -> float:
    return float(goodputs(columns, facts).sum())


def _foreground_goodput(columns: Columns, facts: Facts) -> float:
    if not any(facts.foreground):
        return nan
    return float(goodputs(columns, facts)[np.array(facts.foreground)].sum())


def _throughput(columns: Columns, facts: Facts) -> float:
    return float(throughputs(columns, facts).sum())


def _offered(columns: Columns, facts: Facts) -> np.ndarray:
    """Return the rate that each sender had to send, bit/s; infinite for an endless source."""
    wanted = to_send(columns["flows"])
    return np.where(wanted >= _ENDLESS_BYTES, inf, wanted * (8 / facts.duration_s))


def _efficiency(columns: Columns, facts: Facts) -> float:
    """Return the share of the bottleneck's payload capacity, at most 1.

    Data that left the bottleneck in the warm-up may arrive in the measured time, so that the
    quotient itself may exceed 1.
    """
    if not facts.payload_capacity_bit_s > 0:
        return nan
    return min(efficiency(throughputs(columns, facts), facts.payload_capacity_bit_s), 1.0)


def _offered_load(columns: Columns, facts: Facts) -> float:
    if not facts.payload_capacity_bit_s > 0:
        return nan
    return float(_offered(columns, facts).sum()) / facts.payload_capacity_bit_s


def _jain_fairness(columns: Columns, facts: Facts) -> float:
    return fairness_index(goodputs(columns, facts), 1.0)


def _max_min_fairness(columns: Columns, facts: Facts) -> float:
    if not facts.payload_capacity_bit_s > 0:
        return nan
    due = max_min_shares(_offered(columns, facts), facts.payload_capacity_bit_s)
    return fairness_index(throughputs(columns, facts), due)


RATE_METRICS: dict[str, Metric] = {
    "goodput_bit_s": Metric("bit/s", "delivered in order, all flows together", _goodput),
    "throughput_bit_s": Metric(
        "bit/s", "received, in order or not, each byte once, all flows", _throughput
    ),
    "efficiency": Metric(
        "1",
        "throughput over what the bottleneck can carry, 1 at most",
        _efficiency,
        NO_CAPACITY,
        share=True,
    ),
    "jain_fairness": Metric(
        "1",
        "Jain's index of the flows' goodputs",
        _jain_fairness,
        "if nothing was delivered",
        share=True,
    ),
    "max_min_fairness": Metric(
        "1",
        "Jain's index of throughputs over max-min fair shares",
        _max_min_fairness,
        f"{NO_CAPACITY}, or if nothing was received",
        share=True,
    ),
    "offered_load": Metric(
        "1", "scheduled data over what the bottleneck can carry", _offered_load, NO_CAPACITY
    ),
    "foreground_goodput_bit_s": Metric(
        "bit/s",
        "delivered in order, all foreground flows",
        _foreground_goodput,
        "without a foreground flow",
    ),
}
"""Metrics of delivered data."""
