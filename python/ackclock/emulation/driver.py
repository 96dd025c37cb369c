"""The process that carries packets: it gets the best scheduling available and calls the core."""

from __future__ import annotations

import json
import os
import resource
from typing import Any

from ackclock.emulation import syscalls
from ackclock.emulation.channel import Channel

_STATISTICS = "/proc/stat"


def drive(order: dict[str, Any], control: int, channel: Channel) -> None:
    """Be the driver.

    Args:
        order: plan and setup as texts, seed, and the highest step of the ladder ("scheduling").
        control: a socket that preserves message boundaries, for the core; it becomes the standard
            input.
        channel: for {"result": ...}, or {"problem": text}.
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
    """Processor time that this virtual machine wanted and did not get so far; 0 if unknown."""
    try:
        with open(_STATISTICS) as file:
            return int(file.readline().split()[8]) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return 0.0
