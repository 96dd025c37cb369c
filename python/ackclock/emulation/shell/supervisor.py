"""Process 1 of a shell: makes the two ends of the path and the driver, and waits for COMMAND's end.

The near end is a node of its own, where COMMAND runs. The far end is a device in the network
namespace of the caller if this process may make one there, else a node of its own, where the server
runs, if there is one.
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
        request: as ``session.request_for`` makes it.
        channel: to the caller, who gets {"began": true}, and sends {"signal": number}.
        callers: file descriptor of the caller's network namespace.

    Returns:
        code: exit code of COMMAND; problem: why it could not be run, or nothing; server: exit code
        of the server if it has ended by itself, or none; lost: packets that the scenario lost;
        device_drops; report: of the driver.

    Raises:
        SupervisorError: it cannot be done, or went wrong.
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
    """Let the server begin, if there is one, and COMMAND when that listens."""
    far.describe({"start": True})
    if has_server:
        far.ask()
    # What is sent before the start would wait for it.
    time.sleep(max(driver.start - time.monotonic_ns(), 0) / _NS)
    channel.send({"began": True})
    near.describe({"start": True})


def _laid(
    request: Mapping[str, Any], blocks: list[IPv4Network], pid: int
) -> tuple[IPv4Network, str, socket.socket]:
    """The cable to the far end; with the block of addresses, and the name of the device there.

    In the namespace of the caller, whose device has the name has the block.
    """
    if not blocks:
        block, device = addresses.first(), devices.DEVICE
        return block, device, devices.connect(_node(request, block, _FAR), request["mtu"], pid)
    for block in blocks:
        device = _DEVICE_HERE.format(addresses.number(block))
        try:
            port = devices.connect(_node(request, block, _FAR), request["mtu"], pid, device)
        except OSError as error:
            # Somebody has taken it in the meantime.
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
    """What the end has to do at which COMMAND is."""
    peers = [ends[_FAR].address]
    if is_here:
        # Who is further away can be reached through the caller's namespace.
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
    """What the other end has to do."""
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
    """What an end needs to know of its device, its routes and its TCP."""
    return {
        **request["ends"][end],
        "ports": "veth",
        "mtu": request["mtu"],
        "address": ends[end].address,
        "peer": ends[1 - end].address,
        "gateway": ends[end].ethernet_text(2),
        # Shells within this one are behind the near end.
        "has_block": end == _NEAR,
        "block": str(block),
    }


def _program(
    program: Mapping[str, Any], ends: list[Node], end: int, environment: Mapping[str, str]
) -> dict[str, Any]:
    """A program with what its environment says of the path."""
    described = {PEER: ends[1 - end].address, ADDRESS: ends[end].address, **environment}
    return dict(program) | {"environment": program["environment"] | described}


def _driver_order(request: Mapping[str, Any], ends: list[Node]) -> dict[str, Any]:
    """The order to the driver, now that there are addresses."""
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
    """The report at the end of COMMAND; and the server's, if it ended by itself before.

    Raises:
        SupervisorError: something else ended.
        ClosedError: the caller did.
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
    """Take leave of those whose parents have gone: this is process 1 of their namespace."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _lost(tables: Mapping[str, Mapping[str, list[int]]]) -> int:
    """Packets that links have lost and queues have dropped."""
    links = tables["links"]
    return sum(links["packets_lost"]) + sum(links["packets_dropped"])


def _finished(end: Child) -> int:
    """Let an end finish.

    Returns:
        Packets that its device has dropped.
    """
    end.describe({"finish": True})
    return end.ask()["finished"]
