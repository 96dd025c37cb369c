"""Process 1 of the PID namespace: makes devices, agents and the driver; collects reports."""

from __future__ import annotations

import os
import selectors
import socket
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ackclock.emulation import devices, syscalls
from ackclock.emulation.agent import no_ipv6, serve
from ackclock.emulation.channel import Channel, ClosedError
from ackclock.emulation.driver import drive
from ackclock.emulation.idle_prevention import keep_awake
from ackclock.emulation.layout import Node
from ackclock.emulation.node_settings import alike, ticks_per_second

_BEFORE_START_NS = 100_000_000
_PATIENCE_S = 20.0


class SupervisorError(Exception):
    """The emulation cannot continue, for the reason in the message."""


class Child:
    """A forked process; ``body`` gets its end of a channel.

    Attributes:
        channel: the parent's end of the channel.
        control: for the driver, the other end of its standard input.
        start: for the driver, start of the run, monotonic, ns.
    """

    def __init__(self, name: str, body: Callable[[Channel], None]) -> None:
        self.name = name
        self.control: socket.socket | None = None
        self.start = 0
        self.channel, its = Channel.pair()
        parent = os.getpid()
        self.pid = os.fork()
        if not self.pid:
            self.channel.close()
            _be(body, its, parent)
        its.close()

    def describe(self, message: dict[str, Any]) -> None:
        """Send a message.

        Raises:
            SupervisorError: the process has ended.
        """
        try:
            self.channel.send(message)
        except ClosedError:
            raise self._gone() from None

    def ask(self) -> dict[str, Any]:
        """Wait for the next report of the process.

        Raises:
            SupervisorError: the process reports a problem, or has ended.
        """
        try:
            answer = self.channel.receive()
        except ClosedError:
            raise self._gone() from None
        if "problem" in answer:
            raise SupervisorError(answer["problem"])
        return answer

    def _gone(self) -> SupervisorError:
        return SupervisorError(f"{self.name} has ended unexpectedly")


def _be(body: Callable[[Channel], None], channel: Channel, parent: int) -> None:
    """Run the body of a child; never return to the code of the parent."""
    try:
        syscalls.die_with(parent)
        body(channel)
    except ClosedError:
        pass
    except BaseException as error:
        with suppress(ClosedError):
            last = traceback.extract_tb(error.__traceback__)[-1]
            channel.send({"problem": f"{type(error).__name__}: {error} ({last.name})"})
    finally:
        os._exit(0)


def run(request: dict[str, Any]) -> dict[str, Any]:
    """Emulate one run.

    Args:
        request: as ``core.request_for`` makes it.

    Raises:
        SupervisorError: the emulation is not possible, or failed.
    """
    no_ipv6()
    orders = request["nodes"]
    agents = [
        Child(f"node {order['number']}", lambda channel: serve(channel, request))
        for order in orders
    ]
    for agent in agents:
        agent.ask()
    veths = _veths(orders, agents) if request["ports"] == "veth" else []
    ports = [veth.fileno() for veth in veths] or [agent.channel.descriptor for agent in agents]
    for agent, order in zip(agents, orders, strict=True):
        agent.describe({"configure": order})
    configured = [agent.ask()["configured"] for agent in agents]
    driver = started(request["driver"], ports, agents)
    # In virtual time, a process that never waits would stop the clock.
    kept_awake = not request["virtual_time"] and keep_awake()
    results = collect([driver, *agents], request["duration_s"] + _PATIENCE_S)
    numbers = [str(order["number"]) for order in orders]
    return {
        "driver": results[0],
        "nodes": dict(zip(numbers, results[1:], strict=True)),
        "configured": _set_up(configured[0]),
        "set_up": dict(zip(numbers, map(_set_up, configured), strict=True)),
        "inventories": alike(
            (order["number"], one["inventory"])
            for order, one in zip(orders, configured, strict=True)
        ),
        "device_drops": sum(map(devices.drops, veths)) + sum(one["dropped"] for one in results[1:]),
        "kernel": os.uname().release,
        "ticks_per_second": ticks_per_second(),
        "kept_awake": kept_awake,
    }


def _set_up(configured: dict[str, Any]) -> dict[str, Any]:
    return {name: configured[name] for name in ("sysctls", "refused")}


def _veths(orders: list[dict[str, Any]], agents: list[Child]) -> list[socket.socket]:
    """Create a veth pair to each node; return the packet sockets on this end."""
    return [
        devices.connect(
            Node(order["number"], order["address"], order["index"]), order["mtu"], agent.pid
        )
        for order, agent in zip(orders, agents, strict=True)
    ]


def started(order: dict[str, Any], ports: list[int], agents: list[Child]) -> Child:
    """Start the driver of these ports; when it is ready, send the start of the run to all.

    Raises:
        SupervisorError: the driver does not become ready.
    """
    control, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    driver = Child("the driver", lambda channel: drive(order, its.fileno(), channel))
    its.close()
    socket.send_fds(control, [b"ports"], ports)
    _wait_until_ready(control, driver)
    if order["scheduling"] is None:
        with suppress(OSError):
            syscalls.at_once(driver.pid)
    start = time.monotonic_ns() + _BEFORE_START_NS
    control.send(f"start {start}".encode())
    for agent in agents:
        agent.describe({"start": start})
    # The driver runs until the other end of this socket is closed.
    driver.control, driver.start = control, start
    return driver


def _wait_until_ready(control: socket.socket, driver: Child) -> None:
    control.settimeout(_PATIENCE_S)
    try:
        ready = control.recv(64)
    except OSError:
        ready = b""
    if ready != b"ready":
        driver.ask()
        raise SupervisorError("the driver did not start in time")


def collect(children: list[Child], patience_s: float) -> list[dict[str, Any]]:
    """Return the final report of each child.

    Raises:
        SupervisorError: a child reports a problem, has ended, or takes too long.
    """
    results: dict[int, dict[str, Any]] = {}
    end = time.monotonic() + patience_s
    with selectors.DefaultSelector() as selector:
        for number, child in enumerate(children):
            selector.register(child.channel, selectors.EVENT_READ, number)
        while len(results) < len(children):
            ready = selector.select(max(end - time.monotonic(), 0.0))
            if not ready:
                late = next(c.name for n, c in enumerate(children) if n not in results)
                raise SupervisorError(f"{late} did not end in time")
            for key, _ in ready:
                results[key.data] = children[key.data].ask()["result"]
                selector.unregister(key.fileobj)
    return [results[number] for number in range(len(children))]
