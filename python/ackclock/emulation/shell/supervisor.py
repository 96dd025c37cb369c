"""Process 1 of a shell: makes both ends of the path and the driver, and waits for COMMAND's end.

The near end is a separate node, where COMMAND runs. The far end is a device in the network
namespace of the caller if this process may create one there, else a separate node. A server, if
there is one, runs at the far end.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from ipaddress import IPv4Network
from typing import Any

from ackclock.emulation import devices
from ackclock.emulation.agent import no_ipv6
from ackclock.emulation.channel import Channel
from ackclock.emulation.layout import Node
from ackclock.emulation.shell import addresses, node
from ackclock.emulation.supervisor import Child, SupervisorError, collect, started

PEER = "ACKCLOCK_PEER"
ADDRESS = "ACKCLOCK_ADDRESS"
PEERS = "ACKCLOCK_PEERS"

_NEAR, _FAR = 0, 1
_PLACE_IN_BLOCK = (2, 1)
_DEVICE_HERE = "ackclock{}"
_EXISTS = "File exists"
_REAPING_S = 1.0
_NS = 1_000_000_000
_PATIENCE_S = 20.0


def run(request: dict[str, Any], channel: Channel, callers: int) -> dict[str, Any]:
    """Run COMMAND at one end of the path.

    Args:
        request: request from ``session.request_for``.
        channel: channel to the caller, which receives {"began": true} and sends {"signal": number}.
        callers: file descriptor of the caller's network namespace.

    Returns:
        code: exit code of COMMAND; problem: reason why it could not be run, or empty; server: exit
        code of the server if it has ended by itself, or none; lost: number of packets that the
        scenario lost; device_drops; report: report of the driver.

    Raises:
        SupervisorError: the emulation is not possible, or failed.
    """
    no_ipv6()
    has_server = request["server"] is not None
    near = Child("the host of COMMAND", lambda its: node.serve(its, None))
    far = Child("the far end", lambda its: node.serve(its, None if has_server else callers))
    near.ask()
    blocks = [IPv4Network(block) for block in far.ask()["here"]]
    is_here = bool(blocks)
    block, device, far_port = _laid(request, blocks, far.pid)
    ends = [_node(request, block, end) for end in (_NEAR, _FAR)]
    near_port = devices.connect(ends[_NEAR], request["mtu"], near.pid)
    near.describe({"configure": _near_order(request, block, ends, is_here)})
    far.describe({"configure": _far_order(request, block, ends, device)})
    near.ask()
    far.ask()
    ports = [near_port, far_port]
    driver = started(_driver_order(request, ends), [port.fileno() for port in ports], [])
    if not is_here and not has_server:
        _describe_that_nothing_is_there(ends[_FAR])
    _begin(channel, driver, near, far, has_server=has_server)
    command, server = _wait(channel, driver, near, far)
    assert driver.control is not None
    driver.control.send(b"end")
    (driven,) = collect([driver], _PATIENCE_S)
    return {
        "code": command["code"],
        "problem": command["problem"],
        "server": server and server["code"],
        "lost": _lost(driven["tables"]),
        "device_drops": sum(map(devices.drops, ports)) + _finished(near) + _finished(far),
        "report": driven["report"],
    }


def _begin(channel: Channel, driver: Child, near: Child, far: Child, *, has_server: bool) -> None:
    """Start the server, if there is one, and start COMMAND when the server listens."""
    far.describe({"start": True})
    if has_server:
        far.ask()
    # Packets sent before the start would wait for it.
    time.sleep(max(driver.start - time.monotonic_ns(), 0) / _NS)
    channel.send({"began": True})
    near.describe({"start": True})


def _laid(
    request: Mapping[str, Any], blocks: list[IPv4Network], pid: int
) -> tuple[IPv4Network, str, socket.socket]:
    """Create the device of the far end; return its address block, its name and the socket.

    In the namespace of the caller, the device's name reserves the block.
    """
    if not blocks:
        block, device = addresses.first(), devices.DEVICE
        return block, device, devices.connect(_node(request, block, _FAR), request["mtu"], pid)
    for block in blocks:
        device = _DEVICE_HERE.format(addresses.number(block))
        try:
            port = devices.connect(_node(request, block, _FAR), request["mtu"], pid, device)
        except OSError as error:
            # Another process has taken the name in the meantime.
            if _EXISTS not in str(error):
                raise
        else:
            return block, device, port
    raise SupervisorError("no block of addresses is left for another shell here")


def _node(request: Mapping[str, Any], block: IPv4Network, end: int) -> Node:
    return Node(request["nodes"][end], str(block[_PLACE_IN_BLOCK[end]]), end)


def _near_order(
    request: Mapping[str, Any], block: IPv4Network, ends: list[Node], is_here: bool
) -> dict[str, Any]:
    """Return the configuration of the end with COMMAND."""
    peers = [ends[_FAR].address]
    if is_here:
        # Other hosts are reached through the caller's namespace.
        peers += request["command"]["environment"].get(PEERS, "").split()
    names = {f"peer{place if place > 1 else ''}": its for place, its in enumerate(peers, start=1)}
    environment = {PEERS: " ".join(peers)}
    return _order(request, block, ends, _NEAR) | {
        "names": names,
        "device": devices.DEVICE,
        "program": _program(request["command"], ends, _NEAR, environment),
    }


def _far_order(
    request: Mapping[str, Any], block: IPv4Network, ends: list[Node], device: str
) -> dict[str, Any]:
    """Return the configuration of the other end."""
    server = request["server"]
    peer = ends[_NEAR].address
    return _order(request, block, ends, _FAR) | {
        "names": {"peer": peer},
        "device": device,
        "program": server and _program(server, ends, _FAR, {PEERS: peer}),
    }


def _order(
    request: Mapping[str, Any], block: IPv4Network, ends: list[Node], end: int
) -> dict[str, Any]:
    """Return the configuration of an end's device, routes and TCP."""
    return {
        **request["ends"][end],
        "ports": "veth",
        "mtu": request["mtu"],
        "address": ends[end].address,
        "peer": ends[1 - end].address,
        "gateway": ends[end].ethernet_text(2),
        # Inner shells are reached through the near end.
        "has_block": end == _NEAR,
        "block": str(block),
    }


