"""Cables between a node and the driver: a veth pair with a packet socket on it, or a TUN device.

A veth pair has Ethernet headers, and the kernel stamps its packets. A TUN device is in the node's
namespace; its other side is a file, which the node passes to the supervisor.
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
    """Give commands to ``ip``.

    Raises:
        OSError: one was refused, with what ``ip`` says; or it is not installed.
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
    """Lay a veth pair from this namespace into that of a process.

    Args:
        node: whose cable it is.
        mtu: bytes.
        pid: process id, in this PID namespace.
        name: of the device there.

    Returns:
        A packet socket on this end.

    Raises:
        OSError: it was refused; there may be a device of that name there.
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
    """Packets for which a packet socket had no room."""
    _, dropped = struct.unpack("II", port.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))
    return dropped


def open_tun() -> int:
    """Make the device of this namespace a TUN device.

    Returns:
        The file descriptor of its other side.

    Raises:
        OSError: there is no TUN here, or not for this user.
    """
    descriptor = os.open(_TUN, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    request = struct.pack("16sH22x", DEVICE.encode(), _IFF_TUN_WITHOUT_HEADER)
    fcntl.ioctl(descriptor, _TUNSETIFF, request)
    return descriptor


def set_up(kind: str, address: str, gateway: str, mtu: int, route: str) -> None:
    """Set up a node's end: its address, and the one route, with options.

    Args:
        kind: one of ``KINDS``.
        address: IPv4, of the node.
        gateway: Ethernet address of what is behind a veth pair.
        mtu: bytes.
        route: options of the route, as ``ip route`` takes them.
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
    """Packets that a device of this namespace has dropped while sending or receiving."""
    with open("/proc/self/net/dev") as file:
        for line in file:
            name, _, counts = line.partition(":")
            if name.strip() == device:
                values = [int(value) for value in counts.split()]
                return values[3] + values[11]
    return 0
