"""The layout of an emulation: nodes with devices, addresses and ports.

As in captures, receivers of data have addresses of 192.0.2.0/24, and senders have addresses of
198.51.100.0/24, in the order of the flows. A node with both roles has the address of its first
role.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ackclock.errors import InputError

MOST_NODES = 253
"""Largest number of nodes: file descriptors in one message, and addresses of a /24."""
FIRST_PORT = 5201
GATEWAY = "169.254.1.1"
DEVICE = "eth0"


@dataclass(frozen=True)
class Node:
    """A node at which flows end.

    Attributes:
        number: number of the node in the plan.
        address: IPv4 address.
        index: index among the nodes at which flows end, from 0.
    """

    number: int
    address: str
    index: int

    @property
    def device(self) -> str:
        """The name of the device on the driver's side."""
        return f"port{self.index}"

    def ethernet(self, end: int) -> bytes:
        """Return the Ethernet address of an end: 0 driver, 1 node, 2 gateway of the node."""
        # Locally administered. No device has the gateway's address: only the driver reads packets.
        return bytes((0x02, 0xAC, 0xC1, end, self.index >> 8, self.index & 0xFF))

    def ethernet_text(self, end: int) -> str:
        """Return the address in the syntax of ``ip``."""
        return self.ethernet(end).hex(":")


def nodes_of(plan: Mapping[str, Any]) -> list[Node]:
    """Return the nodes at which flows of a plan end, in the order of the flows.

    Raises:
        InputError: there are too many nodes.
    """
    given = {"receiver": 0, "sender": 0}
    networks = {"receiver": "192.0.2", "sender": "198.51.100"}
    nodes: dict[int, Node] = {}
    for flow in plan["flows"]:
        for role, network in networks.items():
            if flow[role] not in nodes:
                given[role] += 1
                nodes[flow[role]] = Node(flow[role], f"{network}.{given[role]}", len(nodes))
    if len(nodes) > MOST_NODES:
        raise InputError(
            f"{len(nodes)} hosts: an emulation has {MOST_NODES} at most; simulate it, or let flows"
            " share hosts"
        )
    return list(nodes.values())


def server_port(flow: int) -> int:
    """Return the port at which the receiver of a flow listens."""
    return FIRST_PORT + flow


def driver_setup(
    plan: Mapping[str, Any],
    nodes: list[Node],
    packet_bytes: int,
    deadline_ns: int,
    spin_ns: int,
    ports: str,
    *,
    few_wakes: bool,
) -> dict[str, Any]:
    """Return the setup of the driver; ``crates/emu/src/setup.rs`` documents it."""
    return {
        "ports": [
            {
                "node": node.number,
                "address": node.address,
                "ethernet": None
                if ports == "tun"
                else {"own": list(node.ethernet(2)), "host": list(node.ethernet(1))},
            }
            for node in nodes
        ],
        "flows": [{"server_port": server_port(flow)} for flow in range(len(plan["flows"]))],
        "packet_bytes": packet_bytes,
        "buffers": buffers_for(plan, packet_bytes),
        "deadline_ns": deadline_ns,
        "spin_ns": spin_ns,
        "few_wakes": few_wakes,
    }


_LEAST_BUFFERS = 1024
_MOST_BYTES = 64 << 20


def buffers_for(plan: Mapping[str, Any], packet_bytes: int) -> int:
    """Return the initial number of buffers, within limits.

    They have room for twice the receivers' windows, with an ACK for each segment.
    """
    tcps = plan["tcps"]
    windows = (tcps[flow["receiver_tcp"]] for flow in plan["flows"])
    segments = sum(tcp["receive_buffer_bytes"] // tcp["smss_bytes"] + 1 for tcp in windows)
    return min(max(4 * segments, _LEAST_BUFFERS), max(_MOST_BYTES // packet_bytes, _LEAST_BUFFERS))
