"""How long emulations in virtual time take: 10 Mbit/s, 50 ms, with one and ten flows.

    python benches/virtual_time.py [DURATION]

Each row is one run, made alone. Fixed is what a run takes beside the simulated time, from a run of
one second; it grows with the number of hosts. Needs the kernel of ``make virtual-time-kernel``.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from ackclock.emulation.campaign import Options, emulate
from ackclock.emulation.virtual_time import kernel
from ackclock.scenario import load

TEXT = """
title = "{flows} flows"
duration = "{duration} s"

[topology]
kind = "dumbbell"
pairs = {flows}
access = {{ rate = "1 Gbit/s", delay = "1 ms" }}

[topology.bottleneck]
rate = "10 Mbit/s"
delay = "23 ms"
queue = {{ limit = "100 packets" }}

[workload]
kind = "bulk"

[tcp]
stack = "linux"
flavor = "cubic"
"""


def took(flows: int, duration: float) -> tuple[float, float]:
    """Return the time and the processor time of a run, s."""
    scenario = load(TEXT.format(flows=flows, duration=duration))
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.perf_counter()
        summary = emulate(scenario, Path(folder, "runs"), Options(virtual_time=True), jobs=1)
        elapsed_s = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if summary.failed:
        sys.exit("the run failed")
    used = [getattr(after, name) - getattr(before, name) for name in ("ru_utime", "ru_stime")]
    return elapsed_s, sum(used)


def main(duration: float = 60.0) -> None:
    """Print a row a number of flows."""
    if why_not := kernel.problems():
        sys.exit(why_not[0])
    print(f"Linux {kernel.kernel().release} in virtual time, load {os.getloadavg()[0]:.1f}")
    print(f"{'flows':>5} {'simulated':>10} {'took':>8} {'processor':>10} {'fixed':>7}")
    for flows in (1, 10):
        fixed_s, _ = took(flows, 1)
        elapsed_s, processor_s = took(flows, duration)
        print(
            f"{flows:>5} {duration:>8.0f} s {elapsed_s:>6.1f} s {processor_s:>8.1f} s"
            f" {fixed_s:>5.1f} s"
        )


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
