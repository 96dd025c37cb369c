"""The congestion controls of this kernel."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from ackclock.emulation.tcp_settings import Settings

_AVAILABLE = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")


def has_congestion_control(name: str) -> bool:
    """Return whether this kernel has a congestion control; load its module if necessary."""
    if not hasattr(socket, "TCP_CONGESTION"):
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tried:
        try:
            tried.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, name.encode())
        except PermissionError:
            # It exists, but is restricted; in one's own namespace it is allowed.
            return True
        except OSError:
            return False
    return True


def available() -> list[str]:
    """Return the loaded congestion controls."""
    try:
        return _AVAILABLE.read_text().split()
    except OSError:
        return []


class Kernel(Protocol):
    """A kernel whose TCP is asked for."""

    @property
    def release(self) -> str:
        """The version, for example "6.1.0"."""

    def has(self, congestion_control: str) -> bool:
        """Return whether the kernel has a congestion control."""

    def available(self) -> list[str]:
        """Return the names of its congestion controls."""

    def remedy(self, congestion_control: str) -> str:
        """Return what to do if a congestion control is missing."""


class ThisKernel:
    """The kernel of this computer."""

    release = os.uname().release.partition("-")[0]

    def has(self, congestion_control: str) -> bool:
        """Return whether the kernel has a congestion control."""
        return has_congestion_control(congestion_control)

    def available(self) -> list[str]:
        """Return the names of the congestion controls that are loaded."""
        return available()

    def remedy(self, congestion_control: str) -> str:
        """Return what to do if a congestion control is missing."""
        return f"load it, for example modprobe tcp_{congestion_control}"


def problems_of(
    made: Sequence[Settings], users: Mapping[int, Iterable[str]], kernel: Kernel
) -> list[str]:
    """Return messages why the TCPs of a plan cannot run on a kernel; empty if they can.

    Args:
        made: settings of each TCP.
        users: groups of flows that use each TCP, by its index in ``made``.
        kernel: the kernel.
    """
    found = []
    for number, its in enumerate(made):
        groups = list(users.get(number, ()))
        if groups and not kernel.has(its.congestion):
            named = ", ".join(f'"{each}"' for each in groups)
            flows = f"group{'s' if len(groups) > 1 else ''} {named}"
            found.append(
                f'{flows}: flavor "{its.flavor}" needs the congestion control {its.congestion}, and'
                f" Linux {kernel.release} here has"
                f" {', '.join(kernel.available()) or 'none'}"
                " (net.ipv4.tcp_available_congestion_control);"
                f" {kernel.remedy(its.congestion)}, or choose another one for all with --cc"
            )
    return found
