"""When a tail loss probe leaves after the last ACK, or the last segment.

Source: RFC 8985, section 7.2, and Linux (net/ipv4/tcp_output.c, tcp_schedule_loss_probe).

| | RFC 8985 | Linux |
|---|---|---|
| several segments in flight | 2 SRTT | 2 SRTT + 2 ms |
| one segment in flight | 2 SRTT + 200 ms | the same, the least time-out being 200 ms |

Deviation: without the rule that no probe leaves later than a time-out would.
"""

from __future__ import annotations

_LONGEST_ACK_DELAY_S = 0.2
_LINUX_S = 0.002


def probe_s(stack: str, rtt_s: float, in_flight: int) -> float:
    """The wait, s."""
    if in_flight == 1:
        return 2 * rtt_s + _LONGEST_ACK_DELAY_S
    return 2 * rtt_s + (_LINUX_S if stack == "linux" else 0)
