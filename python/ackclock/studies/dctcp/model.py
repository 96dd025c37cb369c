"""The analysis of DCTCP's queue: a sawtooth of N flows that all do the same.

Source: M. Alizadeh et al., Data Center TCP (DCTCP), SIGCOMM 2010, section 3.3, equations 8 to 10,
and 13.

| symbol | is |
|---|---|
| C | rate of the port, packets/s |
| RTT | round trip without a queue, s |
| K | threshold above which packets are marked, packets |
| N | number of flows |

Deviation: the paper counts the period in round trips. A round trip is here as long as that of a
packet that finds K others waiting.
"""

from __future__ import annotations

from math import sqrt

RTT_S = 1e-4
_PACKET_BITS = 8 * 1500


def _in_flight(rate_bit_s: float, k: float) -> float:
    """Packets in flight when the queue reaches the threshold: C RTT + K."""
    return rate_bit_s / _PACKET_BITS * RTT_S + k


def highest_packets(k: float, flows: int) -> float:
    """The longest queue."""
    return k + flows


def amplitude_packets(rate_bit_s: float, k: float, flows: int) -> float:
    """The longest queue less the shortest one."""
    return sqrt(2 * flows * _in_flight(rate_bit_s, k)) / 2


def period_s(rate_bit_s: float, k: float, flows: int) -> float:
    """The time from one reduction of the windows to the next, s."""
    in_flight = _in_flight(rate_bit_s, k)
    round_s = in_flight * _PACKET_BITS / rate_bit_s
    return sqrt(2 * in_flight / flows) / 2 * round_s


def least_threshold_packets(rate_bit_s: float) -> float:
    """The threshold above which the queue never runs empty, whatever the number of flows."""
    return _in_flight(rate_bit_s, 0) / 7
