"""Keep the processors of a virtual machine busy during an emulation.

A virtual machine returns an idle processor to the host, which is slow to give it back; a packet
that is due then waits for the host. Processes of the lowest priority (SCHED_IDLE) keep all
processors busy. The gain depends on the host; ``read_delay`` and ``left_late`` of a run show it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ackclock.emulation import syscalls

_ABOUT_PROCESSORS = Path("/proc/cpuinfo")
_AUTOGROUP = Path("/proc/self/autogroup")
_LAST = "19"
"""The largest nice value."""


def in_a_virtual_machine() -> bool:
    """Return whether the processors report a hypervisor."""
    try:
        lines = _ABOUT_PROCESSORS.read_text().splitlines()
    except OSError:
        return False
    return any(line.startswith("flags") and "hypervisor" in line.split() for line in lines)


def keep_awake() -> bool:
    """In a virtual machine, keep this process's processors busy until the process ends.

    Returns:
        Whether this computer is a virtual machine.
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
        # The kernel's autogroups have weights of their own: in one with a usual weight, SCHED_IDLE
        # would not yield to other groups.
        os.setsid()
        with suppress(OSError):
            _AUTOGROUP.write_text(_LAST)
        os.sched_setaffinity(0, {processor})
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        while True:
            pass
    finally:
        os._exit(0)
