"""Measure the cost of the campaign machinery beside the runs, and the growth of its memory.

Prints, for short runs of a small dumbbell and for runs of everyday length: the time of a run in the
core and in measuring, and the rest, the overhead of the machinery; then the largest memory of
processes that make 1,000 and 10,000 replications of ten points, and of processes that make one run
of each of 1,000, 10,000 and 100,000 points: when the file is checked, and when the runs are made.
The largest sweep takes minutes, most of them to check and compile its points.
Usage: python benches/campaign.py
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

# This file once more, imported by its name, as the workers do: there the times are kept.
import campaign as timed
import numpy as np

from ackclock import _core
from ackclock.campaign import run_campaign
from ackclock.campaign.processors import processors
from ackclock.results import metrics
from ackclock.scenario import load

SCENARIO = """
title = "A short transfer"
duration = "{duration}"
replications = {replications}
[topology]
kind = "dumbbell"
pairs = 2
access = {{ rate = "100 Mbit/s", delay = "1 ms" }}
bottleneck = {{ rate = "10 Mbit/s", delay = "20 ms" }}
[workload]
kind = "bulk"
start_spread = "100 ms"
[tcp]
flavor = "newreno"
[sweep.factors]
"topology.bottleneck.queue.limit" = {{ from = "10 packets", to = "100 packets", count = 10 }}
"""
POINTS = 10

_lock = threading.Lock()
in_core = in_measure = 0.0


def core(plan: str, seed: int) -> dict[str, dict[str, np.ndarray]]:
    """The core, timed."""
    global in_core
    columns, seconds = _timed(_core.run, plan, seed)
    with _lock:
        in_core += seconds
    return columns


def measure(columns: Any, facts: Any) -> dict[str, Any]:
    """The metrics, timed."""
    global in_measure
    row, seconds = _timed(metrics.measure, columns, facts)
    with _lock:
        in_measure += seconds
    return row


def _timed(function: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    start = time.perf_counter()
    result = function(*arguments)
    return result, time.perf_counter() - start


def no_core(plan: str, seed: int) -> dict[str, Any]:
    """Nothing is run: what remains is the machinery."""
    return {}


def no_measure(columns: Any, facts: Any) -> dict[str, Any]:
    """A row of the usual length."""
    return {f"metric_{number}": 1 / 3 for number in range(20)}


def overhead(duration: str, runs: int, jobs: int) -> None:
    """Make runs of a duration, and print where the time went."""
    timed.in_core = timed.in_measure = 0.0
    scenario = load(SCENARIO.format(duration=duration, replications=runs // POINTS))
    names = {"core": "campaign:core", "measure": "campaign:measure"}
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        run_campaign(scenario, folder, **names, jobs=jobs)
        wall = time.perf_counter() - start
    core_s, measure_s = timed.in_core / jobs, timed.in_measure / jobs
    rest = wall - core_s - measure_s
    print(
        f"{runs} runs of {duration}, {jobs} threads: core {timed.in_core / runs * 1e3:.2f} ms,"
        f" measuring {timed.in_measure / runs * 1e3:.2f} ms,"
        f" overhead {rest / runs * 1e3:.3f} ms a run, {rest / wall:.1%} of the time"
    )


def memory(points: int, replications: int) -> None:
    """Make runs that take no time, and print the largest memory of this process by then."""
    names = {"core": "campaign:no_core", "measure": "campaign:no_measure"}
    with tempfile.TemporaryDirectory() as folder:
        # Loads what the first run would load.
        run_campaign(load(_sweep(POINTS, 1)), f"{folder}/first", **names)
        before = _largest_mb()
        scenario = load(_sweep(points, replications))
        checked, start = _largest_mb(), time.perf_counter()
        run_campaign(scenario, folder, **names)
        wall, made = time.perf_counter() - start, _largest_mb()
    each = (made - before) * 1e6 / (points * replications)
    print(
        f"{points} points, {replications} empty runs each: {wall * 1e3 / points / replications:.3f}"
        f" ms a run; largest memory {before:.1f} MB before, {checked:.1f} MB checked,"
        f" {made:.1f} MB made, so {each:.0f} bytes a run"
    )


def _largest_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def _sweep(points: int, replications: int) -> str:
    """A scenario with so many points, a multiple of ten."""
    levels = {"from": "11 ms", "to": f"{10 + points // 10} ms", "count": points // 10}
    delays = ", ".join(f"{name} = {json.dumps(value)}" for name, value in levels.items())
    text = SCENARIO.format(duration="1 s", replications=replications)
    return text if points == POINTS else f'{text}"topology.bottleneck.delay" = {{ {delays} }}\n'


def main() -> None:
    """Measure, and print one line for each figure."""
    # Loads what the first run would load.
    overhead("1 s", POINTS, 1)
    for jobs in (1, processors()):
        overhead("2 s", 1000, jobs)
        overhead("60 s", 200, jobs)
    for points, replications in ((10, 100), (10, 1000), (1000, 1), (10_000, 1), (100_000, 1)):
        subprocess.run([sys.executable, __file__, str(points), str(replications)], check=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        memory(int(sys.argv[1]), int(sys.argv[2]))
    else:
        main()
