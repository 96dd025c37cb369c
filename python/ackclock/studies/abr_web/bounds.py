"""What the paper's numbers are counted in: the round-trip time in cells, the most that TCP can get.

Source: Vandalore et al., sections 5 and 6. Both are computed from the scenario, so that a changed
setting changes them; nothing printed is used.

| quantity | is | with the defaults |
|---|---|---|
| round-trip time | twice the propagation delay of two access links and the trunk | 30 ms |
| the same in cells | cells that an access link carries in that time | 11 004 |
| most that TCP can get | trunk's rate x share of data x (Nrm - 1) / Nrm | 35.1 Mbit/s |

The share of data is that in the cells of a full segment. The last factor leaves out the forward RM
cells; there are none over UBR, where the result is 36.2 Mbit/s. The paper has 11 040 cells, which
no line rate of its own gives (155.52 Mbit/s: 11 004, 149.76 Mbit/s: 10 596).
"""

from __future__ import annotations

from typing import NamedTuple

from ackclock.scenario import Scenario
from ackclock.scenario.compile.atm.dumbbell import CELL_BITS

_PS_PER_S = 10**12


class Bounds(NamedTuple):
    """What queues and throughputs of a scenario are compared with.

    Attributes:
        rtt_s: round-trip propagation delay of a client and its server.
        rtt_cells: the same in cells of an access link.
        most_bit_s: the most data that TCP can get, at the first point.
    """

    rtt_s: float
    rtt_cells: float
    most_bit_s: float


def bounds(its: Scenario) -> Bounds:
    """The bounds of a scenario of the study."""
    topology = its.topology
    rtt_s = 2 * (topology.trunk.delay + 2 * topology.access.delay) / _PS_PER_S
    facts = its.points()[0].compile().facts
    return Bounds(rtt_s, topology.access.rate * rtt_s / CELL_BITS, facts.payload_capacity_bit_s)
