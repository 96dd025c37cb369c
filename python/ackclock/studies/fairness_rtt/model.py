"""Mean windows by loss: CUBIC's and Reno's response functions.

Source: RFC 9438, sections 5.1 and 4.3: a packet is lost after each 1 / p packets. CUBIC's window is
the larger one of its own and of its estimate of Reno's.
"""

from __future__ import annotations

from math import sqrt

RTT_S = 0.1


def window_packets(flavor: str, loss: float) -> float:
    """The mean window of a flow, packets.

    Args:
        flavor: "cubic" or "reno_sack".
        loss: share of the packets that are lost, p.
    """
    reno = sqrt(1.5 / loss)
    return reno if flavor != "cubic" else max(reno, 1.054 * (RTT_S / loss) ** 0.75)
