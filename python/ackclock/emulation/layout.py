"""The layout of an emulation: nodes with devices, addresses, and the distinction of flows.

Receivers of data have addresses of 192.0.2.0/24 and senders of 198.51.100.0/24, in the order of the
flows, as in captures; a node with both roles has the address of its first one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ackclock.errors import InputError

MOST_NODES = 253
"""File descriptors that fit into one message; and addresses of a /24."""
FIRST_PORT = 5201
GATEWAY = "169.254.1.1"
DEVICE = "eth0"


@dataclass(frozen=True)
class Node:
    """A node at which flows end.

    Attributes:
        number: of the node in the plan.
        address: IPv4.
        index: among such nodes, from 0 on.
    """

    number: int
    address: str
    index: int

    @property
    def device(self) -> str:
        """Name of the device on the driver's side."""
        return f"port{self.index}"

    def ethernet(self, end: int) -> bytes:
        """An Ethernet address: 0 of the driver's device, 1 of the node's, 2 of its gateway."""
        # Locally administered. No device has the gateway's: only the driver takes what nodes send.
        return bytes((0x02, 0xAC, 0xC1, end, self.index >> 8, self.index & 0xFF))

    def ethernet_text(self, end: int) -> str:
        """The same as ``ip`` wants it."""
        return self.ethernet(end).hex(":")


def nodes_of(plan: Mapping[str, Any]) -> list[Node]:
    """The nodes at which flows of a plan end, in the order in which flows name them.

    Raises:
        InputError: there are too many.
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
    """The port at which the receiver of a flow waits."""
    return FIRST_PORT + flow


def driver_setup(
    plan: Mapping[str, Any],
    nodes: list[Node],
    packet_bytes: int,
    deadline_ns: int,
    spin_ns: int,
    ports: str,
) -> dict[str, Any]:
    """The setup of the driver; ``crates/emu/src/setup.rs`` says what it means."""
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
    }


_LEAST_BUFFERS = 1024
_MOST_BYTES = 64 << 20


def buffers_for(plan: Mapping[str, Any], packet_bytes: int) -> int:
    """Buffers to begin with, within reason.

    They hold twice what the receivers' windows let be under way, with an ACK for each segment.
    """
    tcps = plan["tcps"]
    windows = (tcps[flow["receiver_tcp"]] for flow in plan["flows"])
    segments = sum(tcp["receive_buffer_bytes"] // tcp["smss_bytes"] + 1 for tcp in windows)
    return min(max(4 * segments, _LEAST_BUFFERS), max(_MOST_BYTES // packet_bytes, _LEAST_BUFFERS))
