"""How busy one flow keeps a link, from the shape of its sawtooth.

Sources: G. Appenzeller, I. Keslassy, N. McKeown, Sizing router buffers, SIGCOMM 2004, section 2
and appendix B (Reno); RFC 9438, section 4.2 (CUBIC).

| symbol | is |
|---|---|
| b | buffer, bandwidth-delay products (BDP) |
| w | window, BDP; the buffer overflows at 1 + b |
| beta | part of the window that remains after a loss |

While w < 1 the link carries w of its rate and the RTT is that of the idle path; otherwise the link
is full. Reno's window grows by one packet a round trip from (1 + b) / 2 to 1 + b. CUBIC's grows in
time as 1 + b - (1 + b)(1 - beta)(1 - s)^3, with s from 0 to 1.

Deviations: windows are continuous, a loss reduces the window at once, and CUBIC reaches its last
maximum before it loses again (no convex part, no Reno-friendly part).
"""

from __future__ import annotations

_RENO_BETA = 0.5
_CUBIC_BETA = 0.7


def reno(buffer_bdp: float) -> float:
    """Utilisation by one Reno flow.

    Args:
        buffer_bdp: b; from 1 on the link is always busy.
    """
    if buffer_bdp >= 1:
        return 1.0
    top = 1 + buffer_bdp
    least = _RENO_BETA * top
    delivered = (top**2 - least**2) / 2
    spent = (1 - least) + (top**2 - 1) / 2
    return delivered / spent


def cubic(buffer_bdp: float) -> float:
    """Utilisation by one CUBIC flow.

    Args:
        buffer_bdp: b; from 1 / beta - 1 = 0.43 on the link is always busy.
    """
    top = 1 + buffer_bdp
    if _CUBIC_BETA * top >= 1:
        return 1.0
    # The link is not full while 1 - s is above this.
    x = ((1 - 1 / top) / (1 - _CUBIC_BETA)) ** (1 / 3)
    below = top * ((1 - x) - (1 - _CUBIC_BETA) * (1 - x**4) / 4)
    return x + below
