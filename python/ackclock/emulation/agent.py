"""The agent of a node: a process in a network namespace, with the node's applications."""

from __future__ import annotations

import os
import subprocess
import time
from typing import Any

from ackclock import _core
from ackclock.emulation import datagrams, iperf, node_settings, syscalls
from ackclock.emulation.channel import Channel
from ackclock.emulation.connection import Options
from ackclock.emulation.devices import dropped_here, open_tun, set_up
from ackclock.emulation.event_loop import Loop
from ackclock.emulation.hosts import Host
from ackclock.emulation.http_messages import nothing, request, response

Source = Host | datagrams.Source | iperf.Source
Sink = Host | datagrams.Sink | iperf.Sink
_HEADS = {True: request, False: response}
_PS_PER_NS = 1000
_COUNTERS = ("TCPRenoRecovery", "TCPSackRecovery", "TCPTimeouts", "TCPLostRetransmit")


def serve(channel: Channel, request: dict[str, Any]) -> None:
    """Run an agent: enter a namespace, set up its device, run the applications.

    ``request`` is the result of ``core.request_for``.

    Messages: {"here": true} ->, <- {"configure": ...}, {"configured": ...} ->, <- {"start": ...};
    then {"result": ...} -> at the end of the run. {"problem": text} -> at any time.
    """
    try:
        syscalls.unshare(syscalls.CLONE_NEWNET)
        if request["ports"] == "tun":
            descriptor = open_tun()
            channel.send({"here": True}, descriptor)
            os.close(descriptor)
        else:
            channel.send({"here": True})
        order = channel.receive()["configure"]
        configured = configure(order)
        # Precise timers, but no higher scheduling class, which only the driver may have.
        syscalls.climb("plain")
        driver = request["driver"]
        run = Run(order, _core.applications(driver["plan"], driver["seed"]))
        channel.send({"configured": configured})
        channel.send({"result": run.result(channel.receive()["start"])})
        # The supervisor ends this process, and so its open sockets, when all agents have reported.
        channel.receive()
    except (OSError, subprocess.SubprocessError) as error:
        channel.send({"problem": f"a node: {error}"})


def configure(order: dict[str, Any]) -> dict[str, Any]:
    """Set up device, route and sysctls; return the result and the kernel's other settings."""
    no_ipv6()
    refused = {}
    for name, value in order["sysctls"].items():
        try:
            _write_sysctl(name, value)
        except OSError as error:
            refused[name] = error.strerror or "refused"
    route = " ".join(f"{name} {value}" for name, value in order["route"].items())
    set_up(order["ports"], order["address"], order["gateway"], order["mtu"], route)
    sysctls = {name: node_settings.sysctl(name) for name in order["sysctls"]}
    return {"sysctls": sysctls, "refused": refused, "inventory": node_settings.of_this_node()}


def no_ipv6() -> None:
    """Turn off IPv6 on later devices, to prevent router solicitations."""
    for which in ("all", "default"):
        try:
            with open(f"/proc/sys/net/ipv6/conf/{which}/disable_ipv6", "w") as file:
                file.write("1")
        except FileNotFoundError:
            return


def _write_sysctl(name: str, value: str) -> None:
    (node_settings.SYSCTLS / name).write_text(value)


def counters() -> dict[str, int]:
    """Return the TCP counters of this namespace."""
    with open("/proc/self/net/netstat") as file:
        lines = [line.split() for line in file if line.startswith("TcpExt:")]
    names, values = lines
    counted = zip(names, values, strict=True)
    return {name: int(value) for name, value in counted if name in _COUNTERS}


class Run:
    """The ends of flows at a node during a run.

    Listening sockets exist from the beginning.
    """

    def __init__(self, order: dict[str, Any], applications: list[Any]) -> None:
        """Create the ends of flows.

        Args:
            order: configuration from the supervisor.
            applications: applications of all flows, as ``_core.applications`` returns them.
        """
        self._loop = Loop()
        self._order = order
        self._applications = applications
        self._start = 0
        self._interval = order["sample_ns"]
        self._before: dict[str, Any] | None = None
        self._after: dict[str, Any] = {}
        self._sinks = {each["flow"]: self._sink(each) for each in order["sinks"]}
        self._sources = {each["flow"]: self._source(each) for each in order["sources"]}

    def _source(self, end: dict[str, Any]) -> Source:
        """Create the sender of a flow."""
        _, sender, departures = self._applications[end["flow"]]
        target = (end["address"], end["port"])
        if departures:
            return datagrams.Source(self._loop, departures, target)
        if end["application"] == iperf.PROGRAM:
            starts_at = sender.starts_at // _PS_PER_NS
            return iperf.Source(self._loop, starts_at, target, Options(**end["socket"]))
        return self._host(sender, end)

    def _sink(self, end: dict[str, Any]) -> Sink:
        """Create the receiver of a flow."""
        receiver, _, departures = self._applications[end["flow"]]
        here = (self._order["address"], end["port"])
        if departures:
            return datagrams.Sink(self._loop, here)
        if end["application"] == iperf.PROGRAM:
            return iperf.Sink(here)
        return self._host(receiver, end)

    def _host(self, application: Any, end: dict[str, Any]) -> Host:
        own, port = self._order["address"], end["port"]
        opens = application.starts_at is not None
        server = (end["address"] if opens else own, port)
        head = _HEADS[opens](end["http"]) if end["http"] else nothing
        return Host(self._loop, application, own, server, Options(**end["socket"]), head)

    def _begin(self, start: int) -> None:
        """Set the timers of a run that starts at ``start``, monotonic, ns."""
        loop, order, self._start = self._loop, self._order, start
        for end in (*self._sources.values(), *self._sinks.values()):
            end.begin(start)
        if order["warm_up_ns"]:
            loop.at(start + order["warm_up_ns"], self._warmed_up)
        loop.at(start + order["duration_ns"], self._ended)
        loop.at(start + self._interval, self._sample)

    def result(self, start: int) -> dict[str, Any]:
        """Make the run and return its result; times in ns from the start.

        Args:
            start: start of the run, monotonic, ns.
        """
        self._begin(start)
        self._loop.run()
        return {
            "before": self._before,
            "after": self._after,
            "sources": {
                str(flow): {"samples": source.record.samples, "problem": source.problem}
                for flow, source in self._sources.items()
            },
            "sinks": {
                str(flow): {"fetched": self._fetched(flow, sink), "problem": sink.problem}
                for flow, sink in self._sinks.items()
            },
            "dropped": dropped_here() + datagrams.undelivered(),
        }

    def _fetched(self, flow: int, sink: Sink) -> dict[str, Any]:
        """Return the objects that a client has fetched."""
        if not isinstance(sink, Host):
            return {}
        return sink.fetched(flow, self._order["warm_up_ns"])

    def _sample(self) -> None:
        for end in (*self._sources.values(), *self._sinks.values()):
            end.sample()
        self._loop.at(self._start + self._passed() + self._interval, self._sample)

    def _passed(self) -> int:
        """Return the number of whole sampling intervals since the start."""
        return (time.monotonic_ns() - self._start) // self._interval * self._interval

    def _warmed_up(self) -> None:
        self._before = self._standing()

    def _ended(self) -> None:
        self._after = self._standing()
        self._loop.stop()

    def _standing(self) -> dict[str, Any]:
        sources = {str(flow): source.standing() for flow, source in self._sources.items()}
        sinks = {str(flow): sink.standing() for flow, sink in self._sinks.items()}
        return {"sources": sources, "sinks": sinks, "counters": counters()}