def _program(
    program: Mapping[str, Any], ends: list[Node], end: int, environment: Mapping[str, str]
) -> dict[str, Any]:
    """Return a program with the environment variables that describe the path."""
    described = {PEER: ends[1 - end].address, ADDRESS: ends[end].address, **environment}
    return dict(program) | {"environment": program["environment"] | described}


def _driver_order(request: Mapping[str, Any], ends: list[Node]) -> dict[str, Any]:
    """Return the order to the driver, with the addresses."""
    order = dict(request["driver"])
    setup = order["setup"]
    for port, end in zip(setup["ports"], ends, strict=True):
        port |= {"address": end.address, "relays": True}
    return order | {"setup": json.dumps(setup)}


def _describe_that_nothing_is_there(end: Node) -> None:
    sys.stderr.write(
        f"ackclock: the far end is a host with no program, peer ({end.address}); name one with"
        " --server, or run as root to use this computer as the far end\n"
    )


def _wait(
    channel: Channel, driver: Child, near: Child, far: Child
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return the report at the end of COMMAND, and that of a server that ended before.

    Raises:
        SupervisorError: another process ended.
        ClosedError: the caller ended.
    """
    server = None
    with selectors.DefaultSelector() as selector:
        for each in (channel, driver.channel, near.channel, far.channel):
            selector.register(each, selectors.EVENT_READ)
        while True:
            ready = [key.fileobj for key, _ in selector.select(_REAPING_S)]
            if near.channel in ready:
                return near.ask()["ended"], server
            if driver.channel in ready:
                driver.ask()
                raise SupervisorError("a path lasts at most eleven days, and these have passed")
            if far.channel in ready:
                server = far.ask()["ended"]
            if channel in ready:
                near.describe(channel.receive())
            _reap()


def _reap() -> None:
    """Reap orphaned processes, as process 1 of their namespace must."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _lost(tables: Mapping[str, Mapping[str, list[int]]]) -> int:
    """Return the number of packets that links have lost and queues have dropped."""
    links = tables["links"]
    return sum(links["packets_lost"]) + sum(links["packets_dropped"])


def _finished(end: Child) -> int:
    """Let an end of the path finish.

    Returns:
        The number of packets that its device has dropped.
    """
    end.describe({"finish": True})
    return end.ask()["finished"]
