"""Devices between a node and the driver: a veth pair with a packet socket, or a TUN device.

Packets of a veth pair have Ethernet headers and timestamps of the kernel. A TUN device is in the
node's namespace; its other side is a file, which the node passes to the supervisor.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import subprocess
from contextlib import suppress

from ackclock.emulation import syscalls
from ackclock.emulation.layout import DEVICE, GATEWAY, Node

KINDS = ("veth", "tun")

_SOL_PACKET = 263
_PACKET_STATISTICS = 6
_PACKET_QDISC_BYPASS = 20
_PACKET_IGNORE_OUTGOING = 23
_ETH_P_ALL = 0x0003
_SO_RCVBUFFORCE = 33
_SO_TIMESTAMPNS = 35
_RECEIVE_BUFFER = 8 << 20

_TUN = "/dev/net/tun"
_TUNSETIFF = 0x400454CA
_IFF_TUN_WITHOUT_HEADER = 0x1001
_QUEUE = 10_000


def ip(*commands: str) -> None:
    """Run commands of ``ip``.

    Raises:
        OSError: a command failed (with the message of ``ip``), or ``ip`` is not installed.
    """
    batch = "\n".join(commands)
    try:
        made = subprocess.run(
            ["ip", "-batch", "-"], input=batch, text=True, capture_output=True, check=False
        )
    except FileNotFoundError:
        raise OSError("ip is not installed; on Debian, apt install iproute2") from None
    if made.returncode:
        raise OSError(f"ip: {' '.join(made.stderr.split())}")


def connect(node: Node, mtu: int, pid: int, name: str = DEVICE) -> socket.socket:
    """Create a veth pair from this namespace to the namespace of a process.

    Args:
        node: node of the device.
        mtu: maximum transmission unit, bytes.
        pid: process id in this PID namespace.
        name: name of the device in the other namespace.

    Returns:
        A packet socket on this end.

    Raises:
        OSError: the pair cannot be created, for example because the name is in use.
    """
    ip(
        f"link add {node.device} mtu {mtu} address {node.ethernet_text(0)} type veth"
        f" peer name {name} mtu {mtu} address {node.ethernet_text(1)} netns {pid}",
        f"link set {node.device} up",
    )
    syscalls.no_offloads(node.device)
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW | socket.SOCK_NONBLOCK, 0)
    port.setsockopt(_SOL_PACKET, _PACKET_IGNORE_OUTGOING, 1)
    with suppress(OSError):
        port.setsockopt(_SOL_PACKET, _PACKET_QDISC_BYPASS, 1)
    port.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
    try:
        port.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _RECEIVE_BUFFER)
    except PermissionError:
        port.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
    port.bind((node.device, _ETH_P_ALL))
    return port


def drops(port: socket.socket) -> int:
    """Return the number of packets that a packet socket has dropped for lack of buffer."""
    _, dropped = struct.unpack("II", port.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))
    return dropped


def open_tun() -> int:
    """Create the device of this namespace as a TUN device.

    Returns:
        The file descriptor of the other side.

    Raises:
        OSError: the system has no TUN devices, or this user may not create them.
    """
    descriptor = os.open(_TUN, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    request = struct.pack("16sH22x", DEVICE.encode(), _IFF_TUN_WITHOUT_HEADER)
    fcntl.ioctl(descriptor, _TUNSETIFF, request)
    return descriptor


def set_up(kind: str, address: str, gateway: str, mtu: int, route: str) -> None:
    """Set up a node's device: address, and the only route with its options.

    Args:
        kind: kind of the device, one of ``KINDS``.
        address: IPv4 address of the node.
        gateway: Ethernet address of the gateway, for a veth pair.
        mtu: maximum transmission unit, bytes.
        route: options of the route, in the syntax of ``ip route``.
    """
    commands = ["link set lo up", f"addr add {address}/32 dev {DEVICE}"]
    if kind == "tun":
        ip(
            *commands,
            f"link set {DEVICE} mtu {mtu} txqueuelen {_QUEUE} up",
            f"route add default dev {DEVICE} {route}",
        )
        return
    syscalls.no_offloads(DEVICE)
    ip(
        *commands,
        f"link set {DEVICE} up",
        f"neigh add {GATEWAY} lladdr {gateway} nud permanent dev {DEVICE}",
        f"route add default via {GATEWAY} dev {DEVICE} onlink {route}",
    )


def dropped_here(device: str = DEVICE) -> int:
    """Return the number of packets that a device of this namespace has dropped."""
    with open("/proc/self/net/dev") as file:
        for line in file:
            name, _, counts = line.partition(":")
            if name.strip() == device:
                values = [int(value) for value in counts.split()]
                return values[3] + values[11]
    return 0
