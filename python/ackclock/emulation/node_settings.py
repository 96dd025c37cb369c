"""The kernel settings of a node, to repeat a run on another computer."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ackclock.emulation import syscalls
from ackclock.emulation.layout import DEVICE

SYSCTLS = Path("/proc/sys/net/ipv4")
_CONFIGURATIONS = (
    Path("/proc/config.gz"),
    Path(f"/boot/config-{os.uname().release}"),
)


def sysctl(name: str) -> str:
    """Return a setting of this namespace below ``net.ipv4``; empty if the kernel has none."""
    try:
        return " ".join((SYSCTLS / name).read_text().split())
    except OSError:
        return ""


def of_this_node() -> dict[str, Any]:
    """Return this namespace's TCP settings and routes, and the offloads of its device."""
    names = sorted(path.name for path in SYSCTLS.glob("tcp_*"))
    routes = subprocess.run(
        ["ip", "-oneline", "route", "show"], capture_output=True, text=True, check=False
    )
    return {
        "sysctls": {name: value for name in names if (value := sysctl(name))},
        "routes": [" ".join(line.split()) for line in routes.stdout.splitlines()],
        "offloads": syscalls.offloads(DEVICE),
    }


def alike(nodes: Iterable[tuple[int, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return the distinct settings, each with the numbers of its nodes."""
    found: list[dict[str, Any]] = []
    for number, its in nodes:
        for each in found:
            if all(each[key] == value for key, value in its.items()):
                each["nodes"].append(number)
                break
        else:
            found.append({"nodes": [number], **its})
    return found


def ticks_per_second() -> int | None:
    """Return HZ of this kernel; none if the kernel does not publish its configuration."""
    for path in _CONFIGURATIONS:
        try:
            bytes_ = path.read_bytes()
        except OSError:
            continue
        text = (gzip.decompress(bytes_) if path.suffix == ".gz" else bytes_).decode()
        if known := re.search(r"^CONFIG_HZ=(\d+)$", text, re.MULTILINE):
            return int(known[1])
    return None
