"""ATM dumbbell: hosts, two switches, one trunk.

Nodes: the clients, then the servers. Link 0 carries what the servers send, link 1 what the clients
send; access links, ports and trunk are one component of the core.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Any

from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.network import PS_PER_S
from ackclock.scenario.compile.packet_sizes import counted_bytes, data_packet, largest_packet
from ackclock.scenario.model.links import FRAME_POLICIES
from ackclock.scenario.model.topology import AtmDumbbell
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import RATE, show

CELL_BITS = 53 * 8
CELL_PAYLOAD_BYTES = 48
FRAMING_BYTES = 16
"""LLC/SNAP header and AAL5 trailer."""
PPM = 10**6
LINK_NAMES = ("servers -> clients", "clients -> servers")


def frame_cells(packet: int) -> int:
    """Cells of the AAL5 frame of a packet of so many bytes."""
    return -(-(packet + FRAMING_BYTES) // CELL_PAYLOAD_BYTES)


def cell_link_plans(topology: AtmDumbbell, hosts: int) -> list[dict[str, Any]]:
    """Both links as the core reads them."""
    common = {
        "kind": "cells",
        "hosts": hosts,
        "cost": 1,
        "access": cell_link_plan(topology.access.rate, topology.access.delay),
        "trunk": cell_link_plan(topology.trunk.rate, topology.trunk.delay),
        "port": port_plan(topology),
    }
    return [
        {**common, "from_first": hosts, "to_first": 0},
        {**common, "from_first": 0, "to_first": hosts},
    ]


def base_rtt(topology: AtmDumbbell) -> int:
    """Two-way propagation delay, ps."""
    return 2 * (topology.trunk.delay + 2 * topology.access.delay)


def buffer_cells(topology: AtmDumbbell) -> int:
    """Size of a port's buffer; in round-trip times it is rounded up to whole cells."""
    amount = topology.port.buffer
    if amount.unit == "cells":
        return int(amount.number)
    product = Fraction(topology.trunk.rate * base_rtt(topology), CELL_BITS * PS_PER_S)
    return ceil(product * amount.number)


def payload_capacity(topology: AtmDumbbell, groups: list[Group]) -> float:
    """What the results count of what the trunk carries when all frames are full, bit/s."""
    counted = max(counted_bytes(group) for group in groups)
    cells = max(frame_cells(data_packet(group)) for group in groups)
    return float(Fraction(topology.trunk.rate * 8 * counted, CELL_BITS * cells))


def atm_problems(topology: AtmDumbbell, groups: list[Group]) -> Iterator[Problem]:
    """A buffer without room for a frame, and access links slower than the trunk."""
    frame = max((frame_cells(largest_packet(group)) for group in groups), default=0)
    buffer = buffer_cells(topology)
    if buffer < frame:
        yield Problem(
            ("topology", "port", "buffer"),
            f'cannot hold one frame, which takes {frame} cells; write "{frame} cells" or more',
        )
    if topology.access.rate < topology.trunk.rate:
        trunk = show(topology.trunk.rate, RATE)
        yield Problem(
            ("topology", "access", "rate"),
            f'is below topology.trunk.rate = "{trunk}"; write "{trunk}" or more',
        )


def cell_link_plan(rate: int, delay: int) -> dict[str, int]:
    """A line for cells as the core reads it."""
    return {"cell_time_ps": round(Fraction(CELL_BITS * PS_PER_S, rate)), "delay_ps": delay}


def port_plan(topology: AtmDumbbell) -> dict[str, Any]:
    """A port onto the trunk as the core reads it."""
    port = topology.port
    buffer = buffer_cells(topology)
    values = {"r_cells": floor(port.r * buffer), "z_ppm": max(1, round(port.z * PPM))}
    policy = {name: values[name] for name in FRAME_POLICIES[port.policy]}
    return {
        "buffer_cells": buffer,
        "policy": {"name": port.policy, **policy},
        "eom": port.eom,
    }
