"""Keeps the processors of a virtual machine awake during an emulation.

An idle processor goes back to the host, which is slow to return it: a packet that is due then waits
for the host. Processes of the lowest priority (SCHED_IDLE) keep all processors busy. The gain
depends on the host: ``read_delay`` and ``left_late`` of a run show it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ackclock.emulation import syscalls

_ABOUT_PROCESSORS = Path("/proc/cpuinfo")
_AUTOGROUP = Path("/proc/self/autogroup")
_LAST = "19"
"""As the largest nice value."""


def in_a_virtual_machine() -> bool:
    """Whether the processors say that a hypervisor is below."""
    try:
        lines = _ABOUT_PROCESSORS.read_text().splitlines()
    except OSError:
        return False
    return any(line.startswith("flags") and "hypervisor" in line.split() for line in lines)


def keep_awake() -> bool:
    """Keep the processors that this process may use awake until it ends, in a virtual machine.

    Returns:
        Whether it was necessary.
    """
    if not in_a_virtual_machine():
        return False
    parent = os.getpid()
    for processor in os.sched_getaffinity(0):
        if not os.fork():
            _spin(parent, processor)
    return True


def _spin(parent: int, processor: int) -> None:
    try:
        syscalls.die_with(parent)
        # Linux shares processors between sessions first (autogroup): this one is to be the last.
        os.setsid()
        with suppress(OSError):
            _AUTOGROUP.write_text(_LAST)
        os.sched_setaffinity(0, {processor})
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        while True:
            pass
    finally:
        os._exit(0)
