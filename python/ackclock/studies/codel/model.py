"""When CoDel drops while packets wait for too long.

Source: K. Nichols, V. Jacobson, Controlling queue delay, ACM Queue 10(5), 2012; RFC 8289, section
3.3: after the n-th drop, the next one follows interval / sqrt(n) later.

Deviation: none. A queue can drop only when a packet leaves, up to the time of one packet later.
"""

from __future__ import annotations

from math import sqrt


def after_first_s(drops: int, interval_s: float) -> float:
    """Time from the first drop until so many have followed, s.

    Args:
        drops: how many.
        interval_s: of CoDel, s.
    """
    return sum(interval_s / sqrt(n) for n in range(1, drops + 1))
