"""An end of a shell's path: COMMAND, the server, or a device in the caller's network namespace."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ackclock.emulation import syscalls
from ackclock.emulation.agent import configure
from ackclock.emulation.channel import Channel
from ackclock.emulation.devices import DEVICE, dropped_here, ip
from ackclock.emulation.event_loop import Loop
from ackclock.emulation.layout import GATEWAY
from ackclock.emulation.shell import addresses
from ackclock.emulation.shell.program import CannotRunError, Program

_NS = 1_000_000_000
_GRACE_NS = 2 * _NS
_PROC = "/proc"
_HOSTS = "/etc/hosts"


def serve(channel: Channel, callers: int | None) -> None:
    """Run an end of the path.

    Messages: {"here": blocks} ->, <- {"configure": ...}, {"configured": true} ->,
    <- {"start": true}; {"serving": true} -> of a server; {"ended": ...} -> when the program has
    ended; <- {"signal": number}; <- {"finish": true}, {"finished": dropped packets} ->.
    {"problem": text} -> at any time.

    Args:
        channel: channel to the supervisor.
        callers: file descriptor of the caller's network namespace. The end is in this namespace if
            the process may enter it. Otherwise, or if none is given, it is a separate node without
            blocks.
    """
    try:
        is_here = callers is not None and _entered(callers)
        if not is_here:
            syscalls.unshare(syscalls.CLONE_NEWNET)
        blocks = addresses.here() if is_here else []
        channel.send({"here": [str(block) for block in blocks]})
        order = channel.receive()["configure"]
        if is_here:
            _set_up_here(order)
        else:
            configure(order)
            if order["has_block"]:
                way = f"via {GATEWAY} dev {DEVICE} onlink {_options(order)}"
                ip(f"route add unreachable {order['block']}", f"route add {order['peer']} {way}")
            own_files(order["names"])
        channel.send({"configured": True})
        channel.receive()
        _Work(channel, order).run()
    except (OSError, subprocess.SubprocessError, addresses.NoBlockError) as error:
        channel.send({"problem": str(error)})


def _entered(namespace: int) -> bool:
    """Enter a network namespace if this process may change it; return whether it did."""
    with suppress(PermissionError):
        syscalls.enter(namespace, syscalls.CLONE_NEWNET)
        return True
    return False


def _set_up_here(order: dict[str, Any]) -> None:
    """Set up a device of the caller's namespace: address, and route to the block."""
    device = order["device"]
    _no_ipv6(device)
    syscalls.no_offloads(device)
    ip(
        f"addr add {order['address']}/32 dev {device}",
        f"link set {device} up",
        f"neigh add {GATEWAY} lladdr {order['gateway']} nud permanent dev {device}",
        f"route add {order['block']} via {GATEWAY} dev {device} onlink {_options(order)}",
    )


def _no_ipv6(device: str) -> None:
    """Turn off router solicitations on a device, because they would cross the path."""
    name = f"/proc/sys/net/ipv6/conf/{device}/disable_ipv6"
    with suppress(FileNotFoundError), open(name, "w") as file:
        file.write("1")


def _options(order: dict[str, Any]) -> str:
    """Return the options of a route in the syntax of ``ip``."""
    return " ".join(f"{name} {value}" for name, value in order["route"].items())


class _Work:
    """The work between start and end.

    Args:
        channel: to the supervisor.
        order: configuration from the supervisor.
    """

    def __init__(self, channel: Channel, order: dict[str, Any]) -> None:
        self._channel = channel
        self._device = order["device"]
        self._order = order["program"]
        self._program: Program | None = None
        self._loop = Loop()

    def run(self) -> None:
        """Run the program, if there is one, until the supervisor ends it."""
        self._loop.watch(self._channel, selectors.EVENT_READ, self._handle_message)
        if self._order is not None:
            try:
                self._begin(Program(self._order))
            except CannotRunError as error:
                self._describe_end(error.code, str(error))
        self._loop.run()

    def _begin(self, program: Program) -> None:
        self._program = program
        if self._order["is_server"]:
            program.wait_until_it_listens()
            self._channel.send({"serving": True})
        self._loop.watch(program.pidfd, selectors.EVENT_READ, self._ended)
        limit_s = self._order["limit_s"]
        if limit_s is not None:
            self._loop.at(time.monotonic_ns() + int(limit_s * _NS), self._terminate)

    def _handle_message(self) -> None:
        message = self._channel.receive()
        if "finish" in message:
            self._channel.send({"finished": dropped_here(self._device)})
            self._loop.stop()
        elif message["signal"] == signal.SIGTERM:
            self._terminate()
        elif self._program is not None:
            self._program.signal(message["signal"])

    def _terminate(self) -> None:
        """Ask the program to end, and kill it if it takes too long."""
        if self._program is not None:
            self._program.signal(signal.SIGTERM)
            # A stopped process does not receive the signal until it continues.
            self._program.signal(signal.SIGCONT)
            self._loop.at(time.monotonic_ns() + _GRACE_NS, self._kill)

    def _kill(self) -> None:
        if self._program is not None:
            self._program.signal(signal.SIGKILL)

    def _ended(self) -> None:
        assert self._program is not None
        self._loop.forget(self._program.pidfd)
        code = self._program.code()
        self._program = None
        self._describe_end(code, "")

    def _describe_end(self, code: int, problem: str) -> None:
        self._channel.send({"ended": {"code": code, "problem": problem}})


def own_files(names: Mapping[str, str]) -> None:
    """Mount /proc and a hosts file for this process and its children.

    No other process sees these mounts, and they end with these processes. If a container hides
    parts of /proc, the kernel refuses a new mount, and the old one remains.

    Args:
        names: addresses by name, in addition to those of the hosts file.
    """
    with suppress(OSError):
        syscalls.own_mounts()
        with suppress(OSError):
            _mount_hosts(names)
        syscalls.mount("proc", _PROC)


def _mount_hosts(names: Mapping[str, str]) -> None:
    """Add names to the hosts file, at its beginning, because the first line with a name counts."""
    lines = [f"{address} {name}\n" for name, address in names.items()]
    with open(_HOSTS, errors="surrogateescape") as file:
        lines += file.readlines()
    # A temporary file system in memory, so that no file is left on a disk.
    syscalls.mount("tmpfs", _PROC)
    try:
        made = os.path.join(_PROC, "hosts")
        with open(made, "w", errors="surrogateescape") as file:
            file.writelines(lines)
        os.chmod(made, 0o644)
        syscalls.mount_file(made, _HOSTS)
    finally:
        syscalls.unmount(_PROC)
