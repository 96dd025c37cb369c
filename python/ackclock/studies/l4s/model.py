"""The rate that Prague keeps when a share p of its packets is marked.

Source: the comment at the head of Linux' tcp_prague.c (L4S team): r = (1 / p - 1) Mbit/s, if the
RTT is at most 25 ms, whatever it is.

Deviation: none.
"""

from __future__ import annotations

_UNIT_BIT_S = 1e6


def rate_bit_s(mark_share: float) -> float:
    """The rate, bit/s.

    Args:
        mark_share: share of the packets that are marked, above 0.
    """
    return (1 / mark_share - 1) * _UNIT_BIT_S
