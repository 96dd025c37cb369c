"""The model of Ware et al. for a BBR flow that shares a drop-tail buffer with loss-based flows.

Source: R. Ware, M. Mukerjee, S. Seshan, J. Sherry, Modeling BBR's interactions with loss-based
congestion control, IMC 2019, equations 6, 9, 10 and 11.

| symbol | is |
|---|---|
| c | rate of the link, packets/s |
| l | RTT without a queue, s |
| q | buffer, packets; X is the same in bandwidth-delay products |
| N | number of BBR flows |
| d | length of the experiment, s |
| p | share of the buffer that the loss-based flows fill |

BBR's cap of two BDPs with the RTT that it sees in PROBE_RTT, (pq + 4N) / c + l, equals what it has
in the buffer and on the path. This gives p. Every ten seconds PROBE_RTT takes the time that the
buffer needs to drain, 0.2 s, and an RTT.

Deviation: none. The paper uses it from X = 1 on; there it gives BBR nearly all of the link.
"""

from __future__ import annotations

RATE_PACKETS_S = 10e6 / (8 * 1500)
ALONE_PACKETS_S = 15e6 / (8 * 1500)
"""Rate of the link of the flows that are alone; their l is the same."""
RTT_S = 0.04
DURATION_S = 240.0
_PROBE_EVERY_S = 10.0
_PROBE_S = 0.2
_KEPT_IN_PROBE = 4
"""Packets that a BBR flow keeps in flight in PROBE_RTT."""


def share(buffer_bdp: float, bbr_flows: int = 1) -> float:
    """The share of the link that BBR gets: equations 9 to 11.

    Args:
        buffer_bdp: buffer in bandwidth-delay products, X.
        bbr_flows: N.
    """
    q = buffer_bdp * RATE_PACKETS_S * RTT_S
    p = max(0.0, 0.5 - 1 / (2 * buffer_bdp) - _KEPT_IN_PROBE * bbr_flows / q)
    probe_s = (q / RATE_PACKETS_S + _PROBE_S + RTT_S) * DURATION_S / _PROBE_EVERY_S
    return (1 - p) * (DURATION_S - probe_s) / DURATION_S


def least_rtt_s(bbr_flows: int) -> float:
    """The least RTT that BBR flows see if they are alone, s: equation 6."""
    return max(RTT_S, _KEPT_IN_PROBE * bbr_flows / ALONE_PACKETS_S)
