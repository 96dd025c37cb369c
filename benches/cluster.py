"""Measure the overhead of a dask cluster beside the runs, with 1, 2 and 4 workers on this computer.

Prints, for short runs and for runs of one second: the time of a run on its worker; the overhead,
which is the other time of the workers divided by the number of runs; its share of the workers'
time; the processor time a run of the process that has the journal and, here, the scheduler. The
time to connect and to check the workers, once for a campaign, is apart. The runs of one second wait
and do not compute, so that four workers need not have four processors.
Usage: python benches/cluster.py
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from distributed import LocalCluster

from ackclock.campaign import run_campaign
from ackclock.results.scenario_run import MEASURE
from ackclock.scenario import load

SCENARIO = """
title = "A short transfer"
duration = "2 s"
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
WORKERS = (1, 2, 4)
SHORT_RUNS = 1000
"""Runs per worker."""
LONG_RUNS = 30


def wait(plan: str, seed: int) -> dict[str, dict[str, np.ndarray]]:
    """A core whose runs take a second and no processor."""
    time.sleep(1)
    return {}


def no_measure(columns: Any, facts: Any) -> dict[str, Any]:
    """A row of the usual length."""
    return {f"metric_{number}": 1 / 3 for number in range(20)}


def measured(executor: str, runs: int, **functions: str) -> tuple[float, float, float]:
    """Make runs; return wall-clock s, s in the runs, and processor s of this process."""
    scenario = load(SCENARIO.format(replications=max(1, runs // POINTS)))
    points = scenario.points()[:runs]
    with tempfile.TemporaryDirectory() as folder:
        start, before = time.perf_counter(), time.process_time()
        run_campaign(scenario, folder, executor=executor, points=points, **functions)
        wall, processor = time.perf_counter() - start, time.process_time() - before
        lines = (Path(folder) / "journal.jsonl").read_text().splitlines()[1:]
    return wall, sum(json.loads(line)["duration_s"] for line in lines), processor


def main() -> None:
    """Measure, and print the lines of a table."""
    kinds = {
        "short": (SHORT_RUNS, {"measure": MEASURE}),
        "1 s": (LONG_RUNS, {"core": "cluster:wait", "measure": "cluster:no_measure"}),
    }
    print("| workers | runs | number | a run | overhead a run | share | processor a run | once |")
    print("|---|---|---|---|---|---|---|---|")
    for workers in WORKERS:
        with LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None
        ) as cluster:
            executor = f"dask+{cluster.scheduler_address}"
            for kind, (each, functions) in kinds.items():
                # Loads what the first run would load.
                measured(executor, POINTS * workers, **functions)
                alone, inside, idle = measured(executor, 1, **functions)
                once, number = alone - inside, each * workers
                wall, inside, processor = measured(executor, number, **functions)
                overhead = (wall - once) * workers - inside
                print(
                    f"| {workers} | {kind} | {number} | {inside / number * 1e3:.1f} ms"
                    f" | {overhead / number * 1e3:.1f} ms | {overhead / wall / workers:.1%}"
                    f" | {(processor - idle) / number * 1e3:.1f} ms | {once:.2f} s |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
