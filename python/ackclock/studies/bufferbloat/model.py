"""How long a sparse flow waits in FQ-CoDel.

Source: RFC 8290, sections 1.3 and 5.1: a flow that builds no queue waits until each other flow
has sent a quantum at most.

Deviation: the bound leaves out the packet that is being sent when a packet of the sparse flow
arrives. It adds the time of a packet at most.
"""

from __future__ import annotations

RATE_BIT_S = 10e6
QUANTUM_BYTES = 1514
PACKET_S = 1500 * 8 / RATE_BIT_S
"""Time that a full packet takes on the link."""


def longest_wait_s(bulks: int) -> float:
    """The longest wait of a packet of a sparse flow, s.

    Args:
        bulks: number of flows that always have packets in the queue.
    """
    return bulks * QUANTUM_BYTES * 8 / RATE_BIT_S
