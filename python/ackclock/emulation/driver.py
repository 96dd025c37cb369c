"""The driver: a process with the best available scheduling that calls the core."""

from __future__ import annotations

import json
import os
import resource
from typing import Any

from ackclock.emulation import syscalls
from ackclock.emulation.channel import Channel

_STATISTICS = "/proc/stat"


def drive(order: dict[str, Any], control: int, channel: Channel) -> None:
    """Run the driver.

    Args:
        order: plan and setup as texts, seed, and the best scheduling class to use ("scheduling").
        control: socket with message boundaries, for the core; it becomes the standard input.
        channel: channel for {"result": ...} or {"problem": text}.
    """
    os.dup2(control, 0)
    from ackclock import _core

    scheduling = syscalls.climb(order["scheduling"])
    before, stolen_before = resource.getrusage(resource.RUSAGE_SELF), stolen_s()
    try:
        tables, report = _core.emulate(order["plan"], order["seed"], order["setup"])
    except ValueError as error:
        channel.send({"problem": str(error)})
        return
    finally:
        syscalls.as_usual()
    after = resource.getrusage(resource.RUSAGE_SELF)
    described = json.loads(report) | {
        "scheduling": scheduling,
        "cpu_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "involuntary_switches": after.ru_nivcsw - before.ru_nivcsw,
        "page_faults": after.ru_minflt - before.ru_minflt,
        "stolen_s": stolen_s() - stolen_before,
    }
    lists = {
        name: {column: values.tolist() for column, values in table.items()}
        for name, table in tables.items()
        if table
    }
    channel.send({"result": {"tables": lists, "report": described}})


def stolen_s() -> float:
    """Return the processor time that the hypervisor did not give to this machine, s; or 0."""
    try:
        with open(_STATISTICS) as file:
            return int(file.readline().split()[8]) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return 0.0
