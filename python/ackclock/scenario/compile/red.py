"""RED's parameters, including those that depend on the link.

Source: Floyd, Gummadi and Shenker (2001), "Adaptive RED: An Algorithm for Increasing the Robustness
of RED's Active Queue Management": with C packets a second, ``min_thresh`` is what the link sends in
half of a target delay, and 5 packets at least; ``max_thresh`` is three times that; ``weight`` is
1 - exp(-1 / (C T)), so that the average follows the queue with a time constant of T.

Deviations, where R is the longest RTT that crosses the link:
- T is R. The paper has 1 s, ten RTTs of 100 ms: after a slow start the average then stays high, and
  packets are dropped, for a second in which the queue has long been empty.
- The target delay is R / 4, and the paper's 5 ms at least: a queue much shorter than the path
  cannot keep the link busy when a sender halves its window.
- C counts the largest packets that cross the link if no ``mean_packet`` is given, since lengths of
  queues count real packets.
- Where the limit holds less than ``max_thresh``, it takes its place, and ``min_thresh`` is a third
  of it.

What the first two are worth is measured in docs/reference/scenario.md, "RED".
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from ackclock.scenario.model.queues import PPB, QueueTable

_PS_PER_S = 10**12
_LEAST_TARGET_DELAY = Fraction(5, 1000)
"""s"""
_TARGET_DELAY = Fraction(1, 4)
"""RTTs"""
_LEAST_MIN_THRESH = 5
_THRESHOLDS = 3
"""``max_thresh`` in units of ``min_thresh``."""


class Red(NamedTuple):
    """The parameters of RED that follow the link unless they are written.

    Attributes:
        min_thresh: packets on average.
        max_thresh: packets on average.
        weight: of the present length in the average, in whole billionths.
        mean_packet: bytes.
    """

    min_thresh: Fraction
    max_thresh: Fraction
    weight: Fraction
    mean_packet: int


def red_of(
    queue: QueueTable,
    rate: int,
    rtt: int,
    largest_packet: int,
    limit: tuple[int | None, int | None],
) -> Red:
    """The parameters of a RED queue: those that are written, and the link's values for the others.

    Args:
        queue: as it is written.
        rate: of its link, bit/s.
        rtt: longest two-way propagation delay of the flows that cross the link, ps.
        largest_packet: that crosses the link, bytes.
        limit: of the queue, in packets or in bytes.
    """
    written: Any = queue
    mean_packet = written.mean_packet or largest_packet
    packets_a_second = Fraction(rate, 8 * mean_packet)
    rtt_s = Fraction(rtt, _PS_PER_S)
    low, high = written.min_thresh, written.max_thresh
    if low is None and high is None:
        delay = max(_LEAST_TARGET_DELAY, rtt_s * _TARGET_DELAY)
        low = max(Fraction(_LEAST_MIN_THRESH), packets_a_second * delay / 2)
        high = min(_THRESHOLDS * low, held(limit, mean_packet))
        low = min(low, high / _THRESHOLDS)
    elif low is None:
        low = high / _THRESHOLDS
    elif high is None:
        high = _THRESHOLDS * low
    weight = _weight(packets_a_second * rtt_s) if written.weight is None else written.weight
    return Red(low, high, weight, mean_packet)


def held(limit: tuple[int | None, int | None], mean_packet: int) -> Fraction:
    """How many packets of a size a limit in packets or in bytes holds."""
    packets, size = limit
    return Fraction(size or 0, mean_packet) if packets is None else Fraction(packets)


def _weight(packets: Fraction) -> Fraction:
    """That of an average with a time constant of so many packets, in whole billionths.

    Decimals give the same digits on every machine.
    """
    if not packets:
        return Fraction(1)
    weight = 1 - (-Decimal(packets.denominator) / Decimal(packets.numerator)).exp()
    return Fraction(max(1, round(weight * PPB)), PPB)
